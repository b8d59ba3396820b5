"""The Stumpff functions cₙ(x) of x = θ², trigonometric functions without θ in a denominator."""
# c₀ = cos θ, c₁ = sin θ/θ, c₂ = (1 − cos θ)/θ², c₃ = (θ − sin θ)/θ³; in general cₙ(x) = Σₖ (−x)ᵏ / (2k + n)!, with cₙ′
# = (n cₙ₊₂ − cₙ₊₁)/2 and cₙ = 1/n! − x cₙ₊₂. Source: K. Stumpff, Himmelsmechanik I (1959), §41.

from functools import lru_cache
from typing import Any

import mpmath
import sympy as sp
from sympy.core.function import ArgumentIndexError

from lessons_lib.errors import ParameterError
from lessons_lib.symbolic.formulas import formula


class stumpff(sp.Function):  # type: ignore[misc]  # noqa: N801 (SymPy's functions are lower case)
    """The Stumpff function cₙ(x) as a SymPy function with its derivative and its value at zero."""

    nargs = 2

    @classmethod
    def eval(cls, n: sp.Expr, x: sp.Expr) -> sp.Expr | None:
        """Return 1/n! at x = 0, otherwise None."""
        if n.is_number:
            _check_order(n)
        if x.is_zero and n.is_Integer:
            return 1 / sp.factorial(n)
        return None

    def fdiff(self, argindex: int = 2) -> sp.Expr:
        """Return the derivative by x, (n cₙ₊₂ − cₙ₊₁)/2."""
        if argindex != 2:
            raise ArgumentIndexError(self, argindex)
        n, x = self.args
        return (n * stumpff(n + 2, x) - stumpff(n + 1, x)) / 2

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        n, x = self.args
        value = x._eval_evalf(prec)
        if value is None or not value.is_Float:
            return None
        with mpmath.workprec(prec + 10):
            return sp.Float(stumpff_value(int(n), mpmath.mpf(value)), precision=prec)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        n, x = (printer._print(a) for a in self.args)
        power = f"^{{{exp}}}" if exp is not None else ""
        return rf"c_{{{n}}}{power}\!\left({x}\right)"


def stumpff_value(n: int, x: mpmath.mpf) -> mpmath.mpf:
    """Return cₙ(x) for real x to the working precision of mpmath, by the hypergeometric series ₁F₂/n!."""
    half = mpmath.mpf(n) / 2
    return mpmath.hyper([1], [half + 0.5, half + 1], -x / 4) / mpmath.factorial(n)


NUMERIC = {"stumpff": lambda n, x: stumpff_value(int(n), mpmath.mpmathify(x))}
"""Names of the Stumpff functions in code that SymPy prints for mpmath."""


def _check_order(n: Any) -> None:
    order = sp.sympify(n)
    if not (order.is_Integer and order >= 0):
        raise ParameterError(f"the order of a Stumpff function must be a nonnegative integer, got n = {n}")


@formula
@lru_cache(maxsize=256)
def closed_form(n: int, theta: sp.Expr) -> sp.Expr:
    """Return cₙ(θ²) in sin θ and cos θ, by the upward recurrence from c₀ and c₁.

    >>> import sympy as sp
    >>> from lessons_lib.symbolic.stumpff_functions import closed_form
    >>> closed_form(1, sp.Symbol("theta"))
    sin(theta)/theta

    Args:
        n: Order, nonnegative.
        theta: θ, nonzero; at 0 the form is 0/0.

    Returns:
        The textbook form.

    Raises:
        ParameterError: n is not a nonnegative integer.
    """
    _check_order(n)
    if n == 0:
        return sp.cos(theta)
    if n == 1:
        return sp.sin(theta) / theta
    return (sp.Integer(1) / sp.factorial(n - 2) - closed_form(n - 2, theta)) / theta**2


@formula
def series(n: int, x: sp.Expr, terms: int) -> sp.Expr:
    """Return the first terms of cₙ(x) = Σₖ (−x)ᵏ/(2k + n)! in Horner's form.

    >>> import sympy as sp
    >>> from lessons_lib.symbolic.stumpff_functions import series
    >>> series(1, sp.Symbol("x"), 3)
    -x*(1/6 - x/120) + 1

    Args:
        n: Order, nonnegative.
        x: Argument.
        terms: Number of terms.

    Returns:
        The polynomial of degree terms − 1 in x.

    Raises:
        ParameterError: n is not a nonnegative integer.
    """
    _check_order(n)
    value: sp.Expr = sp.Integer(0)
    for k in reversed(range(terms)):
        value = sp.Rational(1, sp.factorial(2 * k + n)) - x * value
    return value


def series_error(n: int, x: float, terms: int) -> float:
    """Bound the relative error of the truncated series at x < (n+1)(n+2): first omitted over first term, by Leibniz."""
    return float(sp.factorial(n) * sp.Float(x) ** terms / sp.factorial(2 * terms + n))


def recurrence_error(n: int, x: float) -> float:
    """Bound the error of the upward recurrence at x in double precision, relative to cₙ(0) = 1/n!."""
    # A step (1/n! − cₙ)/x has terms with an error of half a unit in the last place, u = 2⁻⁵³; after cancellation the
    # absolute error 2u/n! is divided by x. Orders 0 and 1 are the machine's sine and cosine.
    unit = 2.0**-53
    if n < 2:
        return unit
    below = float(1 / sp.factorial(n - 2))
    absolute = below * (2 * unit + recurrence_error(n - 2, x)) / x
    return absolute * float(sp.factorial(n))


@lru_cache(maxsize=64)
def crossover(n: int, terms: int) -> float:
    """Return the x at which the error bounds of series and recurrence are equal, by bisection."""
    low, high = 1e-12, float((n + 1) * (n + 2))
    for _ in range(200):
        middle = (low * high) ** 0.5
        if series_error(n, middle, terms) < recurrence_error(n, middle):
            low = middle
        else:
            high = middle
    return low
