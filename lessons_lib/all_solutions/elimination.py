"""Raghavan-Roth elimination: from a motion to a determinant, and from one of its zeros to a configuration."""
# Fourteen equations have products of the sines and cosines of two angles on the right side, of the kept angle and two
# half angles on the left side. Householder reflections eliminate the right side from six of them. These six and their
# multiples by the second half angle make the 12×12 matrix of dialytic elimination.

import math

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.robots.vec3 import Vector, cross, dot, minus, plus, rotate_about

SIZE, RIGHT, EQUATIONS = 12, 8, 14  # size of the matrix; products on the right, without the constant; equations
LEFT = 27  # products on the left: three of the kept angle times nine of the half angles
ROOT = math.sqrt(3.0)

PIVOT_TOLERANCE = 1e-14  # ratio to the largest pivot below which a pivot is rounding


def write_line_equations(p: Vector, line: Vector, coefficients: Array, at: int) -> None:
    """Write p, l, p·p, p·l, p×l and (p·p) l − 2 (p·l) p of a point p and a direction l, as a column."""
    pp, pl, across = dot(p, p), dot(p, line), cross(p, line)
    coefficients[6, at], coefficients[7, at] = pp, pl
    coefficients[0, at], coefficients[1, at], coefficients[2, at] = p[0], p[1], p[2]
    coefficients[3, at], coefficients[4, at], coefficients[5, at] = line[0], line[1], line[2]
    coefficients[8, at], coefficients[9, at], coefficients[10, at] = across[0], across[1], across[2]
    coefficients[11, at] = pp * line[0] - 2.0 * pl * p[0]
    coefficients[12, at] = pp * line[1] - 2.0 * pl * p[1]
    coefficients[13, at] = pp * line[2] - 2.0 * pl * p[2]


def transform_point(T: Array, p: Vector) -> Vector:
    """Transform a point by a motion, twelve numbers."""
    x, y, z = rotate_direction(T, p)
    return x + T[3], y + T[7], z + T[11]


def rotate_direction(T: Array, u: Vector) -> Vector:
    return (
        T[0] * u[0] + T[1] * u[1] + T[2] * u[2],
        T[4] * u[0] + T[5] * u[1] + T[6] * u[2],
        T[8] * u[0] + T[9] * u[1] + T[10] * u[2],
    )


def direction(axes: Array, j: int) -> Vector:
    return axes[j, 0], axes[j, 1], axes[j, 2]


def axis_point(axes: Array, j: int) -> Vector:
    return axes[j, 3], axes[j, 4], axes[j, 5]


def sample_angle(i: int) -> tuple[float, float]:
    """Return cosine and sine of 0, 2π/3 and −2π/3."""
    return (1.0, 0.0) if i == 0 else (-0.5, 0.5 * ROOT if i == 1 else -0.5 * ROOT)


def write_angle_coefficients(E: Array, first: int, stride: int) -> None:
    """Replace three columns, values at the angles 0 and ±2π/3, by the coefficients of sin, cos and 1."""
    for n in range(EQUATIONS):
        a, b, c = E[n, first], E[n, first + stride], E[n, first + 2 * stride]
        E[n, first], E[n, first + stride] = (b - c) / ROOT, (2.0 * a - b - c) / 3.0
        E[n, first + 2 * stride] = (a + b + c) / 3.0


def write_equations(X: Array, axes: Array, first: int, left: Array, E: Array) -> None:
    """Write the equations (14, 35): right side in columns 0 … 7, then the left side."""
    # `axes` (6, 6) has a direction and a point of each joint in the order of the elimination, `left` (14, 27) the left
    # side, whose three joints begin at `first`, 1 or 2.
    near, far = (0, 1) if first == 2 else (5, 0)  # noqa: PLR2004
    k, o, w, origin = direction(axes, near), axis_point(axes, near), direction(axes, far), axis_point(axes, far)
    for i in range(3):
        c, s = sample_angle(i)
        point, line = axis_point(axes, first + 3), direction(axes, first + 3)
        if first == 1:
            point, line = plus(o, rotate_about(k, c, -s, minus(point, o))), rotate_about(k, c, -s, line)
        point, line = transform_point(X, point), rotate_direction(X, line)
        if first != 1:
            point, line = plus(o, rotate_about(k, c, -s, minus(point, o))), rotate_about(k, c, -s, line)
        for j in range(3):
            c, s = sample_angle(j)
            write_line_equations(
                rotate_about(w, c, -s, minus(point, origin)), rotate_about(w, c, -s, line), E, 3 * i + j
            )
    for i in range(3):
        write_angle_coefficients(E, 3 * i, 1)
    for j in range(3):
        write_angle_coefficients(E, j, 3)
    for n in range(EQUATIONS):
        constant = E[n, RIGHT]
        for m in range(LEFT):
            E[n, RIGHT + m] = left[n, m]
        for m in range(18, 27, 2):  # times (1 + x²)(1 + y²), whose factors are 1 at every second or at none
            if m != 22:
                E[n, RIGHT + m] -= constant


