"""Prove an upper bound on the number of solutions of a 6R arm: the simple zeros of a determinant."""
# Each solution is a zero of the determinant; a simple zero has one null vector and so, at rank eight, one solution. As
# many certified solutions are all of them. Radii cover the exact arm, the target and rounding. Source: Higham, Accuracy
# and Stability of Numerical Algorithms (2002), ch. 3 and th. 9.3 for LU.

import math

import numpy as np

from lessons_lib.all_solutions.elimination import EQUATIONS, LEFT, RIGHT, SIZE, reflect, write_matrix
from lessons_lib.all_solutions.trig_polynomial import UNKNOWN, count_simple_zeros, write_coefficients
from lessons_lib.arrays import Array
from lessons_lib.certificates.error_bounds import INFLATION, UNDERFLOW, U, distance_to_rotation
from lessons_lib.certificates.lu import back_substitute, factor
from lessons_lib.robots.vec3 import Vector, dot


def norm(u: Vector) -> float:
    return math.sqrt(dot(u, u))


def motion_radii(T: Array, home: Array, unit: float, X: Array, backwards: bool) -> tuple[float, float]:
    """Bound the errors of rotation and translation of T M⁻¹, or of its inverse, in lengths of the arm."""
    off = distance_to_rotation(T) + distance_to_rotation(home)
    m, t = norm((home[0, 3], home[1, 3], home[2, 3])), norm((T[0, 3], T[1, 3], T[2, 3]))
    weighted = ((off + 16.0 * U) * m + 3.0 * U * t) / unit * INFLATION
    off = (off + 13.0 * U) * INFLATION
    if backwards:
        weighted += (off + 9.0 * U) * norm((X[3], X[7], X[11])) * INFLATION
    return off, weighted


ARCS = 4000  # largest number of arcs
SAMPLE_ERROR = 650.0 * U
"""Relative error of an entry at a sample: sine and cosine have errors up to 16 U and are at least 0.0257."""


def bound_solution_count(E: Array, radii: Array, samples: Array) -> int:
    """Return an upper bound on the number of solutions by the equations of one ordering, (14, 35), or UNKNOWN."""
    free, off, count = np.empty((EQUATIONS, RIGHT + LEFT)), np.empty((EQUATIONS, RIGHT + LEFT)), samples.shape[0]
    if not eliminate_right_side(E, radii, free, off):
        return UNKNOWN
    values, fourier = np.empty(count), np.empty(count)
    mean, error = 0.0, 0.0
    for i in range(count):
        values[i], far = determinant(free, off, samples[i, count], samples[i, count + 1])
        error += far / count
        mean += abs(values[i]) / count
    if not error < math.inf:
        return UNKNOWN
    write_coefficients(values, samples, fourier)
    return count_simple_zeros(fourier, (2.0 * error + 100.0 * U * mean) * INFLATION, ARCS)


def eliminate_right_side(E: Array, input_radii: Array, free: Array, radii: Array) -> bool:
    """Write combinations without the right side, with radii; return whether the equations have rank eight."""
    # In rows 0 … 7 the columns 0 … 7 are the identity; these rows remove the remainders of the six others.
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
                radii[i, m] += abs(part) * (input_radii[n, m] + 18.0 * U * abs(E[n, m])) * INFLATION
    deviation, remainder = 0.0, np.zeros(EQUATIONS)
    for i in range(EQUATIONS):
        for m in range(RIGHT):
            remainder[i] += (abs(free[i, m] - (1.0 if i == m else 0.0)) + radii[i, m]) * INFLATION
        if i < RIGHT:
            deviation = max(deviation, remainder[i])
    if not deviation < 0.5:
        return False
    for m in range(RIGHT, RIGHT + LEFT):
        most = 0.0
        for i in range(RIGHT):
            most = max(most, (abs(free[i, m]) + radii[i, m]) / (1.0 - deviation) * INFLATION)
        for i in range(RIGHT, EQUATIONS):
            radii[i, m] = (radii[i, m] + remainder[i] * most + SAMPLE_ERROR * abs(free[i, m])) * INFLATION
    return True


def determinant(free: Array, radii: Array, s: float, c: float) -> tuple[float, float]:
    """Return the determinant at an angle and an error bound."""
    # With L U = A and X near its inverse the exact matrix is L U (I + B); log det(I + B) is the trace of B, with an
    # error up to 12 |B|² / 2 (1 − |B|).
    A, off, X = np.empty((SIZE, 3 * SIZE)), np.empty((SIZE, SIZE)), np.zeros((SIZE, SIZE))
    write_matrix(free, s, c, A)
    write_matrix(radii, abs(s), abs(c), off)
    for i in range(SIZE):
        for j in range(SIZE):
            A[i, SIZE + j], A[i, 2 * SIZE + j] = off[i, j], A[i, j]
    value = factor(A, SIZE, 0.0)
    if value == 0.0:
        return 0.0, math.inf
    rows, rounding, size = np.zeros(SIZE), np.zeros(SIZE), np.zeros(SIZE)
    for k in range(SIZE):
        for i in range(k + 1):
            part = abs(A[k, i]) if i < k else 1.0
            for j in range(i, SIZE):
                rounded = 13.0 * U * part * abs(A[i, j])
                A[k, SIZE + j] += rounded
                rounding[k] += rounded
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
    deviation, part, trace, row = 0.0, 0.0, 0.0, np.empty(SIZE)
    for i in range(SIZE):
        for j in range(SIZE):
            row[j] = -1.0 if i == j else 0.0
        defect, weighted = 0.0, 0.0
        for k in range(SIZE):
            x = abs(X[i, k])
            trace += x * A[k, SIZE + i]
            weighted += x * rows[k]
            defect += x * (14.0 * U * size[k] + rounding[k])
            for j in range(SIZE):
                row[j] += X[i, k] * A[k, 2 * SIZE + j]
        for j in range(SIZE):
            defect += abs(row[j])
        deviation, part = max(deviation, defect * INFLATION), max(part, weighted * INFLATION)
    if not (deviation < 0.25 and part < 0.25):
        return value, math.inf
    part /= 1.0 - deviation
    change = trace + 12.0 * deviation * part + 6.0 * part * part / (1.0 - part)
    error = abs(value) * (change * (1.0 + change) + 13.0 * U) * INFLATION + UNDERFLOW
    return value, error if change < 1.0 else math.inf
