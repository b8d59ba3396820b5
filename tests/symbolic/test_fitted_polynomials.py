"""Polynomials in place of library functions, and the closed form beside one of them, against mpmath."""

import mpmath
import numpy as np
import pytest
import sympy as sp

from lessons_lib.symbolic import polynomials, so3
from lessons_lib.symbolic.stumpff import stumpff_value

UNIT = 2.0**-53


def arctangent_tail(z: mpmath.mpf) -> mpmath.mpf:
    """Return (atan u − u)/u³ of z = u², written as a textbook would."""
    if z < 1e-6:  # the difference below would lose three digits of the fifty for each digit of u
        return -mpmath.mpf(1) / 3 + z / 5 - z**2 / 7 + z**3 / 9 - z**4 / 11
    u = mpmath.sqrt(z)
    return (mpmath.atan(u) - u) / u**3


def log_ratio(x: mpmath.mpf) -> mpmath.mpf:
    """Return (1/θ² − (1 + cos θ)/(2 θ sin θ)) of x = θ², as Murray, Li & Sastry print it."""
    if x < 1e-6:
        return mpmath.mpf(1) / 12 + x / 720 + x**2 / 30240
    theta = mpmath.sqrt(x)
    return 1 / x - (1 + mpmath.cos(theta)) / (2 * theta * mpmath.sin(theta))


CASES = [(polynomials.arctangent_tail, arctangent_tail), (polynomials.log_ratio, log_ratio)]


def error_at(fitted: polynomials.Polynomial, function: object, z: mpmath.mpf) -> mpmath.mpf:
    return abs(mpmath.polyval([mpmath.mpf(c) for c in reversed(fitted.coefficients)], z) - function(z))


@pytest.mark.parametrize(("fit", "function"), CASES, ids=["atan", "log"])
def test_the_polynomial_stays_within_its_stated_error(fit: object, function: object) -> None:
    fitted = fit()
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


def test_the_errors_hide_in_a_doubles_rounding() -> None:
    atan, ratio = polynomials.arctangent_tail(), polynomials.log_ratio()
    assert atan.error * polynomials.ARCTANGENT_END**2 < UNIT / 4  # of atan u / u, which is at least 0.9
    assert ratio.error < UNIT / 12 / 2  # of a ratio of 1/12 and more
    assert atan.end > polynomials.ARCTANGENT_END**2 and ratio.end == polynomials.RATIO_END


@pytest.mark.parametrize("count", [1, 2, 3, 5, 7, 8, 9, 12])
def test_the_nested_polynomial_is_the_plain_sum(count: int) -> None:
    z = sp.Symbol("z")
    coefficients = tuple(float(k + 1) / 8 for k in range(count))  # exact in binary, so that the sums compare exactly
    nested = polynomials.Polynomial(coefficients, 1.0, 0.0).at(z)
    at = sp.Rational(3, 7)
    plain = sum(sp.Rational(c) * at**k for k, c in enumerate(coefficients))
    assert sp.nsimplify(nested, rational=True).subs(z, at) == plain


def test_a_fit_has_the_lowest_degree_that_will_do_or_says_that_none_does() -> None:
    cubic = polynomials.fit(lambda z: 1 + z**3, 1.0, 1e-12)
    np.testing.assert_allclose(cubic.coefficients, [1, 0, 0, 1], atol=1e-12)
    with pytest.raises(ValueError, match=r"no polynomial of 29 terms stays within 1e-30 on \[0, 1.0\]"):
        polynomials.fit(lambda z: abs(z - mpmath.mpf(1) / 3), 1.0, 1e-30)


ANGLES = [1e-3, 0.1, 0.9999, 1.0, 1.0001, np.pi / 2, 2.0, 3.0, np.pi - 1e-9, np.pi, 4.0]


@pytest.mark.parametrize("angle", ANGLES)
def test_the_closed_ratio_is_the_stumpff_quotient(angle: float) -> None:
    theta, s, c = sp.symbols("theta s c", real=True)
    with mpmath.workdps(60):
        exact = mpmath.mpf(angle)
        x = exact**2
        expected = (stumpff_value(3, x) / 2 - stumpff_value(4, x)) / stumpff_value(2, x)
        values = {theta: exact, s: mpmath.sin(exact), c: mpmath.cos(exact)}
        found = sp.lambdify((theta, s, c), so3.log_ratio_closed(theta, s, c), "mpmath")(*values.values())
        assert abs(found - expected) < mpmath.mpf(10) ** -45
        if 1e-2 < angle < 3.0:
            assert abs(found - log_ratio(x)) < mpmath.mpf(10) ** -45


@pytest.mark.parametrize("angle", [1.0, 1.0001, 1.2, np.pi / 2, 2.5, np.pi - 1e-9, np.pi])
def test_the_closed_ratio_loses_few_digits_from_where_it_is_used(angle: float) -> None:
    theta, s, c = sp.symbols("theta s c", real=True)
    found = sp.lambdify((theta, s, c), so3.log_ratio_closed(theta, s, c), "math")(angle, np.sin(angle), np.cos(angle))
    with mpmath.workdps(40):
        x = mpmath.mpf(angle) ** 2
        expected = (stumpff_value(3, x) / 2 - stumpff_value(4, x)) / stumpff_value(2, x)
    # 1/12 of terms near 1: a factor 12, and a handful of roundings of half a unit each
    assert abs(found - expected) <= 12 * 6 * UNIT * expected * 2
    # a sine off by rounding, as a rotation's entries give it, does no harm: π is not a pole
    shaken = sp.lambdify((theta, s, c), so3.log_ratio_closed(theta, s, c), "math")(
        angle, np.sin(angle) - 1e-16, np.cos(angle)
    )
    assert abs(shaken - expected) <= 1e-14