def reflect(E: Array) -> None:
    """Eliminate the first eight columns from the last six rows by Householder reflections."""
    width = E.shape[1]
    v, w = np.empty(EQUATIONS), np.empty(width)
    for k in range(RIGHT):
        square = 0.0
        for i in range(k, EQUATIONS):
            v[i] = E[i, k]
            square += v[i] * v[i]
        size = math.sqrt(square)
        if size > 0.0:
            v[k] += size if v[k] >= 0.0 else -size
            scale = 1.0 / (size * abs(v[k]))
            for j in range(k, width):
                w[j] = 0.0
            for i in range(k, EQUATIONS):
                part = v[i]
                for j in range(k, width):
                    w[j] += part * E[i, j]
            for i in range(k, EQUATIONS):
                part = v[i] * scale
                for j in range(k, width):
                    E[i, j] -= part * w[j]


def write_matrix(E: Array, s: float, c: float, A: Array) -> None:
    """Write the dialytic matrix (12, 12) at a kept angle; its null vector holds the powers of both half angles."""
    for r in range(6):
        for m in range(3):
            A[r, 9 + m], A[6 + r, m] = 0.0, 0.0
        for m in range(9):
            value = s * E[8 + r, 8 + m] + c * E[8 + r, 17 + m] + E[8 + r, 26 + m]
            A[r, m], A[6 + r, 3 + m] = value, value


def write_null_vector(A: Array, v: Array) -> None:
    """Write an approximate null vector of a factored matrix by one inverse iteration with AᵀA."""
    largest = 0.0
    for k in range(SIZE):
        largest = max(largest, abs(A[k, k]))
    least = max(1e-16 * largest, 1e-300)
    for k in range(SIZE):
        if abs(A[k, k]) < least:
            A[k, k] = least
    for i in range(SIZE):  # Uᵀ y = (1, …, 1)
        v[i] = 1.0
        for j in range(i):
            v[i] -= A[j, i] * v[j]
        v[i] /= A[i, i]
    for n in range(SIZE):  # Lᵀ z = y; the swaps of rows are undone and done again
        i = SIZE - 1 - n
        for j in range(i + 1, SIZE):
            v[i] -= A[j, i] * v[j]
    size = 0.0
    for i in range(SIZE):
        size = max(size, abs(v[i]))
    for i in range(SIZE):
        v[i] /= size
    for i in range(SIZE):  # L w = z
        for j in range(i):
            v[i] -= A[i, j] * v[j]
    for n in range(SIZE):  # U x = w
        i = SIZE - 1 - n
        for j in range(i + 1, SIZE):
            v[i] -= A[i, j] * v[j]
        v[i] /= A[i, i]


def half_angles(v: Array) -> tuple[float, float]:
    """Return the two other angles from the powers xⁱ yʲ of the tangents of their halves, at index 3 i + j."""
    row, column, largest = 0, 0, -1.0
    for i in range(4):
        for j in range(2):
            if abs(v[3 * i + j]) > largest:
                row, column, largest = i, j, abs(v[3 * i + j])
    second = 2.0 * math.atan2(v[3 * row + column + 1], v[3 * row + column])
    row, column, largest = 0, 0, -1.0
    for i in range(3):
        for j in range(3):
            if abs(v[3 * i + j]) > largest:
                row, column, largest = i, j, abs(v[3 * i + j])
    return 2.0 * math.atan2(v[3 * row + 3 + column], v[3 * row + column]), second


def solve_right_side(E: Array, kept: float, first: float, second: float, y: Array) -> None:
    """Write the eight products of the right side from the three angles of the left side."""
    s, c = math.sin(kept), math.cos(kept)
    a, b = (math.cos(0.5 * first), math.sin(0.5 * first)), (math.cos(0.5 * second), math.sin(0.5 * second))
    x0, x1, x2 = a[0] * a[0], a[0] * a[1], a[1] * a[1]
    y0, y1, y2 = b[0] * b[0], b[0] * b[1], b[1] * b[1]
    half = np.empty(9)
    half[0], half[1], half[2] = x0 * y0, x0 * y1, x0 * y2
    half[3], half[4], half[5] = x1 * y0, x1 * y1, x1 * y2
    half[6], half[7], half[8] = x2 * y0, x2 * y1, x2 * y2
    largest = 0.0
    for k in range(RIGHT):
        largest = max(largest, abs(E[k, k]))
    for n in range(RIGHT):
        k = RIGHT - 1 - n
        y[k] = 0.0
        for m in range(9):
            y[k] += (s * E[k, 8 + m] + c * E[k, 17 + m] + E[k, 26 + m]) * half[m]
        for j in range(k + 1, RIGHT):
            y[k] -= E[k, j] * y[j]
        y[k] = y[k] / E[k, k] if abs(E[k, k]) > PIVOT_TOLERANCE * largest else 0.0


def last_angle(axes: Array, first: int, X: Array, q: Array) -> float:
    """Return the angle of the joint after the three, from the remaining rotation."""
    last = first + 3
    columns = np.empty((3, 3))
    for i in range(3):
        u = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)  # noqa: PLR2004
        if first == 1:
            u = rotate_about(direction(axes, 5), math.cos(q[5]), -math.sin(q[5]), u)
        u = rotate_direction(X, u)
        for j in range(last):
            u = rotate_about(direction(axes, j), math.cos(q[j]), -math.sin(q[j]), u)
        columns[i, 0], columns[i, 1], columns[i, 2] = u
    sine = axes[last, 0] * (columns[1, 2] - columns[2, 1]) + axes[last, 1] * (columns[2, 0] - columns[0, 2])
    sine += axes[last, 2] * (columns[0, 1] - columns[1, 0])
    return math.atan2(sine, columns[0, 0] + columns[1, 1] + columns[2, 2] - 1.0)
