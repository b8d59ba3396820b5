"""Polynomials in place of library functions, each with the error that it makes.

Where several poses walk through the same straight line of assignments side by side, there is no room for a call or a
branch. Sine and cosine have their polynomials in `sine_cosine`; the logarithm of a rotation needs two more. Both are
functions of z = 1 − cos θ, for angles θ up to a right one,

    θ / sin θ = 1/c₁
    (c₃/2 − c₄)/c₂ · (θ / sin θ)²,   the first factor being that of Ω² in the inverse of V,

so neither an arc tangent nor a division stands between a rotation's trace and its logarithm. Their nearest singularity
is z = 2.

Each is the beginning of a series of Chebyshev's polynomials, which is within a small factor of the best polynomial of
its degree.

Source: Trefethen, Approximation Theory and Approximation Practice (2013), ch. 4 and 8.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

import mpmath
import sympy as sp

from lessons_lib.errors import ParameterError
from lessons_lib.symbolic import so3
from lessons_lib.symbolic.formulas import formula
from lessons_lib.symbolic.stumpff_functions import stumpff_value

MOST_TERMS = 29
"""A function that needs more is not smooth enough."""

_DIGITS = 40  # mpmath's, so that the fit's own rounding is far below a double's


@dataclass(frozen=True)
class Polynomial:
    """A fitted polynomial.

    Attributes:
        coefficients: Doubles, the constant first.
        end: It stands for its function on [0, end].
        error: Bound of the absolute error there in exact arithmetic: the sum of what was left out.
    """

    coefficients: tuple[float, ...]
    end: float
    error: float

    def at(self, z: sp.Symbol) -> sp.Expr:
        """Return the polynomial, nested as Estrin does."""
        return estrin(self.coefficients, z)


def estrin(coefficients: tuple[float, ...], z: sp.Expr) -> sp.Expr:
    """Return a polynomial, the constant first, halved again and again: p = low(z) + zᵐ high(z).

    Both halves are computed at the same time, where Horner's scheme would wait for each product.
    """
    if len(coefficients) == 1:
        return sp.Float(coefficients[0], 17)
    half = 1 << (len(coefficients) - 1).bit_length() - 1  # the largest power of two below the length
    return estrin(coefficients[:half], z) + z**half * estrin(coefficients[half:], z)


def fit(function: Callable[[mpmath.mpf], mpmath.mpf], end: float, tolerance: float) -> Polynomial:
    """Return a polynomial of the lowest degree that stays within `tolerance` of `function` on [0, end].

    Args:
        function: Smooth on [0, end]; it is called with mpmath's numbers.
        end: Right end of the interval.
        tolerance: Largest absolute error, more than the rounding of the coefficients to doubles.
    """
    with mpmath.workdps(_DIGITS):
        waves = _chebyshev(function, end)
        left_out = list(accumulate(abs(wave) for wave in reversed(waves)))[::-1]  # from each one on
        terms = next((k for k in range(1, MOST_TERMS + 1) if left_out[k] <= tolerance), None)
        if terms is None:
            raise ParameterError(f"no polynomial of {MOST_TERMS} terms stays within {tolerance!r} on [0, {end!r}]")
        return Polynomial(tuple(float(c) for c in _powers(waves[:terms], end)), end, float(left_out[terms]))


def _chebyshev(function: Callable[[mpmath.mpf], mpmath.mpf], end: float) -> list[mpmath.mpf]:
    """Return the factors of Chebyshev's polynomials in the one that meets `function` at their points on [0, end]."""
    count = MOST_TERMS + 3
    cosines = [mpmath.cospi(mpmath.mpf(k) / (2 * count)) for k in range(4 * count)]
    values = [function(end * (1 + cosines[2 * i + 1]) / 2) for i in range(count)]
    sums = [sum(v * cosines[k * (2 * i + 1) % (4 * count)] for i, v in enumerate(values)) for k in range(count)]
    return [sums[0] / count, *(2 * wave / count for wave in sums[1:])]


def _powers(waves: list[mpmath.mpf], end: float) -> list[mpmath.mpf]:
    """Return Σ waves[k] Tₖ(2z/end − 1) in powers of z, by Tₖ₊₁ = 2x Tₖ − Tₖ₋₁."""
    before, now = [mpmath.mpf(0)] * len(waves), [mpmath.mpf(1)] + [mpmath.mpf(0)] * (len(waves) - 1)
    total = [waves[0] * c for c in now]
    for k, wave in enumerate(waves[1:]):
        times_x = [2 * lower / end - same for lower, same in zip([mpmath.mpf(0), *now[:-1]], now, strict=True)]
        before, now = now, times_x if k == 0 else [2 * c - b for c, b in zip(times_x, before, strict=True)]
        total = [t + wave * c for t, c in zip(total, now, strict=True)]
    return total


@formula
@lru_cache(maxsize=1)
def angle_over_sine() -> Polynomial:
    """Return θ / sin θ over z = 1 − cos θ, for θ up to π/2. It is 1 at least."""
    x = sp.Symbol("x")
    return fit(_of_cosine(so3.angle_over_sine(x), x), 1.0, 2.0**-54)


@formula
@lru_cache(maxsize=1)
def short_angle_over_sine() -> Polynomial:
    """Return the same for θ up to π/4, with less than half as many terms."""
    x = sp.Symbol("x")
    return fit(_of_cosine(so3.angle_over_sine(x), x), 1.0 - 2.0**-0.5, 2.0**-54)


@formula
@lru_cache(maxsize=1)
def log_ratio() -> Polynomial:
    """Return (c₃/2 − c₄)/c₂ · (θ / sin θ)² over z = 1 − cos θ, for θ up to π/2. It is 1/12 at least."""
    x = sp.Symbol("x")
    return fit(_of_cosine(so3.log_ratio(x) * so3.angle_over_sine(x) ** 2, x), 1.0, 2.0**-57)


def _of_cosine(expression: sp.Expr, x: sp.Symbol) -> Callable[[mpmath.mpf], mpmath.mpf]:
    """Return a formula in x = θ² as a function of z = 1 − cos θ, to the digits that mpmath has."""
    of_square = sp.lambdify(x, expression, [{"stumpff": stumpff_value}, "mpmath"])
    return lambda z: of_square(_squared_angle(z))


def _squared_angle(z: mpmath.mpf) -> mpmath.mpf:
    """Return θ² of z = 1 − cos θ: sin(θ/2) = √(z/2)."""
    return 4 * mpmath.asin(mpmath.sqrt(z / 2)) ** 2
