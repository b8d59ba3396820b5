"""Between two poses: along the one screw that joins them, or position and orientation each on its own."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ParameterError

Manner = Literal["screw", "decoupled"]
MANNERS: tuple[Manner, ...] = get_args(Manner)


def interpolate(start: ArrayLike, end: ArrayLike, s: ArrayLike, how: Manner = "screw") -> Array:
    """Return the pose that lies the part s of the way from one pose to another.

    "screw": T(s) = T₀ exp(s log(T₀⁻¹ T₁)), a constant body twist: while the frame turns, its origin is led along a
    helix. "decoupled": p(s) = p₀ + s (p₁ − p₀) and R(s) = R₀ exp(s log(R₀ᵀ R₁)): the origin goes straight.
    Where nothing turns the two are the same. Half a turn apart, the axis is that of `lie.log_so3`.

    Args:
        start: T₀, shape (4, 4), position in m.
        end: T₁, shape (4, 4), position in m.
        s: The part, 0 at the start and 1 at the end; a number, or shape (m,). It may lie outside [0, 1].
        how: "screw" or "decoupled".

    Returns:
        Shape (4, 4), or (m, 4, 4).

    Raises:
        TransformError: `start` or `end` is not a pose.
        ParameterError: s has another shape or is not finite, or there is no such manner.

    Source: Lynch & Park (2017), §9.2.1.
    """
    T_0, T_1 = lie.check_transform(start, "start"), lie.check_transform(end, "end")
    parts = check_parts(s)
    if not isinstance(how, str) or how not in MANNERS:
        raise ParameterError(f"how is {how!r}; valid are 'screw' and 'decoupled'")
    twist = lie.log_se3(lie.inverse(T_0) @ T_1)
    if how == "decoupled":
        twist[3:] = 0.0  # the body twist's ω alone turns the frame on the spot
    poses = np.array([T_0 @ lie.exp_se3(part * twist) for part in parts.flat]).reshape(-1, 4, 4)
    if how == "decoupled":
        poses[:, :3, 3] = T_0[:3, 3] + np.outer(parts, T_1[:3, 3] - T_0[:3, 3])
    return poses if parts.ndim else poses[0]


def check_parts(given: ArrayLike, name: str = "s") -> Array:
    """Return parts of a way, or moments, as float64; `name` is what an error calls them.

    Raises:
        ParameterError: They are neither a number nor a row of them, or not finite.
    """
    parts = floats(given, f"{name} must be a number or numbers of shape (m,)", ParameterError)
    if parts.ndim > 1:
        raise ParameterError(f"{name} must be a number or have shape (m,), got {parts.shape}")
    if not np.isfinite(parts).all():
        raise ParameterError(f"{name} must be finite, got {parts.tolist()}")
    return parts
