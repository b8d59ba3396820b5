"""Arrays: their types, numbers read from a caller, and what is handed out read-only and stays so when it is copied."""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.errors import ArgumentError, LessonsError, ParameterError

Array = NDArray[np.float64]
"""Real numbers; a docstring says of each its shape, unit and frame."""

Integers = NDArray[np.int64]
"""Whole numbers: indices, counts, seeds, codes."""


CONVERSION_ERRORS = AttributeError, LessonsError, LookupError, NotImplementedError, OverflowError, TypeError, ValueError
"""What comes of an argument of another kind where it is taken as it is: the checks read it again, and say it better."""

MATRICES = ("homogeneous", "A")
"""Where a pose of another library keeps its matrix: Pinocchio's `SE3`, and spatialmath's, which may hold many."""


MAX_SHOWN = 8
"""Entries of an array that `repr` of what holds it shows."""


def is_real(value: object) -> TypeGuard[float]:
    """Return whether something is one real number of Python or NumPy, not beyond all doubles; a truth value is none."""
    return isinstance(value, float | np.floating) or (is_whole(value) and abs(value) <= sys.float_info.max)


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether something is one whole number of Python or NumPy; a truth value and a span of time are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


def check_flag(name: str, value: object) -> bool:
    """Return a flag of Python or NumPy.

    Raises:
        ParameterError: It is something else, such as "no", an array or 1.
    """
    if not isinstance(value, bool | np.bool_):
        raise ParameterError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def check_string(name: str, value: object) -> str:
    """Return a name.

    Raises:
        ParameterError: It is no string.
    """
    if not isinstance(value, str):
        raise ParameterError(f"{name} must be a string, got {value!r}")
    return value


MAX_COUNT = 1_000_000_000
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
    """Raise ParameterError unless `value` is a whole number from `least` to MAX_COUNT."""
    if not is_whole(value) or not least <= value <= MAX_COUNT:
        raise ParameterError(f"{name} is {value!r}; it counts, so it is a whole number from {least} to {MAX_COUNT:,}")


def floats(value: ArrayLike, expected: str, error: type[ArgumentError]) -> Array:
    """Return `value` as a C-ordered float64 copy of any shape.

    Args:
        value: Numbers, in anything that NumPy can read; text and complex numbers are not numbers here. A pose of
            Pinocchio or of spatialmath, or a list of them, is its matrix.
        expected: What the caller should have passed, the beginning of the message: "q of UR10 must be 6 numbers".
        error: Class of the error.

    Raises:
        ArgumentError: As `error`, when `value` holds something else than real numbers, rows of unequal length, or a
            masked entry: what is behind the mask is no number that was meant.
    """
    if type(value) is np.ndarray and value.dtype == np.float64:
        return value.copy()  # what an inner loop hands over: half a microsecond
    refuse_masked(value, expected, error)
    try:
        read = np.array(_matrix_of(value))
        if read.dtype == object:  # SymPy's numbers among them; float(None) raises, while NumPy makes it NaN
            read = np.array([float(entry) for entry in read.flat]).reshape(read.shape)
        if read.dtype.kind not in ("iuf" if read.ndim == 0 else "biuf"):  # True alone is not a number; masks are
            raise TypeError(f"cannot read {read.dtype}")
        return np.array(read, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as cause:
        raise error(f"{expected}, got {value!r}") from cause


def _matrix_of(value: Any) -> Any:
    """Return the matrix of a pose that another library made, be it alone or in a list; all else as it is."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, list | tuple):
        return [_matrix_of(entry) for entry in value] if value and hasattr(value[0], "__dict__") else value
    for name in MATRICES:
        if np.ndim(matrix := getattr(value, name, 0)) > 1:
            return matrix
    return value


def refuse_masked(value: object, expected: str, error: type[ArgumentError]) -> None:
    """Refuse a masked array with masked entries, also one inside a list, where NumPy would forget the mask.

    Raises:
        ArgumentError: As `error`; the message names the first masked entry.
    """
    if isinstance(value, list | tuple):
        for row in value:
            if not isinstance(row, float | int):
                refuse_masked(row, expected, error)
    elif hasattr(value, "mask") and isinstance(value, np.ma.MaskedArray):  # numpy.ma is loaded by those who use it
        for place in np.argwhere(np.ma.getmaskarray(value)).tolist():
            where = f"entry {place[0] if len(place) == 1 else tuple(place)} is masked" if place else "it is masked"
            raise error(f"{expected}; {where} in {value!r}")


def summary(value: Any) -> str:
    """Return a dataclass on one line, an array of more than MAX_SHOWN entries as its type and shape."""
    shown = ((field.name, getattr(value, field.name)) for field in fields(value) if field.repr)
    return f"{type(value).__name__}({', '.join(f'{name}={_short(entry)}' for name, entry in shown)})"


def _short(value: object) -> str:
    if not isinstance(value, np.ndarray):
        return repr(value)
    if value.size > MAX_SHOWN:
        return f"<{value.dtype} array of shape {value.shape}>"
    return " ".join(repr(value).split())


class ReadOnly:
    """A dataclass whose arrays are read-only, also those of a copy, or of what arrives in another process.

    Its fields travel; what it worked out from them, and the code that was compiled for it, is found again there.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        """Return the fields on one line, a long array as its type and shape."""
        return summary(self)

    def __post_init__(self) -> None:
        """Close the arrays."""
        for value in self.__getstate__().values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields, and nothing that is kept beside them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the fields, and close the arrays again."""
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            object.__setattr__(self, name, value)
