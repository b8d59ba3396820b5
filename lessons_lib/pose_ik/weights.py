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
    """Orthogonal axes of a split error, the same in {d} and in {b}; plain numbers, so that a method is hashable.

    Attributes:
        rows: The axes, unit vectors in {d}, a right-handed triple.
    """

    rows: tuple[tuple[float, float, float], ...]

    @classmethod
    def with_third(cls, direction: Array) -> Axes:
        """Return axes whose third points in a direction, shape (3,), not zero."""
        third = direction / np.abs(direction).max()
        third = third / np.linalg.norm(third)
        first = np.cross(np.eye(3)[np.argmin(np.abs(third))], third)  # the farthest coordinate axis loses no digits
        first = first / np.linalg.norm(first)
        return cls(tuple(tuple(row) for row in np.array([first, np.cross(third, first), third]).tolist()))

    @property
    def pose(self) -> Array:
        """The rotation from {d} to these axes, as a pose at the origin, shape (4, 4)."""
        T = np.eye(4)
        T[:3, :3] = self.rows
        return T

    def __str__(self) -> str:
        """Return the third axis, about which a tool may turn."""
        return f"turning about ({', '.join(f'{x:.3g}' for x in self.rows[2])})"


PLAIN = frozenset({float, int})


def check_weights(weights: Sequence[float] | Array | None) -> tuple[float, ...] | None:
    """Return the weights as a tuple, or None.

    Raises:
        ParameterError: There are not six, one is negative or not finite, or all are zero.
    """
    if weights is None:
        return None
    return _known(weights) if type(weights) is tuple and PLAIN.issuperset(map(type, weights)) else _checked(weights)


def _checked(weights: Sequence[float] | Array) -> tuple[float, ...]:
    values = floats(weights, "weights must be six numbers in the order (ω, v)", ParameterError)
    if values.shape != (6,):
        raise ParameterError(f"weights must have shape (6,), in the order (ω, v), got shape {values.shape}")
    if not np.isfinite(values).all() or (values < 0.0).any():
        raise ParameterError(f"weights must be finite, zero or more, got {values.tolist()}")
    if not values.any():
        raise ParameterError("weights are all zero; at least one component of the error must count")
    return tuple(float(value) for value in values)


_known = lru_cache(maxsize=64)(_checked)
"""For a goal that is made anew in each call of a loop."""


def weights_of(method: object) -> Array:
    """Return the weights of a method, shape (6,); ones if it has none."""
    weights = getattr(method, "weights", None)
    return np.ones(6) if weights is None else np.array(weights, dtype=np.float64)


def sqrt_weights(method: object) -> list[float]:
    """Return the square roots of a method's weights."""
    return [float(root) for root in np.sqrt(weights_of(method))]


def apply_weights(method: object, A: Array, e: Array) -> tuple[Array, Array]:
    """Return √W A and √W e."""
    roots = np.sqrt(weights_of(method))
    return roots[:, None] * A, roots * e


def has_weights(method: object) -> bool:
    """Return whether a method has weights, even if all are 1: its objective then ranks unsolved iterates."""
    return getattr(method, "weights", None) is not None


def active_mask(method: object) -> Array:
    """Return 1.0 for each component of the error with a positive weight, otherwise 0.0, shape (6,)."""
    return (weights_of(method) > 0.0).astype(np.float64)


def intervals_of(method: object) -> Intervals | None:
    """Return the intervals of a method's error, or None."""
    return getattr(method, "intervals", None)


def allowed_distance(method: object) -> float:
    """Return how far from the target a position may be that solves it: infinite if a component does not count."""
    intervals = intervals_of(method)
    if not active_mask(method)[3:].all():
        return math.inf
    return 0.0 if intervals is None else intervals.farthest


def has_masked_components(method: object) -> bool:
    """Return whether a weight of a method is zero."""
    return has_weights(method) and not all(method.weights)  # type: ignore[attr-defined]


def uses_split_error(method: object) -> bool:
    """Return whether a method uses the split error: components are masked along named axes.

    Along the axes of the body with equal weights on the position the twist is used, because v_b vanishes where p_d − p
    does, and its steps are better. The twist is also used if the goal or a geometric derivative requires it.
    """
    if intervals_of(method) is not None:
        return True
    axes = getattr(method, "axes", None)
    if not has_masked_components(method) or axes == "twist" or getattr(method, "derivative", None) == "geometric":
        return False
    _, _, _, x, y, z = weights_of(method)
    return axes not in (None, "body") or not x == y == z


def frame_and_split(method: object) -> tuple[str | Axes | Intervals, bool]:
    """Return the arguments `frame` and `split` of `evaluate` for a method."""
    intervals = intervals_of(method)
    if intervals is not None:
        return intervals, True
    if uses_split_error(method):
        return getattr(method, "axes", None) or "body", True
    return getattr(method, "frame", "body"), False
