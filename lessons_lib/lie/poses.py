"""Checks and orthonormalization of poses: plain loops that other packages also link."""

from __future__ import annotations

import math

from lessons_lib.arrays import Array

ROUNDED = 1e-14
"""Largest |RᵀR − I| due to rounding; above it, a rotation is orthonormalized before use."""

ORTHONORMALIZE_TOLERANCE = 1e-6
"""Equal to ORTHOGONALITY of checks.py: the largest |RᵀR − I| of a pose."""


def pose_deviation(T: Array, top: int) -> float:
    """Return the largest entry of |RᵀR − I| and |last row − (0, 0, 0, 1)| of the matrix in rows top … top + 3."""
    # inf for a reflection and for a matrix that is not finite
    a, b, c = T[top, 0], T[top, 1], T[top, 2]
    d, e, f = T[top + 1, 0], T[top + 1, 1], T[top + 1, 2]
    g, h, i = T[top + 2, 0], T[top + 2, 1], T[top + 2, 2]
    skew = max(abs(a * b + d * e + g * h), max(abs(a * c + d * f + g * i), abs(b * c + e * f + h * i)))
    stretch = max(abs(b * b + e * e + h * h - 1.0), abs(c * c + f * f + i * i - 1.0))
    stretch = max(abs(a * a + d * d + g * g - 1.0), stretch)
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    last = max(max(abs(T[top + 3, 0]), abs(T[top + 3, 1])), max(abs(T[top + 3, 2]), abs(T[top + 3, 3] - 1.0)))
    x, y, z = T[top, 3], T[top + 1, 3], T[top + 2, 3]
    s, t, u, v = T[top + 3, 0], T[top + 3, 1], T[top + 3, 2], T[top + 3, 3]
    finite = x - x + y - y + z - z + s - s + t - t + u - u + v - v == 0.0  # infinity minus itself is NaN
    return max(max(skew, stretch), last) if finite and determinant > 0.0 else math.inf


def is_pose(targets: Array, top: int) -> bool:
    """Return whether rows top … top + 3 are a pose to rounding."""
    return bool(pose_deviation(targets, top) <= ROUNDED)


def orthonormalize(w: Array, first: int, lane: int) -> None:
    """Replace the rotation of a pose, in rows first … first + 15 of a column of w, by the nearest one."""
    # Two iterations R ← R (3 I − RᵀR) / 2; each squares RᵀR − I: 1e-6 becomes 2e-12, then less than rounding. Source:
    # the Newton-Schulz iteration for the polar factor; N. J. Higham, Functions of Matrices (2008), 8.3.
    for _iteration in range(2):
        a, b, c = w[first, lane], w[first + 1, lane], w[first + 2, lane]
        d, e, f = w[first + 4, lane], w[first + 5, lane], w[first + 6, lane]
        g, h, i = w[first + 8, lane], w[first + 9, lane], w[first + 10, lane]
        p, q, r = a * a + d * d + g * g, b * b + e * e + h * h, c * c + f * f + i * i
        p, q, r = 1.5 - 0.5 * p, 1.5 - 0.5 * q, 1.5 - 0.5 * r
        s, t, u = a * b + d * e + g * h, a * c + d * f + g * i, b * c + e * f + h * i
        s, t, u = -0.5 * s, -0.5 * t, -0.5 * u
        for row in range(3):
            at = first + 4 * row
            x, y, z = w[at, lane], w[at + 1, lane], w[at + 2, lane]
            w[at, lane], w[at + 1, lane] = x * p + y * s + z * t, x * s + y * q + z * u
            w[at + 2, lane] = x * t + y * u + z * r


def first_invalid_pose(targets: Array, tolerance: float) -> int:
    """Return the index of the first of k matrices, shape (4 k, 4), whose `pose_deviation` exceeds a tolerance, or k."""
    count: int = targets.shape[0] // 4
    for row in range(count):
        if not pose_deviation(targets, 4 * row) <= tolerance:
            return row
    return count
