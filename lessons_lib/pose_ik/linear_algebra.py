"""Linear algebra of the compiled searches, entry by entry, which compiles faster than slices."""

from __future__ import annotations

import math
from typing import Any

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.layout import MASK, ROUNDING
from lessons_lib.robots.pseudoinverse import least_squares_step

NEGLIGIBLE = 1e-7
"""A row shorter than this part of the longest one is linearly dependent on the rows before it."""


def undamped_step(A: Array, e: Array, active: Array, settings: Array, B: Array, W: Array, step: Array) -> None:
    """Compute the least-squares step pinv(A) e: by Cholesky if the active rows are independent, else by the SVD."""
    if not step_by_rows(A, e, active, settings, W, B, step):
        least_squares_step(A, e, active, B, W, step)


def step_by_rows(A: Array, e: Array, active: Array, settings: Array, W: Array, B: Array, step: Array) -> bool:
    """Compute Aᵀ(A Aᵀ)⁻¹ e for the active rows by Cholesky; return False if a pivot is within rounding of zero."""
    n, rows = A.shape[1], W.shape[0]
    component_count, free, trace = 0.0, 0.0, 0.0
    for i in range(6):
        component_count += settings[MASK + i]
    for j in range(n):
        free += 1.0 - active[j]
    if rows < 6 or free < component_count:
        return False
    for i in range(6):
        for k in range(i + 1):
            total = 0.0
            for j in range(n):
                total += A[i, j] * A[k, j] * (1.0 - active[j])
            W[i, k] = total * settings[MASK + i] * settings[MASK + k]
        trace += W[i, i]
    for i in range(6):
        total = e[i]
        for k in range(i):
            for j in range(k):
                W[i, k] -= W[i, j] * W[k, j]
            W[i, k] *= W[k, k]
            total -= W[i, k] * B[k, 0]
        pivot = W[i, i]
        for j in range(i):
            pivot -= W[i, j] * W[i, j]
        if settings[MASK + i] == 0.0:
            W[i, i], B[i, 0] = 0.0, 0.0
        elif not pivot > 6e3 * ROUNDING * trace:  # closer to singular the SVD is more accurate
            return False
        else:
            W[i, i] = 1.0 / math.sqrt(pivot)
            B[i, 0] = total * W[i, i]
    for back in range(6):
        i = 5 - back
        total = B[i, 0]
        for k in range(i + 1, 6):
            total -= W[k, i] * B[k, 0]
        B[i, 0] = total * W[i, i]
    for j in range(n):
        total = 0.0
        for i in range(6):
            total += A[i, j] * B[i, 0]
        step[j] = total * (1.0 - active[j])
    return True


def gram_schmidt(A: Array, active: Array, rows: tuple[Any, ...]) -> None:
    """Factor A = L Y, Y with orthonormal rows or zeros for dependent rows, without the columns of the active set."""
    Y, L = rows
    largest = 0.0
    for k in range(6):
        for i in range(active.shape[0]):
            Y[k, i] = 0.0 if active[i] > 0.0 else A[k, i]
        L[k, k] = math.sqrt(dot(Y[k], Y[k]))
        largest = max(largest, L[k, k])
    least = NEGLIGIBLE * largest
    for k in range(6):
        before, length = L[k, k], math.sqrt(dot(Y[k], Y[k]))
        while least < length <= 0.1 * before:  # orthogonalize again after a loss of digits
            before = length
            for j in range(k):
                part = dot(Y[k], Y[j])
                L[k, j] += part
                axpy(-part, Y[j], Y[k])
            length = math.sqrt(dot(Y[k], Y[k]))
        L[k, k] = length if length > least else 0.0
        unit = 1.0 / length if length > least else 0.0
        for i in range(active.shape[0]):
            Y[k, i] *= unit
        for j in range(k + 1, 6):  # row by row: independent sums run in parallel
            L[j, k] = dot(Y[k], Y[j])
            axpy(-L[j, k], Y[k], Y[j])


def solve_forward(L: Array, b: Array) -> None:
    """Solve L x = b in place; x is zero where the diagonal of L is zero."""
    for k in range(6):
        for j in range(k):
            b[k] -= L[k, j] * b[j]
        b[k] = b[k] / L[k, k] if L[k, k] > 0.0 else 0.0


def project_out(Y: Array, x: Array) -> None:
    """Project x, in place, onto the orthogonal complement of the rows of Y."""
    for _ in range(2):
        for k in range(6):
            axpy(-dot(Y[k], x), Y[k], x)


def dot(a: Array, b: Array) -> float:
    """Return a · b."""
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total


def axpy(x: float, a: Array, b: Array) -> None:
    """Add x a to b, in place."""
    for i in range(b.shape[0]):
        b[i] += x * a[i]


def max_abs(a: Array) -> float:
    """Return max |aᵢ|."""
    largest = 0.0
    for i in range(a.shape[0]):
        largest = max(largest, abs(a[i]))
    return largest
