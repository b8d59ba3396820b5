"""Where a joint may stand: random starts within the limits, and whole turns taken off on the way back.

One source for both loops: the readable one calls these functions, the compiled one compiles their text.
`joints` has a row for each joint: its limits, its turn (2π rad, or 0 where none brings the pose back), and the
limits with finite stand-ins that random starts are drawn from.

By hand: choices, joint by joint.
Held by: tests/pose_ik/test_starts.py, tests/pose_ik/test_far_limits.py.
"""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.layout import FAR, LOWER, NUDGE, SAMPLE_LOWER, SAMPLE_UPPER, TURN, UPPER
from lessons_lib.pose_ik.random_numbers import FIRST_MODULUS, next_whole


def drawn(whole: int, lower: float, upper: float) -> float:
    """Return the place between two limits that a random whole number stands for."""
    # a product, a quotient, a sum: no two of them can be fused, so every loop rounds alike
    return min(lower + (upper - lower) * whole / FIRST_MODULUS, upper)


def turned_back(value: float, start: float, lower: float, upper: float, turn: float) -> float:
    """Return a joint's value, less the whole turns that bring it into its limits.

    A revolute joint that on one side has no limit, or a far one, comes back to within half a turn of the start, if it
    went farther, or as near as its limits let it.
    """
    if turn > 0.0:
        if (lower <= -FAR or upper >= FAR) and abs(value - start) > 0.5 * turn:
            value -= turn * np.rint((value - start) / turn)
        if value > upper:
            value -= turn * np.ceil((value - upper) / turn)
        elif value < lower:
            value += turn * np.ceil((lower - value) / turn)
    return value


def random_configuration(state: Integers, joints: Array, q: Array) -> None:
    """Write a uniform random configuration within the limits into q, and move the generator's state on."""
    for i in range(q.shape[0]):
        q[i] = drawn(next_whole(state), joints[i, SAMPLE_LOWER], joints[i, SAMPLE_UPPER])


def turn_back(q: Array, start: Array, joints: Array, turned: Array) -> bool:
    """Write q, less the whole turns that bring each joint into its limits, and return whether all are inside.

    The pose is the same, up to rounding.
    """
    inside = True
    for i in range(q.shape[0]):
        lower, upper = joints[i, LOWER], joints[i, UPPER]
        turned[i] = turned_back(q[i], start[i], lower, upper, joints[i, TURN])
        inside = inside and lower <= turned[i] <= upper
    return inside


def clip(q: Array, joints: Array) -> None:
    """Move each joint of q, in place, to the nearest value within its limits."""
    for i in range(q.shape[0]):
        q[i] = min(max(q[i], joints[i, LOWER]), joints[i, UPPER])


def turn_towards(q: Array, beside: Array, joints: Array) -> bool:
    """Add to each joint of q, in place, the whole turns that bring it nearest to another configuration.

    A joint with limits takes only turns that stay within them. Returns whether there were any turns to take.
    """
    changed = False
    for i in range(q.shape[0]):
        value, lower, upper, turn = q[i], joints[i, LOWER], joints[i, UPPER], joints[i, TURN]
        if turn == 0.0 or abs(beside[i] - value) <= 0.5 * turn:
            continue
        turns = np.rint((beside[i] - value) / turn)
        if not math.isinf(lower):
            turns = max(turns, np.ceil((lower - value) / turn))
        if not math.isinf(upper):
            turns = min(turns, np.floor((upper - value) / turn))
        if turns != 0.0:
            q[i] = min(max(value + turn * turns, lower), upper)  # onto a limit it may round to just beyond it
            changed = True
    return changed


def bring_near(q: Array, start: Array, beside: Array, joints: Array, brought: Array) -> None:
    """Write q, each joint within its limits and turned to where it is nearest to another configuration."""
    turn_back(q, start, joints, brought)
    clip(brought, joints)
    turn_towards(brought, beside, joints)


def nudge(q: Array, joints: Array, state: Integers, nudged: Array) -> None:
    """Write a place within the limits that lies NUDGE aside of q, towards a random configuration."""
    random_configuration(state, joints, nudged)
    longest = NUDGE
    for i in range(q.shape[0]):
        longest = max(longest, abs(nudged[i] - q[i]))
    for i in range(q.shape[0]):
        nudged[i] = q[i] + NUDGE / longest * (nudged[i] - q[i])
    clip(nudged, joints)
