"""Reading what a caller gives to a task, a limit or a solver, with errors that say what would be right."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ArgumentError, ParameterError


def number(value: object, name: str) -> float:
    """Return `value` as a finite float.

    Raises:
        ParameterError: Not a number, NaN or infinite.
    """
    array = floats(value, f"{name} must be a number", ParameterError)  # type: ignore[arg-type]
    if array.ndim != 0 or not np.isfinite(array):
        raise ParameterError(f"{name} must be a finite number, got {value!r}")
    return float(array)


def between(value: object, name: str, lower: float, upper: float, *, above: bool = False) -> float:
    """Return `value` as a float in [lower, upper], or in (lower, upper] where `above` is set.

    Raises:
        ParameterError: Not a finite number, or outside.
    """
    if type(value) is float and lower < value < upper:  # the usual case, at no cost
        return value
    read = number(value, name)
    if not lower <= read <= upper or (above and read == lower):
        least = f"{'above' if above else 'at least'} {lower:g}"
        most = f" and at most {upper:g}" if upper < math.inf else ""
        raise ParameterError(f"{name} must be {least}{most}, got {read!r}")
    return read


def time_step(dt: object) -> float:
    """Return dt, in s.

    Raises:
        ParameterError: Not a finite number above zero.
    """
    return between(dt, "dt", 0.0, math.inf, above=True)


DEAREST = 1e100
"""The largest cost: with the squares of larger ones, and of errors, a sum would overflow."""


def costs(value: ArrayLike, name: str, sizes: tuple[int, ...] = ()) -> Array:
    """Return a cost as a read-only vector: one number for all coordinates, or one for each.

    Args:
        value: A number, or a sequence of them, at least zero.
        name: How a message names it.
        sizes: Valid lengths of a sequence; empty for any length.

    Raises:
        ParameterError: Not numbers, another length, not finite, negative, or above `DEAREST`.
    """
    array = floats(value, f"{name} must be a number or a sequence of numbers", ParameterError)
    if array.ndim > 1 or array.size == 0 or (sizes and array.ndim == 1 and array.size not in sizes):
        expected = f"one number or {' or '.join(map(str, sizes))}" if sizes else "one number or a flat sequence of them"
        raise ParameterError(f"{name} must be {expected}, got shape {array.shape}")
    if not (np.isfinite(array) & (array >= 0.0)).all():
        raise ParameterError(f"{name} must be finite and at least 0, got {array.tolist()}")
    if (array > DEAREST).any():
        raise ParameterError(f"{name} must be at most {DEAREST:g}, for costs are squared; got {array.tolist()}")
    vector = np.atleast_1d(array)
    vector.setflags(write=False)
    return vector


def vector(value: ArrayLike, name: str, size: int, error: type[ArgumentError] = ParameterError) -> Array:
    """Return `value` as a read-only vector of finite numbers.

    Raises:
        ArgumentError: As `error`; not numbers, another shape, or not finite.
    """
    array = floats(value, f"{name} must be {size} numbers", error)
    if array.shape != (size,):
        raise error(f"{name} must have shape ({size},), got {array.shape}")
    if not np.isfinite(array).all():
        raise error(f"{name} must be finite, got {array.tolist()}")
    array.setflags(write=False)
    return array


def each(value: ArrayLike, name: str, size: int, error: type[ArgumentError] = ParameterError) -> Array:
    """Return a number for each of `size` coordinates, read-only, from one for all of them or from as many.

    Raises:
        ArgumentError: As `error`; not numbers, or another count of them.
    """
    array = floats(value, f"{name} must be one number or {size}", error)
    if array.shape not in ((), (1,), (size,)):
        raise error(f"{name} must be one number or {size}, got shape {array.shape}")
    numbers = np.broadcast_to(array, (size,)).copy()
    numbers.setflags(write=False)
    return numbers


def members(values: Iterable[Any] | None, kind: type, name: str) -> list[Any]:
    """Return the values as a list, all of one kind.

    Raises:
        ParameterError: Not a sequence, or one of them is of another kind.
    """
    if values is None:
        return []
    try:
        found = list(values)
    except TypeError as cause:
        single = f"; put it in a list: [{values!r}]" if isinstance(values, kind) else f", got {values!r}"
        raise ParameterError(f"{name} must be a list of {kind.__name__}{single}") from cause
    for value in found:
        if not isinstance(value, kind):
            raise ParameterError(f"{name} must hold {kind.__name__} objects, got {value!r}")
    return found
