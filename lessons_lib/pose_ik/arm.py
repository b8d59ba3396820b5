"""What the search needs to know of a chain besides its kinematics: joint ranges, and how far it can ever reach."""

from __future__ import annotations

import math
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.layout import LOWER, UPPER
from lessons_lib.robots import Chain
from lessons_lib.robots.sampling import without_end

ROUNDED_PITCH = 1e-12
"""Of ω·v [m per rad, relative above 1 m]: up to this it is what rounding left of a rotation."""

LARGEST_ROTATION = 1e6
"""How far such a joint is thought to rotate where it has no limits [rad]: more would lose the tip in rounding."""


@dataclass(frozen=True)
class Arm:
    """Numbers of a chain, in the flat form that all searches share.

    Attributes:
        joints: A row for each joint: lower and upper limit, period, the two ends of random starts, shape (n, 5).
        reach: A radius and the centre it is measured from, (r, x, y, z) in {s}, m; the tip never leaves that ball.
        home: The zero configuration, clipped into the limits, shape (n,).
        bounds: The limits once more, as n pairs of plain numbers, which are quicker to compare with.
        size: How far from the origin of {s} the tip can be, m, which says how coarse its position is rounded; a joint
            that slides without end counts as if it stood at zero.
    """

    joints: Array
    reach: Array
    home: Array
    bounds: tuple[tuple[float, float], ...]
    size: float


_arms: WeakKeyDictionary[Chain, Arm] = WeakKeyDictionary()


def arm_of(chain: Chain) -> Arm:
    """Return the numbers of a chain, worked out once."""
    arm = _arms.get(chain)
    if arm is None:
        periods = [2.0 * math.pi if kind == "revolute" else 0.0 for kind in chain.joint_types]
        joints = np.ascontiguousarray(np.column_stack([chain.limits, periods, chain.sampling_limits]))
        home = np.clip(np.zeros(chain.dof), joints[:, LOWER], joints[:, UPPER])
        bounds = tuple((float(lower), float(upper)) for lower, upper in chain.limits)
        size, *centre = _ball(chain, 0.0)
        arm = _arms[chain] = Arm(joints, reach_of(chain), home, bounds, size + math.hypot(*centre))
    return arm


def reach_of(chain: Chain) -> Array:
    """Return a ball that holds the tip at every configuration within the limits: (radius, x, y, z) in {s}, m.

    From the tip inward, each revolute axis is given the point on it that is nearest to the point after. A rigid link
    keeps the distance between its two points, and the first point stays where it is, so that the tip is never farther
    from it than the sum of these distances. A prismatic joint (or the pitch of a screw) adds the longest way it can go:
    without limits, or with one that counts as none (`robots.sampling`), there is no bound, however small the pitch,
    unless it is nothing but rounding.
    The sum is an upper bound: a target beyond it is provably out of reach, one within it need not be reachable.
    """
    return np.array(_ball(chain, math.inf))


def _ball(chain: Chain, endless: float) -> list[float]:
    """Return the ball of `reach_of` for joints without end that go so far, rad or m."""
    point, radius = chain.home[:3, 3].copy(), 0.0
    is_endless = np.logical_or(*without_end(chain.limits[:, 0], chain.limits[:, 1], chain.joint_types, chain.length))
    travels = np.where(is_endless, endless, np.max(np.abs(chain.limits), axis=1))
    for i in range(chain.dof - 1, -1, -1):
        omega, v = chain.screws[:3, i], chain.screws[3:, i]
        travel = float(travels[i])
        if chain.joint_types[i] == "prismatic":
            radius += travel
            continue
        foot = np.cross(omega, v)
        nearest = foot + omega * float(omega @ (point - foot))
        radius += float(np.linalg.norm(point - nearest))
        pitch = abs(float(omega @ v))
        rounded = pitch <= ROUNDED_PITCH * max(1.0, float(np.linalg.norm(v)))
        radius += pitch * (min(travel, LARGEST_ROTATION) if rounded else travel)
        point = nearest
    return [radius, *map(float, point)]
