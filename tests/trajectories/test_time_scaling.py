"""Time scalings: end conditions, continuity, finite differences, and the code of Modern Robotics."""

import modern_robotics as mr
import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from lessons_lib.symbolic import time_scaling as derived
from lessons_lib.trajectories import time_scaling

KINDS = ("linear", "cubic", "quintic", "trapezoidal")


@pytest.mark.parametrize(("kind", "oracle"), [("cubic", mr.CubicTimeScaling), ("quintic", mr.QuinticTimeScaling)])
def test_polynomials_match_modern_robotics(kind: str, oracle) -> None:
    tau = np.linspace(0.0, 1.0, 41)
    expected = [oracle(2.5, 2.5 * t) for t in tau]
    np.testing.assert_allclose(time_scaling(tau, kind), expected, atol=1e-14)  # a sum of six terms of size 15


@pytest.mark.parametrize(("derivatives", "degree"), [(1, 3), (2, 5), (3, 7)])
def test_polynomial_has_the_given_ends_and_the_smallest_degree(derivatives: int, degree: int) -> None:
    tau = sp.Symbol("tau")
    s = derived.polynomial(tau, derivatives)
    assert sp.degree(s, tau) == degree
    assert [s.subs(tau, 0), s.subs(tau, 1)] == [0, 1]
    assert all(s.diff(tau, k).subs(tau, end) == 0 for k in range(1, derivatives + 1) for end in (0, 1))


@given(st.floats(0.01, 0.5))
def test_trapezoid_and_its_velocity_are_continuous(ramp: float) -> None:
    assert time_scaling([0.0, 1.0], "trapezoidal", ramp=ramp).tolist() == pytest.approx([0.0, 1.0], abs=1e-12)
    for joint in (ramp, 1.0 - ramp):
        around = [joint - 1e-9, joint + 1e-9]
        for order, slope in ((0, 2.0), (1, 250.0)):  # the velocity is at most 2, the acceleration 1/(0.01 · 0.99)
            before, after = time_scaling(around, "trapezoidal", order=order, ramp=ramp)
            assert abs(after - before) <= 2e-9 * slope * (1 + 1e-6)  # and rounding
    assert time_scaling(0.5, "trapezoidal", order=1, ramp=ramp) == pytest.approx(1.0 / (1.0 - ramp), rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", [1, 2])
def test_derivatives_match_finite_differences(kind: str, order: int) -> None:
    tau, h = np.array([0.07, 0.2, 0.4, 0.55, 0.83, 0.96]), 1e-6
    lower = time_scaling(tau - h, kind, order=order - 1)
    upper = time_scaling(tau + h, kind, order=order - 1)
    # truncation h² times a third derivative of at most 360, and rounding 1e-16/h
    np.testing.assert_allclose(time_scaling(tau, kind, order=order), (upper - lower) / (2 * h), atol=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_scaling_is_constant_outside_0_to_1(kind: str) -> None:
    assert time_scaling([-3.0, 4.0], kind).tolist() == [0.0, 1.0]
    assert not time_scaling([-3.0, 4.0], kind, order=1).any()
    assert not time_scaling([-3.0, 4.0], kind, order=2).any()
