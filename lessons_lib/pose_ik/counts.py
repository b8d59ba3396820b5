"""Numbers that a caller gives: of steps, starts and samples never more than a person would wait for."""

from __future__ import annotations

from lessons_lib.arrays import is_real, is_whole
from lessons_lib.errors import ParameterError

MOST = 1_000_000_000
"""The largest count: a million failing starts of a planar arm take a second, of one of seven joints half a minute."""


def check_number(name: str, value: object, meaning: str) -> float:
    """Return one real number as a float; what NumPy has in fewer digits is no better kept in them.

    Raises:
        ParameterError: Something else, a truth value among it; `meaning` says what it should be.
    """
    if not (is_real(value) or is_whole(value)):
        raise ParameterError(f"{name} is {value!r}; {meaning}")
    try:
        return float(value)
    except OverflowError as cause:
        raise ParameterError(f"{name} is {value!r}; {meaning}, and no double is as large") from cause


def check_count(name: str, value: object, least: int) -> None:
    """Raise ParameterError unless `value` is a whole number from `least` to MOST."""
    if not is_whole(value) or not least <= value <= MOST:
        raise ParameterError(f"{name} is {value!r}; it counts, so it is a whole number from {least} to {MOST:,}")
