"""Whether targets are poses to rounding, and within the reach of an arm; see lie/poses.py for the tolerance."""

from __future__ import annotations

import math

from lessons_lib.arrays import Array
from lessons_lib.lie.poses import pose_deviation
from lessons_lib.pose_ik.layout import POSITION, REACH, ROUNDED


def is_pose(targets: Array, top: int) -> bool:
    """Return whether the four rows from `top` on are a pose to rounding."""
    return bool(pose_deviation(targets, top) <= ROUNDED)


def first_off(targets: Array, tolerance: float) -> int:
    """Return the index of the first pose, of shape (4 k, 4), whose deviation exceeds the tolerance; k if none."""
    count: int = targets.shape[0] // 4
    for row in range(count):
        if not pose_deviation(targets, 4 * row) <= tolerance:
            return row
    return count


def is_within_reach(targets: Array, top: int, numbers: Array) -> bool:
    """Return whether the position of the target lies in the ball that bounds the arm's reach."""
    x, y, z = targets[top, 3], targets[top + 1, 3], targets[top + 2, 3]
    x, y, z = x - numbers[REACH + 1], y - numbers[REACH + 2], z - numbers[REACH + 3]
    return bool(math.sqrt(x * x + y * y + z * z) <= numbers[REACH] + numbers[POSITION])
