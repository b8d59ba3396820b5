"""Logarithm: choice between two formulas for the rotation vector ω = θ a; linked to the kernels."""
# (a) ω = w / c₁(θ²), w = sin θ · a, with a relative error of about u / sin θ; (b) a = column / ‖column‖ of (1 − cos θ)
# a aᵀ, with u / (1 − cos θ). They are equal at θ = π/2: below, (a) is more accurate, above, (b).

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.arrays import Array

if TYPE_CHECKING:
    from lessons_lib.lie.se3_code import (
        axis_products_kernel,
        log_position_kernel,
        rotation_parts_kernel,
        small_log_kernel,
    )


def log_rotation_kernel(T: Array, omega: Array) -> None:
    """Write ω with exp [ω] = R to omega, for the rotation R in the upper left of T; at exactly π see `near_pi`."""
    w, c, angle = np.empty(3), np.empty(1), np.empty(1)
    rotation_parts_kernel(T, w, c)
    sine = math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    angle[0] = math.atan2(sine, c[0])
    if c[0] >= 0.0:
        small_log_kernel(T, angle, omega)
    else:
        near_pi(T, w, angle[0], omega)


def near_pi(T: Array, w: Array, angle: float, omega: Array) -> None:
    """Write ω to omega, from the largest column of (1 − cos θ) a aᵀ, with the sign of w = sin θ · a."""
    # at exactly θ = π, w vanishes and both signs are correct: the first nonzero component of a is made positive
    A = np.empty((3, 3))
    axis_products_kernel(T, A)
    k = 0
    for i in range(1, 3):
        if A[i, i] > A[k, k]:
            k = i
    length = math.sqrt(A[0, k] * A[0, k] + A[1, k] * A[1, k] + A[2, k] * A[2, k])
    towards = A[0, k] * w[0] + A[1, k] * w[1] + A[2, k] * w[2]
    if towards == 0.0:
        for i in range(3):
            if abs(A[i, k]) > 1e-15 * length:  # a smaller one is a rounding error, whose sign is meaningless
                towards = A[i, k]
                break
    scale = math.copysign(angle / length, towards)
    for i in range(3):
        omega[i] = scale * A[i, k]


def log_se3_kernel(T: Array, xi: Array) -> None:
    """Write ξ with exp [ξ] = T to xi."""
    omega = np.empty(3)
    log_rotation_kernel(T, omega)
    log_position_kernel(omega, T, xi)
