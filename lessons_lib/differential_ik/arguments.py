"""Check the arguments of tasks, limits and solvers."""

import math
from collections.abc import Iterable
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ArgumentError, ParameterError


def number(value: object, name: str) -> float:
    """Return `value` as a finite float, or raise ParameterError."""
    array = floats(value, f"{name} must be a number", ParameterError)  # type: ignore[arg-type]
    if array.ndim != 0 or not np.isfinite(array):
        raise ParameterError(f"{name} must be a finite number, got {value!r}")
    return float(array)


def between(value: object, name: str, lower: float, upper: float, *, above: bool = False) -> float:
    """Return `value` as a float in [lower, upper], or in (lower, upper] if `above` is set, or raise ParameterError."""
    if type(value) is float and lower < value < upper:  # fast path for the usual case
        return value
    read = number(value, name)
    if not lower <= read <= upper or (above and read == lower):
        least = f"{'above' if above else 'at least'} {lower:g}"
        most = f" and at most {upper:g}" if upper < math.inf else ""
        raise ParameterError(f"{name} must be {least}{most}, got {read!r}")
    return read


def time_step(dt: object) -> float:
    """Return dt, in s, or raise ParameterError if it is not a finite number above zero."""
    return between(dt, "dt", 0.0, math.inf, above=True)


def frame_name(value: object, name: str = "frame") -> str:
    """Return the name of a frame, or raise ParameterError if it is not a string."""
    if not isinstance(value, str):
        raise ParameterError(f"{name} must be the name of a frame, got {type(value).__name__} {value!r}")
    return value


def reference_frame(value: object) -> Literal["local", "world"]:
    """Return "local" or "world", or raise ParameterError."""
    if not (isinstance(value, str) and value in ("local", "world")):
        raise ParameterError(f"reference_frame must be 'local' or 'world', got {value!r}")
    return cast('Literal["local", "world"]', value)


LARGEST_COST = 1e100
"""Largest cost: sums of squares of larger ones, times errors, would overflow."""


def costs(value: ArrayLike, name: str, sizes: tuple[int, ...] = ()) -> Array:
    """Return costs as a read-only vector: one for all coordinates or one for each; empty `sizes` allow any length."""
    array = floats(value, f"{name} must be a number or a sequence of numbers", ParameterError)
    if array.ndim > 1 or array.size == 0 or (sizes and array.ndim == 1 and array.size not in sizes):
        lengths = "".join(f" or {size}" for size in sizes if size > 1) if sizes else " or a flat sequence of them"
        raise ParameterError(f"{name} must be one number{lengths}, got shape {array.shape}")
    if not (np.isfinite(array) & (array >= 0.0)).all():
        raise ParameterError(f"{name} must be finite and at least 0, got {array.tolist()}")
    if (array > LARGEST_COST).any():
        raise ParameterError(f"{name} must be at most {LARGEST_COST:g} (costs are squared), got {array.tolist()}")
    vector = np.atleast_1d(array)
    vector.setflags(write=False)
    return vector


def vector(value: ArrayLike, name: str, size: int, error: type[ArgumentError] = ParameterError) -> Array:
    """Return `value` as a read-only vector of finite numbers, or raise `error`."""
    array = floats(value, f"{name} must be {size} numbers", error)
    if array.shape != (size,):
        raise error(f"{name} must have shape ({size},), got {array.shape}")
    if not np.isfinite(array).all():
        raise error(f"{name} must be finite, got {array.tolist()}")
    array.setflags(write=False)
    return array


def each(value: ArrayLike, name: str, size: int, error: type[ArgumentError] = ParameterError) -> Array:
    """Return `size` numbers, read-only, from one number or from `size` numbers, or raise `error`."""
    array = floats(value, f"{name} must be one number or {size}", error)
    if array.shape not in ((), (1,), (size,)):
        raise error(f"{name} must be one number or {size}, got shape {array.shape}")
    numbers = np.broadcast_to(array, (size,)).copy()
    numbers.setflags(write=False)
    return numbers


def members(values: Iterable[Any] | None, kind: type, name: str) -> list[Any]:
    """Return the values as a list, or raise ParameterError if one has the wrong type."""
    if values is None:
        return []
    try:
        objects = list(values)
    except TypeError as cause:
        single = f"; put it in a list: [{values!r}]" if isinstance(values, kind) else f", got {values!r}"
        raise ParameterError(f"{name} must be a list of {kind.__name__}{single}") from cause
    for value in objects:
        if not isinstance(value, kind):
            raise ParameterError(f"{name} must contain {kind.__name__} objects, got {value!r}")
    return objects
