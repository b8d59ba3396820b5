"""The error of a vector that shall lie in a box: the way to the nearest point of the box, component by component.

With c = clip(e, low, high), the nearest point, the error is e − c, and ½ |e − c|² is half the squared distance to the
box. Inside an interval the component and its derivative are zero. At an end of the interval the error has two one-sided
derivatives, 0 and 1; the squared distance is continuously differentiable there, with the gradient e − c, which is
Lipschitz continuous and not differentiable: the squared distance is C¹, not C².
"""

import sympy as sp

from lessons_lib.symbolic.formulas import formula
from lessons_lib.symbolic.piecewise import choice


@formula
def nearest_in_box(e: sp.Matrix, low: sp.Matrix, high: sp.Matrix) -> sp.Matrix:
    """Return clip(e, low, high), the point of the box nearest to e, m×1; an entry that is NaN stays NaN."""
    return sp.Matrix([choice(x < a, a, choice(x > b, b, x)) for x, a, b in zip(e, low, high, strict=True)])


@formula
def interval_error(e: sp.Matrix, low: sp.Matrix, high: sp.Matrix) -> sp.Matrix:
    """Return e − clip(e, low, high), m×1.

    Args:
        e: The vector, m×1.
        low: Lower ends of the intervals, m×1, not above `high`.
        high: Upper ends.
    """
    return e - nearest_in_box(e, low, high)


@formula
def interval_slope(e: sp.Matrix, low: sp.Matrix, high: sp.Matrix) -> sp.Matrix:
    """Return the derivative of each component of the error by its own e, m×1: 0 inside the interval, else 1.

    At an end it is the derivative from outside. An interval of zero width has no inside: there the error is e − low.
    """
    return sp.Matrix(
        [choice(sp.And(x > a, x < b), sp.Integer(0), sp.Integer(1)) for x, a, b in zip(e, low, high, strict=True)]
    )
