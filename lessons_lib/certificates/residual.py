"""How far a configuration is from solving a pose, and the derivative of that, with the radius of all that rounding did.

The residual is F = (½ Σ dₖ × rₖ, p − p_d): columns of the target's rotation D and of the tip's R, and the positions.
Its angular part is the axis of the turn that is missing, times the sine of its angle. Joint i turns all that is after
it about its axis w, so that rₖ changes by w × rₖ, and p by u = w × (p − c) for a point c of the axis: the columns of
the derivative are (G w, u) with G = ½ (τ I − R Dᵀ) and τ = Σ dₖ · rₖ (claims 21.1 and 21.2).

**Radii.** Each number is off by at most a radius, which is added up beside it. A sum or a product of doubles is off by
at most U of its size, less where a product and a sum are rounded once. For matrices that makes, in the norms named:

- a product of two 3×3 matrices by 4 U |A| |B|, of a matrix and a vector by 4 U |A| |x| (Frobenius; a rotation has √3);
- a turn c I + s [w] + (1 − c) w wᵀ by 14 U, and by what c, s and w are off by: 1.42 times and 6 times that;
- what follows a turn by as much as before, because a rotation keeps lengths: radii of a chain add up, and do not grow;
- ½ Σ dₖ × rₖ by √½ of what R and D are off by (Frobenius), because Σ |n × dₖ|² = 2 for unit vectors n.

A radius is a sum of numbers that are not negative, so rounding makes it smaller by one part in 2⁵³ at each step, and
products of two radii are left out: WIDER makes good for both.

Lengths are in units of the arm's own. Its exact axes are unit vectors within the radius of what the arm holds.

Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), ch. 3.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lessons_lib.arrays import Array
from lessons_lib.robots.triples import Vector, cross, minus, plus

if TYPE_CHECKING:
    from lessons_lib.certificates.angle_code import ANGLES, sine_cosine_near

Matrix = tuple[Vector, Vector, Vector]
"""Columns."""

SLIDES, AXIS, STEP, PITCH, LOOSE = 0, 1, 4, 7, 8
"""Places in the row of a joint: whether it slides; its direction; the way to a point of its axis from the point of the
last one, at q = 0; metres per rad; radius of all these."""

ROW = 9

U = 2.0**-53
"""Half a unit in the last place of 1."""

WIDER = 1.0 + 1e-6
"""By what a radius is widened before it is used, as long as it is below ROUGH."""

ROUGH = 1e-8

TINY = 1e-290
"""More than all that underflow can add to a radius."""


def residual(
    joints: Array, home: Array, loose: float, q: Array, T: Array, F: Array, J: Array, axes: Array
) -> tuple[float, float, float]:
    """Write F and its derivative; return the radii of both, and the least that τ can be.

    Args:
        joints: A row for each joint, shape (n, ROW).
        home: Pose of the tip at q = 0, its position as the way from the point of the last axis, shape (4, 4).
        loose: Radius of its rotation (Frobenius) and of that way.
        q: Configuration, rad or lengths of the arm, shape (n,).
        T: Target, shape (4, 4); it stands for the pose with the nearest rotation.
        F: For the residual, shape (6,); its radius is one of the length of all six.
        J: For the derivative, shape (6, n); its radius is one of the root of the sum of all squares.
        axes: Room, shape (n, 8).
    """
    n = joints.shape[0]
    A: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    p: Vector = (0.0, 0.0, 0.0)
    e_A, e_p = 0.0, 0.0  # of A the largest singular value
    for i in range(n):
        e = joints[i, LOOSE]
        w, e_w = image(A, entries(joints, i, AXIS)), e_A + e + 7.0 * U
        step = entries(joints, i, STEP)
        e_p += (e_A + 7.0 * U) * size(step) + e
        p = plus(p, image(A, step))
        e_p += U * size(p)
        put(axes, i, w, e_w, p, e_p)
        if joints[i, SLIDES] != 0.0:
            p = plus(p, times(q[i], w))
            e_p += (e_w + U) * abs(q[i]) * size(w) + U * size(p)
            continue
        s, c = sine_cosine_near(q[i])
        A = product(A, turn(entries(joints, i, AXIS), c, s))
        e_A += 1.42 * ANGLES + 6.0 * e + 27.0 * U
        if joints[i, PITCH] != 0.0:
            travel = joints[i, PITCH] * q[i]
            p = plus(p, times(travel, w))
            e_p += (e_w + 2.0 * U) * abs(travel) + e * abs(q[i]) + U * size(p)
    R, e_R = product(A, columns(home)), 1.74 * e_A + loose + 13.0 * U
    last: Vector = (home[0, 3], home[1, 3], home[2, 3])
    e_p += (e_A + 7.0 * U) * size(last) + loose
    p = plus(p, image(A, last))
    e_p += U * size(p)

    D, e_D = columns(T), distance_to_rotation(T)
    missing: Vector = (p[0] - T[0, 3], p[1] - T[1, 3], p[2] - T[2, 3])
    turned = plus(plus(cross(D[0], R[0]), cross(D[1], R[1])), cross(D[2], R[2]))
    F[0], F[1], F[2] = 0.5 * turned[0], 0.5 * turned[1], 0.5 * turned[2]
    F[3], F[4], F[5] = missing[0], missing[1], missing[2]
    e_F = 0.71 * (e_R + e_D) + 18.0 * U + e_p + U * size(missing)

    back, e_back = product(R, transposed(D)), e_R + e_D + 13.0 * U
    trace = back[0][0] + back[1][1] + back[2][2]
    e_G, square = 1.4 * e_back + 5.0 * U, 0.0
    for i in range(n):
        w, e_w = entries(axes, i, 0), axes[i, 3]
        g: Vector = (0.0, 0.0, 0.0)
        e_g, u, e_u = 0.0, w, e_w
        if joints[i, SLIDES] == 0.0:
            arm = minus(p, entries(axes, i, 4))
            e_arm, long = e_p + axes[i, 7] + U * size(arm), size(arm)
            pitch = joints[i, PITCH]
            u = plus(cross(w, arm), times(pitch, w))
            e_u = e_w * (long + abs(pitch)) + e_arm + joints[i, LOOSE] + 9.0 * U * (long + abs(pitch))
            half = image(back, w)
            g = (0.5 * (trace * w[0] - half[0]), 0.5 * (trace * w[1] - half[1]), 0.5 * (trace * w[2] - half[2]))
            e_g = e_G + 2.0 * e_w + 16.0 * U
        J[0, i], J[1, i], J[2, i] = g
        J[3, i], J[4, i], J[5, i] = u
        square += e_g * e_g + e_u * e_u
    if not e_A + e_R + e_D + 1.8 * e_back < ROUGH:
        return math.inf, math.inf, 0.0
    return e_F * WIDER + TINY, math.sqrt(square) * WIDER + TINY, trace - 1.8 * e_back * WIDER


def times(x: float, a: Vector) -> Vector:
    """Return x a."""
    return x * a[0], x * a[1], x * a[2]


def size(a: Vector) -> float:
    """Return |x| + |y| + |z|, no less than the length."""
    return abs(a[0]) + abs(a[1]) + abs(a[2])


def image(A: Matrix, a: Vector) -> Vector:
    """Return A a."""
    return (
        A[0][0] * a[0] + A[1][0] * a[1] + A[2][0] * a[2],
        A[0][1] * a[0] + A[1][1] * a[1] + A[2][1] * a[2],
        A[0][2] * a[0] + A[1][2] * a[1] + A[2][2] * a[2],
    )


def product(A: Matrix, B: Matrix) -> Matrix:
    """Return A B."""
    return image(A, B[0]), image(A, B[1]), image(A, B[2])


def transposed(A: Matrix) -> Matrix:
    """Return A with rows for columns."""
    return (A[0][0], A[1][0], A[2][0]), (A[0][1], A[1][1], A[2][1]), (A[0][2], A[1][2], A[2][2])


def columns(T: Array) -> Matrix:
    """Return the rotation of a pose."""
    return (T[0, 0], T[1, 0], T[2, 0]), (T[0, 1], T[1, 1], T[2, 1]), (T[0, 2], T[1, 2], T[2, 2])


def entries(joints: Array, i: int, first: int) -> Vector:
    """Return three numbers of a joint."""
    return joints[i, first], joints[i, first + 1], joints[i, first + 2]


def turn(w: Vector, c: float, s: float) -> Matrix:
    """Return c I + s [w] + (1 − c) w wᵀ."""
    m = 1.0 - c
    x, y, z = m * w[0], m * w[1], m * w[2]
    return (
        (c + x * w[0], x * w[1] + s * w[2], x * w[2] - s * w[1]),
        (y * w[0] - s * w[2], c + y * w[1], y * w[2] + s * w[0]),
        (z * w[0] + s * w[1], z * w[1] - s * w[0], c + z * w[2]),
    )


def put(axes: Array, i: int, w: Vector, e_w: float, c: Vector, e_c: float) -> None:
    """Keep the axis of a joint and a point of it, with their radii."""
    axes[i, 0], axes[i, 1], axes[i, 2], axes[i, 3] = w[0], w[1], w[2], e_w
    axes[i, 4], axes[i, 5], axes[i, 6], axes[i, 7] = c[0], c[1], c[2], e_c


def distance_to_rotation(T: Array) -> float:
    """Return no less than how far a rotation of doubles is from the nearest exact one, R (RᵀR)^(−1/2) (Frobenius).

    That is at most |RᵀR − I|, as long as this is at most ¼.
    """
    square = 0.0
    for i in range(3):
        for j in range(i, 3):
            entry = T[0, i] * T[0, j] + T[1, i] * T[1, j] + T[2, i] * T[2, j]
            off = abs(entry - (1.0 if i == j else 0.0)) + 5.0 * U
            square += off * off * (1.0 if i == j else 2.0)
    return math.sqrt(square)
