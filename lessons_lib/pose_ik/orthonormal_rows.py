"""The rows of a derivative made orthonormal, A = L Y, and what they leave of a vector."""

from __future__ import annotations

import math

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.iteration import Arrays

LOST = 1e-7
"""The part of A's longest row below which another one adds nothing to those before it."""


def orthonormal(A: Array, held: Array, rows: Arrays) -> None:
    """Write L and the orthonormal rows Y of A = L Y, without the columns of joints that are held.

    A row that adds nothing to those before it is zero in Y, and on the diagonal of L.
    """
    Y, L = rows
    largest = 0.0
    for k in range(6):
        for i in range(held.shape[0]):
            Y[k, i] = 0.0 if held[i] > 0.0 else A[k, i]
        L[k, k] = math.sqrt(inner(Y[k], Y[k]))
        largest = max(largest, L[k, k])
    lost = LOST * largest
    for k in range(6):
        before, length = L[k, k], math.sqrt(inner(Y[k], Y[k]))
        while lost < length <= 0.1 * before:  # once more where a digit was lost
            before = length
            for j in range(k):
                part = inner(Y[k], Y[j])
                L[k, j] += part
                add(-part, Y[j], Y[k])
            length = math.sqrt(inner(Y[k], Y[k]))
        L[k, k] = length if length > lost else 0.0
        unit = 1.0 / length if length > lost else 0.0
        for i in range(held.shape[0]):
            Y[k, i] *= unit
        for j in range(k + 1, 6):  # one row after the other, whose sums do not wait for each other
            L[j, k] = inner(Y[k], Y[j])
            add(-L[j, k], Y[k], Y[j])


def solve_forward(L: Array, b: Array) -> None:
    """Write the solution of L x = b over b; zero where L has a zero on its diagonal."""
    for k in range(6):
        for j in range(k):
            b[k] -= L[k, j] * b[j]
        b[k] = b[k] / L[k, k] if L[k, k] > 0.0 else 0.0


def take_off(Y: Array, x: Array) -> None:
    """Write N x over x."""
    for _ in range(2):
        for k in range(6):
            add(-inner(Y[k], x), Y[k], x)


def inner(a: Array, b: Array) -> float:
    """Return a · b."""
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total


def add(x: float, a: Array, b: Array) -> None:
    """Write b + x a over b."""
    for i in range(b.shape[0]):
        b[i] += x * a[i]


def greatest(a: Array) -> float:
    """Return the largest |aᵢ|."""
    most = 0.0
    for i in range(a.shape[0]):
        most = max(most, abs(a[i]))
    return most
