"""Objective and trust-region rules: identities in exact numbers."""

import pytest
import sympy as sp

from lessons_lib.symbolic import damping
from lessons_lib.symbolic.objective import half_square, weighted

A = sp.Matrix([[1, -2], [3, 5], [-4, 1]]) / 3
E = sp.Matrix([2, -1, 4]) / 5
DAMPING = sp.Rational(2, 7)
ACCEPT = sp.Rational(1, 10)


def test_gradient_of_the_objective() -> None:
    x, roots = sp.Matrix(sp.symbols("x0:2")), sp.Matrix(sp.symbols("w0:3", positive=True))
    error = E - A * x
    slope = sp.Matrix([half_square(weighted(roots, error))]).jacobian(x).T
    W = sp.diag(*(root**2 for root in roots))
    assert (slope + A.T * W * error).expand().is_zero_matrix


def test_predicted_reduction_is_that_of_the_damped_model() -> None:
    d = (A.T * A + DAMPING * sp.eye(2)).LUsolve(A.T * E)
    lost = half_square(E) - half_square(E - A * d)
    assert damping.predicted_reduction(A, E, d, DAMPING) == lost > 0


def test_gain_ratio_is_actual_over_predicted_reduction() -> None:
    assert damping.gain_ratio(sp.Integer(5), sp.Integer(3), sp.Integer(4)) == sp.Rational(1, 2)
    assert damping.gain_ratio(sp.Integer(5), sp.Integer(3), sp.Rational(1, 4)) == 8
    for none in (sp.Integer(0), sp.Rational(-1, 4)):
        assert damping.gain_ratio(sp.Integer(5), sp.Integer(3), none) == -1


@pytest.mark.parametrize(
    ("gain", "factor", "growth"),
    [
        (sp.Integer(1), sp.Rational(1, 3), 2),
        (sp.Rational(3, 4), sp.Rational(7, 8), 2),
        (sp.Rational(1, 2), 1, 2),
        (ACCEPT, 4, 8),
        (sp.Rational(1, 20), 4, 8),
        (-1, 4, 8),
    ],
)
def test_damping_decreases_after_good_steps_and_grows_faster_after_bad_ones(
    gain: sp.Expr, factor: sp.Expr, growth: int
) -> None:
    assert damping.next_damping(DAMPING, sp.Integer(4), sp.sympify(gain), ACCEPT) == factor * DAMPING
    assert damping.next_growth(sp.Integer(4), sp.sympify(gain), ACCEPT) == growth
