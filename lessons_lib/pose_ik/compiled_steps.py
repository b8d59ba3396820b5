"""One step, for the compiled loop: look at a configuration, weigh the model, solve for d.

This is plain Python on purpose. compiled.py copies its text behind the kernels that were derived for a chain, which
define the names of chain_code.pyi, and compiles the whole. The arithmetic is that of methods.py and least_squares.py,
without an allocation in the loop, and written entry by entry, which compiles faster than slices do.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lessons_lib.pose_ik.layout import EXACT, MODEL, RANK, ROOT_WEIGHT, ROUNDING, SPACE

if TYPE_CHECKING:
    from lessons_lib.pose_ik.chain_code import (
        DOF,
        SIZE,
        chain_kernel,
        left_jacobian_inverse_se3_kernel,
        log_se3_kernel,
    )

Array = NDArray[np.float64]


def look(q: Array, target: Array, T: Array, R: Array, J: Array, V: Array) -> None:
    """Write the pose T_sb and the body Jacobian of q, and V_b = log(T_sb⁻¹ target); R is scratch."""
    chain_kernel(q, T, J)
    for row in range(3):
        for column in range(4):
            shift = 1.0 if column == 3 else 0.0
            R[row, column] = (
                T[0, row] * (target[0, column] - shift * T[0, 3])
                + T[1, row] * (target[1, column] - shift * T[1, 3])
                + T[2, row] * (target[2, column] - shift * T[2, 3])
            )
        R[3, row] = 0.0
    R[3, 3] = 1.0
    log_se3_kernel(R, V)


def weigh(T: Array, J: Array, V: Array, settings: Array, L: Array, A: Array, e: Array) -> None:
    """Write the model A d ≈ e whose least squares the method solves: its frame, its derivative, its weights."""
    if settings[MODEL] == SPACE:
        to_space(T, J, V, A, e)
    elif settings[MODEL] == EXACT:
        left_jacobian_inverse_se3_kernel(V, L)
        product(L, J, V, A, e)
    else:
        for row in range(6):
            e[row] = V[row]
            for i in range(DOF):
                A[row, i] = J[row, i]
    for row in range(6):
        e[row] *= settings[ROOT_WEIGHT + row]
        for i in range(DOF):
            A[row, i] *= settings[ROOT_WEIGHT + row]


def to_space(T: Array, J: Array, V: Array, A: Array, e: Array) -> None:
    """Write Ad(T) J into A and Ad(T) V into e."""
    for row in range(3):
        e[row] = T[row, 0] * V[0] + T[row, 1] * V[1] + T[row, 2] * V[2]
        e[row + 3] = T[row, 0] * V[3] + T[row, 1] * V[4] + T[row, 2] * V[5]
        for i in range(DOF):
            A[row, i] = T[row, 0] * J[0, i] + T[row, 1] * J[1, i] + T[row, 2] * J[2, i]
            A[row + 3, i] = T[row, 0] * J[3, i] + T[row, 1] * J[4, i] + T[row, 2] * J[5, i]
    x, y, z = T[0, 3], T[1, 3], T[2, 3]
    e[3] += y * e[2] - z * e[1]
    e[4] += z * e[0] - x * e[2]
    e[5] += x * e[1] - y * e[0]
    for i in range(DOF):
        A[3, i] += y * A[2, i] - z * A[1, i]
        A[4, i] += z * A[0, i] - x * A[2, i]
        A[5, i] += x * A[1, i] - y * A[0, i]


def product(L: Array, J: Array, V: Array, A: Array, e: Array) -> None:
    """Write L J into A and V into e."""
    for row in range(6):
        e[row] = V[row]
        for i in range(DOF):
            total = 0.0
            for k in range(6):
                total += L[row, k] * J[k, i]
            A[row, i] = total


def half_square(e: Array) -> float:
    """Return E = ½ eᵀe."""
    total = 0.0
    for row in range(6):
        total += e[row] * e[row]
    return 0.5 * total


def is_finite(A: Array, e: Array) -> bool:
    """Return whether the model can be solved: no entry, nor the square of one, is infinite or NaN."""
    total = half_square(e)
    for row in range(6):
        for i in range(DOF):
            total += A[row, i] * A[row, i]
    return math.isfinite(total)


def least_squares_step(A: Array, e: Array, B: Array, W: Array, step: Array) -> None:
    """Write pinv(A) e by turning columns until they are orthogonal (one-sided Jacobi); B, W are scratch.

    B starts as the taller of A and Aᵀ, W as the identity of its width; each turn of two columns is done to both, so
    that B = (A or Aᵀ) W throughout. At the end the lengths of B's columns are the singular values.

    Source: Hestenes, Inversion of matrices by biorthogonalization and related results, J. SIAM 6 (1958).
    """
    wide = DOF > 6
    rows = DOF if wide else 6
    for i in range(SIZE):
        for k in range(rows):
            B[k, i] = A[i, k] if wide else A[k, i]
        for k in range(SIZE):
            W[k, i] = 1.0 if k == i else 0.0
    for _sweep in range(30):
        if not turn_columns(B, W, rows):
            break
    collect(B, W, rows, wide, e, step)


def turn_columns(B: Array, W: Array, rows: int) -> bool:
    """Turn each pair of columns until orthogonal, and return whether any pair was not so to rounding."""
    turned = False
    for i in range(SIZE - 1):
        for j in range(i + 1, SIZE):
            a, b, c = 0.0, 0.0, 0.0
            for k in range(rows):
                a += B[k, i] * B[k, i]
                b += B[k, j] * B[k, j]
                c += B[k, i] * B[k, j]
            if abs(c) <= ROUNDING * math.sqrt(a * b):
                continue
            turned = True
            zeta = (b - a) / (2.0 * c)
            t = math.copysign(1.0, zeta) / (abs(zeta) + math.sqrt(1.0 + zeta * zeta))
            cosine = 1.0 / math.sqrt(1.0 + t * t)
            sine = cosine * t
            for k in range(rows):
                B[k, i], B[k, j] = cosine * B[k, i] - sine * B[k, j], sine * B[k, i] + cosine * B[k, j]
            for k in range(SIZE):
                W[k, i], W[k, j] = cosine * W[k, i] - sine * W[k, j], sine * W[k, i] + cosine * W[k, j]
    return turned


def collect(B: Array, W: Array, rows: int, wide: bool, e: Array, step: Array) -> None:
    """Write pinv(A) e from the orthogonal columns; singular values up to RANK times the largest count as zero."""
    largest = 0.0
    for j in range(SIZE):
        largest = max(largest, squared_length(B, rows, j))
    for i in range(DOF):
        step[i] = 0.0
    for j in range(SIZE):
        square = squared_length(B, rows, j)
        if square <= RANK * RANK * largest:
            continue
        along = 0.0
        for row in range(6):
            along += (W[row, j] if wide else B[row, j]) * e[row]
        for i in range(DOF):
            step[i] += (B[i, j] if wide else W[i, j]) * along / square


def squared_length(B: Array, rows: int, column: int) -> float:
    """Return the square of a column's length."""
    total = 0.0
    for k in range(rows):
        total += B[k, column] * B[k, column]
    return total


