"""Polynomials in place of library functions, each with the error that it makes.

Where several poses walk through the same straight line of assignments side by side, there is no room for a call or a
branch. Sine and cosine have their polynomials in `sine_cosine`; the logarithm needs two more,

    atan u = u + u z a(z)         with z = u², |u| ≤ √2 − 1
    (c₃ / 2 − c₄) / c₂            for θ² ≤ 1, the factor of Ω² in the inverse of V.

Each is fitted at Chebyshev's points, which is within a small factor of the best polynomial of its degree.

Source: Trefethen, Approximation Theory and Approximation Practice (2013), ch. 4 and 8.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import mpmath
import sympy as sp

from lessons_lib.symbolic.stumpff import stumpff_value

ARCTANGENT_END = float(mpmath.sqrt(2) - 1)
"""tan(π/8): a larger slope is turned by π/4 first."""

RATIO_END = 1.0
"""Up to this θ² the logarithm's ratio is a polynomial; beyond it the closed form has lost few digits."""

_DIGITS = 40  # mpmath's, so that the fit's own rounding is far below a double's


@dataclass(frozen=True)
class Polynomial:
    """A fitted polynomial.

    Attributes:
        coefficients: Doubles, the constant first.
        end: It stands for its function on [0, end].
        error: Largest absolute error there, in exact arithmetic.
    """

    coefficients: tuple[float, ...]
    end: float
    error: float

    def at(self, z: sp.Symbol) -> sp.Expr:
        """Return the polynomial, halved again and again: p = low(z) + zᵐ high(z), as Estrin does.

        Both halves are computed at the same time, where Horner's scheme would wait for each product.
        """
        return _halved(self.coefficients, z)


def _halved(coefficients: tuple[float, ...], z: sp.Symbol) -> sp.Expr:
    if len(coefficients) == 1:
        return sp.Float(coefficients[0], 17)
    half = 1 << (len(coefficients) - 1).bit_length() - 1  # the largest power of two below the length
    return _halved(coefficients[:half], z) + z**half * _halved(coefficients[half:], z)


def fit(function: Callable[[mpmath.mpf], mpmath.mpf], end: float, tolerance: float) -> Polynomial:
    """Return a polynomial of the lowest degree that stays within `tolerance` of `function` on [0, end].

    Args:
        function: Smooth on [0, end]; it is called with mpmath's numbers.
        end: Right end of the interval.
        tolerance: Largest absolute error, more than the rounding of the coefficients to doubles.
    """
    with mpmath.workdps(_DIGITS):
        for terms in range(1, 30):
            falling, error = mpmath.chebyfit(function, [0, end], terms, error=True)
            if error <= tolerance:
                return Polynomial(tuple(float(c) for c in reversed(falling)), end, float(error))
    raise ValueError(f"no polynomial of 29 terms stays within {tolerance!r} on [0, {end!r}]")


@lru_cache(maxsize=1)
def arctangent_tail() -> Polynomial:
    """Return a(z) for z up to tan²(π/8): atan u = u + u z a(z). Its error is multiplied by z ≤ 0.18."""

    def tail(z: mpmath.mpf) -> mpmath.mpf:
        # atan u = Σ (−1)ᵏ u²ᵏ⁺¹/(2k + 1); without its first term, over u³, it is this hypergeometric series
        return -mpmath.hyp2f1(1, 1.5, 2.5, -z) / 3

    return fit(tail, ARCTANGENT_END**2 * 1.01, 2.0**-54)


@lru_cache(maxsize=1)
def log_ratio() -> Polynomial:
    """Return (c₃/2 − c₄)/c₂ for θ² up to 1, the factor of Ω² in the inverse of V."""

    def ratio(x: mpmath.mpf) -> mpmath.mpf:
        return (stumpff_value(3, x) / 2 - stumpff_value(4, x)) / stumpff_value(2, x)

    return fit(ratio, RATIO_END, 2.0**-58)
