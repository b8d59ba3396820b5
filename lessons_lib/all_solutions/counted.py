"""How many answers six hinges have at most, with proof: the zeros of a determinant, each counted once.

Every answer makes the determinant of reading.py zero at its kept angle, a polynomial of degree 12 in the sine and
cosine of it. Where a zero is simple the null vector is the only one, and with it the two other angles of the three; and
where the fourteen equations have rank eight, the two that are undone. So there are no more answers than simple zeros.
As many that are certified (certificates/ball.py) are all.

The numbers are those that answers are found by (determinant.py, circle.py), each with a radius in which the exact one
is, of the exact arm and the exact target (radii.py).

Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), th. 9.3 for L U.
"""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.all_solutions.circle import UNKNOWN, simple_zeros, write_waves
from lessons_lib.all_solutions.determinant import (
    EQUATIONS,
    LEFT,
    RIGHT,
    SIZE,
    factor,
    reflect,
    write_equations,
    write_matrix,
)
from lessons_lib.all_solutions.radii import motion_radii, write_left_rows, write_right_rows
from lessons_lib.all_solutions.sixteen import write_motion
from lessons_lib.arrays import Array, Integers
from lessons_lib.certificates.residual import TINY, WIDER, U

LOOKS = 4000
"""Arcs of the circle that are tried, at most."""

AT_PLACE = 650.0 * U
"""By how much of its size an entry is off at a place besides its factors: sine and cosine there are off by 16 U and no
less than 0.0257."""


def how_many(
    T: Array, back: Array, home: Array, unit: float, ways: Integers, axes: Array, left: Array, places: Array
) -> int:
    """Return how many answers there are at most, by the first way to read the arm that tells it, or UNKNOWN.

    The arguments are those of `every_answer`, but for home, M of shape (4, 4), and the places of `reading.places`.
    """
    X, Y = np.empty(12), np.empty(12)
    write_motion(T, back, unit, X, Y)
    for way in range(len(ways)):
        Z = Y if ways[way, 0] == 1 else X
        off = motion_radii(T, home, unit, X, ways[way, 0] == 1)
        most = most_of(Z, off, axes[way], left[way], ways[way, 1], places)
        if most != UNKNOWN:
            return most
    return UNKNOWN


def most_of(X: Array, off: tuple[float, float], axes: Array, left: Array, first: int, places: Array) -> int:
    """Return how many answers there are at most by one way to read the arm, or UNKNOWN; see `write_right_rows`."""
    E, right, rows = np.empty((EQUATIONS, RIGHT + LEFT)), np.zeros(EQUATIONS), np.zeros(EQUATIONS)
    write_equations(X, axes, first, left, E)
    write_right_rows(X, off, axes, first, right)
    write_left_rows(axes, first, rows)
    for n in range(EQUATIONS):
        rows[n] += right[n]  # of the constant, which came to the left
    free, radii = np.empty((EQUATIONS, RIGHT + LEFT)), np.empty((EQUATIONS, RIGHT + LEFT))
    if not is_free(E, right, rows, free, radii):
        return UNKNOWN
    count = places.shape[0]
    values, waves = np.empty(count), np.empty(count)
    mean, error = 0.0, 0.0
    for i in range(count):
        values[i], far = determinant(free, radii, places[i, count], places[i, count + 1])
        error += far / count
        mean += abs(values[i]) / count
    if not error < math.inf:
        return UNKNOWN
    write_waves(values, places, waves)
    return simple_zeros(waves, (2.0 * error + 100.0 * U * mean) * WIDER, LOOKS)


