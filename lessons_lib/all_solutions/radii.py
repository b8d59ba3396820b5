"""How far the fourteen equations of determinant.py are from those of the exact arm and the exact target, with rounding.

Each number is off by at most a radius, as in certificates/residual.py. A turn keeps lengths: what was off stays so, and
what the turn itself is off by counts times how far from its axis it is done. Lengths are in units of the arm's own.

Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), ch. 3.
"""

from __future__ import annotations

import math

from lessons_lib.all_solutions.determinant import foot, moved
from lessons_lib.arrays import Array
from lessons_lib.certificates.residual import WIDER, U, distance_to_rotation
from lessons_lib.robots.triples import Vector, dot, minus

EXACT_ARM = 8e-16
"""How far the direction of an axis of the exact arm may be from its numbers."""

EXACT_POINT = 2.0 * EXACT_ARM
"""How far a point of it may be, times 1 and how far it is from the origin."""

ROTATION = 5.0 * EXACT_ARM + 22.0 * U
"""How far a direction is off by a turn: in it stand s w and 1.5 w wᵀ, by 4.3 times what w is off."""

LEFT_GROWTH, LEFT_ROUNDING = 9.5, 105.0
"""From an expression to its factors: what it is off by grows by ⁴⁄₃ for each angle, by 2 for each half angle, and some
U of its size come with it."""

RIGHT_GROWTH, RIGHT_ROUNDING = 1.78, 11.0
"""The same for two angles."""


def norm(u: Vector) -> float:
    """Return |u|."""
    return math.sqrt(dot(u, u))


def between(axes: Array, i: int, j: int) -> float:
    """Return how far the points of two axes are apart."""
    return norm(minus(foot(axes, i), foot(axes, j)))


def farthest(axes: Array) -> float:
    """Return 1 and how far the farthest point of an axis is from the origin."""
    far = 0.0
    for j in range(6):
        far = max(far, norm(foot(axes, j)))
    return 1.0 + far


def turn_off(around: float, far: float) -> float:
    """Return how far a point is off by a turn about an axis that it is not farther from than `around`."""
    return (1.74 * EXACT_POINT + U) * far + (ROTATION + 3.0 * U) * around


def write_rows(size: float, e_p: float, e_l: float, growth: float, rounding: float, rows: Array) -> None:
    """Add how far the factors of the fourteen expressions are off.

    Args:
        size: What |p| is at most, of the exact point and of ours.
        e_p: Radius of the point.
        e_l: Radius of the direction.
        growth: Of a radius from there to the factors.
        rounding: In U of the size of an expression.
        rows: Shape (14,).
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
    """Add how far the left sides are off: a point that three turns move, seen from the axis before them."""
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
    """Add how far the right sides are off: a point that two turns and a motion move.

    Args:
        X: The motion, twelve numbers.
        off: Radius of its rotation and of its translation.
        axes: See `write_equations`.
        first: Likewise.
        rows: Shape (14,).
    """
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
    """Return how far the rotation and the translation of the motion from home to a pose are off, or of the motion back.

    Args:
        T: Target, shape (4, 4); it stands for the pose with the nearest rotation.
        home: M, likewise; its inverse is Mᵀ and −Mᵀ m.
        unit: Length of the arm, m.
        X: The motion as it was computed, in lengths of the arm.
        backwards: Whether it is the motion back, the transpose and −Rᵀ t.
    """
    off = distance_to_rotation(T) + distance_to_rotation(home)
    m, t = norm((home[0, 3], home[1, 3], home[2, 3])), norm((T[0, 3], T[1, 3], T[2, 3]))
    along = ((off + 16.0 * U) * m + 3.0 * U * t) / unit * WIDER
    off = (off + 13.0 * U) * WIDER
    if backwards:
        along += (off + 9.0 * U) * norm((X[3], X[7], X[11])) * WIDER
    return off, along
