"""Polynomials that replace library functions, sine and cosine, and their error bounds, against mpmath."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp

from lessons_lib.symbolic import polynomials, sine_cosine
from lessons_lib.symbolic.stumpff_functions import stumpff_value

UNIT = 2.0**-53


def angle_over_sine(z):
    """Return θ / sin θ of z = 1 − cos θ in the textbook form."""
    if z < 1e-20:  # θ² = 2z
        return 1 + z / 3
    theta = mpmath.acos(1 - z)
    return theta / mpmath.sin(theta)


def log_ratio(z):
    """Return (1/θ² − (1 + cos θ)/(2 θ sin θ)) (θ / sin θ)², the first factor as printed by Murray, Li & Sastry."""
    if z < 1e-12:  # the difference below would lose two digits of the fifty for each digit of θ
        return mpmath.mpf(1) / 12 + z * (mpmath.mpf(2) / 720 + mpmath.mpf(1) / 18)
    theta = mpmath.acos(1 - z)
    return (1 / theta**2 - (1 + mpmath.cos(theta)) / (2 * theta * mpmath.sin(theta))) * angle_over_sine(z) ** 2


CASES = [
    (polynomials.angle_over_sine, angle_over_sine, 1.0),
    (polynomials.short_angle_over_sine, angle_over_sine, 1.0),
    (polynomials.log_ratio, log_ratio, 1 / 12),
]
"""Fitted polynomial, its function, and the least value of that function."""


def error_at(fitted, function, z):
    return abs(mpmath.polyval([mpmath.mpf(c) for c in reversed(fitted.coefficients)], z) - function(z))


@pytest.mark.parametrize(("fit", "function", "least"), CASES, ids=["angle", "angle of an eighth", "ratio"])
def test_polynomial_is_within_its_error_bound_below_rounding(fit, function, least):
    fitted = fit()
    assert fitted.error < UNIT * least / 2
    with mpmath.workdps(50):
        inside = [fitted.end * (1 - mpmath.cos(mpmath.pi * k / 400)) / 2 for k in range(401)]  # denser at both ends
        assert inside[0] == 0 and abs(inside[-1] - fitted.end) < 1e-40
        worst = max(error_at(fitted, function, z) for z in inside)
    # `error` is that of exact coefficients; each is rounded to a double, half a unit of itself, and |z| ≤ 1
    rounding = UNIT * sum(abs(c) * fitted.end**k for k, c in enumerate(fitted.coefficients))
    assert worst <= fitted.error + rounding
    assert worst >= fitted.error / 2, "the stated error is far too large"
    beyond = error_at(fitted, function, mpmath.mpf(2 * fitted.end))
    assert beyond > 10 * fitted.error, "a polynomial as good beyond its interval has terms too many"


@pytest.mark.parametrize("count", [1, 2, 3, 5, 7, 8, 9, 12])
def test_estrins_form_equals_the_plain_sum(count):
    z = sp.Symbol("z")
    coefficients = tuple(float(k + 1) / 8 for k in range(count))  # exact in binary, so that the sums compare exactly
    nested = polynomials.Polynomial(coefficients, 1.0, 0.0).at(z)
    at = sp.Rational(3, 7)
    plain = sum(sp.Rational(c) * at**k for k, c in enumerate(coefficients))
    assert sp.nsimplify(nested, rational=True).subs(z, at) == plain


def test_a_fit_recovers_a_polynomial_on_any_interval():
    found = polynomials.fit(lambda z: 1 - 2 * z + z**3 / 8, 2.5, 1e-12)
    np.testing.assert_allclose(found.coefficients, [1, -2, 0, 0.125], atol=1e-12)


def test_a_fit_with_too_many_terms_is_refused():
    """A polynomial with the maximal number of terms fits itself; one more term is refused."""
    most = polynomials.MOST_TERMS
    assert len(polynomials.fit(lambda z: z ** (most - 1), 1.0, 1e-30).coefficients) == most
    with pytest.raises(ValueError, match=f"no polynomial of {most} terms"):
        polynomials.fit(lambda z: z**most, 1.0, 1e-30)


END = float(np.pi / 4)


@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("terms", [2, 4, 6])
def test_interpolation_error_bound_holds_and_is_tight(n, terms):
    values, bound = sine_cosine.coefficients(n, terms), sine_cosine.interpolation_error(n, terms)
    with mpmath.workdps(40):
        end = (mpmath.pi / 4) ** 2
        places, powers = mpmath.linspace(0, end, 401), [mpmath.mpf(c) for c in reversed(values)]
        errors = [abs(mpmath.polyval(powers, x) - stumpff_value(n, x)) for x in places]
    # the coefficients are rounded to doubles: half a unit of the first one, and less for each that follows
    rounding = 2.0**-53 * values[0] * 2
    assert max(errors) < bound + rounding
    assert max(errors) > bound / 2 or bound < rounding


def test_the_bound_is_below_the_rounding_of_a_double():
    half_unit = 2.0**-53
    assert sine_cosine.interpolation_error(3) * END**2 < half_unit / 4  # of sin r / r
    assert sine_cosine.interpolation_error(4) * END**4 < half_unit / 4  # of cos r
    one_less = sine_cosine.TERMS - 1
    assert sine_cosine.interpolation_error(3, one_less) * END**2 > half_unit, "there are no more terms than it takes"


def test_parts_of_half_pi():
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


def test_product_error_covers_the_worst_corner():
    product = sine_cosine.BoundedDouble(2.0, 0.1) * sine_cosine.BoundedDouble(3.0, 0.2)
    assert product.error == pytest.approx(2.1 * 3.2 - 6.0, rel=1e-12)
