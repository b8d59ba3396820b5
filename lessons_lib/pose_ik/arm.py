"""Data of a chain that the searches use besides its kinematics: joint ranges and a bound on the reach."""

from __future__ import annotations

import math
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.layout import LOWER, UPPER
from lessons_lib.robots import Chain
from lessons_lib.robots.joint_limits import unlimited_sides

ROUNDED_PITCH = 1e-12
"""Largest pitch ω·v, m per rad, relative above 1 m, of a screw that is a rotation to rounding."""

LARGEST_ROTATION = 1e6
"""Bound on the angle of such a joint without limits, rad; beyond it rounding dominates the position of the tip."""


@dataclass(frozen=True)
class Arm:
    """Data of a chain that all searches share; lengths in m, rotations in rad."""

    joints: Array  # a row per joint: lower and upper limit, period, range of random starts, (n, 5)
    reach: Array  # radius and center (r, x, y, z) in {s} of a ball that contains every position of the tip
    home: Array  # the zero configuration, clipped into the limits
    bounds: tuple[tuple[float, float], ...]  # the limits as Python floats, which are faster to compare with
    size: float  # largest |p| of the tip, for its rounding; a prismatic joint without limits counts as zero


_arms: WeakKeyDictionary[Chain, Arm] = WeakKeyDictionary()


def arm_of(chain: Chain) -> Arm:
    """Return the search data of a chain, computed once."""
    arm = _arms.get(chain)
    if arm is None:
        periods = [2.0 * math.pi if kind == "revolute" else 0.0 for kind in chain.joint_types]
        joints = np.ascontiguousarray(np.column_stack([chain.limits, periods, chain.sampling_limits]))
        home = np.clip(np.zeros(chain.dof), joints[:, LOWER], joints[:, UPPER])
        bounds = tuple((float(lower), float(upper)) for lower, upper in chain.limits)
        size, *centre = _ball(chain, 0.0)
        arm = _arms[chain] = Arm(joints, np.array(_ball(chain, math.inf)), home, bounds, size + math.hypot(*centre))
    return arm


def _ball(chain: Chain, unlimited_travel: float) -> list[float]:
    """Return a ball, (radius, x, y, z) in {s}, that contains the tip at every configuration within the limits."""
    # `unlimited_travel`, rad or m, is the travel of a joint without limits
    # Each axis has a point nearest to the point of the next axis, starting from the tip. Links are rigid, so the sum of
    # these distances bounds the distance of the tip from the fixed first point; prismatic joints and pitches add to it.
    chain = chain.uncoupled
    point, radius = chain.home[:3, 3].copy(), 0.0
    lower, upper = chain.limits.T
    is_unlimited = np.logical_or(*unlimited_sides(lower, upper, chain.joint_types, chain.length))
    travels = np.where(is_unlimited, unlimited_travel, np.max(np.abs(chain.limits), axis=1))
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
        is_rounding = pitch <= ROUNDED_PITCH * max(1.0, float(np.linalg.norm(v)))
        radius += pitch * (min(travel, LARGEST_ROTATION) if is_rounding else travel)
        point = nearest
    return [radius, *map(float, point)]
