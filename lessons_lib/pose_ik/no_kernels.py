"""What stands in the place of a kernel that a method has no need of: nothing, which costs nothing.

By hand: there is nothing to derive.
Held by: tests/pose_ik/test_lanes.py.
"""

from lessons_lib.arrays import Array


def split_error(w: Array) -> None:
    """Do nothing: the error is the twist."""


def acceptance(w: Array) -> None:
    """Do nothing: every step is taken."""


def promise(w: Array) -> None:
    """Do nothing: no step is judged by what it promised."""
