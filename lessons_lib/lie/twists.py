"""Twists: screw axes of lines, and the orders (ω, v) (Modern Robotics, this library) and (v, ω) (Pinocchio, Pink)."""
# The shape of an array shows neither its order nor whether a 6×6 matrix holds six twists (the Jacobian of six joints)
# or maps twists to twists (an adjoint), so there are two functions, `swap_halves` and `swap_map`.

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import TransformError
from lessons_lib.lie.checks import finite
from lessons_lib.other_libraries import suggest_arguments


@suggest_arguments
def screw_axis(point: ArrayLike, direction: ArrayLike, pitch: float = 0.0) -> Array:
    """Return the screw axis S = (ω, −ω × point + pitch·ω) of a line, shape (6,), with ‖ω‖ = 1.

    exp [S θ] rotates by θ rad about the line and translates by pitch·θ m along it. With an infinite pitch it only
    translates: S = (0, v) with ‖v‖ = 1.

    >>> from lessons_lib import lie
    >>> lie.screw_axis(point=[1, 0, 0], direction=[0, 0, 2]).tolist()
    [0.0, 0.0, 1.0, 0.0, -1.0, 0.0]

    Args:
        point: Any point of the line, shape (3,), m.
        direction: Direction of the line, shape (3,), of any nonzero length.
        pitch: Translation per angle, m/rad; 0 for a pure rotation, `math.inf` for a pure translation.

    Raises:
        TransformError: The direction is zero, or an argument has another shape or is not finite.

    Source: Lynch & Park (2017), §3.3.2.2; `ScrewToAxis` of modern_robotics expects a direction of length one.
    """
    through, arrow = finite(point, (3,), "point"), finite(direction, (3,), "direction")
    length = math.hypot(*arrow)
    if length == 0.0:
        raise TransformError("direction of a screw axis must not be zero, got [0.0, 0.0, 0.0]")
    unit = arrow / length
    number = floats(pitch, "pitch must be a number, in m/rad", TransformError)
    if number.shape != () or np.isnan(number):
        raise TransformError(f"pitch must be a number in m/rad, or math.inf for a translation, got {pitch!r}")
    if np.isinf(number):
        return np.concatenate([np.zeros(3), np.sign(number) * unit])
    return np.concatenate([unit, number * unit - np.cross(unit, through)])


def swap_halves(x: ArrayLike) -> Array:
    """Return P x: a twist, or each column of a Jacobian, with its halves (ω, v) ↔ (v, ω) exchanged.

    >>> from lessons_lib import lie
    >>> lie.swap_halves([1, 2, 3, 4, 5, 6]).tolist()
    [4.0, 5.0, 6.0, 1.0, 2.0, 3.0]

    Args:
        x: Twist, shape (6,), or n twists as columns, shape (6, n). A 6×6 matrix counts as six columns; for an adjoint,
            use `swap_map`.

    Returns:
        An array of the same shape. Swapping twice gives x.

    Raises:
        TransformError: x has another shape or is not finite.
    """
    array = floats(x, "x must be numbers in an array of shape (6,) or (6, n)", TransformError)
    if array.ndim not in (1, 2) or array.shape[0] != 6:
        raise TransformError(f"x must be a twist, shape (6,), or twists as columns, shape (6, n), got {array.shape}")
    if not np.isfinite(array).all():
        raise TransformError(f"x must be finite, got {array.tolist()}")
    return np.roll(array, 3, axis=0)


def swap_map(A: ArrayLike) -> Array:
    """Return P A P, shape (6, 6): a map from twists to twists, converted to the other order of twists.

    >>> from lessons_lib import lie
    >>> A = lie.swap_map(lie.adjoint(lie.exp_se3([0, 0, 0, 1, 2, 3])))
    >>> A[0].tolist()
    [1.0, 0.0, 0.0, 0.0, -3.0, 2.0]

    Args:
        A: Adjoint, or another matrix that maps twists to twists, shape (6, 6).

    Raises:
        TransformError: A has another shape than (6, 6) or is not finite.
    """
    array = floats(A, "A must be numbers in an array of shape (6, 6)", TransformError)
    if array.shape != (6, 6):
        raise TransformError(f"A must map twists to twists, shape (6, 6), got {array.shape}")
    if not np.isfinite(array).all():
        raise TransformError(f"A must be finite, got {array.tolist()}")
    return np.roll(array, (3, 3), axis=(0, 1))
