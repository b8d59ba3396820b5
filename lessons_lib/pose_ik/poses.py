"""Whether a target is a pose, or what rounding made of one, and whether an arm can reach so far."""

from __future__ import annotations

import math

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.layout import POSITION, REACH, ROUNDED


def off_pose(targets: Array, top: int) -> float:
    """Return the largest entry of |RᵀR − I| of the pose in the four rows from `top` on.

    It is infinite where no rounding made it so: a reflection, another last row, a number that is not finite.
    """
    a, b, c = targets[top, 0], targets[top, 1], targets[top, 2]
    d, e, f = targets[top + 1, 0], targets[top + 1, 1], targets[top + 1, 2]
    g, h, i = targets[top + 2, 0], targets[top + 2, 1], targets[top + 2, 2]
    skew = max(abs(a * b + d * e + g * h), max(abs(a * c + d * f + g * i), abs(b * c + e * f + h * i)))
    stretch = max(abs(b * b + e * e + h * h - 1.0), abs(c * c + f * f + i * i - 1.0))
    stretch = max(abs(a * a + d * d + g * g - 1.0), stretch)
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    last = abs(targets[top + 3, 0]) + abs(targets[top + 3, 1]) + abs(targets[top + 3, 2]) + abs(targets[top + 3, 3] - 1)
    x, y, z = targets[top, 3], targets[top + 1, 3], targets[top + 2, 3]
    finite = x - x + y - y + z - z == 0.0  # infinity minus itself is no number
    return max(skew, stretch) if finite and determinant > 0.0 and last == 0.0 else math.inf


def is_pose(targets: Array, top: int) -> bool:
    """Return whether the four rows from `top` on are a pose to rounding."""
    return bool(off_pose(targets, top) <= ROUNDED)


def orthonormalize(w: Array, first: int, lane: int) -> None:
    """Replace the rotation of a pose by the nearest one: R ← R (3 I − RᵀR) / 2, twice.

    Source: the Newton-Schulz iteration for the polar factor; see N. J. Higham, Functions of Matrices, 2008, 8.3. What
    RᵀR is off the identity by is squared each time: 1e-6 becomes 2e-12, then less than rounding.

    Args:
        w: Its sixteen numbers are rows first … first + 15 of a column.
        first: See above.
        lane: The column.
    """
    for _twice in range(2):
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


def first_off(targets: Array, tolerance: float) -> int:
    """Return the place of the first matrix that is farther from a pose, behind the last where none is.

    Args:
        targets: One below the other, shape (4 k, 4).
        tolerance: On `off_pose`.
    """
    count: int = targets.shape[0] // 4
    for row in range(count):
        if not off_pose(targets, 4 * row) <= tolerance:
            return row
    return count


def is_within_reach(targets: Array, top: int, numbers: Array) -> bool:
    """Return whether the position of the target lies in the ball that the arm can reach."""
    x, y, z = targets[top, 3], targets[top + 1, 3], targets[top + 2, 3]
    x, y, z = x - numbers[REACH + 1], y - numbers[REACH + 2], z - numbers[REACH + 3]
    return bool(math.sqrt(x * x + y * y + z * z) <= numbers[REACH] + numbers[POSITION])
