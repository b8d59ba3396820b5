"""Sine and cosine against mpmath: polynomials, parts of π/2, and error bound."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from lessons_lib.symbolic import sine_cosine
from lessons_lib.symbolic.stumpff_functions import stumpff_value

END = float(np.pi / 4)


@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("terms", [2, 4, 6])
def test_interpolation_error_bound_holds_and_is_tight(n: int, terms: int) -> None:
    values, bound = sine_cosine.coefficients(n, terms), sine_cosine.interpolation_error(n, terms)
    with mpmath.workdps(40):
        end = (mpmath.pi / 4) ** 2
        errors = [
            abs(mpmath.polyval([mpmath.mpf(c) for c in reversed(values)], x) - stumpff_value(n, x))
            for x in mpmath.linspace(0, end, 401)
        ]
    # the coefficients are rounded to doubles: half a unit of the first one, and less for each that follows
    rounding = 2.0**-53 * values[0] * 2
    assert max(errors) < bound + rounding
    assert max(errors) > bound / 2 or bound < rounding


def test_the_bound_is_below_the_rounding_of_a_double() -> None:
    half_unit = 2.0**-53
    assert sine_cosine.interpolation_error(3) * END**2 < half_unit / 4  # of sin r / r
    assert sine_cosine.interpolation_error(4) * END**4 < half_unit / 4  # of cos r
    one_less = sine_cosine.TERMS - 1
    assert sine_cosine.interpolation_error(3, one_less) * END**2 > half_unit, "there are no more terms than it takes"


def test_parts_of_half_pi() -> None:
    first, second, third = (Fraction(part) for part in sine_cosine.half_pi_parts())
    with mpmath.workprec(200):
        rest = mpmath.pi / 2 - sum(mpmath.mpf(part) for part in sine_cosine.half_pi_parts())
        assert abs(rest) < mpmath.mpf(2) ** -110
    for place, part in ((sine_cosine.PART_BITS - 1, first), (2 * sine_cosine.PART_BITS - 1, second)):
        assert (part * 2**place).denominator == 1, "a part has more bits than it may"
    # so a product with an integer of 23 bits fits a double
    turns = 2**23 - 1
    for part in (first, second):
        assert Fraction(float(part) * turns) == part * turns
    assert sine_cosine.LARGEST_ANGLE * 100 < float(first) * turns


def test_product_error_covers_the_worst_corner() -> None:
    product = sine_cosine.BoundedDouble(2.0, 0.1) * sine_cosine.BoundedDouble(3.0, 0.2)
    assert product.error == pytest.approx(2.1 * 3.2 - 6.0, rel=1e-12)
