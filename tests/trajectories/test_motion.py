"""Motions through poses and their time scalings, against Modern Robotics and finite differences."""

import modern_robotics as mr
import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from lessons_lib import lie
from lessons_lib.symbolic import time_scaling as derived
from lessons_lib.trajectories import interpolate, path_between, through, time_scaling

PLACES = [0.4, 0.2, 0.1], [0.3, 0.4, 0.2], [0.1, 0.5, 0.2]
CORNERS = np.array([lie.pose(np.diag([1.0, -1.0, -1.0]), p) for p in PLACES])


@pytest.mark.parametrize("scaling", ["linear", "cubic", "quintic", "trapezoidal"])
@pytest.mark.parametrize("how", ["screw", "decoupled"])
def test_motion_passes_each_waypoint_at_its_time(scaling, how):
    motion = through(CORNERS, [0.5, 2.0], how=how, scaling=scaling)
    assert motion.times.tolist() == [0.0, 0.5, 2.5]
    assert motion.duration == 2.5
    np.testing.assert_allclose(motion.at(motion.times), CORNERS, atol=1e-13)  # rounding
    np.testing.assert_allclose(motion(-1.0), CORNERS[0], atol=1e-13)
    np.testing.assert_allclose(motion(99.0), CORNERS[-1], atol=1e-13)


def test_a_call_is_the_interpolation_at_the_scaled_time():
    motion = through(CORNERS, 2.0, scaling="cubic")
    np.testing.assert_array_equal(motion(0.5), interpolate(CORNERS[0], CORNERS[1], 3 / 16 - 2 / 64))


def test_motion_rests_at_waypoints():
    motion = through(CORNERS, 1.0)
    step = np.linalg.norm(np.diff(motion.at([1.0 - 1e-3, 1.0, 1.0 + 1e-3])[:, :3, 3], axis=0), axis=1)
    assert (step < 1e-8).all()  # 10 τ³ of half a metre


def test_samples_are_even_and_include_both_ends():
    times, poses = through(CORNERS, 0.7).sampled(100.0)
    assert len(times) == 141
    np.testing.assert_allclose(np.diff(times), 0.01, atol=1e-15)
    np.testing.assert_allclose(poses[[0, 70, 140]], CORNERS, atol=1e-13)


def test_the_end_is_sampled_after_a_shorter_interval():
    times, poses = through(CORNERS, 0.525).sampled(10.0)
    np.testing.assert_allclose(times, [*np.arange(11) / 10, 1.05], atol=1e-15)
    np.testing.assert_allclose(poses[-1], CORNERS[-1], atol=1e-13)


def test_path_between_is_evenly_spaced():
    dense = path_between(CORNERS, 10)
    assert dense.shape == (21, 4, 4)
    np.testing.assert_allclose(dense[::10], CORNERS, atol=1e-15)
    gaps = np.linalg.norm(np.diff(dense[:11, :3, 3], axis=0), axis=1)
    np.testing.assert_allclose(gaps, gaps[0], rtol=1e-12)


def random_poses(seed):
    """Return two poses that differ by a random twist of about 1 rad and 1 m."""
    rng = np.random.default_rng(seed)
    start = lie.exp_se3(rng.uniform(-1.0, 1.0, 6))
    return start, start @ lie.exp_se3(rng.uniform(-1.0, 1.0, 6))


@pytest.mark.parametrize(("how", "oracle"), [("screw", mr.ScrewTrajectory), ("decoupled", mr.CartesianTrajectory)])
@pytest.mark.parametrize("seed", range(5))
def test_interpolation_matches_modern_robotics(how, oracle, seed):
    start, end = random_poses(seed)
    expected = oracle(start, end, 3.0, 7, 3)  # cubic time scaling
    s = [mr.CubicTimeScaling(3.0, t) for t in np.linspace(0.0, 3.0, 7)]
    np.testing.assert_allclose(interpolate(start, end, s, how), expected, atol=1e-12)  # rounding of both


@pytest.mark.parametrize("angle", [1e-12, 1e-8, 1e-4, np.pi - 1e-4, np.pi - 1e-8, np.pi])
@pytest.mark.parametrize("how", ["screw", "decoupled"])
def test_interpolation_is_accurate_near_rotations_of_0_and_pi(angle, how):
    end = lie.exp_se3(np.array([0.6, 0.0, 0.8, 0.2, -0.1, 0.4]) * [angle, angle, angle, 1, 1, 1])
    np.testing.assert_allclose(interpolate(np.eye(4), end, 1.0, how), end, atol=1e-12)
    half = interpolate(np.eye(4), end, 0.5, how)
    np.testing.assert_allclose(np.linalg.norm(lie.log_so3(half[:3, :3])), angle / 2, atol=1e-12)


KINDS = ("linear", "cubic", "quintic", "trapezoidal")


@pytest.mark.parametrize(("kind", "oracle"), [("cubic", mr.CubicTimeScaling), ("quintic", mr.QuinticTimeScaling)])
def test_polynomials_match_modern_robotics(kind, oracle):
    tau = np.linspace(0.0, 1.0, 41)
    expected = [oracle(2.5, 2.5 * t) for t in tau]
    np.testing.assert_allclose(time_scaling(tau, kind), expected, atol=1e-14)  # a sum of six terms of size 15


@pytest.mark.parametrize(("derivatives", "degree"), [(1, 3), (2, 5), (3, 7)])
def test_polynomial_has_the_given_ends_and_the_smallest_degree(derivatives, degree):
    tau = sp.Symbol("tau")
    s = derived.polynomial(tau, derivatives)
    assert sp.degree(s, tau) == degree
    assert [s.subs(tau, 0), s.subs(tau, 1)] == [0, 1]
    assert all(s.diff(tau, k).subs(tau, end) == 0 for k in range(1, derivatives + 1) for end in (0, 1))


@given(st.floats(0.01, 0.5))
def test_trapezoid_and_its_velocity_are_continuous(ramp):
    assert time_scaling([0.0, 1.0], "trapezoidal", ramp=ramp).tolist() == pytest.approx([0.0, 1.0], abs=1e-12)
    for joint in (ramp, 1.0 - ramp):
        around = [joint - 1e-9, joint + 1e-9]
        for order, slope in ((0, 2.0), (1, 250.0)):  # the velocity is at most 2, the acceleration 1/(0.01 · 0.99)
            before, after = time_scaling(around, "trapezoidal", order=order, ramp=ramp)
            assert abs(after - before) <= 2e-9 * slope * (1 + 1e-6)  # and rounding
    assert time_scaling(0.5, "trapezoidal", order=1, ramp=ramp) == pytest.approx(1.0 / (1.0 - ramp), rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", [1, 2])
def test_derivatives_match_finite_differences(kind, order):
    tau, h = np.array([0.07, 0.2, 0.4, 0.55, 0.83, 0.96]), 1e-6
    lower = time_scaling(tau - h, kind, order=order - 1)
    upper = time_scaling(tau + h, kind, order=order - 1)
    # truncation h² times a third derivative of at most 360, and rounding 1e-16/h
    np.testing.assert_allclose(time_scaling(tau, kind, order=order), (upper - lower) / (2 * h), atol=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_scaling_is_constant_outside_0_to_1(kind):
    assert time_scaling([-3.0, 4.0], kind).tolist() == [0.0, 1.0]
    assert not time_scaling([-3.0, 4.0], kind, order=1).any()
    assert not time_scaling([-3.0, 4.0], kind, order=2).any()
