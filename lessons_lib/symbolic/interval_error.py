"""The error of a vector with respect to a box: the vector from the nearest point of the box, by components."""
# ½ |e − clip(e)|² is half the squared distance to the box, C¹ with the Lipschitz continuous gradient e − clip(e), but
# not C².

import sympy as sp

from lessons_lib.symbolic.formulas import formula
from lessons_lib.symbolic.piecewise import choice


@formula
def nearest_in_box(e: sp.Matrix, low: sp.Matrix, high: sp.Matrix) -> sp.Matrix:
    """Return clip(e, low, high), the nearest point of the box, m×1; NaN stays NaN."""
    return sp.Matrix([choice(x < a, a, choice(x > b, b, x)) for x, a, b in zip(e, low, high, strict=True)])


@formula
def interval_error(e: sp.Matrix, low: sp.Matrix, high: sp.Matrix) -> sp.Matrix:
    return e - nearest_in_box(e, low, high)


@formula
def interval_slope(e: sp.Matrix, low: sp.Matrix, high: sp.Matrix) -> sp.Matrix:
    """Return the derivative of each component of the error by its own e, m×1: 0 inside the interval, else 1."""
    # at an end it is the derivative from outside; an interval of zero width has no interior: the error is e − low
    return sp.Matrix(
        [choice(sp.And(x > a, x < b), sp.Integer(0), sp.Integer(1)) for x, a, b in zip(e, low, high, strict=True)]
    )
