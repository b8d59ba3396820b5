"""The compiled loop over waypoints matches the Python loop, also after failures, and unwraps each solution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_in_python import in_python

from lessons_lib import lie, pose_ik, robots
from lessons_lib.course import matlab_library as matlab
from lessons_lib.pose_ik import LevenbergMarquardt, Restarts, TrustRegion
from lessons_lib.pose_ik.prepared_problem import prepare
from lessons_lib.trajectories import path_between, trace, tracing, unwrap
from lessons_lib.trajectories.trace_loops import AHEAD, FIRST, PREVIOUS

UR10, PANDA = robots.ur10(), robots.panda()
NINE = np.array(matlab.ur10_waypoints())
BROKEN = path_between(NINE, 4)
BROKEN[[5, 6, 20], :3, 3] += [3.0, 0.0, 0.0]
FEW = Restarts(20)
Q_0 = trace(UR10, NINE[:1]).q[0].copy()
STARTS = {"previous": PREVIOUS, "ahead": AHEAD, "first": FIRST}


def poses_along(arm, q, count=12):
    """Return the poses along a straight line of configurations, 0.3 rad (or m) long in every joint."""
    return np.array([arm.forward_kinematics(q + 0.3 * fraction) for fraction in np.linspace(0.0, 1.0, count)])


def is_compiled(arm, poses, q0, start, method=None):
    """Return whether the compiled loop reaches each waypoint of a path."""
    prepared = prepare(arm, None, method, None, None)
    return tracing._trace_compiled(prepared, poses, q0, STARTS[start], False) is not None


def check_same(first, second):
    """Check that two paths have equal counts, and numbers that agree to rounding."""
    assert list(first.status) == list(second.status)
    for name in ("reached", "on_path", "tried", "iterations", "restarts"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    np.testing.assert_allclose(first.q, second.q, atol=1e-8)
    np.testing.assert_allclose(first.position_error, second.position_error, atol=1e-11)
    np.testing.assert_allclose(first.orientation_error, second.orientation_error, atol=1e-11)


@pytest.mark.parametrize("method", [LevenbergMarquardt(), LevenbergMarquardt(TrustRegion())], ids=repr)
def test_errors_are_those_of_the_unwrapped_configuration(method):
    """The hand rotates by 4.5 rad and each solve starts at q0: beyond π the solution lies a revolution away."""
    q0 = np.array([0.1, -1.0, 1.2, 0.3, 0.7, 0.0])
    Q = q0 + np.arange(1, 10)[:, None] * 0.5 * np.eye(6)[5]
    poses = np.array([UR10.forward_kinematics(q) for q in Q])
    assert is_compiled(UR10, poses, q0, "first", method)
    path = trace(UR10, poses, q0, start="first", method=method)
    check_same(path, trace(UR10, poses, q0, start="first", method=in_python(method)))
    np.testing.assert_allclose(path.q, Q, atol=1e-3)
    for q, T, angle, distance in zip(path.q, poses, path.orientation_error, path.position_error, strict=True):
        error = lie.log_se3(lie.inverse(UR10.forward_kinematics(q)) @ T)
        assert abs(np.linalg.norm(error[:3]) - angle) < 1e-12 and abs(np.linalg.norm(error[3:]) - distance) < 1e-12


def test_rounded_rotations_are_orthonormalized_first():
    rounded = np.round(poses_along(UR10, Q_0, 9), 7)
    assert not is_compiled(UR10, rounded, Q_0, "previous")
    path = trace(UR10, rounded, Q_0)
    assert path.complete
    R = path.waypoints[:, :3, :3]
    np.testing.assert_allclose(R @ R.transpose(0, 2, 1), np.tile(np.eye(3), (9, 1, 1)), atol=1e-14)


def both(arm, poses, q0=None, seed=None, **options):
    """Return the compiled path and the Python path; with a seed, both use it for their restarts."""
    goal, method = options.pop("goal", None), options.pop("method", None)
    variants = [{"method": method, "goal": goal}, {"method": in_python(method, goal)}]
    rngs = [None if seed is None else np.random.default_rng(seed) for _ in variants]
    return [trace(arm, poses, q0, rng=rng, **variant, **options) for variant, rng in zip(variants, rngs, strict=True)]


@pytest.mark.parametrize("start", ["previous", "ahead", "first"])
@pytest.mark.parametrize("on_failure", ["stop", "skip", "go on"])
def test_traces_agree_for_each_start_and_on_failure(start, on_failure):
    arm, q0 = UR10, np.array([0.1, -1.0, 1.2, 0.3, 0.5, 0.0])
    check_same(*both(arm, BROKEN, q0, start=start, on_failure=on_failure, starts=FEW))


@pytest.mark.parametrize("starts", [pose_ik.BestOf(20, restarts=20), pose_ik.Nearest(4)])
def test_traces_agree_for_each_strategy(starts):
    check_same(*both(UR10, NINE[:3], starts=starts, seed=5))


def test_traces_agree_on_restarts():
    arm = PANDA
    rng = np.random.default_rng(2)
    poses = [arm.forward_kinematics(arm.random_configuration(rng)) for _ in range(12)]
    paths = both(arm, poses, on_failure="skip", starts=FEW, seed=1)
    check_same(*paths)
    assert paths[0].restarts.sum() > 0


def test_traces_agree_for_a_helical_joint():
    helical = [0.0, 0.0, 1.0, 0.0, 0.0, 0.1]
    home = lie.exp_se3([0.0, 0.0, 0.0, 0.5, 0.0, 0.0])
    arm = robots.from_screws(np.array([helical, [0, 0, 0, 1, 0, 0]]).T, home, name="corkscrew")
    poses = [arm.forward_kinematics([7.0 + 0.1 * k, 0.2]) for k in range(4)]
    check_same(*both(arm, poses, [6.5, 0.0], method=LevenbergMarquardt(), starts=FEW))
    assert trace(arm, poses, [6.5, 0.0]).q[0, 0] == pytest.approx(7.0, abs=1e-5)  # a revolution less is another height


within = st.lists(st.floats(-6.28, 6.28), min_size=6, max_size=6)


@given(within, within)
def test_unwrap_finds_the_nearest_revolution_within_the_limits(q, beside):
    arm = robots.ur10()
    unwrapped = unwrap(arm, q, beside)
    arm.check_within_limits(unwrapped)
    np.testing.assert_allclose(np.sin(unwrapped), np.sin(q), atol=1e-14)  # to rounding of a few revolutions
    np.testing.assert_allclose(np.cos(unwrapped), np.cos(q), atol=1e-14)
    for other in np.array([unwrapped - 2 * np.pi, unwrapped + 2 * np.pi]):
        allowed = np.abs(other) <= 2 * np.pi
        nearer = np.abs(other - beside) < np.abs(unwrapped - beside) - 1e-12
        assert not (allowed & nearer).any()


def test_unwrap_adds_many_revolutions_without_limits():
    arm = robots.from_screws([[0], [0], [1], [0], [0], [0]], np.eye(4))
    assert unwrap(arm, [0.5], [20.0])[0] == pytest.approx(0.5 + 6 * np.pi, abs=1e-14)


def test_unwrap_does_not_move_prismatic_and_helical_joints():
    prismatic, helical = [0, 0, 0, 0, 0, 1], [0, 0, 1, 0, 0, 0.1]
    arm = robots.from_screws(np.array([prismatic, helical]).T, np.eye(4))
    assert unwrap(arm, [0.5, 0.5], [20.0, 20.0]).tolist() == [0.5, 0.5]


def test_a_revolution_onto_a_limit_stays_within_it():
    arm = robots.ur10()
    unwrapped = unwrap(arm, np.zeros(6), np.full(6, 7.0))
    arm.check_within_limits(unwrapped)
    np.testing.assert_allclose(unwrapped, 2 * np.pi, atol=1e-15)
