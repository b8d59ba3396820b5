"""Bound the number of solutions of a 6R arm, with proof: the zeros of a determinant, each simple.

Each solution is a zero of the determinant; a simple zero has one null vector and so, at rank eight, one solution. As
many certified solutions are all of them. Each number has a radius that covers the exact arm, target and rounding.
Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), ch. 3 and th. 9.3 for LU.
"""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.all_solutions.elimination import (
    EQUATIONS,
    LEFT,
    RIGHT,
    SIZE,
    factor,
    foot,
    moved,
    reflect,
    write_equations,
    write_matrix,
)
from lessons_lib.all_solutions.general_6r import write_motion
from lessons_lib.all_solutions.trig_polynomial import UNKNOWN, count_simple_zeros, write_coefficients
from lessons_lib.arrays import Array, Integers
from lessons_lib.certificates.residual import TINY, WIDER, U, distance_to_rotation
from lessons_lib.robots.triples import Vector, dot, minus

EXACT_ARM = 8e-16
"""How far the direction of an exact axis may be from its numbers."""

EXACT_POINT = 2.0 * EXACT_ARM
"""How far a point of it may be, times 1 plus its distance from the origin."""

ROTATION = 5.0 * EXACT_ARM + 22.0 * U
"""Error of a direction that is rotated: s w and 1.5 w wᵀ make 4.3 times the error of w."""

LEFT_GROWTH, LEFT_ROUNDING = 9.5, 105.0
"""From an expression to its factors: errors grow by ⁴⁄₃ per angle and 2 per half angle, plus some U of the size."""

RIGHT_GROWTH, RIGHT_ROUNDING = 1.78, 11.0
"""The same for two angles."""


def norm(u: Vector) -> float:
    """Return |u|."""
    return math.sqrt(dot(u, u))


def between(axes: Array, i: int, j: int) -> float:
    """Return the distance of the points of two axes."""
    return norm(minus(foot(axes, i), foot(axes, j)))


def farthest(axes: Array) -> float:
    """Return 1 plus the largest distance of a point of an axis from the origin."""
    far = 0.0
    for j in range(6):
        far = max(far, norm(foot(axes, j)))
    return 1.0 + far


def turn_off(around: float, far: float) -> float:
    """Return the error of a point rotated about an axis not farther away than `around`."""
    return (1.74 * EXACT_POINT + U) * far + (ROTATION + 3.0 * U) * around


def write_rows(size: float, e_p: float, e_l: float, growth: float, rounding: float, rows: Array) -> None:
    """Add the errors of the factors of the fourteen expressions to `rows`.

    `size` bounds |p|, `e_p` and `e_l` are the errors of point and direction, `growth` their growth to the factors, and
    `rounding` is in U of the size of an expression.
    """
    by, rounding = growth * WIDER, rounding * U * WIDER
    for n in range(3):
        rows[n] += by * e_p + rounding * size
        rows[3 + n] += by * e_l + rounding
        rows[8 + n] += by * (size * e_l + e_p + 4.0 * U * size) + rounding * size
        e = 6.0 * size * e_p + 3.0 * size * size * e_l + 20.0 * U * size * size
        rows[11 + n] += by * e + rounding * 3.0 * size * size
    rows[6] += by * (2.0 * size * e_p + 4.0 * U * size * size) + rounding * size * size
    rows[7] += by * (size * e_l + e_p + 4.0 * U * size) + rounding * size


def write_left_rows(axes: Array, first: int, rows: Array) -> None:
    """Add the errors of the left sides: a point moved by three rotations, seen from the axis before them."""
    far, e, size = farthest(axes), EXACT_POINT, 0.0
    e *= far
    for n in range(3):
        j = first + 2 - n
        size += between(axes, j + 1, j)
        e += turn_off(size, far)
    size += between(axes, first, first - 1)
    e += EXACT_POINT * far + U * size
    write_rows(size + e, e, EXACT_ARM + 3.0 * ROTATION, LEFT_GROWTH, LEFT_ROUNDING, rows)


