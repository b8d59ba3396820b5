"""Damped least squares along one singular direction, for a unit error."""

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