def damped_step(A: Array, e: Array, damping: float, M: Array, y: Array, step: Array) -> bool:
    """Write the d that minimises |A d - e|² + damping |d|², or return False where rounding decides a pivot.

    M and y are scratch for the smaller of the two normal systems.
    """
    wide = DOF > 6
    across = DOF if wide else 6
    for i in range(SIZE):
        for j in range(i + 1):
            total = 0.0
            for k in range(across):
                total += A[i, k] * A[j, k] if wide else A[k, i] * A[k, j]
            M[i, j] = total
        M[i, i] += damping
        y[i] = e[i]
        if not wide:
            y[i] = 0.0
            for k in range(6):
                y[i] += A[k, i] * e[k]
    if not solved(M, y):
        return False
    for i in range(DOF):
        if wide:
            step[i] = 0.0
            for row in range(6):
                step[i] += A[row, i] * y[row]
        else:
            step[i] = y[i]
    return True


def solved(M: Array, y: Array) -> bool:
    """Solve M x = y in place by the Cholesky factor of M, or return False where rounding decides a pivot."""
    trace = 0.0
    for i in range(SIZE):
        trace += M[i, i]
    for i in range(SIZE):
        for j in range(i):
            total = M[i, j]
            for k in range(j):
                total -= M[i, k] * M[j, k]
            M[i, j] = total / M[j, j]
        pivot = M[i, i]
        for k in range(i):
            pivot -= M[i, k] * M[i, k]
        if not pivot > SIZE * ROUNDING * trace:
            return False
        M[i, i] = math.sqrt(pivot)
    for i in range(SIZE):
        for k in range(i):
            y[i] -= M[i, k] * y[k]
        y[i] /= M[i, i]
    for i in range(SIZE - 1, -1, -1):
        for k in range(i + 1, SIZE):
            y[i] -= M[k, i] * y[k]
        y[i] /= M[i, i]
    return True
