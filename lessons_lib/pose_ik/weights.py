"""Six weights in the order (ω, v): checked once, ones where there are none."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik.axes import Axes

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