def is_free(E: Array, right: Array, left: Array, free: Array, radii: Array) -> bool:
    """Write six combinations of equations that are free of what is undone, with radii, where `write_matrix` reads them.

    Returns whether the equations have rank eight. Above them stands what eight combinations with the columns 0 … 7 as
    the identity are: by them is freed what is left of these columns in the six.

    Args:
        E: See `write_equations`.
        right: Radii of the rows of columns 0 … 7.
        left: Radii of the rows of the others.
        free: Shape (14, 35).
        radii: Shape (14, 35).
    """
    Q = np.zeros((EQUATIONS, RIGHT + EQUATIONS))
    for n in range(EQUATIONS):
        Q[n, RIGHT + n] = 1.0
        for k in range(RIGHT):
            Q[n, k] = E[n, k]
    reflect(Q)
    for i in range(RIGHT):
        k = RIGHT - 1 - i
        for n in range(EQUATIONS):
            for m in range(k + 1, RIGHT):
                Q[k, RIGHT + n] -= Q[k, m] * Q[m, RIGHT + n]
            Q[k, RIGHT + n] /= Q[k, k]
    for i in range(EQUATIONS):
        off_right, off_left = TINY, TINY
        for n in range(EQUATIONS):
            off_right += abs(Q[i, RIGHT + n]) * right[n]
            off_left += abs(Q[i, RIGHT + n]) * left[n]
        for m in range(RIGHT + LEFT):
            free[i, m], radii[i, m] = 0.0, 0.0
        for n in range(EQUATIONS):
            part = Q[i, RIGHT + n]
            for m in range(RIGHT + LEFT):
                free[i, m] += part * E[n, m]
                radii[i, m] += abs(part * E[n, m])
        for m in range(RIGHT + LEFT):
            radii[i, m] = (18.0 * U * radii[i, m] + (off_right if m < RIGHT else off_left)) * WIDER
    apart, leak = 0.0, np.zeros(EQUATIONS)
    for i in range(EQUATIONS):
        for m in range(RIGHT):
            leak[i] += (abs(free[i, m] - (1.0 if i == m else 0.0)) + radii[i, m]) * WIDER
        if i < RIGHT:
            apart = max(apart, leak[i])
    if not apart < 0.5:
        return False
    for m in range(RIGHT, RIGHT + LEFT):
        most = 0.0
        for i in range(RIGHT):
            most = max(most, (abs(free[i, m]) + radii[i, m]) / (1.0 - apart) * WIDER)
        for i in range(RIGHT, EQUATIONS):
            radii[i, m] = (radii[i, m] + leak[i] * most + AT_PLACE * abs(free[i, m])) * WIDER
    return True


def determinant(free: Array, radii: Array, s: float, c: float) -> tuple[float, float]:
    """Return the determinant at an angle, and by how much it may be off: by L U = A, and X nearly the inverse of it.

    With the exact matrix L U (I + B) that is det(I + B), of which the logarithm is the trace of B and what is less than
    12 |B|² / 2 (1 − |B|).
    """
    A, off, X = np.empty((SIZE, 3 * SIZE)), np.empty((SIZE, SIZE)), np.zeros((SIZE, SIZE))
    write_matrix(free, s, c, A)
    write_matrix(radii, abs(s), abs(c), off)
    for i in range(SIZE):
        X[i, i] = 1.0
        for j in range(SIZE):
            A[i, SIZE + j], A[i, 2 * SIZE + j] = off[i, j], A[i, j]
    found = factor(A)
    if found == 0.0:
        return 0.0, math.inf
    rows, lost, size = np.zeros(SIZE), np.zeros(SIZE), np.zeros(SIZE)
    for k in range(SIZE):
        for i in range(k + 1):
            part = abs(A[k, i]) if i < k else 1.0
            for j in range(i, SIZE):
                rounded = 13.0 * U * part * abs(A[i, j])
                A[k, SIZE + j] += rounded
                lost[k] += rounded
        for j in range(SIZE):
            rows[k] += A[k, SIZE + j]
            size[k] += abs(A[k, 2 * SIZE + j])
    for k in range(SIZE):  # L Y = I
        for i in range(k + 1, SIZE):
            for j in range(SIZE):
                X[i, j] -= A[i, k] * X[k, j]
    for n in range(SIZE):  # U X = Y
        k = SIZE - 1 - n
        for j in range(SIZE):
            X[k, j] /= A[k, k]
        for i in range(k):
            for j in range(SIZE):
                X[i, j] -= A[i, k] * X[k, j]
    apart, part, trace, row = 0.0, 0.0, 0.0, np.empty(SIZE)
    for i in range(SIZE):
        for j in range(SIZE):
            row[j] = -1.0 if i == j else 0.0
        away, along = 0.0, 0.0
        for k in range(SIZE):
            x = abs(X[i, k])
            trace += x * A[k, SIZE + i]
            along += x * rows[k]
            away += x * (14.0 * U * size[k] + lost[k])
            for j in range(SIZE):
                row[j] += X[i, k] * A[k, 2 * SIZE + j]
        for j in range(SIZE):
            away += abs(row[j])
        apart, part = max(apart, away * WIDER), max(part, along * WIDER)
    if not (apart < 0.25 and part < 0.25):
        return found, math.inf
    part /= 1.0 - apart
    bent = trace + 12.0 * apart * part + 6.0 * part * part / (1.0 - part)
    return found, abs(found) * (bent * (1.0 + bent) + 13.0 * U) * WIDER + TINY if bent < 1.0 else math.inf
