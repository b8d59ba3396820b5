r"""Time-optimal path parametrization in symbols: the limits of a joint on one piece of the path, as rows of numbers.

On a piece of length h the path q(s) is a cubic, q̇ = q′ ṡ and q̈ = q′ s̈ + q″ ṡ². Let s̈ be constant there: then ṡ² goes
evenly from x at the piece's begin to y at its end, s̈ = (y − x)/(2h), and along the piece q̈ is a polynomial of degree
two, q̇² one of degree five. Their Bernstein coefficients are linear in x and y, and a polynomial never leaves the range
of its Bernstein coefficients: what bounds these bounds the joint everywhere on the piece, and not at samples only.

Source: Pham & Pham (2018) for x and s̈; Farouki, The Bernstein polynomial basis: a centennial retrospective (2012).
"""

from collections.abc import Callable

import sympy as sp

from lessons_lib.symbolic.formulas import formula

PART = sp.Symbol("t", real=True)
"""Where on the piece: 0 at its begin, 1 at its end."""


def bernstein_polynomial(coefficients: sp.Matrix, part: sp.Expr = PART) -> sp.Expr:
    """Return Σ βₖ (n over k) tᵏ (1 − t)ⁿ⁻ᵏ, n one less than there are coefficients."""
    n = len(coefficients) - 1
    return sum(sp.binomial(n, k) * c * part**k * (1 - part) ** (n - k) for k, c in enumerate(coefficients))


def bernstein_coefficients(polynomial: sp.Expr, degree: int) -> sp.Matrix:
    """Return βₖ of a polynomial in `PART`, shape (degree + 1, 1): Σ over i ≤ k of (k over i)/(degree over i) aᵢ."""
    powers = sp.Poly(sp.expand(polynomial), PART)
    a = [powers.coeff_monomial(PART**i) for i in range(degree + 1)]
    weights = [[sp.binomial(k, i) / sp.binomial(degree, i) for i in range(k + 1)] for k in range(degree + 1)]
    return sp.Matrix([sum(w * a_i for w, a_i in zip(row, a, strict=False)) for row in weights])


def acceleration(slope: sp.Matrix, step: sp.Expr, x: sp.Expr, y: sp.Expr) -> sp.Expr:
    """Return q̈ on a piece, of `PART`; the arguments are those of `acceleration_rows`, and ṡ² at both ends."""
    rate = bernstein_polynomial(slope)
    return rate * (y - x) / (2 * step) + sp.diff(rate, PART) / step * (x + (y - x) * PART)


def squared_speed(slope: sp.Matrix, x: sp.Expr, y: sp.Expr) -> sp.Expr:
    """Return q̇² on a piece, of `PART`."""
    return bernstein_polynomial(slope) ** 2 * (x + (y - x) * PART)


@formula
def acceleration_rows(slope: sp.Matrix, step: sp.Expr) -> sp.Matrix:
    """Return A, shape (3, 2): the Bernstein coefficients of q̈ are A (x, y).

    Args:
        slope: Bernstein coefficients of q′ on the piece, shape (3, 1).
        step: h, the length of the piece.
    """
    return _rows(lambda x, y: bernstein_coefficients(acceleration(slope, step, x, y), 2))


@formula
def speed_rows(slope: sp.Matrix) -> sp.Matrix:
    """Return A, shape (6, 2): the Bernstein coefficients of q̇² are A (x, y)."""
    return _rows(lambda x, y: bernstein_coefficients(squared_speed(slope, x, y), 5))


def _rows(coefficients_of: Callable[[sp.Symbol, sp.Symbol], sp.Matrix]) -> sp.Matrix:
    x, y = sp.symbols("x y")
    return coefficients_of(x, y).jacobian([x, y]).applyfunc(sp.factor)
