"""Damped least squares along one singular direction, for a unit error."""

from collections.abc import Sequence

import sympy as sp

from lessons_lib.symbolic.formulas import formula


def cost(step: sp.Expr, sigma: sp.Expr, damping: sp.Expr) -> sp.Expr:
    """Return twice the cost of a step δ along a singular direction with value σ and damping λ, for an error of 1."""
    return (1 - sigma * step) ** 2 + damping**2 * step**2


@formula
def gain(sigma: sp.Expr, damping: sp.Expr) -> sp.Expr:
    """Return the step of least cost per unit of error, σ/(σ² + λ²), the root of the derivative."""
    # Source: Wampler, IEEE Trans. SMC 16 (1986).
    step = sp.Dummy("delta")
    slope = sp.diff(cost(step, sigma, damping), step)
    (best,) = sp.roots(sp.Poly(slope, step))
    return sp.simplify(best)


@formula
def part_left(sigma: sp.Expr, damping: sp.Expr) -> sp.Expr:
    """Return the fraction of the error that remains after this step, λ²/(σ² + λ²)."""
    return sp.simplify(1 - sigma * gain(sigma, damping))


@formula
def line(a: sp.Expr, b: sp.Expr, E: sp.Expr) -> sp.Expr:
    """Return D = a + b E: a is D at the target, [error]² per squared unit of a joint; E = ½ eᵀe."""
    return a + b * E


# A step d of the model A d ≈ e predicts a reduction of E = ½|e|² by ½ dᵀ(D d + Aᵀe). The gain ratio ρ is the actual
# over the predicted reduction. A step is accepted if ρ exceeds a small number; then D follows Nielsen's rule. Otherwise
# D is multiplied by a growth factor that doubles with every rejection. Source: Madsen, Nielsen & Tingleff, Methods for
# Non-Linear Least Squares Problems (2004), Alg. 3.16.


@formula
def first_damping(initial: sp.Expr, diagonal: Sequence[sp.Expr]) -> sp.Expr:
    """Return the initial D, a multiple of the largest diagonal entry of AᵀA."""
    return initial * sp.Max(*diagonal)


@formula
def predicted_reduction(A: sp.Matrix, e: sp.Matrix, d: sp.Matrix, D: sp.Expr) -> sp.Expr:
    """Return the reduction of ½|e|² that the damped model predicts for the step d, ½ dᵀ(D d + Aᵀe)."""
    return (d.T * (D * d + A.T * e))[0] / 2


@formula
def gain_ratio(before: sp.Expr, after: sp.Expr, promised: sp.Expr) -> sp.Expr:
    """Return ρ, the actual over the predicted reduction; −1 if no reduction was predicted."""
    return sp.Piecewise(((before - after) / promised, promised > 0), (-1, True))


@formula
def next_damping(D: sp.Expr, growth: sp.Expr, rho: sp.Expr, accept: sp.Expr) -> sp.Expr:
    """Return the next D: D max(1/3, 1 − (2ρ − 1)³) after an accepted step, else D times the growth factor."""
    return sp.Piecewise((D * sp.Max(sp.Rational(1, 3), 1 - (2 * rho - 1) ** 3), rho > accept), (D * growth, True))


@formula
def next_growth(growth: sp.Expr, rho: sp.Expr, accept: sp.Expr) -> sp.Expr:
    """Return the next growth factor: 2 after an accepted step, else doubled."""
    return sp.Piecewise((sp.Integer(2), rho > accept), (2 * growth, True))
