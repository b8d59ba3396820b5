"""Residual of a pose as a function of coordinates q that move the joints, θ = A q, with bounds on all rounding errors.

The derivative is J_θ A, and |A q − θ| for the rounded θ adds |J_θ| |A q − θ| + ½ K |A q − θ|² to the error of F and
K |A q − θ| to that of J_θ, where K bounds the second derivative by θ. By q it is bounded by K |A|².
"""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.certificates.error_bounds import INFLATION, LARGEST_RADIUS, UNDERFLOW, U
from lessons_lib.certificates.residual import residual


def coupled_residual(
    joints: Array,
    home: Array,
    home_radius: float,
    A: Array,
    stretch: float,
    second: float,
    q: Array,
    T: Array,
    F: Array,
    J: Array,
) -> tuple[float, float, float]:
    """Write F and its derivative by q; return the radii of both (Euclidean, Frobenius) and a lower bound of τ.

    Args:
        joints: A row for each joint, shape (m, ROW).
        home: As in `residual`.
        home_radius: As in `residual`.
        A: Shape (m, n); (0, 0) if the joints are not coupled.
        stretch: Bound on the largest singular value of A.
        second: K.
        q: Configuration, rad or arm lengths, shape (n,).
        T: Target, as in `residual`.
        F: Output, shape (6,).
        J: Output, shape (6, n).
    """
    m, n = joints.shape[0], q.shape[0]
    axes = np.empty((m, 8))
    if A.shape[0] == 0:
        return residual(joints, home, home_radius, q, T, F, J, axes)
    theta, of_joints, square = np.empty(m), np.empty((6, m)), 0.0
    for i in range(m):
        angle, size = 0.0, 0.0
        for j in range(n):
            angle += A[i, j] * q[j]
            size += abs(A[i, j] * q[j])
        theta[i] = angle
        square += (n * U * size) * (n * U * size)
    off = math.sqrt(square) * INFLATION + UNDERFLOW
    e_F, e_J, trace = residual(joints, home, home_radius, theta, T, F, of_joints, axes)
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
    e_F += (slope + e_J + second * off) * off
    e_J = (e_J + second * off) * stretch + (m + 1.0) * U * slope * math.sqrt(rounded)
    return e_F * INFLATION, e_J * INFLATION, trace - 2.5 * math.sqrt(float(m)) * off
