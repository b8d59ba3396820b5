"""The six weights of a method in the order (ω, v), and the axes of its error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ParameterError
from lessons_lib.lie.intervals import Intervals


@dataclass(frozen=True)
class Axes:
    """Orthogonal axes of a split error, the same in {d} and in {b}."""

    rows: tuple[tuple[float, float, float], ...]  # a right-handed triple of unit vectors in {d}, hashable

    @classmethod
    def with_third(cls, direction: Array) -> Axes:
        """Return axes whose third has a nonzero direction, shape (3,)."""
        third = direction / np.abs(direction).max()
        third = third / np.linalg.norm(third)
        first = np.cross(np.eye(3)[np.argmin(np.abs(third))], third)  # the farthest coordinate axis loses no digits
        first = first / np.linalg.norm(first)
        return cls(tuple(tuple(row) for row in np.array([first, np.cross(third, first), third]).tolist()))

    @property
    def pose(self) -> Array:
        T = np.eye(4)
        T[:3, :3] = self.rows
        return T

    def __str__(self) -> str:
        """Return the third axis, about which the rotation of the tool is free."""
        return f"third axis ({', '.join(f'{x:.3g}' for x in self.rows[2])})"


PLAIN_NUMBERS = frozenset({float, int})


def check_weights(weights: Sequence[float] | Array | None) -> tuple[float, ...] | None:
    """Return six weights as a tuple, or None; raise ParameterError for invalid ones."""
    if weights is None:
        return None
    if type(weights) is tuple and PLAIN_NUMBERS.issuperset(map(type, weights)):
        return _check_cached(weights)
    return _check_weights(weights)


def _check_weights(weights: Sequence[float] | Array) -> tuple[float, ...]:
    values = floats(weights, "weights must be six numbers in the order (ω, v)", ParameterError)
    if values.shape != (6,):
        raise ParameterError(f"weights must have shape (6,), in the order (ω, v), got shape {values.shape}")
    if not np.isfinite(values).all() or (values < 0.0).any():
        raise ParameterError(f"weights must be finite, zero or more, got {values.tolist()}")
    if not values.any():
        raise ParameterError("at least one weight must be positive, got zeros only")
    return tuple(float(value) for value in values)


_check_cached = lru_cache(maxsize=64)(_check_weights)
"""For loops that construct the same goal in each call."""


def weights_of(method: object) -> Array:
    """Return the weights of a method, shape (6,); ones if it has none."""
    weights = getattr(method, "weights", None)
    return np.ones(6) if weights is None else np.array(weights, dtype=np.float64)


def sqrt_weights(method: object) -> list[float]:
    return [float(root) for root in np.sqrt(weights_of(method))]


def apply_weights(method: object, A: Array, e: Array) -> tuple[Array, Array]:
    """Return √W A and √W e."""
    roots = np.sqrt(weights_of(method))
    return roots[:, None] * A, roots * e


def has_weights(method: object) -> bool:
    """Return whether a method has weights; if so, even if all are 1, its objective ranks unsolved iterates."""
    return getattr(method, "weights", None) is not None


def active_mask(method: object) -> Array:
    """Return 1.0 for each component of the error with a positive weight, otherwise 0.0, shape (6,)."""
    return (weights_of(method) > 0.0).astype(np.float64)


def intervals_of(method: object) -> Intervals | None:
    """Return the intervals of a method's error, or None."""
    return getattr(method, "intervals", None)


def allowed_distance(method: object) -> float:
    """Return the largest distance between target and tip at a solution; infinite if the goal masks a component."""
    intervals = intervals_of(method)
    if not active_mask(method)[3:].all():
        return math.inf
    return 0.0 if intervals is None else intervals.farthest


def has_masked_components(method: object) -> bool:
    return has_weights(method) and not all(method.weights)  # type: ignore[attr-defined]


def uses_split_error(method: object) -> bool:
    """Return whether a method uses the split error, because of intervals or of components masked along named axes."""
    if intervals_of(method) is not None:
        return True
    axes = getattr(method, "axes", None)
    if not has_masked_components(method) or axes == "twist" or getattr(method, "derivative", None) == "geometric":
        return False
    _, _, _, x, y, z = weights_of(method)
    # with the body's axes and equal position weights the twist takes better steps: v_b vanishes where p_d − p does
    return axes not in (None, "body") or not x == y == z


def frame_and_split(method: object) -> tuple[str | Axes | Intervals, bool]:
    """Return the arguments `frame` and `split` of `evaluate` for a method."""
    intervals = intervals_of(method)
    if intervals is not None:
        return intervals, True
    if uses_split_error(method):
        return getattr(method, "axes", None) or "body", True
    return getattr(method, "frame", "body"), False
