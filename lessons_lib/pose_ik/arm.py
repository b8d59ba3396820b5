"""Numbers of a chain that the searches use besides its kinematics: joint ranges and a bound on the reach."""

from __future__ import annotations

import math
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.layout import LOWER, UPPER
from lessons_lib.robots import Chain
from lessons_lib.robots.sampling import unlimited_sides

ROUNDED_PITCH = 1e-12
"""Pitch ω·v, m per rad, relative above 1 m, up to which a screw is a rotation to rounding."""

LARGEST_ROTATION = 1e6
"""Bound on the angle of such a joint without limits, rad: beyond it the tip would be lost in rounding."""


@dataclass(frozen=True)
class Arm:
    """Numbers of a chain, in the form that all searches share.

    Attributes:
        joints: A row for each joint: lower and upper limit, period, the two ends of random starts, shape (n, 5).
        reach: Radius and centre (r, x, y, z) in {s}, m, of a ball that the tip never leaves.
        home: The zero configuration, clipped into the limits, shape (n,).
        bounds: The limits as n pairs of Python floats, which are faster to compare with.
        size: Largest distance of the tip from the origin of {s}, m, for the rounding of its position; a prismatic joint
            without limits counts as zero.
    """

    joints: Array
    reach: Array
    home: Array
    bounds: tuple[tuple[float, float], ...]
    size: float


_arms: WeakKeyDictionary[Chain, Arm] = WeakKeyDictionary()


def arm_of(chain: Chain) -> Arm:
    """Return the numbers of a chain, computed once."""
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
    """Return a ball, (radius, x, y, z) in {s}, m, that contains the tip at every configuration within the limits.

    From the tip inward, each revolute axis gets the point on it that is nearest to the point after it. Links are rigid,
    so the tip is never farther from the first point, which does not move, than the sum of these distances. A prismatic
    joint, or the pitch of a screw, adds its longest travel; without limits there is no bound, unless the pitch is
    rounding. A target outside the ball is provably out of reach; one inside may be, too.
    """
    return np.array(_ball(chain, math.inf))


def _ball(chain: Chain, endless: float) -> list[float]:
    """Return the ball of `reach_of`, with the travel `endless`, rad or m, of joints without limits."""
    chain = chain.uncoupled
    point, radius = chain.home[:3, 3].copy(), 0.0
    is_endless = np.logical_or(
        *unlimited_sides(chain.limits[:, 0], chain.limits[:, 1], chain.joint_types, chain.length)
    )
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
