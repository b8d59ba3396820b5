"""Newton's method on a 6R arm, from a candidate to a solution."""

import math

import numpy as np

from lessons_lib.all_solutions.elimination import axis_point, direction
from lessons_lib.arrays import Array
from lessons_lib.certificates.lu import back_substitute, factor
from lessons_lib.robots.vec3 import Vector, combine, cross, minus, plus, rotate

MAX_STEPS, REACHED = 24, 3e-14  # of Newton's method; error at which it stops, rad and lengths of the arm
PIVOT_FLOOR = 1e-15  # relative to the largest entry; a smaller pivot is replaced by it, and the long step shortened


def solve_step(J: Array) -> tuple[float, float]:
    """Write the solution of six equations into the last column; return its largest entry and the least pivot."""
    largest = 0.0
    for i in range(6):
        for j in range(6):
            largest = max(largest, abs(J[i, j]))
    factor(J, 7, PIVOT_FLOOR * largest)
    back_substitute(J, 6, 6, 7)
    size, least = 0.0, largest
    for k in range(6):
        size, least = max(size, abs(J[k, 6])), min(least, abs(J[k, k]))
    return size, least / largest


def write_system(axes: Array, X: Array, q: Array, J: Array) -> float:
    """Write the derivative and, in the last column, the residual; return the largest entry of the residual."""
    # `axes` (6, 6) has a direction and a point of each joint in lengths of the arm, `X` is the motion, twelve numbers.
    x, y, z, p = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    for j in range(6):
        k, o = combine((x, y, z), direction(axes, j)), plus(combine((x, y, z), axis_point(axes, j)), p)
        c, s = math.cos(q[j]), math.sin(q[j])
        x, y, z = rotate(k, c, s, x), rotate(k, c, s, y), rotate(k, c, s, z)
        p = plus(o, rotate(k, c, s, minus(p, o)))
        J[0, j], J[1, j], J[2, j] = o
        J[3, j], J[4, j], J[5, j] = k
    first, second, third, last = column(X, 0), column(X, 1), column(X, 2), column(X, 3)
    for j in range(6):
        k, o = (J[3, j], J[4, j], J[5, j]), (J[0, j], J[1, j], J[2, j])
        J[0, j], J[1, j], J[2, j] = cross(k, minus(p, o))
    rotation = plus(plus(cross(x, first), cross(y, second)), cross(z, third))
    J[0, 6], J[1, 6], J[2, 6] = minus(last, p)
    J[3, 6], J[4, 6], J[5, 6] = 0.5 * rotation[0], 0.5 * rotation[1], 0.5 * rotation[2]
    return max(
        deviation(first, x),
        deviation(second, y),
        deviation(third, z),
        deviation(last, p),
    )


def polish_solution(axes: Array, X: Array, q: Array, least_pivot: Array) -> bool:
    """Move a configuration to a solution, and lower `least_pivot`; return whether it converges."""
    least, J = 1.0, np.empty((6, 7))
    for _ in range(MAX_STEPS):
        if write_system(axes, X, q, J) < REACHED:
            least_pivot[0] = min(least_pivot[0], least)
            return True
        size, least = solve_step(J)
        part = 1.0 / max(1.0, size)
        for j in range(6):
            q[j] += part * J[j, 6]
    return False


def relative_pivot(axes: Array, X: Array, q: Array) -> float:
    """Return the least pivot of the derivative, relative to its largest entry."""
    J = np.empty((6, 7))
    write_system(axes, X, q, J)
    return solve_step(J)[1]


def column(X: Array, j: int) -> Vector:
    return X[j], X[4 + j], X[8 + j]


def deviation(u: Vector, v: Vector) -> float:
    return max(abs(u[0] - v[0]), abs(u[1] - v[1]), abs(u[2] - v[2]))
