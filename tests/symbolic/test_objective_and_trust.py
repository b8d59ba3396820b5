"""Objective, gain of damped least squares and trust-region rules: identities in exact numbers, and NumPy."""

import numpy as np
import pytest
import sympy as sp

from lessons_lib.symbolic import damping
from lessons_lib.symbolic.pose_error import half_square, weighted

A = sp.Matrix([[1, -2], [3, 5], [-4, 1]]) / 3
E = sp.Matrix([2, -1, 4]) / 5
DAMPING = sp.Rational(2, 7)
ACCEPT = sp.Rational(1, 10)


def test_gradient_of_the_objective():
    x, roots = sp.Matrix(sp.symbols("x0:2")), sp.Matrix(sp.symbols("w0:3", positive=True))
    error = E - A * x
    slope = sp.Matrix([half_square(weighted(roots, error))]).jacobian(x).T
    W = sp.diag(*(root**2 for root in roots))
    assert (slope + A.T * W * error).expand().is_zero_matrix


def test_predicted_reduction_is_that_of_the_damped_model():
    d = (A.T * A + DAMPING * sp.eye(2)).LUsolve(A.T * E)
    lost = half_square(E) - half_square(E - A * d)
    assert damping.predicted_reduction(A, E, d, DAMPING) == lost > 0


def test_gain_ratio_is_actual_over_predicted_reduction():
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
def test_damping_decreases_after_good_steps_and_grows_faster_after_bad_ones(gain, factor, growth):
    assert damping.next_damping(DAMPING, sp.Integer(4), sp.sympify(gain), ACCEPT) == factor * DAMPING
    assert damping.next_growth(sp.Integer(4), sp.sympify(gain), ACCEPT) == growth


sigma, lamda = sp.symbols("sigma lambda", positive=True)


@pytest.mark.parametrize(("value", "expected"), [(0, (0, 1)), (sp.oo, (0, 0))])
def test_gain_is_zero_at_zero_singular_value_and_leaves_no_error_at_infinity(value, expected):
    found = tuple(sp.limit(part(sigma, lamda), sigma, value) for part in (damping.gain, damping.part_left))
    assert found == expected


def test_numpys_least_squares_has_this_gain_in_every_direction():
    rng = np.random.default_rng(10)
    J, V, price = rng.normal(size=(6, 7)), rng.normal(size=6), 0.3
    U, sigmas, Qt = np.linalg.svd(J, full_matrices=False)
    step = np.linalg.lstsq(np.vstack([J, price * np.eye(7)]), np.concatenate([V, np.zeros(7)]), rcond=None)[0]
    gains = [float(damping.gain(sp.Float(s), sp.Float(price))) for s in sigmas]
    assert Qt @ step == pytest.approx(gains * (U.T @ V), abs=1e-13)  # a few roundings of numbers near 1
