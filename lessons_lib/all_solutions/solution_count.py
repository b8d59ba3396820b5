"""Bound the number of solutions of a 6R arm, with proof: the zeros of a determinant, each simple.

Each solution is a zero of the determinant; a simple zero has one null vector and so, at rank eight, one solution. As
many certified solutions are all of them. Each number has a radius that covers the exact arm, target and rounding.
Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), ch. 3 and th. 9.3 for LU.
"""

import math

import numpy as np

from lessons_lib.all_solutions.elimination import EQUATIONS, LEFT, RIGHT, SIZE, reflect, write_matrix
from lessons_lib.all_solutions.trig_polynomial import UNKNOWN, count_simple_zeros, write_coefficients
from lessons_lib.arrays import Array
from lessons_lib.certificates.error_bounds import INFLATION, UNDERFLOW, U, distance_to_rotation
from lessons_lib.certificates.lu import back_substitute, factor
from lessons_lib.robots.vec3 import Vector, dot


def norm(u: Vector) -> float:
    """Return |u|."""
    return math.sqrt(dot(u, u))


def motion_radii(T: Array, home: Array, unit: float, X: Array, backwards: bool) -> tuple[float, float]:
    """Return the errors of rotation and translation of T M⁻¹, or of its inverse, in lengths of the arm."""
    off = distance_to_rotation(T) + distance_to_rotation(home)
    m, t = norm((home[0, 3], home[1, 3], home[2, 3])), norm((T[0, 3], T[1, 3], T[2, 3]))
    along = ((off + 16.0 * U) * m + 3.0 * U * t) / unit * INFLATION
    off = (off + 13.0 * U) * INFLATION
    if backwards:
        along += (off + 9.0 * U) * norm((X[3], X[7], X[11])) * INFLATION
    return off, along


ARCS = 4000  # largest number of arcs of the circle
AT_PLACE = 650.0 * U
"""Error of an entry at a sample, besides its factors: sine and cosine are off by 16 U and no less than 0.0257."""


def bound_solution_count(E: Array, radii: Array, places: Array) -> int:
    """Return an upper bound on the number of solutions from the equations of one ordering, (14, 35), or UNKNOWN."""
    free, off, count = np.empty((EQUATIONS, RIGHT + LEFT)), np.empty((EQUATIONS, RIGHT + LEFT)), places.shape[0]
    if not is_free(E, radii, free, off):
        return UNKNOWN
    values, fourier = np.empty(count), np.empty(count)
    mean, error = 0.0, 0.0
    for i in range(count):
        values[i], far = determinant(free, off, places[i, count], places[i, count + 1])
        error += far / count
        mean += abs(values[i]) / count
    if not error < math.inf:
        return UNKNOWN
    write_coefficients(values, places, fourier)
    return count_simple_zeros(fourier, (2.0 * error + 100.0 * U * mean) * INFLATION, ARCS)


def is_free(E: Array, given: Array, free: Array, radii: Array) -> bool:
    """Write combinations free of the right side, with radii; return whether the equations have rank eight."""
    # Rows 0 … 7 have the columns 0 … 7 as identity; with them is removed what the six others still have in these
    # columns.
    Q = np.zeros((EQUATIONS, RIGHT + EQUATIONS))
    for n in range(EQUATIONS):
        Q[n, RIGHT + n] = 1.0
        for k in range(RIGHT):
            Q[n, k] = E[n, k]
    reflect(Q)
    back_substitute(Q, RIGHT, RIGHT, RIGHT + EQUATIONS)
    for i in range(EQUATIONS):
        for m in range(RIGHT + LEFT):
            free[i, m], radii[i, m] = 0.0, UNDERFLOW
        for n in range(EQUATIONS):
            part = Q[i, RIGHT + n]
            for m in range(RIGHT + LEFT):
                free[i, m] += part * E[n, m]
                radii[i, m] += abs(part) * (given[n, m] + 18.0 * U * abs(E[n, m])) * INFLATION
    apart, leak = 0.0, np.zeros(EQUATIONS)
    for i in range(EQUATIONS):
        for m in range(RIGHT):
            leak[i] += (abs(free[i, m] - (1.0 if i == m else 0.0)) + radii[i, m]) * INFLATION
        if i < RIGHT:
            apart = max(apart, leak[i])
    if not apart < 0.5:
        return False
    for m in range(RIGHT, RIGHT + LEFT):
        most = 0.0
        for i in range(RIGHT):
            most = max(most, (abs(free[i, m]) + radii[i, m]) / (1.0 - apart) * INFLATION)
        for i in range(RIGHT, EQUATIONS):
            radii[i, m] = (radii[i, m] + leak[i] * most + AT_PLACE * abs(free[i, m])) * INFLATION
    return True


def determinant(free: Array, radii: Array, s: float, c: float) -> tuple[float, float]:
    """Return the determinant at an angle and a bound of its error."""
    # With L U = A and X near its inverse the exact matrix is L U (I + B); log det(I + B) is the
    # trace of B, to 12 |B|² / 2 (1 − |B|).
    A, off, X = np.empty((SIZE, 3 * SIZE)), np.empty((SIZE, SIZE)), np.zeros((SIZE, SIZE))
    write_matrix(free, s, c, A)
    write_matrix(radii, abs(s), abs(c), off)
    for i in range(SIZE):
        for j in range(SIZE):
            A[i, SIZE + j], A[i, 2 * SIZE + j] = off[i, j], A[i, j]
    found = factor(A, SIZE, 0.0)
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
        X[k, k] = 1.0
        for i in range(k + 1, SIZE):
            for j in range(SIZE):
                X[i, j] -= A[i, k] * X[k, j]
    for n in range(SIZE):  # U X = Y, faster than `back_substitute` with its columns anywhere
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
        apart, part = max(apart, away * INFLATION), max(part, along * INFLATION)
    if not (apart < 0.25 and part < 0.25):
        return found, math.inf
    part /= 1.0 - apart
    bent = trace + 12.0 * apart * part + 6.0 * part * part / (1.0 - part)
    return found, abs(found) * (bent * (1.0 + bent) + 13.0 * U) * INFLATION + UNDERFLOW if bent < 1.0 else math.inf
