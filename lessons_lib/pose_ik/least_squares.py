"""The two linear problems behind every step: least squares, and damped least squares."""

from __future__ import annotations

import numpy as np

from lessons_lib.arrays import Array


def least_squares_step(jacobian: Array, error: Array) -> Array:
    """Return the shortest d among those that minimise |J d - V|.

    Args:
        jacobian: J, shape (6, n).
        error: V, shape (6,).
    """
    return np.linalg.pinv(jacobian) @ error


def damped_step(jacobian: Array, error: Array, damping: float) -> Array:
    """Return the d that minimises |J d - V|² + D |d|².

    Both forms of the answer are the same for D > 0, (JᵀJ + D I)⁻¹Jᵀ = Jᵀ(JJᵀ + D I)⁻¹; the smaller system is solved,
    because the larger one is singular but for D; rows and columns of J that are zero do not count. Where D is so small
    that rounding decides whether the matrix is singular, the step is the undamped one.

    Args:
        jacobian: J, shape (6, n).
        error: V, shape (6,).
        damping: D, zero or more.
    """
    wide = jacobian.any(axis=0).sum() > jacobian.any(axis=1).sum()
    normal = jacobian @ jacobian.T if wide else jacobian.T @ jacobian
    factor = _cholesky(normal + damping * np.eye(len(normal))) if damping > 0.0 else None
    if factor is None:
        return least_squares_step(jacobian, error)
    right = error if wide else jacobian.T @ error
    answer: Array = np.linalg.solve(factor.T, np.linalg.solve(factor, right))
    return jacobian.T @ answer if wide else answer


def _cholesky(matrix: Array) -> Array | None:
    """Return the lower factor, or None where a pivot is no larger than the rounding of the matrix."""
    rounding = len(matrix) * np.finfo(np.float64).eps * np.trace(matrix)
    try:
        factor = np.asarray(np.linalg.cholesky(matrix), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    return factor if np.min(np.diag(factor)) ** 2 > rounding else None
