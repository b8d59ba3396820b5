"""Array types, conversion and checks of numeric arguments, and dataclasses with read-only arrays."""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.errors import ArgumentError, LessonsError, ParameterError

Array = NDArray[np.float64]
"""Array of real numbers; docstrings state shape, unit and frame."""

Integers = NDArray[np.int64]
"""Array of integers: indices, counts, seeds, codes."""

DOUBLE = np.dtype(np.float64)

CONVERSION_ERRORS = AttributeError, LessonsError, LookupError, NotImplementedError, OverflowError, TypeError, ValueError
"""Errors of code that uses an argument before it is checked; the checks then raise an error with a clear message."""

MATRICES = ("homogeneous", "A")
"""Attributes with the matrix of a pose of another library: Pinocchio's `SE3`, spatialmath's (one or many poses)."""

MAX_SHOWN = 8
"""Entries of the largest array that the `repr` of a dataclass shows."""


def is_real(value: object) -> TypeGuard[float]:
    """Return whether a value is a real number of Python or NumPy within the range of doubles; booleans are not."""
    return isinstance(value, float | np.floating) or (is_whole(value) and abs(value) <= sys.float_info.max)


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether a value is an integer of Python or NumPy; booleans and timedeltas are not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


def check_flag(name: str, value: object) -> bool:
    """Return a boolean of Python or NumPy; raise ParameterError for any other value, such as 1 or "no"."""
    if not isinstance(value, bool | np.bool_):
        raise ParameterError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def check_string(name: str, value: object) -> str:
    """Return a string; raise ParameterError for any other value."""
    if not isinstance(value, str):
        raise ParameterError(f"{name} must be a string, got {value!r}")
    return value


MAX_COUNT = 1_000_000_000
"""Largest count: a million failing starts take a second for a planar arm, half a minute for seven joints."""


def check_number(name: str, value: object, expected: str) -> float:
    """Return one real number as a float; raise ParameterError for any other value, such as a boolean."""
    if is_real(value):
        return float(value)
    raise ParameterError(f"{name} must be {expected}, got {value!r}")


def check_count(name: str, value: object, least: int) -> None:
    """Raise ParameterError unless `value` is a whole number from `least` to MAX_COUNT."""
    if not is_whole(value) or not least <= value <= MAX_COUNT:
        raise ParameterError(f"{name} must be a whole number from {least} to {MAX_COUNT:,}, got {value!r}")


def floats(value: ArrayLike, expected: str, error: type[ArgumentError]) -> Array:
    """Return numbers, or poses of Pinocchio or spatialmath, as a C-ordered float64 copy, or raise `error`."""
    # `expected` begins the message, such as "q of UR10 must be 6 numbers"; text and masked entries are errors
    if type(value) is np.ndarray and value.dtype is DOUBLE:
        return value.copy()  # fast path of inner loops: half a microsecond
    refuse_masked(value, expected, error)
    try:
        read = np.array(_matrix_of(value))
        if read.dtype == object:  # such as SymPy's numbers; float(None) raises, while NumPy converts it to NaN
            read = np.array([float(entry) for entry in read.flat]).reshape(read.shape)
        if read.dtype.kind not in (
            "iuf" if read.ndim == 0 else "biuf"
        ):  # a single boolean is not a number, an array of booleans is
            raise TypeError(f"cannot read {read.dtype}")
        return np.asarray(read, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as cause:
        raise error(f"{expected}, got {value!r}") from cause


def _matrix_of(value: Any) -> Any:
    """Return the matrix of another library's pose, alone or in a list; return any other value unchanged."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, list | tuple):
        return [_matrix_of(entry) for entry in value] if value and hasattr(value[0], "__dict__") else value
    for name in MATRICES:
        if np.ndim(matrix := getattr(value, name, 0)) > 1:
            return matrix
    return value


def refuse_masked(value: object, expected: str, error: type[ArgumentError]) -> None:
    """Raise `error` for a masked entry, also in a list, where NumPy would ignore the mask."""
    if isinstance(value, list | tuple):
        for row in value:
            if type(row) is not float and not isinstance(row, int):
                refuse_masked(row, expected, error)
    elif hasattr(value, "mask") and isinstance(value, np.ma.MaskedArray):  # only users of masked arrays load numpy.ma
        for place in np.argwhere(np.ma.getmaskarray(value)).tolist():
            where = f"entry {place[0] if len(place) == 1 else tuple(place)} is masked" if place else "it is masked"
            raise error(f"{expected}; {where} in {value!r}")


def summary(value: Any) -> str:
    """Return a one-line `repr` of a dataclass; arrays of more than MAX_SHOWN entries appear as type and shape."""
    shown_fields = ((field.name, getattr(value, field.name)) for field in fields(value) if field.repr)
    return f"{type(value).__name__}({', '.join(f'{name}={_short(entry)}' for name, entry in shown_fields)})"


def _short(value: object) -> str:
    if not isinstance(value, np.ndarray):
        return repr(value)
    if value.size > MAX_SHOWN:
        return f"<{value.dtype} array of shape {value.shape}>"
    return " ".join(repr(value).split())


class ReadOnly:
    """Base of dataclasses whose arrays are read-only, also after copying and pickling, which drop cached values."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Return `summary`."""
        return summary(self)

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for value in self.__getstate__().values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields without cached values."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the fields, and make the arrays read-only."""
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            object.__setattr__(self, name, value)
