"""Whole turns: the same posture of a revolute joint has many names, and a path wants the nearest one."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.layout import LOWER, TURN, UPPER
from lessons_lib.robots import Chain

Array = NDArray[np.float64]


def nearest_turns(chain: Chain, q: ArrayLike, beside: ArrayLike) -> Array:
    """Return q with whole turns added, so that each revolute joint is as near to another configuration as it can be.

    The pose stays the same, up to rounding. A joint with limits takes only turns that stay within them; prismatic
    joints, and screws with a pitch, stay as they are.

    Args:
        chain: Whose joints.
        q: Configuration within the limits, shape (n,), rad or m.
        beside: Configuration to be near to, shape (n,), rad or m.

    Raises:
        ConfigurationError: One of the two has another shape or is not finite, or q lies outside the limits.
    """
    turned, near = chain.check_within_limits(q), chain.check_configuration(beside)
    turn_towards(turned, near, arm_of(chain).joints)
    return turned


def turn_towards(q: Array, beside: Array, joints: Array) -> bool:
    """Add to each joint of q, in place, the whole turns of `nearest_turns`; return whether there were any.

    One source for both loops: the readable one calls this function, the compiled one compiles its text. `joints` is
    that of `pose_ik.arm.Arm`.
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
