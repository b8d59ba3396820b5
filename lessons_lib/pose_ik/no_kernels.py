"""What stands in the place of a kernel that a method has no need of: nothing, which costs nothing."""

from lessons_lib.arrays import Array


def split_error(w: Array) -> None:
    """Do nothing: the error is the twist."""


def acceptance(w: Array) -> None:
    """Do nothing: every step is taken."""


def promise(w: Array) -> None:
    """Do nothing: no step is judged by what it promised."""


def damped_step(w: Array) -> None:
    """Do nothing: no lean step."""


def stated_problem_0(w: Array) -> None:
    """Do nothing: no formula."""


def stated_problem_1(w: Array) -> None:
    """Do nothing: no formula."""


def stated_problem_2(w: Array) -> None:
    """Do nothing: no formula."""


def stated_last(w: Array) -> None:
    """Do nothing: no formula."""
