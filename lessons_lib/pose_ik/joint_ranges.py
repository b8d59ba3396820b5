"""Joint limits: random starts within them, wrapping and clipping, and steps that stop at them."""
# `joints` has a row for each joint: its limits, its period (2π rad, or 0 if no revolution restores the pose), and
# limits with finite substitutes, between which random starts are drawn.

from __future__ import annotations

import math

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.layout import (
    FLAT,
    LIMIT_TOLERANCE,
    LOWER,
    PERIOD,
    PERTURBATION,
    SAMPLE_LOWER,
    SAMPLE_UPPER,
    UPPER,
)
from lessons_lib.pose_ik.random_numbers import FIRST_MODULUS, next_integer
from lessons_lib.robots.revolutions import unwrap_joint, wrap_joint


def uniform_from_int(whole: int, lower: float, upper: float) -> float:
    """Map a random integer to a value between two limits."""
    # a product, a quotient, a sum: no two of them can be fused, so every loop rounds alike
    place = lower + (upper - lower) * whole / FIRST_MODULUS
    return place if place < upper else upper


def into_limits(value: float, lower: float, upper: float) -> float:
    """Return a value clipped into its limits, infinity if it exceeds them by more than LIMIT_TOLERANCE."""
    clipped = lower if value < lower else (upper if value > upper else value)
    return clipped if abs(value - clipped) <= LIMIT_TOLERANCE * max(1.0, abs(clipped)) else math.inf


def is_inside(q: Array, joints: Array) -> bool:
    """Return whether each joint is finite and within its limits."""
    inside = True
    for i in range(q.shape[0]):
        inside = inside & (joints[i, LOWER] <= q[i]) & (q[i] <= joints[i, UPPER]) & (abs(q[i]) < math.inf)
    return inside


def random_configuration(state: Integers, joints: Array, q: Array) -> None:
    """Draw a uniform configuration within the limits; advance the state of the generator."""
    for i in range(q.shape[0]):
        q[i] = uniform_from_int(next_integer(state), joints[i, SAMPLE_LOWER], joints[i, SAMPLE_UPPER])


def wrap(q: Array, start: Array, joints: Array, wrapped: Array) -> bool:
    """Subtract the whole revolutions that bring each joint within its limits; return whether all are inside."""
    inside = True
    for i in range(q.shape[0]):
        lower, upper = joints[i, LOWER], joints[i, UPPER]
        wrapped[i] = wrap_joint(q[i], start[i], lower, upper, joints[i, PERIOD])
        inside = inside and lower <= wrapped[i] <= upper
    return inside


def is_wrapped(q: Array, start: Array, reference: Array, joints: Array) -> bool:
    """Return whether each joint is within its limits, and at most half a revolution from two configurations."""
    inside = True
    for i in range(q.shape[0]):
        half = 0.5 * joints[i, PERIOD] if joints[i, PERIOD] > 0.0 else math.inf
        near = (abs(q[i] - start[i]) <= half) & (abs(q[i] - reference[i]) <= half)
        inside = inside & near & (joints[i, LOWER] <= q[i]) & (q[i] <= joints[i, UPPER])
    return inside


def clip(q: Array, joints: Array) -> None:
    """Clip each joint, in place, into its limits."""
    for i in range(q.shape[0]):
        q[i] = min(max(q[i], joints[i, LOWER]), joints[i, UPPER])


def unwrap(q: Array, reference: Array, joints: Array) -> bool:
    """Add the whole revolutions that bring each joint, in place, nearest to another configuration.

    The result stays within the limits. Return whether any joint changed.
    """
    changed = False
    for i in range(q.shape[0]):
        value = unwrap_joint(q[i], reference[i], joints[i, LOWER], joints[i, UPPER], joints[i, PERIOD])
        changed = changed or value != q[i]
        q[i] = value
    return changed


def wrap_near(q: Array, start: Array, reference: Array, joints: Array, nearest: Array) -> bool:
    """Wrap and clip q into the limits, nearest to another configuration; return whether nothing was clipped."""
    inside = wrap(q, start, joints, nearest)
    clip(nearest, joints)
    unwrap(nearest, reference, joints)
    return inside


def perturb(q: Array, joints: Array, state: Integers, perturbed: Array) -> None:
    """Move q by PERTURBATION towards a random configuration, within the limits."""
    random_configuration(state, joints, perturbed)
    longest = PERTURBATION
    for i in range(q.shape[0]):
        longest = max(longest, abs(perturbed[i] - q[i]))
    for i in range(q.shape[0]):
        perturbed[i] = q[i] + PERTURBATION / longest * (perturbed[i] - q[i])
    clip(perturbed, joints)


def covers_period(lower: float, upper: float, period: float) -> bool:
    """Return whether whole revolutions bring a joint within its limits from anywhere."""
    return period > 0.0 and upper - lower >= period


def update_active_set(A: Array, e: Array, q: Array, joints: Array, active: Array) -> bool:
    """Put joints at a limit that would leave it downhill in the active set; return whether no free joint helps."""
    # No free joint helps if e is orthogonal to its column of A, to FLAT. Source: Bertsekas, SIAM J. Control Optim. 20
    # (1982), with the neighbourhood of each limit shrunk to the limit itself.
    flat, square = True, 0.0
    for row in range(6):
        square += e[row] * e[row]
    for i in range(q.shape[0]):
        downhill, length = 0.0, 0.0
        for row in range(6):
            downhill += A[row, i] * e[row]
            length += A[row, i] * A[row, i]
        lower, upper = joints[i, LOWER], joints[i, UPPER]
        out = (q[i] >= upper and downhill > 0.0) or (q[i] <= lower and downhill < 0.0)
        active[i] = 1.0 if out and not covers_period(lower, upper, joints[i, PERIOD]) else 0.0
        if active[i] == 0.0 and downhill * downhill > FLAT * FLAT * length * square:
            flat = False
    return flat


def extend_active_set(q: Array, step: Array, joints: Array, active: Array) -> bool:
    """Add the joints at a limit that a step would violate to the active set; return whether there are any."""
    # a step of all joints may move one uphill; clipping that joint alone would spoil the steps of the others
    more = False
    for i in range(q.shape[0]):
        lower, upper = joints[i, LOWER], joints[i, UPPER]
        out = (q[i] >= upper and step[i] > 0.0) or (q[i] <= lower and step[i] < 0.0)
        if out and active[i] == 0.0 and not covers_period(lower, upper, joints[i, PERIOD]):
            active[i], more = 1.0, True
    return more


def project_step(q: Array, step: Array, joints: Array, ahead: Array) -> None:
    """Clip each joint of q + step to its limits, and shorten the step accordingly."""
    for i in range(q.shape[0]):
        lower, upper = joints[i, LOWER], joints[i, UPPER]
        ahead[i] = q[i] + step[i]
        if not covers_period(lower, upper, joints[i, PERIOD]) and not (lower <= ahead[i] and ahead[i] <= upper):
            if ahead[i] > upper:  # and not NaN, which stays what it is
                ahead[i] = upper
            elif ahead[i] < lower:
                ahead[i] = lower
            step[i] = ahead[i] - q[i]


def has_limits_to_stop_at(joints: Array) -> bool:
    """Return whether any joint of the chain can reach a limit."""
    for i in range(joints.shape[0]):
        if not covers_period(joints[i, LOWER], joints[i, UPPER], joints[i, PERIOD]):
            return True
    return False
