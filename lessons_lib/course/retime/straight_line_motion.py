"""A planar 2R arm with links of 1 m whose hand moves on a straight line past the base (proven in lesson 22)."""
# The hand is at (s, d): s along the line, d the distance of the line from the base, so in direction q₁ + q₂/2 at
# distance 2 cos(q₂/2) m. At d = 0 the line passes through the base, where the folded arm is singular.

import sympy as sp

from lessons_lib.symbolic.formulas import formula


@formula
def joints(s: sp.Expr, d: sp.Expr) -> sp.Matrix:
    """Return q with q₂ > 0, 2×1, rad, for d > 0 and a hand nearer than 2 m; s and d in m."""
    half = sp.atan2(sp.sqrt(4 - s**2 - d**2), sp.sqrt(s**2 + d**2))
    return sp.Matrix([sp.atan2(d, s) - half, 2 * half])


@formula
def slopes(s: sp.Symbol, d: sp.Expr) -> tuple[sp.Matrix, sp.Matrix]:
    """Return the derivatives q′ and q″ by s, 2×1 each, rad/m and rad/m²."""
    first = joints(s, d).diff(s).applyfunc(sp.simplify)
    return first, first.diff(s)
