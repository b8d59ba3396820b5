"""Where a joint may stand: random starts within the limits, and angles wrapped into them.

All searches share them: that of one start after the other, and that over lanes.
`joints` has a row for each joint: its limits, its period (2π rad, or 0 where no revolution brings the pose back), and
the limits with finite stand-ins that random starts are drawn from.
"""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.layout import FAR, LIMIT_TOLERANCE, LOWER, NUDGE, PERIOD, SAMPLE_LOWER, SAMPLE_UPPER, UPPER
from lessons_lib.pose_ik.random_numbers import FIRST_MODULUS, next_integer


def uniform_from_int(whole: int, lower: float, upper: float) -> float:
    """Return the place between two limits that a random whole number stands for."""
    # a product, a quotient, a sum: no two of them can be fused, so every loop rounds alike
    place = lower + (upper - lower) * whole / FIRST_MODULUS
    return place if place < upper else upper


def wrap_joint(value: float, start: float, lower: float, upper: float, period: float) -> float:
    """Return a joint's value, less the whole revolutions that bring it into its limits.

    A revolute joint that on one side has no limit, or a far one, comes back to within half a revolution of the start,
    if it went farther, or as near as its limits let it.
    """
    if period > 0.0:
        if (lower <= -FAR or upper >= FAR) and abs(value - start) > 0.5 * period:
            value -= period * np.rint((value - start) / period)
        if value > upper:
            value -= period * np.ceil((value - upper) / period)
        elif value < lower:
            value += period * np.ceil((lower - value) / period)
    return value


def unwrap_joint(value: float, beside: float, lower: float, upper: float, period: float) -> float:
    """Return a joint's value within its limits, plus the whole revolutions that bring it nearest to another value."""
    if period == 0.0 or abs(beside - value) <= 0.5 * period:
        return value
    count = np.rint((beside - value) / period)
    if lower > -math.inf:
        count = max(count, np.ceil((lower - value) / period))
    if upper < math.inf:
        count = min(count, np.floor((upper - value) / period))
    # onto a limit it may round to just beyond it
    return min(max(value + period * count, lower), upper) if count != 0.0 else value


def into_limits(value: float, lower: float, upper: float) -> float:
    """Return a value clipped into its limits, or infinity if it exceeds them by more than LIMIT_TOLERANCE."""
    clipped = lower if value < lower else (upper if value > upper else value)
    return clipped if abs(value - clipped) <= LIMIT_TOLERANCE * max(1.0, abs(clipped)) else math.inf


def random_configuration(state: Integers, joints: Array, q: Array) -> None:
    """Write a uniform random configuration within the limits into q, and move the generator's state on."""
    for i in range(q.shape[0]):
        q[i] = uniform_from_int(next_integer(state), joints[i, SAMPLE_LOWER], joints[i, SAMPLE_UPPER])


def wrap(q: Array, start: Array, joints: Array, wrapped: Array) -> bool:
    """Write q, less the whole revolutions that bring each joint into its limits, and return whether all are inside.

    The pose is the same, up to rounding.
    """
    inside = True
    for i in range(q.shape[0]):
        lower, upper = joints[i, LOWER], joints[i, UPPER]
        wrapped[i] = wrap_joint(q[i], start[i], lower, upper, joints[i, PERIOD])
        inside = inside and lower <= wrapped[i] <= upper
    return inside


def is_wrapped(q: Array, start: Array, beside: Array, joints: Array) -> bool:
    """Return whether each joint is within its limits, and at most half a revolution from two configurations."""
    inside = True
    for i in range(q.shape[0]):
        half = 0.5 * joints[i, PERIOD] if joints[i, PERIOD] > 0.0 else math.inf
        near = (abs(q[i] - start[i]) <= half) & (abs(q[i] - beside[i]) <= half)
        inside = inside & near & (joints[i, LOWER] <= q[i]) & (q[i] <= joints[i, UPPER])
    return inside


def clip(q: Array, joints: Array) -> None:
    """Move each joint of q, in place, to the nearest value within its limits."""
    for i in range(q.shape[0]):
        q[i] = min(max(q[i], joints[i, LOWER]), joints[i, UPPER])


def unwrap(q: Array, beside: Array, joints: Array) -> bool:
    """Add to each joint of q, in place, the whole revolutions that bring it nearest to another configuration.

    A joint with limits takes only those that stay within them. Returns whether there were any to take.
    """
    changed = False
    for i in range(q.shape[0]):
        value = unwrap_joint(q[i], beside[i], joints[i, LOWER], joints[i, UPPER], joints[i, PERIOD])
        changed = changed or value != q[i]
        q[i] = value
    return changed


def bring_near(q: Array, start: Array, beside: Array, joints: Array, brought: Array) -> None:
    """Write q, each joint within its limits and wrapped to where it is nearest to another configuration."""
    wrap(q, start, joints, brought)
    clip(brought, joints)
    unwrap(brought, beside, joints)


def nudge(q: Array, joints: Array, state: Integers, nudged: Array) -> None:
    """Write a place within the limits that lies NUDGE aside of q, towards a random configuration."""
    random_configuration(state, joints, nudged)
    longest = NUDGE
    for i in range(q.shape[0]):
        longest = max(longest, abs(nudged[i] - q[i]))
    for i in range(q.shape[0]):
        nudged[i] = q[i] + NUDGE / longest * (nudged[i] - q[i])
    clip(nudged, joints)
