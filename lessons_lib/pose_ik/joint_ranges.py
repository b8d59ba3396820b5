"""Where a joint may stand: random starts within the limits, and whole turns taken off on the way back.

One source for both loops: the readable one calls these functions, the compiled one compiles their text.
`joints` has a row for each joint: its limits, its turn (2π rad, or 0 where none brings the pose back), and the
limits with finite stand-ins that random starts are drawn from.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lessons_lib.pose_ik.layout import LOWER, SAMPLE_LOWER, SAMPLE_UPPER, TURN, UPPER
from lessons_lib.pose_ik.random_numbers import FIRST_MODULUS, next_whole

Array = NDArray[np.float64]


def random_configuration(state: NDArray[np.int64], joints: Array, q: Array) -> None:
    """Write a uniform random configuration within the limits into q, and move the generator's state on."""
    for i in range(q.shape[0]):
        lower, upper = joints[i, SAMPLE_LOWER], joints[i, SAMPLE_UPPER]
        # a product, a quotient, a sum: no two of them can be fused, so every loop rounds alike
        q[i] = min(lower + (upper - lower) * next_whole(state) / FIRST_MODULUS, upper)


def turn_back(q: Array, start: Array, joints: Array, turned: Array) -> bool:
    """Write q, less the whole turns that bring each joint into its limits, and return whether all are inside.

    A revolute joint without limits comes back to within half a turn of the start, if it went farther.
    The pose is the same, up to rounding.
    """
    inside = True
    for i in range(q.shape[0]):
        value, lower, upper, turn = q[i], joints[i, LOWER], joints[i, UPPER], joints[i, TURN]
        if turn > 0.0:
            if math.isinf(lower) and math.isinf(upper):
                if abs(value - start[i]) > 0.5 * turn:
                    value -= turn * np.rint((value - start[i]) / turn)
            elif value > upper:
                value -= turn * np.ceil((value - upper) / turn)
            elif value < lower:
                value += turn * np.ceil((lower - value) / turn)
        turned[i] = value
        inside = inside and lower <= value <= upper
    return inside


def clip(q: Array, joints: Array) -> None:
    """Move each joint of q, in place, to the nearest value within its limits."""
    for i in range(q.shape[0]):
        q[i] = min(max(q[i], joints[i, LOWER]), joints[i, UPPER])
