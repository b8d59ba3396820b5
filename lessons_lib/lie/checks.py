"""What the SE(3) kit accepts: finite numbers of one shape, rotations, skew matrices, poses."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import TransformError
from lessons_lib.lie.poses import pose_deviation

ORTHOGONALITY = 1e-6
"""Tolerance on RᵀR − I and on the last row of a pose: a pose from a file with seven digits is accepted."""

BOTTOM = (0.0, 0.0, 0.0, 1.0)
"""The last row of a pose."""

SKEWNESS = 1e-9
"""How far Ωᵀ may be from −Ω, relative to its largest entry: rounding passes, a matrix of another kind does not."""


def finite(value: ArrayLike, shape: tuple[int, ...], what: str) -> Array:
    """Return `value` as float64 of the given shape, or say what is wrong with it."""
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
    if not error <= ORTHOGONALITY:  # nor where it has overflowed
        raise TransformError(
            f"{what} is not a rotation: RᵀR differs from the identity by {error:.3g}, allowed is {ORTHOGONALITY:g}; "
            "lie.project_so3 finds the nearest rotation, lie.project_se3 the nearest pose"
        )
    if np.linalg.det(R) < 0:
        raise TransformError(f"{what} is a reflection: its determinant is −1, a rotation's is +1")


def check_skew(Omega: Array, what: str) -> None:
    """Raise TransformError unless Ωᵀ = −Ω, to SKEWNESS of its size."""
    if np.abs(Omega / 2 + Omega.T / 2).max() > SKEWNESS / 2 * max(1.0, float(np.abs(Omega).max())):
        raise TransformError(f"{what} must be skew (Ωᵀ = −Ω), got {Omega.tolist()}")


@np.errstate(over="ignore", invalid="ignore")
def check_transform(T: ArrayLike, what: str = "transform") -> Array:
    """Return T as a float64 copy, its last row exactly (0, 0, 0, 1), after checking that it is a pose.

    Args:
        T: Pose, shape (4, 4), position in m.
        what: Its name in the message.

    Raises:
        TransformError: Wrong shape, not finite, or an entry of |RᵀR − I| or of |last row − (0, 0, 0, 1)| exceeds
            ORTHOGONALITY.
    """
    array = finite(T, (4, 4), what)
    if not pose_deviation(array, 0) <= ORTHOGONALITY:
        if np.abs(array[3] - BOTTOM).max() > ORTHOGONALITY:
            raise TransformError(f"{what}: the last row must be [0, 0, 0, 1], got {array[3].tolist()}")
        check_rotation(array[:3, :3], f"the rotation part of {what}")
    array[3] = BOTTOM
    return array
