"""Projection of a matrix, such as a rounded or averaged pose, onto the nearest rotation or pose."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import TransformError
from lessons_lib.lie.checks import BOTTOM, finite

UNIQUENESS = 1e-9
"""Smallest σ₂ ± σ₃, relative to σ₁, for which the nearest rotation counts as unique."""


def project_so3(M: ArrayLike) -> Array:
    """Return the rotation R that minimizes ‖M − R‖ in the Frobenius norm.

    >>> from lessons_lib import lie
    >>> R = lie.project_so3([[0.01, -1, 0], [1, 0.01, 0], [0, 0, 1]])
    >>> bool(abs(R.T @ R - [[1, 0, 0], [0, 1, 0], [0, 0, 1]]).max() < 1e-14)
    True

    Args:
        M: Shape (3, 3), finite; a rotation with errors of any size.

    Raises:
        TransformError: M has another shape or is not finite, or the nearest rotation is not unique: σ₂ + s σ₃ = 0 for
            singular values σ₁ ≥ σ₂ ≥ σ₃ and the sign s of the determinant.

    Source: U diag(1, 1, det UVᵀ) Vᵀ of the singular value decomposition; Kabsch, Acta Crystallographica A32 (1976) 922.
    """
    U, sigma, Vt = np.linalg.svd(finite(M, (3, 3), "M"))
    sign = 1.0 if np.linalg.det(U @ Vt) > 0.0 else -1.0
    if not sigma[1] + sign * sigma[2] > UNIQUENESS * sigma[0]:
        raise TransformError(
            f"the nearest rotation must be unique, but several are equally near to {np.asarray(M).tolist()}, with "
            f"singular values {sigma.tolist()} and a {'positive' if sign > 0 else 'negative'} determinant"
        )
    R: Array = U @ np.diag([1.0, 1.0, sign]) @ Vt
    return R


def project_se3(M: ArrayLike) -> Array:
    """Return the pose whose rotation is nearest to that of M, with the position of M, m.

    >>> from lessons_lib import lie
    >>> T = lie.project_se3([[1.01, 0, 0, 0.5], [0, 0.99, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    >>> T[:2].round(12).tolist()
    [[1.0, 0.0, 0.0, 0.5], [0.0, 1.0, 0.0, 0.0]]

    Args:
        M: Shape (4, 4), finite; its last row is (0, 0, 0, 1), to 0.1 in each entry.

    Raises:
        TransformError: As for `project_so3`, or the last row is farther from (0, 0, 0, 1).
    """
    array = finite(M, (4, 4), "M")
    if np.abs(array[3] - BOTTOM).max() > 0.1:
        raise TransformError(f"the last row of a pose must be near {list(BOTTOM)}, got {array[3].tolist()}")
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = project_so3(array[:3, :3]), array[:3, 3]
    return T
