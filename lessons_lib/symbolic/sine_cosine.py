"""Sine and cosine together: reduction by quarter turns to |r| ≤ π/4, then two short polynomials."""
# With x = r², c₃ and c₄ of sin r = r − r³ c₃(x), cos r = 1 − x/2 + x² c₄(x) are interpolated at the Chebyshev points of
# 0 ≤ x ≤ (π/4)². Source: Cody & Waite, Software Manual for the Elementary Functions (1980), ch. 8, for the reduction;
# Trefethen, Approximation Theory and Approximation Practice (2013), ch. 4 and 7, for the error.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import mpmath
import sympy as sp

from lessons_lib.symbolic.formulas import formula
from lessons_lib.symbolic.polynomials import estrin
from lessons_lib.symbolic.stumpff_functions import stumpff_value

TERMS = 6
"""Coefficients of each polynomial; with six, `interpolation_error` is an eighth of a unit in the last place of 1."""

PART_BITS = 30
"""Bits of the leading parts of π/2: a product with fewer than 2²³ quarter turns is exact in double precision."""

LARGEST_ANGLE = 1e5
"""Bound on the angles that are reduced, rad; a sum of 100 of them has fewer than 2²³ quarter turns."""


@lru_cache(maxsize=8)
def coefficients(n: int, terms: int = TERMS) -> tuple[float, ...]:
    """Return the polynomial that interpolates cₙ at the Chebyshev points of [0, (π/4)²], lowest power first."""
    with mpmath.workdps(40):
        end = (mpmath.pi / 4) ** 2
        points = [end / 2 * (1 + mpmath.cos((2 * i + 1) * mpmath.pi / (2 * terms))) for i in range(terms)]
        powers = mpmath.matrix([[x**k for k in range(terms)] for x in points])
        values = mpmath.matrix([stumpff_value(n, x) for x in points])
        return tuple(float(c) for c in mpmath.lu_solve(powers, values))


def interpolation_error(n: int, terms: int = TERMS) -> float:
    """Bound |cₙ(x) − p(x)| on [0, (π/4)²] by max |cₙ⁽ᴷ⁾|/K! · h ᴷ/2²ᴷ⁻¹ for K points on length h."""
    length = (sp.pi / 4) ** 2  # the series of cₙ⁽ᴷ⁾/K! alternates and decreases, so 1/(2K + n)! bounds it
    return float(length**terms / sp.factorial(2 * terms + n) / 2 ** (2 * terms - 1))


@formula
def sine(r: sp.Expr, x: sp.Expr) -> sp.Expr:
    """Return sin r for |r| ≤ π/4 with x = r²."""
    return r - r * x * estrin(coefficients(3), x)


@formula
def cosine(x: sp.Expr) -> sp.Expr:
    """Return cos √x for 0 ≤ x ≤ (π/4)²."""
    return 1 - x / 2 + x**2 * estrin(coefficients(4), x)


@formula
@lru_cache(maxsize=1)
def half_pi_parts() -> tuple[float, float, float]:
    """Return three doubles whose sum is π/2 to 110 bits; the first two have `PART_BITS` bits each."""
    with mpmath.workprec(160):
        rest, parts = mpmath.pi / 2, []
        for place in (PART_BITS - 1, 2 * PART_BITS - 1):
            part = mpmath.floor(mpmath.ldexp(rest, place)) / mpmath.mpf(2) ** place
            parts.append(float(part))
            rest -= part
        return parts[0], parts[1], float(rest)


def rounding_error() -> float:
    """Bound the absolute error of sine and cosine, computed by these formulas in doubles, below LARGEST_ANGLE."""
    # The two products with the first parts of π/2 are exact. Each later step is off by at most half a unit in the last
    # place of its largest value; a fused multiply-add is off by less.
    parts, most = half_pi_parts(), LARGEST_ANGLE / 1.57 + 1
    end = float(sp.pi / 4) * (1 + 1e-9)
    reduced = 3 * HALF_UNIT * end + 2 * HALF_UNIT * most * parts[2] + most * 2.0**-105
    r, x = sp.symbols("r x", real=True)
    angle = BoundedDouble(end, reduced)
    numbers = {r: angle, x: angle * angle}
    errors = []
    for n, power, text in ((3, 3, sine(r, x)), (4, 4, cosine(x))):
        errors.append(propagate(text, numbers).error + end**power * interpolation_error(n) * (1 + 1e-6))
    return max(errors) * (1 + 1e-9)


HALF_UNIT = 2.0**-53


@dataclass(frozen=True)
class BoundedDouble:
    """A double of bounded size with a bounded error."""

    size: float
    error: float

    def __add__(self, other: BoundedDouble) -> BoundedDouble:
        size = self.size + other.size
        return BoundedDouble(size, self.error + other.error + HALF_UNIT * size)

    def __mul__(self, other: BoundedDouble) -> BoundedDouble:
        size = self.size * other.size
        off = self.error * other.size + self.size * other.error + self.error * other.error
        return BoundedDouble(size, off + HALF_UNIT * size)


def propagate(expression: sp.Expr, numbers: Mapping[sp.Expr, BoundedDouble]) -> BoundedDouble:
    """Propagate size and error bounds through an expression of sums and products."""
    if expression in numbers:
        return numbers[expression]
    if expression.is_number:
        value = abs(float(expression))
        return BoundedDouble(value, HALF_UNIT * value)
    if expression.is_Pow:
        parts = [propagate(expression.base, numbers)] * int(expression.exp)
    else:
        parts = [propagate(part, numbers) for part in expression.args]
    if expression.is_Add:  # in any order k terms are rounded k − 1 times, each partial sum at most the total
        size, error = sum(part.size for part in parts), sum(part.error for part in parts)
        return BoundedDouble(size, error + HALF_UNIT * size * (len(parts) - 1))
    result = parts[0]
    for part in parts[1:]:
        result = result * part
    return result
