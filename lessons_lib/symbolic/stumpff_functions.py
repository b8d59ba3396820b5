r"""The Stumpff functions cₙ(x): trigonometry with no θ in a denominator.

With x = θ² they are c₀ = cos θ, c₁ = sin θ/θ, c₂ = (1 − cos θ)/θ², c₃ = (θ − sin θ)/θ³, and in general the entire
function

    cₙ(x) = Σₖ (−x)ᵏ / (2k + n)!

They are closed under differentiation, cₙ′ = (n cₙ₊₂ − cₙ₊₁)/2, and tied by one recurrence, cₙ = 1/n! − x cₙ₊₂.

Source: K. Stumpff, Himmelsmechanik I (1959), §41.
"""

from functools import lru_cache
from typing import Any

import mpmath
import sympy as sp
from sympy.core.function import ArgumentIndexError

from lessons_lib.errors import ParameterError
from lessons_lib.symbolic.formulas import formula


class stumpff(sp.Function):  # type: ignore[misc]  # noqa: N801 (SymPy's functions are lower case)
    """The Stumpff function cₙ(x) as a SymPy function that knows its derivative and its value at zero."""

    nargs = 2

    @classmethod
    def eval(cls, n: sp.Expr, x: sp.Expr) -> sp.Expr | None:
        """Return 1/n! at x = 0, and leave everything else as it is."""
        if n.is_number and not (n.is_Integer and n >= 0):
            raise ParameterError(f"the order of a Stumpff function is a natural number, got n = {n}")
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
    """Return cₙ(x) to the working precision of mpmath, for every real x: the hypergeometric series ₁F₂/n!."""
    half = mpmath.mpf(n) / 2
    return mpmath.hyper([1], [half + 0.5, half + 1], -x / 4) / mpmath.factorial(n)


NUMERIC = {"stumpff": lambda n, x: stumpff_value(int(n), mpmath.mpmathify(x))}
"""How what SymPy prints for mpmath calls them."""


@formula
@lru_cache(maxsize=256)
def closed_form(n: int, theta: sp.Expr) -> sp.Expr:
    """Return cₙ(θ²) written with sin θ and cos θ, by running the recurrence up from c₀ and c₁.

    This is what a textbook prints: true for θ ≠ 0, a 0/0 at θ = 0.
    """
    if n == 0:
        return sp.cos(theta)
    if n == 1:
        return sp.sin(theta) / theta
    return (sp.Integer(1) / sp.factorial(n - 2) - closed_form(n - 2, theta)) / theta**2


@formula
def series(n: int, x: sp.Expr, terms: int) -> sp.Expr:
    """Return the first `terms` terms of cₙ(x) = Σₖ (−x)ᵏ/(2k + n)!, nested as Horner does."""
    value: sp.Expr = sp.Integer(0)
    for k in reversed(range(terms)):
        value = sp.Rational(1, sp.factorial(2 * k + n)) - x * value
    return value


def series_error(n: int, x: float, terms: int) -> float:
    """Bound the error of the truncated series at x, relative to cₙ(0): the first term left out over the first kept.

    The series alternates and, for x < (n+1)(n+2), its terms fall, so Leibniz's bound holds.
    """
    return float(sp.factorial(n) * sp.Float(x) ** terms / sp.factorial(2 * terms + n))


def recurrence_error(n: int, x: float) -> float:
    """Bound the error of the upward recurrence at x in double precision, relative to cₙ(0) = 1/n!.

    One step computes (1/n! − cₙ)/x. Its two terms are known to half a unit in the last place u = 2⁻⁵³; the subtraction
    cancels, and the absolute error 2u/n! is divided by x. Orders 0 and 1 are the machine's own sine and cosine.
    """
    unit = 2.0**-53
    if n < 2:
        return unit
    below = float(1 / sp.factorial(n - 2))
    absolute = below * (2 * unit + recurrence_error(n - 2, x)) / x
    return absolute * float(sp.factorial(n))


@lru_cache(maxsize=64)
def crossover(n: int, terms: int) -> float:
    """Return the x at which the series' bound and the recurrence's bound meet: the place to switch.

    Below it the truncated series is the better one, above it the recurrence is. Bisection: one bound rises in x, the
    other falls.
    """
    low, high = 1e-12, float((n + 1) * (n + 2))
    for _ in range(200):
        middle = (low * high) ** 0.5
        if series_error(n, middle, terms) < recurrence_error(n, middle):
            low = middle
        else:
            high = middle
    return low
