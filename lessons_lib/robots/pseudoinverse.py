"""Least-squares step by the singular value decomposition of a small matrix, compiled with its callers."""

from __future__ import annotations

import math

from lessons_lib.arrays import Array

ORTHOGONAL = 2.220446049250313e-16  # cosine of the angle of columns that are orthogonal to rounding
ZERO = 1e-15  # singular values up to this times the largest count as zero, as in numpy.linalg.pinv


def least_squares_step(A: Array, e: Array, active: Array, B: Array, W: Array, step: Array) -> None:
    """Compute pinv(A) e by one-sided Jacobi rotations; columns of A with active[i] = 1 count as zero."""
    # B starts as the taller of A and Aᵀ, W as the identity, and B = (A or Aᵀ) W throughout. At the end the columns of B
    # are orthogonal, and their lengths are the singular values. Source: Hestenes, J. SIAM 6 (1958).
    size, dof = W.shape[0], A.shape[1]
    wide = dof > 6
    rows = dof if wide else 6
    for i in range(size):
        for k in range(rows):
            B[k, i] = A[i, k] * (1.0 - active[k]) if wide else A[k, i] * (1.0 - active[i])
        for k in range(size):
            W[k, i] = 1.0 if k == i else 0.0
    for _sweep in range(30):
        if not rotate_columns(B, W, rows):
            break
    apply_pseudoinverse(B, W, rows, wide, e, ZERO, step)


def rotate_columns(B: Array, W: Array, rows: int) -> bool:
    """Rotate each pair of columns until orthogonal; return whether any pair was not orthogonal to rounding."""
    rotated, size = False, W.shape[0]
    for i in range(size - 1):
        for j in range(i + 1, size):
            a, b, c = 0.0, 0.0, 0.0
            for k in range(rows):
                a += B[k, i] * B[k, i]
                b += B[k, j] * B[k, j]
                c += B[k, i] * B[k, j]
            if abs(c) <= ORTHOGONAL * math.sqrt(a * b) or min(a, b) <= ZERO * ZERO * max(a, b):
                continue
            rotated = True
            zeta = (b - a) / (2.0 * c)
            t = math.copysign(1.0, zeta) / (abs(zeta) + math.sqrt(1.0 + zeta * zeta))
            cosine = 1.0 / math.sqrt(1.0 + t * t)
            sine = cosine * t
            for k in range(rows):
                B[k, i], B[k, j] = cosine * B[k, i] - sine * B[k, j], sine * B[k, i] + cosine * B[k, j]
            for k in range(size):
                W[k, i], W[k, j] = cosine * W[k, i] - sine * W[k, j], sine * W[k, i] + cosine * W[k, j]
    return rotated


def apply_pseudoinverse(B: Array, W: Array, rows: int, wide: bool, e: Array, rank: float, step: Array) -> None:
    """Compute pinv(A) e from the orthogonal columns; singular values up to `rank` times the largest are zero."""
    largest, size = 0.0, W.shape[0]
    for j in range(size):
        largest = max(largest, squared_length(B, rows, j))
    for i in range(step.shape[0]):
        step[i] = 0.0
    for j in range(size):
        square = squared_length(B, rows, j)
        if square <= rank * rank * largest:
            continue
        along = 0.0
        for row in range(6):
            along += (W[row, j] if wide else B[row, j]) * e[row]
        for i in range(step.shape[0]):
            step[i] += (B[i, j] if wide else W[i, j]) * along / square


def squared_length(B: Array, rows: int, column: int) -> float:
    """Return the squared length of a column."""
    total = 0.0
    for k in range(rows):
        total += B[k, column] * B[k, column]
    return total
