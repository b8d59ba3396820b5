"""LU factorization with row pivoting, and solutions of linear systems."""

import numpy as np

from lessons_lib.arrays import Array


def factor(A: Array, width: int, floor: float) -> float:
    """Factor a matrix in place into L and U with row pivoting; return its determinant."""
    # The first `width` columns are eliminated, the others permuted; a pivot below `floor` is replaced by it.
    determinant, count = 1.0, A.shape[0]
    for k in range(count):
        top, largest = k, abs(A[k, k])
        for i in range(k + 1, count):
            if abs(A[i, k]) > largest:
                top, largest = i, abs(A[i, k])
        if top != k:
            determinant = -determinant
            for j in range(A.shape[1]):
                A[k, j], A[top, j] = A[top, j], A[k, j]
        if abs(A[k, k]) < floor:
            A[k, k] = floor
        pivot = A[k, k]
        determinant *= pivot
        if pivot != 0.0:
            for i in range(k + 1, count):
                if A[i, k] != 0.0:
                    part = A[i, k] / pivot
                    A[i, k] = part
                    for j in range(k + 1, width):
                        A[i, j] -= part * A[k, j]
    return determinant


def back_substitute(A: Array, size: int, first: int, last: int) -> None:
    """Solve U X = B in place: U is the upper triangle of `size` rows, B has the columns first … last − 1."""
    for n in range(size):
        k = size - 1 - n
        for j in range(first, last):
            A[k, j] /= A[k, k]
        for i in range(k):
            for j in range(first, last):
                A[i, j] -= A[i, k] * A[k, j]


def invert(M: Array, P: Array) -> bool:
    """Write an approximate inverse of M, shape (n, n), into P; return False if M is singular."""
    n = M.shape[0]
    A = np.zeros((n, 2 * n))
    for i in range(n):
        A[i, n + i] = 1.0
        for j in range(n):
            A[i, j] = M[i, j]
    if not abs(factor(A, 2 * n, 0.0)) > 0.0:
        return False
    back_substitute(A, n, n, 2 * n)
    for i in range(n):
        for j in range(n):
            P[i, j] = A[i, n + j]
    return True
