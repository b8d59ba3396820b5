"""Empty functions for the kernels that a variant does not need: calls of them cost nothing."""

from lessons_lib.arrays import Array


def split_error(w: Array) -> None:
    """Do nothing."""


def acceptance(w: Array) -> None:
    """Do nothing."""


def promise(w: Array) -> None:
    """Do nothing."""


def damped_step(w: Array) -> None:
    """Do nothing."""


def stated_problem_0(w: Array) -> None:
    """Do nothing."""


def stated_problem_1(w: Array) -> None:
    """Do nothing."""


def stated_problem_2(w: Array) -> None:
    """Do nothing."""


def stated_last(w: Array) -> None:
    """Do nothing."""
