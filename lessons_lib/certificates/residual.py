"""Residual of a pose and its derivative, with bounds on all rounding errors; lengths in units of the arm's length."""
# F = (½ Σ dₖ × rₖ, p − p_d), from the columns of the target's rotation D and of the tip's R, and from the positions;
# its angular part is sin θ times the axis of the rotation error. A joint that rotates about w at point c changes rₖ by
# w × rₖ and p by u = w × (p − c), so the derivative has columns (G w, u), G = ½ (τ I − R Dᵀ), τ = Σ dₖ · rₖ (claims
# 20.1, 20.2). Each number has a radius, a bound on its error. A sum or product of doubles adds U of its size; in norms:
# 4 U |A| |B| for a product of 3×3 matrices, 4 U |A| |x| for a matrix times a vector (Frobenius; a rotation has √3); 14
# U for a rotation c I + s [w] + (1 − c) w wᵀ, plus 1.42 times the radius of c and s, plus 6 times that of w; nothing
# for applying a rotation, which keeps lengths: the radii along a chain add up and do not grow; √½ of the radii of R and
# D (Frobenius) for ½ Σ dₖ × rₖ, because Σ |n × dₖ|² = 2 for unit vectors n. INFLATION covers the rounding of the radii
# and the products of two of them. The exact axes are unit vectors within the radius of the stored ones.

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.certificates.error_bounds import INFLATION, LARGEST_RADIUS, UNDERFLOW, U, distance_to_rotation
from lessons_lib.robots.vec3 import Vector, combine, cross, minus, plus

if TYPE_CHECKING:
    from lessons_lib.certificates.angle_code import SINE_COSINE_ERROR, sine_cosine_bounded

Matrix = tuple[Vector, Vector, Vector]  # columns
PRISMATIC, AXIS, STEP, PITCH, JOINT_RADIUS = 0, 1, 4, 7, 8
"""Columns of a joint's row: 1 if prismatic; direction; vector from the previous axis's point to one of this axis, at
q = 0; pitch, length per rad; radius of all these."""
ROW = 9


def residual(
    joints: Array, home: Array, e_home: float, q: Array, T: Array, F: Array, J: Array, axes: Array
) -> tuple[float, float, float]:
    """Write F (6,) and its derivative J (6, n); return their radii (Euclidean, Frobenius) and a lower bound of τ."""
    # `joints` (n, ROW); `home` is the tip's pose at q = 0, relative to the last axis's point, `e_home` the radius
    # of its rotation (Frobenius) and of its position; q (n,) in rad or arm lengths; T stands for the pose with the
    # nearest rotation; `axes` (n, 8) is scratch.
    n = joints.shape[0]
    A: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    p: Vector = (0.0, 0.0, 0.0)
    e_A, e_p = 0.0, 0.0  # e_A bounds the largest singular value of the error of A
    for i in range(n):
        e = joints[i, JOINT_RADIUS]
        w, e_w = combine(A, vector(joints, i, AXIS)), e_A + e + 7.0 * U
        step = vector(joints, i, STEP)
        e_p += (e_A + 7.0 * U) * one_norm(step) + e
        p = plus(p, combine(A, step))
        e_p += U * one_norm(p)
        store_axis(axes, i, w, e_w, p, e_p)
        if joints[i, PRISMATIC] != 0.0:
            p = plus(p, scale(q[i], w))
            e_p += (e_w + U) * abs(q[i]) * one_norm(w) + U * one_norm(p)
            continue
        s, c = sine_cosine_bounded(q[i])
        A = product(A, rotation(vector(joints, i, AXIS), c, s))
        e_A += 1.42 * SINE_COSINE_ERROR + 6.0 * e + 27.0 * U
        if joints[i, PITCH] != 0.0:
            travel = joints[i, PITCH] * q[i]
            p = plus(p, scale(travel, w))
            e_p += (e_w + 2.0 * U) * abs(travel) + e * abs(q[i]) + U * one_norm(p)
    R, e_R = product(A, columns(home)), 1.74 * e_A + e_home + 13.0 * U
    last: Vector = (home[0, 3], home[1, 3], home[2, 3])
    e_p += (e_A + 7.0 * U) * one_norm(last) + e_home
    p = plus(p, combine(A, last))
    e_p += U * one_norm(p)

    D, e_D = columns(T), distance_to_rotation(T)
    missing: Vector = (p[0] - T[0, 3], p[1] - T[1, 3], p[2] - T[2, 3])
    turned = plus(plus(cross(D[0], R[0]), cross(D[1], R[1])), cross(D[2], R[2]))
    F[0], F[1], F[2] = 0.5 * turned[0], 0.5 * turned[1], 0.5 * turned[2]
    F[3], F[4], F[5] = missing[0], missing[1], missing[2]
    e_F = 0.71 * (e_R + e_D) + 18.0 * U + e_p + U * one_norm(missing)

    back, e_back = product(R, transpose(D)), e_R + e_D + 13.0 * U
    trace = back[0][0] + back[1][1] + back[2][2]
    e_G, square = 1.4 * e_back + 5.0 * U, 0.0
    for i in range(n):
        w, e_w = vector(axes, i, 0), axes[i, 3]
        g: Vector = (0.0, 0.0, 0.0)
        e_g, u, e_u = 0.0, w, e_w
        if joints[i, PRISMATIC] == 0.0:
            arm = minus(p, vector(axes, i, 4))
            e_arm, long = e_p + axes[i, 7] + U * one_norm(arm), one_norm(arm)
            pitch = joints[i, PITCH]
            u = plus(cross(w, arm), scale(pitch, w))
            e_u = e_w * (long + abs(pitch)) + e_arm + joints[i, JOINT_RADIUS] + 9.0 * U * (long + abs(pitch))
            half = combine(back, w)
            g = (0.5 * (trace * w[0] - half[0]), 0.5 * (trace * w[1] - half[1]), 0.5 * (trace * w[2] - half[2]))
            e_g = e_G + 2.0 * e_w + 16.0 * U
        J[0, i], J[1, i], J[2, i] = g
        J[3, i], J[4, i], J[5, i] = u
        square += e_g * e_g + e_u * e_u
    if not e_A + e_R + e_D + 1.8 * e_back < LARGEST_RADIUS:
        return math.inf, math.inf, 0.0
    return e_F * INFLATION + UNDERFLOW, math.sqrt(square) * INFLATION + UNDERFLOW, trace - 1.8 * e_back * INFLATION


