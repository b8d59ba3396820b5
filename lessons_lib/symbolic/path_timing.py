"""Time-optimal path parametrization: a joint's limits on one piece of the path as rows of numbers."""
# On a piece of length h the path q(s) is a cubic, q̇ = q′ ṡ and q̈ = q′ s̈ + q″ ṡ². With constant s̈, ṡ² is linear from
# x at the start of the piece to y at its end, s̈ = (y − x)/(2h), q̈ is a polynomial of degree two and q̇² one of degree
# five. Their Bernstein coefficients are linear in x and y and bound the polynomials, so limits on them hold on the
# whole piece and not only at samples. Source: Pham & Pham (2018); Farouki, The Bernstein polynomial basis (2012).

from collections.abc import Callable

import sympy as sp

from lessons_lib.symbolic.formulas import formula

PART = sp.Symbol("t", real=True)
"""Position on the piece, 0 at its start and 1 at its end."""


def bernstein_polynomial(coefficients: sp.Matrix, part: sp.Expr = PART) -> sp.Expr:
    """Return Σ βₖ (n over k) tᵏ (1 − t)ⁿ⁻ᵏ for n + 1 coefficients."""
    n = len(coefficients) - 1
    return sum(sp.binomial(n, k) * c * part**k * (1 - part) ** (n - k) for k, c in enumerate(coefficients))


def bernstein_coefficients(polynomial: sp.Expr, degree: int) -> sp.Matrix:
    """Return βₖ = Σ_{i ≤ k} (k over i)/(degree over i) aᵢ of a polynomial in `PART`, shape (degree + 1, 1)."""
    powers = sp.Poly(sp.expand(polynomial), PART)
    a = [powers.coeff_monomial(PART**i) for i in range(degree + 1)]
    weights = [[sp.binomial(k, i) / sp.binomial(degree, i) for i in range(k + 1)] for k in range(degree + 1)]
    return sp.Matrix([sum(w * a_i for w, a_i in zip(row, a, strict=False)) for row in weights])


def acceleration(slope: sp.Matrix, step: sp.Expr, x: sp.Expr, y: sp.Expr) -> sp.Expr:
    """Return q̈ on a piece as a function of `PART`, for ṡ² = x and y at its ends."""
    rate = bernstein_polynomial(slope)
    return rate * (y - x) / (2 * step) + sp.diff(rate, PART) / step * (x + (y - x) * PART)


def squared_speed(slope: sp.Matrix, x: sp.Expr, y: sp.Expr) -> sp.Expr:
    """Return q̇² on a piece as a function of `PART`."""
    return bernstein_polynomial(slope) ** 2 * (x + (y - x) * PART)


@formula
def acceleration_rows(slope: sp.Matrix, step: sp.Expr) -> sp.Matrix:
    """Return A, 3×2: A (x, y) are the Bernstein coefficients of q̈; slope: those of q′ on the piece of length step."""
    return _rows(lambda x, y: bernstein_coefficients(acceleration(slope, step, x, y), 2))


@formula
def speed_rows(slope: sp.Matrix) -> sp.Matrix:
    """Return A, shape (6, 2), such that A (x, y) are the Bernstein coefficients of q̇²."""
    return _rows(lambda x, y: bernstein_coefficients(squared_speed(slope, x, y), 5))


def _rows(coefficients_of: Callable[[sp.Symbol, sp.Symbol], sp.Matrix]) -> sp.Matrix:
    x, y = sp.symbols("x y")
    return coefficients_of(x, y).jacobian([x, y]).applyfunc(sp.factor)
