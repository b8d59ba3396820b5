"""Six weights in the order (ω, v), ones where there are none, and the axes along which they weigh.

Axes that are not x, y and z are a rotation, kept as plain numbers so that a method stays hashable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ParameterError


@dataclass(frozen=True)
class Axes:
    """Three axes at right angles along which a split error is written, in {d} as in {b}.

    Attributes:
        rows: The axes, unit vectors in {d}, a right-handed triple.
    """

    rows: tuple[tuple[float, float, float], ...]

    @classmethod
    def with_third(cls, direction: Array) -> Axes:
        """Return axes of which the third points in a direction, shape (3,), any length but zero.

        The first is across the coordinate axis that lies farthest from it, so that no digits are lost.
        """
        third = direction / np.abs(direction).max()
        third = third / np.linalg.norm(third)
        first = np.cross(np.eye(3)[np.argmin(np.abs(third))], third)
        first = first / np.linalg.norm(first)
        return cls(tuple(tuple(row) for row in np.array([first, np.cross(third, first), third]).tolist()))

    @property
    def pose(self) -> Array:
        """The rotation that takes components in {d} to these axes, as a pose at the origin, shape (4, 4)."""
        T = np.eye(4)
        T[:3, :3] = self.rows
        return T

    def __str__(self) -> str:
        """Return the third axis, about which a tool may turn."""
        return f"turning about ({', '.join(f'{x:.3g}' for x in self.rows[2])})"


PLAIN = frozenset({float, int})


def check_weights(weights: Sequence[float] | Array | None) -> tuple[float, ...] | None:
    """Return the weights as a tuple, or None where there are none.

    Raises:
        ParameterError: Not six, negative, not finite, or all zero.
    """
    if weights is None:
        return None
    return _known(weights) if type(weights) is tuple and PLAIN.issuperset(map(type, weights)) else _checked(weights)


def _checked(weights: Sequence[float] | Array) -> tuple[float, ...]:
    values = floats(weights, "weights must be six numbers in the order (ω, v)", ParameterError)
    if values.shape != (6,):
        raise ParameterError(f"weights have shape {values.shape}; there are six, shape (6,), in the order (ω, v)")
    if not np.isfinite(values).all() or (values < 0.0).any():
        raise ParameterError(f"weights are {values.tolist()}; each is finite, zero or more")
    if not values.any():
        raise ParameterError("weights are all zero; at least one component of the error must count")
    return tuple(float(value) for value in values)


_known = lru_cache(maxsize=64)(_checked)
"""For a method that is made anew in each call of a loop."""


def weights_of(method: object) -> Array:
    """Return the weights of a method, shape (6,); ones when it has none."""
    weights = getattr(method, "weights", None)
    return np.ones(6) if weights is None else np.array(weights, dtype=np.float64)


def roots_of(method: object) -> list[float]:
    """Return the roots of a method's weights."""
    return [float(root) for root in np.sqrt(weights_of(method))]


def weighed(method: object, A: Array, e: Array) -> tuple[Array, Array]:
    """Return √W A and √W e, of which the sum of squares is a method's objective."""
    roots = np.sqrt(weights_of(method))
    return roots[:, None] * A, roots * e


def has_weights(method: object) -> bool:
    """Return whether a method was given weights, be they all ones: its objective then ranks what did not converge."""
    return getattr(method, "weights", None) is not None


def counted_components(method: object) -> Array:
    """Return 1.0 for each component of the error that counts, 0.0 where its weight is zero; shape (6,)."""
    return (weights_of(method) > 0.0).astype(np.float64)


def leaves_out(method: object) -> bool:
    """Return whether a weight of a method is zero."""
    return has_weights(method) and not all(method.weights)  # type: ignore[attr-defined]


def splits(method: object) -> bool:
    """Return whether the error of a method is split: components are left out for which axes must be named.

    Along the axes of the body, with equal weights on the position, the twist says the same: v_b vanishes where p_d − p
    does. Then it stays, because its steps are the better ones: a motion that turns as it goes is how an arm moves. It
    also stays where the goal asks for it, or a method names the geometric derivative, which is one of the twist.
    """
    axes = getattr(method, "axes", None)
    if not leaves_out(method) or axes == "twist" or getattr(method, "derivative", None) == "geometric":
        return False
    _, _, _, x, y, z = weights_of(method)
    return axes not in (None, "body") or not x == y == z


def frame_and_split(method: object) -> tuple[str | Axes, bool]:
    """Return the frame of a method's error and Jacobian, and whether its error is split: arguments of `evaluate`."""
    if splits(method):
        return getattr(method, "axes", None) or "body", True
    return getattr(method, "frame", "body"), False
