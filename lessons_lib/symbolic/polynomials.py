"""Polynomials that replace library functions in SIMD code, without calls and branches, with approximation errors."""
# The logarithm of a rotation needs two functions of z = 1 − cos θ for θ ≤ π/2: θ / sin θ = 1/c₁, and (c₃/2 − c₄)/c₂,
# which times (θ / sin θ)² multiplies Ω² in the inverse of V. So the logarithm follows from the trace without arc
# tangent or division. Their nearest singularity is z = 2. A truncated Chebyshev series is within a small factor of the
# best polynomial of its degree. Source: Trefethen, Approximation Theory and Approximation Practice (2013), ch. 4 and 8.

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
"""A function that needs more terms is not smooth enough."""

_DIGITS = 40  # mpmath's, so that the fit's own rounding is far below a double's


@dataclass(frozen=True)
class Polynomial:
    """A polynomial on [0, end], the constant first, with a bound of its absolute error in exact arithmetic."""

    coefficients: tuple[float, ...]
    end: float
    error: float

    def at(self, z: sp.Symbol) -> sp.Expr:
        """Return the polynomial in z in Estrin's form."""
        return estrin(self.coefficients, z)


def estrin(coefficients: tuple[float, ...], z: sp.Expr) -> sp.Expr:
    """Return a polynomial in Estrin's form, p = low(z) + zᵐ high(z), with independent halves, unlike Horner's."""
    if len(coefficients) == 1:
        return sp.Float(coefficients[0], 17)
    half = 1 << (len(coefficients) - 1).bit_length() - 1  # the largest power of two below the length
    return estrin(coefficients[:half], z) + z**half * estrin(coefficients[half:], z)


def fit(function: Callable[[mpmath.mpf], mpmath.mpf], end: float, tolerance: float) -> Polynomial:
    """Fit the polynomial of lowest degree within `tolerance` of a smooth mpmath function on [0, end]."""
    with mpmath.workdps(_DIGITS):
        waves = _chebyshev(function, end)
        left_out = list(accumulate(abs(wave) for wave in reversed(waves)))[::-1]  # from each one on
        terms = next((k for k in range(1, MOST_TERMS + 1) if left_out[k] <= tolerance), None)
        if terms is None:
            raise ParameterError(f"no polynomial of {MOST_TERMS} terms stays within {tolerance!r} on [0, {end!r}]")
        return Polynomial(tuple(float(c) for c in _powers(waves[:terms], end)), end, float(left_out[terms]))


def _chebyshev(function: Callable[[mpmath.mpf], mpmath.mpf], end: float) -> list[mpmath.mpf]:
    """Return the Chebyshev coefficients of the interpolant at the Chebyshev points of [0, end]."""
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
    """Fit θ / sin θ, which is at least 1, in z = 1 − cos θ for θ ≤ π/2."""
    x = sp.Symbol("x")
    return fit(_of_cosine(so3.angle_over_sine(x), x), 1.0, 2.0**-54)


@formula
@lru_cache(maxsize=1)
def short_angle_over_sine() -> Polynomial:
    """Fit θ / sin θ in z = 1 − cos θ for θ ≤ π/4, with less than half as many terms."""
    x = sp.Symbol("x")
    return fit(_of_cosine(so3.angle_over_sine(x), x), 1.0 - 2.0**-0.5, 2.0**-54)


@formula
@lru_cache(maxsize=1)
def log_ratio() -> Polynomial:
    """Fit (c₃/2 − c₄)/c₂ · (θ / sin θ)², which is at least 1/12, in z = 1 − cos θ for θ ≤ π/2."""
    x = sp.Symbol("x")
    return fit(_of_cosine(so3.log_ratio(x) * so3.angle_over_sine(x) ** 2, x), 1.0, 2.0**-57)


def _of_cosine(expression: sp.Expr, x: sp.Symbol) -> Callable[[mpmath.mpf], mpmath.mpf]:
    """Return a formula in x = θ² as an mpmath function of z = 1 − cos θ."""
    of_square = sp.lambdify(x, expression, [{"stumpff": stumpff_value}, "mpmath"])
    return lambda z: of_square(_squared_angle(z))


def _squared_angle(z: mpmath.mpf) -> mpmath.mpf:
    """Return θ² of z = 1 − cos θ: sin(θ/2) = √(z/2)."""
    return 4 * mpmath.asin(mpmath.sqrt(z / 2)) ** 2
