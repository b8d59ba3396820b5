"""The memory of a trust region, in symbols: what it expects of a step, and what it learns from what came.

A step d of the model A d ≈ e promises to reduce E = ½|e|² by ½ dᵀ(D d + Aᵀe). The gain ρ is what came over what was
promised. A step is taken where ρ exceeds a small number; D then falls or rises by Nielsen's rule, and otherwise it is
multiplied by a growth that doubles with every refusal.

Source: Madsen, Nielsen & Tingleff, Methods for Non-Linear Least Squares Problems (2004), Alg. 3.16.
"""

from collections.abc import Sequence

import sympy as sp

from lessons_lib.symbolic.formulas import formula


@formula
def first_damping(initial: sp.Expr, diagonal: Sequence[sp.Expr]) -> sp.Expr:
    """Return the first D: a multiple of the largest diagonal entry of AᵀA."""
    return initial * sp.Max(*diagonal)


@formula
def predicted_reduction(A: sp.Matrix, e: sp.Matrix, d: sp.Matrix, D: sp.Expr) -> sp.Expr:
    """Return the reduction of ½|e|² that the step d of the damped model promises, ½ dᵀ(D d + Aᵀe)."""
    return (d.T * (D * d + A.T * e))[0] / 2


@formula
def gain_ratio(before: sp.Expr, after: sp.Expr, promised: sp.Expr) -> sp.Expr:
    """Return ρ, the reduction that came over the one that was promised; −1 where none was."""
    return sp.Piecewise(((before - after) / promised, promised > 0), (-1, True))


@formula
def next_damping(D: sp.Expr, growth: sp.Expr, rho: sp.Expr, accept: sp.Expr) -> sp.Expr:
    """Return the D of the next step: after one that was taken D max(1/3, 1 − (2ρ − 1)³), else D times the growth."""
    return sp.Piecewise((D * sp.Max(sp.Rational(1, 3), 1 - (2 * rho - 1) ** 3), rho > accept), (D * growth, True))


@formula
def next_growth(growth: sp.Expr, rho: sp.Expr, accept: sp.Expr) -> sp.Expr:
    """Return what the next refusal multiplies D by: 2 after a step that was taken, else twice as much as before."""
    return sp.Piecewise((sp.Integer(2), rho > accept), (2 * growth, True))
