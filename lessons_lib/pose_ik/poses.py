"""Whether a target is a pose, or what rounding made of one, and whether an arm can reach so far.

By hand: comparisons.
Held by: tests/pose_ik/test_batch_threads.py, tests/pose_ik/test_reachable_targets.py.
"""

from __future__ import annotations

import math

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.layout import POSITION, REACH, ROUNDED


def off_pose(targets: Array, top: int) -> float:
    """Return how far the four rows from `top` on are from a pose: what RᵀR differs by from I, in its upper triangle.

    It is infinite where no rounding made it so: a reflection, another last row, a number that is not finite.
    """
    a, b, c = targets[top, 0], targets[top, 1], targets[top, 2]
    d, e, f = targets[top + 1, 0], targets[top + 1, 1], targets[top + 1, 2]
    g, h, i = targets[top + 2, 0], targets[top + 2, 1], targets[top + 2, 2]
    skew = abs(a * b + d * e + g * h) + abs(a * c + d * f + g * i) + abs(b * c + e * f + h * i)
    stretch = abs(a * a + d * d + g * g - 1.0) + abs(b * b + e * e + h * h - 1.0) + abs(c * c + f * f + i * i - 1.0)
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    last = abs(targets[top + 3, 0]) + abs(targets[top + 3, 1]) + abs(targets[top + 3, 2]) + abs(targets[top + 3, 3] - 1)
    finite = abs(targets[top, 3]) + abs(targets[top + 1, 3]) + abs(targets[top + 2, 3]) < 1e300
    return skew + stretch if finite and determinant > 0.0 and last == 0.0 else math.inf


def is_pose(targets: Array, top: int) -> bool:
    """Return whether the four rows from `top` on are a pose to rounding."""
    return bool(off_pose(targets, top) <= ROUNDED)


def first_off(targets: Array, tolerance: float) -> int:
    """Return the place of the first matrix that is farther from a pose, behind the last where none is.

    Args:
        targets: One below the other, shape (4 k, 4).
        tolerance: How far one may be off.
    """
    count: int = targets.shape[0] // 4
    for row in range(count):
        if not off_pose(targets, 4 * row) <= tolerance:
            return row
    return count


def is_within_reach(targets: Array, top: int, numbers: Array) -> bool:
    """Return whether the position of the target lies in the ball that the arm can reach."""
    x, y, z = targets[top, 3], targets[top + 1, 3], targets[top + 2, 3]
    x, y, z = x - numbers[REACH + 1], y - numbers[REACH + 2], z - numbers[REACH + 3]
    return bool(math.sqrt(x * x + y * y + z * z) <= numbers[REACH] + numbers[POSITION])
