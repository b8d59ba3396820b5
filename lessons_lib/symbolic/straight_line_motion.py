r"""The planar arm with two links of 1 m, its hand on a straight line past the base, in symbols.

The hand is at (s, d): s along the line, d its distance from the base. With equal links the base, the hand and the elbow
are the corners of a triangle with two equal sides, so the hand lies in the direction q₁ + q₂/2, at 2 cos(q₂/2) m.
At d = 0 the line goes through the base, where the folded arm is singular.

Lesson 22 proves it.
"""

import sympy as sp

from lessons_lib.symbolic.formulas import formula


@formula
def joints(s: sp.Expr, d: sp.Expr) -> sp.Matrix:
    """Return q, 2×1, rad, with q₂ > 0, where d > 0 and the hand is nearer than 2 m.

    Args:
        s: Place of the hand on the line, m.
        d: Distance of the line from the base, m.
    """
    half = sp.atan2(sp.sqrt(4 - s**2 - d**2), sp.sqrt(s**2 + d**2))
    return sp.Matrix([sp.atan2(d, s) - half, 2 * half])


@formula
def slopes(s: sp.Symbol, d: sp.Expr) -> tuple[sp.Matrix, sp.Matrix]:
    """Return q′ and q″, the derivatives by s, 2×1 each, rad/m and rad/m²."""
    first = joints(s, d).diff(s).applyfunc(sp.simplify)
    return first, first.diff(s)
