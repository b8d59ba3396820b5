"""One step, for the compiled loop: weigh the model, solve for d, as methods.py and least_squares.py do.

This is plain Python on purpose. compiled.py copies its text behind the numbers and kernels that chain_code.pyi names,
and compiles the whole. It allocates nothing, and goes entry by entry, which compiles faster than slices do.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lessons_lib.pose_ik.layout import (
    EXACT,
    MODEL,
    RANK,
    ROOT_WEIGHT,
    ROUNDING,
    SPACE,
    SPLIT_IN_BODY,
    SPLIT_IN_SPACE,
    WEIGHTED,
)

if TYPE_CHECKING:
    from lessons_lib.pose_ik.chain_code import (
        DOF,
        SIZE,
        adjoint_kernel,
        left_jacobian_inverse_se3_kernel,
        split_along_axes_kernel,
        split_in_body_kernel,
    )

Array = NDArray[np.float64]
Arrays = tuple[Array, ...]


def workspace() -> Arrays:
    """Return the arrays that one start works in; all of its iterations, and all starts, share them."""
    vectors = (np.empty(DOF), np.empty(DOF), np.empty(DOF), np.empty(DOF), np.empty(SIZE))
    twists = (np.empty(6), np.empty(6), np.empty(6), np.empty(6))
    models = (np.empty((6, DOF)), np.empty((6, DOF)), np.empty((6, DOF)), np.empty((max(DOF, 6), SIZE)))
    squares = (np.empty((4, 4)), np.empty((4, 4)), np.empty((6, 6)), np.empty((SIZE, SIZE)))
    return vectors + twists + models + squares


def split(target: Array, settings: Array, T: Array, R: Array, V: Array, L: Array) -> None:
    """Turn V, which holds V_b, into the split error, and write its slope to L; R holds T_sb⁻¹ target, T is scratch."""
    if settings[MODEL] == SPLIT_IN_BODY:
        split_in_body_kernel(V, R, V, L)
    elif settings[MODEL] == SPLIT_IN_SPACE:
        split_along_axes_kernel(V, R, target, V, L)
    else:
        for i in range(3):
            for j in range(3):
                T[i, j] = 1.0 if i == j else 0.0
        split_along_axes_kernel(V, R, T, V, L)


def weigh(T: Array, V: Array, settings: Array, J: Array, L: Array, A: Array, e: Array) -> None:
    """Turn A and e into the model A d ≈ e of the method: its frame, derivative, weights.

    A holds J_b, e holds V_b; or the split error, and then L holds its slope.
    """
    if settings[MODEL] >= SPLIT_IN_BODY:
        multiply(L, J, A)
    elif settings[MODEL] == SPACE:
        to_space(T, J, L, A, e)
    elif settings[MODEL] == EXACT:
        left_jacobian_inverse_se3_kernel(V, L)
        multiply(L, J, A)
    if settings[WEIGHTED] != 0.0:
        for row in range(6):
            e[row] *= settings[ROOT_WEIGHT + row]
            for i in range(DOF):
                A[row, i] *= settings[ROOT_WEIGHT + row]


def to_space(T: Array, J: Array, L: Array, A: Array, e: Array) -> None:
    """Multiply A and e by Ad(T), in place; J and L are scratch."""
    adjoint_kernel(T, L)
    multiply(L, J, A)
    for row in range(6):
        J[row, 0] = 0.0
        for k in range(6):
            J[row, 0] += L[row, k] * e[k]
    for row in range(6):
        e[row] = J[row, 0]


def multiply(L: Array, J: Array, A: Array) -> None:
    """Multiply A by L from the left, in place; J is scratch."""
    for row in range(6):
        for i in range(DOF):
            J[row, i] = A[row, i]
    for row in range(6):
        for i in range(DOF):
            total = 0.0
            for k in range(6):
                total += L[row, k] * J[k, i]
            A[row, i] = total


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
            if abs(c) <= ROUNDING * math.sqrt(a * b) or min(a, b) <= RANK * RANK * max(a, b):
                continue
            turned = True
            zeta = (b - a) / (2.0 * c)
            t = math.copysign(1.0, zeta) / (abs(zeta) + math.hypot(1.0, zeta))
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
