"""Whether the position of a target lies within an arm's reach."""

from __future__ import annotations

import math

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.layout import POSITION, REACH


def is_within_reach(targets: Array, top: int, numbers: Array) -> bool:
    """Return whether the position of the target lies in the ball that the arm can reach."""
    x, y, z = targets[top, 3], targets[top + 1, 3], targets[top + 2, 3]
    x, y, z = x - numbers[REACH + 1], y - numbers[REACH + 2], z - numbers[REACH + 3]
    return bool(math.sqrt(x * x + y * y + z * z) <= numbers[REACH] + numbers[POSITION])
