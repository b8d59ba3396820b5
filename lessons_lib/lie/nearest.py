"""The rotation and the pose nearest to a matrix that is not quite one: read with few digits, or averaged."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import TransformError

UNIQUE = 1e-9
"""How far the singular values must leave the nearest rotation unique, relative to the largest."""

LAST_ROW = (0.0, 0.0, 0.0, 1.0)


def project_so3(M: ArrayLike) -> Array:
    """Return the rotation R for which |M − R| is smallest, entry by entry in the Frobenius norm.

    Args:
        M: Shape (3, 3), finite; a rotation with errors of any size.

    Raises:
        TransformError: M is no such array, or several rotations are equally near: then σ₂ + s σ₃ = 0, for singular
            values σ₁ ≥ σ₂ ≥ σ₃ and the sign s of the determinant.

    Source: U diag(1, 1, det UVᵀ) Vᵀ of the singular value decomposition; Kabsch, Acta Crystallographica A32 (1976) 922.
    """
    U, sigma, Vt = np.linalg.svd(_read(M, 3))
    sign = 1.0 if np.linalg.det(U @ Vt) > 0.0 else -1.0
    if not sigma[1] + sign * sigma[2] > UNIQUE * sigma[0]:
        raise TransformError(
            f"no rotation is nearest to {np.asarray(M).tolist()}: with singular values {sigma.tolist()} and "
            f"{'a positive' if sign > 0 else 'a negative'} determinant several are equally near"
        )
    R: Array = U @ np.diag([1.0, 1.0, sign]) @ Vt
    return R


def project_se3(M: ArrayLike) -> Array:
    """Return the pose whose rotation is nearest to that of M, with the position of M, m.

    Args:
        M: Shape (4, 4), finite, its last row (0, 0, 0, 1), or near to that.

    Raises:
        TransformError: As `project_so3`, or the last row is further than 0.1 from (0, 0, 0, 1).
    """
    array = _read(M, 4)
    if np.abs(array[3] - LAST_ROW).max() > 0.1:
        raise TransformError(f"the last row of a pose is {list(LAST_ROW)}, got {array[3].tolist()}")
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = project_so3(array[:3, :3]), array[:3, 3]
    return T


def _read(M: ArrayLike, size: int) -> Array:
    array = floats(M, f"a matrix must be numbers in an array of shape {(size, size)}", TransformError)
    if array.shape != (size, size) or not np.isfinite(array).all():
        raise TransformError(f"a matrix must be finite, of shape {(size, size)}, got {np.asarray(M).tolist()}")
    return array
