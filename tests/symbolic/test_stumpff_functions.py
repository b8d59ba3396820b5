"""The Stumpff functions against mpmath: value, derivative, recurrence, and the generated functions of doubles."""

import mpmath
import numpy as np
import pytest
import sympy as sp

from lessons_lib.codegen.printers import SERIES_TERMS
from lessons_lib.lie import kernels
from lessons_lib.symbolic import closed_form, series, stumpff
from lessons_lib.symbolic.stumpff_functions import crossover, recurrence_error, series_error, stumpff_value

x = sp.Symbol("x", real=True)
ORDERS = range(8)
GENERATED = range(1, 7)  # the orders that the SE(3) kit uses
UNIT = 2.0**-53


def by_definition(n, value):
    """Return Σ (−x)ᵏ/(2k+n)!, summed until the terms vanish."""
    return mpmath.nsum(lambda k: (-value) ** k / mpmath.factorial(2 * k + n), [0, mpmath.inf], method="direct")


@pytest.mark.parametrize("n", ORDERS)
@pytest.mark.parametrize("value", [-50, -1, -1e-30, 0, 1e-300, 1e-8, 0.5, 9.869604401089358, 39.47841760435743, 400])
def test_the_value_is_the_defining_series(n, value):
    with mpmath.workdps(60):
        expected = by_definition(n, mpmath.mpf(value))
        assert mpmath.almosteq(stumpff_value(n, mpmath.mpf(value)), expected, rel_eps=1e-45, abs_eps=1e-45)


@pytest.mark.parametrize("n", ORDERS)
@pytest.mark.parametrize("value", [-3.0, 0.0, 1e-6, 2.0, 30.0])
def test_the_derivative_is_the_slope(n, value):
    slope = stumpff(n, x).diff(x)
    with mpmath.workdps(40):
        expected = mpmath.diff(lambda t: stumpff_value(n, t), value)
        found = mpmath.mpf(slope.subs(x, sp.Rational(value)).evalf(40))
        assert abs(found - expected) < 1e-15  # what the difference quotient at 40 digits is good for


@pytest.mark.parametrize("order", [-1, sp.Rational(1, 2), sp.Float(2.5)])
def test_invalid_orders_are_refused(order):
    with pytest.raises(ValueError, match="the order of a Stumpff function must be a nonnegative integer, got n = "):
        stumpff(order, x)
    for formula in (lambda n: closed_form(n, x), lambda n: series(n, x, 3)):
        with pytest.raises(ValueError, match="must be a nonnegative integer, got n = "):
            formula(order)


def points(n):
    """Return random x in [0, 40], and numbers on both sides of zero and of the crossover."""
    rng, switch = np.random.default_rng(n), crossover(n, SERIES_TERMS)
    beside = [np.nextafter(switch, 0), switch, np.nextafter(switch, 100)]
    edges = [0.0, 5e-324, 1e-300, 1e-16, 1e-8, np.pi**2, 4 * np.pi**2, 40.0]
    near = switch * rng.uniform(0.9, 1.1, 100)
    return np.concatenate([edges, beside, near, rng.uniform(0, 40, 300), 10.0 ** rng.uniform(-12, 1.6, 100)])


def worst_error(n, values, found):
    """Return the largest |found − cₙ|·n!, relative to cₙ(0) = 1/n! because c₁ and c₂ pass through zero."""
    with mpmath.workdps(40):
        exact = [stumpff_value(n, mpmath.mpf(float(value))) for value in values]
        return max(
            float(abs(mpmath.mpf(float(f)) - e) * mpmath.factorial(n)) for f, e in zip(found, exact, strict=True)
        )


@pytest.mark.parametrize("n", GENERATED)
def test_generated_functions_are_accurate_to_a_few_ulps(n):
    # At the switch each bound is below 8 u for n ≤ 6, u = 2⁻⁵³ (next test); Horner's last step and rounding cₙ add 2 u.
    values = points(n)
    compiled = getattr(kernels.module() if n < 4 else kernels.jacobians(), f"stumpff_{n}")
    assert worst_error(n, values, np.array([compiled(value) for value in values])) <= 10 * UNIT


@pytest.mark.parametrize("n", GENERATED)
def test_crossover_is_where_the_error_bounds_meet(n):
    switch = crossover(n, SERIES_TERMS)
    low, high = series_error(n, switch, SERIES_TERMS), recurrence_error(n, switch)
    assert low == pytest.approx(high, rel=1e-9, abs=0.0)
    assert high <= 8 * UNIT
    assert series_error(n, switch * 1.1, SERIES_TERMS) > recurrence_error(n, switch * 1.1)
    assert series_error(n, switch * 0.9, SERIES_TERMS) < recurrence_error(n, switch * 0.9)


@pytest.mark.parametrize("n", GENERATED)
@pytest.mark.parametrize("terms", [4, SERIES_TERMS])
def test_the_series_bound_holds(n, terms):
    with mpmath.workdps(60):
        for value in np.linspace(0.1, (n + 1) * (n + 2) * 0.99, 7):
            kept = mpmath.mpf(series(n, sp.Rational(float(value)), terms).evalf(50))
            error = abs(kept - stumpff_value(n, mpmath.mpf(float(value)))) * mpmath.factorial(n)
            assert error <= series_error(n, float(value), terms) * (1 + 1e-12)  # the bound itself is a double