def coupled_residual(
    joints: Array,
    home: Array,
    e_home: float,
    A: Array,
    A_norm: float,
    K: float,
    q: Array,
    T: Array,
    F: Array,
    J: Array,
) -> tuple[float, float, float]:
    """Write F (6,) and its derivative J (6, n) by coordinates q that move the joints, θ = A q; return as `residual`."""
    # A (m, n) has no singular value above `A_norm`; (0, 0) if the joints are not coupled. K bounds the second
    # derivative by θ. The derivative is J_θ A; |A q − θ| for the rounded θ adds |J_θ| |A q − θ| + ½ K |A q − θ|² to the
    # error of F, and K |A q − θ| to that of J_θ.
    m, n = joints.shape[0], q.shape[0]
    axes = np.empty((m, 8))
    if A.shape[0] == 0:
        return residual(joints, home, e_home, q, T, F, J, axes)
    theta, of_joints, square = np.empty(m), np.empty((6, m)), 0.0
    for i in range(m):
        angle, size = 0.0, 0.0
        for j in range(n):
            angle += A[i, j] * q[j]
            size += abs(A[i, j] * q[j])
        theta[i] = angle
        square += (n * U * size) * (n * U * size)
    off = math.sqrt(square) * INFLATION + UNDERFLOW
    e_F, e_J, trace = residual(joints, home, e_home, theta, T, F, of_joints, axes)
    if not off < LARGEST_RADIUS:
        return math.inf, math.inf, 0.0
    slope = 0.0
    for k in range(6):
        for i in range(m):
            slope += of_joints[k, i] * of_joints[k, i]
        for j in range(n):
            entry = 0.0
            for i in range(m):
                entry += of_joints[k, i] * A[i, j]
            J[k, j] = entry
    slope = math.sqrt(slope) * INFLATION
    rounded = 0.0
    for i in range(m):
        for j in range(n):
            rounded += A[i, j] * A[i, j]
    e_F += (slope + e_J + K * off) * off
    e_J = (e_J + K * off) * A_norm + (m + 1.0) * U * slope * math.sqrt(rounded)
    return e_F * INFLATION, e_J * INFLATION, trace - 2.5 * math.sqrt(float(m)) * off


def scale(x: float, a: Vector) -> Vector:
    return x * a[0], x * a[1], x * a[2]


def one_norm(a: Vector) -> float:
    """Return |x| + |y| + |z|, an upper bound on the length."""
    return abs(a[0]) + abs(a[1]) + abs(a[2])


def product(A: Matrix, B: Matrix) -> Matrix:
    return combine(A, B[0]), combine(A, B[1]), combine(A, B[2])


def transpose(A: Matrix) -> Matrix:
    return (A[0][0], A[1][0], A[2][0]), (A[0][1], A[1][1], A[2][1]), (A[0][2], A[1][2], A[2][2])


def columns(T: Array) -> Matrix:
    return (T[0, 0], T[1, 0], T[2, 0]), (T[0, 1], T[1, 1], T[2, 1]), (T[0, 2], T[1, 2], T[2, 2])


def vector(joints: Array, i: int, first: int) -> Vector:
    return joints[i, first], joints[i, first + 1], joints[i, first + 2]


def rotation(w: Vector, c: float, s: float) -> Matrix:
    m = 1.0 - c
    x, y, z = m * w[0], m * w[1], m * w[2]
    return (
        (c + x * w[0], x * w[1] + s * w[2], x * w[2] - s * w[1]),
        (y * w[0] - s * w[2], c + y * w[1], y * w[2] + s * w[0]),
        (z * w[0] + s * w[1], z * w[1] - s * w[0], c + z * w[2]),
    )


def store_axis(axes: Array, i: int, w: Vector, e_w: float, c: Vector, e_c: float) -> None:
    axes[i, 0], axes[i, 1], axes[i, 2], axes[i, 3] = w[0], w[1], w[2], e_w
    axes[i, 4], axes[i, 5], axes[i, 6], axes[i, 7] = c[0], c[1], c[2], e_c
