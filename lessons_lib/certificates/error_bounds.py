"""Error bounds in doubles: unit roundoff, errors of inputs, and the inflation that covers the rounding of a bound."""
# INFLATION covers the rounding of the sum of a radius and products of two radii below LARGEST_RADIUS. Source: Higham,
# Accuracy and Stability of Numerical Algorithms (2002), ch. 3.

import math

from lessons_lib.arrays import Array

U = 2.0**-53  # unit roundoff of a double
INFLATION, LARGEST_RADIUS = 1.0 + 1e-6, 1e-8

UNDERFLOW = 1e-290  # bound on what underflow adds to a radius
INPUT_ERROR = 4e-16
"""Bound on the error of an input that is not a whole number: of a unit vector, or relative to the arm's length."""


def distance_to_rotation(T: Array) -> float:
    """Bound the distance from a rotation to the nearest exact one, R (RᵀR)^(−1/2): |RᵀR − I| (Frobenius) up to ¼."""
    square = 0.0
    for i in range(3):
        for j in range(i, 3):
            entry = T[0, i] * T[0, j] + T[1, i] * T[1, j] + T[2, i] * T[2, j]
            off = abs(entry - (1.0 if i == j else 0.0)) + 5.0 * U
            square += off * off * (1.0 if i == j else 2.0)
    return math.sqrt(square)