def write_right_rows(X: Array, off: tuple[float, float], axes: Array, first: int, rows: Array) -> None:
    """Add the errors of the right sides: a point moved by two rotations and the motion X."""
    far, t = farthest(axes), norm((X[3], X[7], X[11]))
    reach = norm(minus(moved(X, foot(axes, 5)), foot(axes, 0))) * WIDER
    beside = between(axes, 4, 5) if first == 1 else between(axes, 0, 1)
    before = beside if first == 1 else 0.0
    e = EXACT_POINT * far + (off[0] + 9.0 * U) * (before + far) + off[1] + U * t
    e += turn_off(beside if first == 1 else reach + e, far)
    size = reach + beside + e
    e += turn_off(size, far)
    write_rows(size + e, e, EXACT_ARM + 2.0 * ROTATION + off[0] + 8.0 * U, RIGHT_GROWTH, RIGHT_ROUNDING, rows)


def motion_radii(T: Array, home: Array, unit: float, X: Array, backwards: bool) -> tuple[float, float]:
    """Return the errors of rotation and translation of T M⁻¹, or of its inverse, in lengths of the arm."""
    off = distance_to_rotation(T) + distance_to_rotation(home)
    m, t = norm((home[0, 3], home[1, 3], home[2, 3])), norm((T[0, 3], T[1, 3], T[2, 3]))
    along = ((off + 16.0 * U) * m + 3.0 * U * t) / unit * WIDER
    off = (off + 13.0 * U) * WIDER
    if backwards:
        along += (off + 9.0 * U) * norm((X[3], X[7], X[11])) * WIDER
    return off, along


LOOKS = 4000
"""Largest number of arcs of the circle."""

AT_PLACE = 650.0 * U
"""Error of an entry at a sample, besides its factors: sine and cosine are off by 16 U and no less than 0.0257."""


def bound_solution_count(
    T: Array, back: Array, home: Array, unit: float, ways: Integers, axes: Array, left: Array, places: Array
) -> int:
    """Return an upper bound on the number of solutions by the first ordering with one, or UNKNOWN."""
    X, Y = np.empty(12), np.empty(12)
    write_motion(T, back, unit, X, Y)
    for way in range(len(ways)):
        Z = Y if ways[way, 0] == 1 else X
        off = motion_radii(T, home, unit, X, ways[way, 0] == 1)
        most = bound_by_ordering(Z, off, axes[way], left[way], ways[way, 1], places)
        if most != UNKNOWN:
            return most
    return UNKNOWN


def bound_by_ordering(X: Array, off: tuple[float, float], axes: Array, left: Array, first: int, places: Array) -> int:
    """Return an upper bound on the number of solutions from one ordering, or UNKNOWN."""
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
    values, fourier = np.empty(count), np.empty(count)
    mean, error = 0.0, 0.0
    for i in range(count):
        values[i], far = determinant(free, radii, places[i, count], places[i, count + 1])
        error += far / count
        mean += abs(values[i]) / count
    if not error < math.inf:
        return UNKNOWN
    write_coefficients(values, places, fourier)
    return count_simple_zeros(fourier, (2.0 * error + 100.0 * U * mean) * WIDER, LOOKS)


def is_free(E: Array, right: Array, left: Array, free: Array, radii: Array) -> bool:
    """Write combinations free of the right side, with radii; return whether the equations have rank eight.

    Rows 0 … 7 have the columns 0 … 7 as identity; with them is removed what the six others still have in these columns.
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
    """Return the determinant at an angle and a bound of its error.

    With L U = A and X near its inverse the exact matrix is L U (I + B); log det(I + B) is the trace of B, to
    12 |B|² / 2 (1 − |B|).
    """
    A, off, X = np.empty((SIZE, 3 * SIZE)), np.empty((SIZE, SIZE)), np.zeros((SIZE, SIZE))
    write_matrix(free, s, c, A)
    write_matrix(radii, abs(s), abs(c), off)
    for i in range(SIZE):
        X[i, i] = 1.0
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
