"""The two orders of a twist's halves: (ω, v) here and in Modern Robotics, (v, ω) in Pinocchio and Pink.

The shape of an array does not tell its order, and it does not tell either whether a 6×6 matrix is six twists side by
side (the Jacobian of six joints) or a map from twists to twists (an adjoint). So there is a function for each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import TransformError


def swap_halves(x: ArrayLike) -> Array:
    """Return P x: a twist, or every column of a Jacobian, with its halves (ω, v) ↔ (v, ω) exchanged.

    Args:
        x: Twist, shape (6,), or n twists as columns, shape (6, n). A 6×6 matrix is read as six columns; for an adjoint
            see `swap_map`.

    Returns:
        An array of the same shape. Swapping twice gives back x.

    Raises:
        TransformError: Another shape, or not finite.
    """
    array = floats(x, "x must be numbers in an array of shape (6,) or (6, n)", TransformError)
    if array.ndim not in (1, 2) or array.shape[0] != 6:
        raise TransformError(f"x must be a twist, shape (6,), or twists as columns, shape (6, n); got {array.shape}")
    if not np.isfinite(array).all():
        raise TransformError(f"x must be finite, got {array.tolist()}")
    return np.roll(array, 3, axis=0)


def swap_map(A: ArrayLike) -> Array:
    """Return P A P, shape (6, 6): a map from twists to twists, for twists in the other order.

    Args:
        A: An adjoint or any other matrix whose rows and columns both are halves of twists, shape (6, 6).

    Raises:
        TransformError: Another shape than (6, 6), or not finite.
    """
    array = floats(A, "A must be numbers in an array of shape (6, 6)", TransformError)
    if array.shape != (6, 6):
        raise TransformError(f"A must map twists to twists, shape (6, 6), got {array.shape}")
    if not np.isfinite(array).all():
        raise TransformError(f"A must be finite, got {array.tolist()}")
    return np.roll(array, (3, 3), axis=(0, 1))
