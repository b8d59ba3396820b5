"""Checks of arguments: finite arrays of a given shape, rotations, skew-symmetric matrices, poses."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import TransformError
from lessons_lib.lie.poses import pose_deviation

ORTHOGONALITY = 1e-6
"""Tolerance on RᵀR − I and on the last row of a pose; it accepts a pose from a file with seven digits."""

BOTTOM = (0.0, 0.0, 0.0, 1.0)
"""Last row of a pose."""

SKEWNESS = 1e-9
"""Tolerance on Ωᵀ + Ω, relative to its largest entry; it accepts rounding errors only."""


def finite(value: ArrayLike, shape: tuple[int, ...], what: str) -> Array:
    """Convert `value` to float64; raise TransformError unless it is finite and has the shape."""
    array = floats(value, f"{what} must be numbers in an array of shape {shape}", TransformError)
    if array.shape != shape:
        raise TransformError(f"{what} must have shape {shape}, got {array.shape}")
    if not np.isfinite(array).all():
        raise TransformError(f"{what} must be finite, got {array.tolist()}")
    return array


@np.errstate(over="ignore", invalid="ignore")
def check_rotation(R: Array, what: str) -> None:
    """Raise TransformError unless R, shape (3, 3), is a rotation to ORTHOGONALITY."""
    error = float(np.abs(R.T @ R - np.eye(3)).max())
    if not error <= ORTHOGONALITY:  # also if it overflowed
        raise TransformError(
            f"{what} is not a rotation: RᵀR must equal the identity to {ORTHOGONALITY:g}, but differs by {error:.3g}; "
            "lie.project_so3 returns the nearest rotation, lie.project_se3 the nearest pose"
        )
    if np.linalg.det(R) < 0:
        raise TransformError(f"{what} is a reflection: the determinant of a rotation must be +1, got −1")


def check_skew(Omega: Array, what: str) -> None:
    """Raise TransformError unless Ωᵀ = −Ω to SKEWNESS, relative to its size."""
    if np.abs(Omega / 2 + Omega.T / 2).max() > SKEWNESS / 2 * max(1.0, float(np.abs(Omega).max())):
        raise TransformError(f"{what} must be skew-symmetric (Ωᵀ = −Ω), got {Omega.tolist()}")


@np.errstate(over="ignore", invalid="ignore")
def check_transform(T: ArrayLike, what: str = "transform") -> Array:
    """Check that T is a pose, and return a float64 copy with the last row exactly (0, 0, 0, 1).

    >>> from lessons_lib import lie
    >>> lie.check_transform([[1, 0, 0, 0.5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])[0].tolist()
    [1.0, 0.0, 0.0, 0.5]

    Args:
        T: Pose, shape (4, 4), position in m.
        what: Its name in error messages.

    Raises:
        TransformError: T has another shape, is not finite, or an entry of |RᵀR − I| or of |last row − (0, 0, 0, 1)|
            exceeds ORTHOGONALITY.
    """
    array = finite(T, (4, 4), what)
    if not pose_deviation(array, 0) <= ORTHOGONALITY:
        if np.abs(array[3] - BOTTOM).max() > ORTHOGONALITY:
            raise TransformError(f"{what}: the last row must be [0, 0, 0, 1], got {array[3].tolist()}")
        check_rotation(array[:3, :3], f"the rotation part of {what}")
    array[3] = BOTTOM
    return array
