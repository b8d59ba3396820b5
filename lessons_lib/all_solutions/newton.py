"""Newton's method on an arm of six hinges: from a start to an answer, or to none."""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.all_solutions.determinant import direction, foot
from lessons_lib.arrays import Array
from lessons_lib.robots.triples import Vector, cross, minus, plus, turned

NEWTON, REACHED = 24, 3e-14
"""Steps at most; the error at which it ends, rad and lengths of the arm."""

FLAT = 1e-15
"""A pivot below this part of the largest entry is taken for it: the step along it is long, and is cut."""


def step(J: Array) -> tuple[float, float]:
    """Write the solution of six equations into the last column; return its largest entry, and the least pivot.

    The pivot is told as a part of the largest entry of the matrix.
    """
    largest = 0.0
    for i in range(6):
        for j in range(6):
            largest = max(largest, abs(J[i, j]))
    least = largest
    for k in range(6):
        top = k
        for i in range(k + 1, 6):
            if abs(J[i, k]) > abs(J[top, k]):
                top = i
        if top != k:
            for j in range(k, 7):
                J[k, j], J[top, j] = J[top, j], J[k, j]
        if abs(J[k, k]) < FLAT * largest:
            J[k, k] = FLAT * largest
        least = min(least, abs(J[k, k]))
        for i in range(k + 1, 6):
            part = J[i, k] / J[k, k]
            for j in range(k + 1, 7):
                J[i, j] -= part * J[k, j]
    size = 0.0
    for n in range(6):
        k = 5 - n
        for j in range(k + 1, 6):
            J[k, 6] -= J[k, j] * J[j, 6]
        J[k, 6] /= J[k, k]
        size = max(size, abs(J[k, 6]))
    return size, least / largest


def write_system(axes: Array, X: Array, q: Array, J: Array) -> float:
    """Write what Newton's method solves, and return by how much a configuration misses a motion, its largest entry.

    Args:
        axes: Of the joints, a direction and a point each, (6, 6), in lengths of the arm.
        X: The motion that the joints shall do, twelve numbers.
        q: The configuration, rad.
        J: For the derivative, and behind it what is missing, (6, 7).
    """
    x, y, z, p = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    for j in range(6):
        k, o = combined(x, y, z, direction(axes, j)), plus(combined(x, y, z, foot(axes, j)), p)
        c, s = math.cos(q[j]), math.sin(q[j])
        x, y, z = turned(k, c, s, x), turned(k, c, s, y), turned(k, c, s, z)
        p = plus(o, turned(k, c, s, minus(p, o)))
        J[0, j], J[1, j], J[2, j] = o
        J[3, j], J[4, j], J[5, j] = k
    first, second, third, last = column(X, 0), column(X, 1), column(X, 2), column(X, 3)
    for j in range(6):
        k, o = (J[3, j], J[4, j], J[5, j]), (J[0, j], J[1, j], J[2, j])
        J[0, j], J[1, j], J[2, j] = cross(k, minus(p, o))
    turn = plus(plus(cross(x, first), cross(y, second)), cross(z, third))
    J[0, 6], J[1, 6], J[2, 6] = minus(last, p)
    J[3, 6], J[4, 6], J[5, 6] = 0.5 * turn[0], 0.5 * turn[1], 0.5 * turn[2]
    return max(apart(first, x), apart(second, y), apart(third, z), apart(last, p))


def polished(axes: Array, X: Array, q: Array, flattest: Array) -> bool:
    """Move a configuration to an answer by Newton's method; return whether it gets there.

    Args:
        axes: See `write_system`.
        X: Likewise.
        q: From where, and the answer, rad.
        flattest: One number; lowered to the least pivot of the last step, where there is an answer.
    """
    least, J = 1.0, np.empty((6, 7))
    for _ in range(NEWTON):
        if write_system(axes, X, q, J) < REACHED:
            flattest[0] = min(flattest[0], least)
            return True
        size, least = step(J)
        part = 1.0 / max(1.0, size)
        for j in range(6):
            q[j] += part * J[j, 6]
    return False


def pivot(axes: Array, X: Array, q: Array) -> float:
    """Return the least pivot of the derivative at a configuration, a part of its largest entry."""
    J = np.empty((6, 7))
    write_system(axes, X, q, J)
    return step(J)[1]


def column(X: Array, j: int) -> Vector:
    """Return a column of a motion, twelve numbers."""
    return X[j], X[4 + j], X[8 + j]


def combined(x: Vector, y: Vector, z: Vector, u: Vector) -> Vector:
    """Return u[0] x + u[1] y + u[2] z."""
    return (
        u[0] * x[0] + u[1] * y[0] + u[2] * z[0],
        u[0] * x[1] + u[1] * y[1] + u[2] * z[1],
        u[0] * x[2] + u[1] * y[2] + u[2] * z[2],
    )


def apart(u: Vector, v: Vector) -> float:
    """Return the largest difference of two triples."""
    return max(abs(u[0] - v[0]), abs(u[1] - v[1]), abs(u[2] - v[2]))
