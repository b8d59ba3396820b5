"""The compiled loop over waypoints matches the Python loop and unwraps each solution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_in_python import check_same, in_python

from lessons_lib import lie, robots
from lessons_lib.course import matlab_library as matlab
from lessons_lib.pose_ik import (
    Chan,
    Constant,
    LevenbergMarquardt,
    Method,
    Sugihara,
    TrustRegion,
)
from lessons_lib.pose_ik.damping import Wampler
from lessons_lib.pose_ik.prepared_problem import prepare
from lessons_lib.robots import Chain
from lessons_lib.trajectories import trace, tracing, unwrap
from lessons_lib.trajectories.trace_loops import AHEAD, FIRST, PREVIOUS

UR10, PANDA = robots.ur10(), robots.panda()
NINE = np.array(matlab.ur10_waypoints())
Q_0 = trace(UR10, NINE[:1]).q[0].copy()
STARTS = {"previous": PREVIOUS, "ahead": AHEAD, "first": FIRST}


def slider() -> Chain:
    """Return a chain of three joints, one of them prismatic, with two axes that are not parallel to frame axes."""
    screws = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 0.6, 0, 0.8], [2 / 3, -1 / 3, 2 / 3, 0.2, 0.2, -0.1]])
    return robots.from_screws(screws.T, lie.exp_se3([0.2, 0.3, -0.1, 0.4, 0.1, 0.7]), name="slider")


def poses_along(arm: Chain, q: np.ndarray, count: int = 12) -> np.ndarray:
    """Return the poses along a straight line of configurations, 0.3 rad (or m) long in every joint."""
    return np.array([arm.forward_kinematics(q + 0.3 * fraction) for fraction in np.linspace(0.0, 1.0, count)])


def is_compiled(arm: Chain, poses: np.ndarray, q0: np.ndarray, start: str, method: Method | None = None) -> bool:
    """Return whether the compiled loop reaches each waypoint of a path."""
    prepared = prepare(arm, None, method, None, None)
    return tracing._trace_compiled(prepared, poses, q0, STARTS[start], False) is not None


@pytest.mark.parametrize("start", ["previous", "ahead", "first"])
@pytest.mark.parametrize("damping", [Constant(0.01), Wampler(1e-5), Chan(0.1), Sugihara(1e-6)], ids=repr)
@pytest.mark.parametrize(
    ("arm", "q0"),
    [
        (UR10, [0.1, -1.0, 1.2, 0.3, 0.7, 0.0]),
        (PANDA, [0.0, -0.3, 0.0, -2.2, 0.0, 2.0, 0.78]),
        (slider(), [0.3, 0.1, -0.4]),
    ],
    ids=["ur10", "panda", "slider"],
)
def test_compiled_and_python_traces_agree_for_each_damping_and_start(
    arm: Chain, q0: list[float], damping: Constant | Wampler | Chan | Sugihara, start: str
) -> None:
    poses, method = poses_along(arm, np.array(q0)), LevenbergMarquardt(damping)
    assert is_compiled(arm, poses, np.array(q0), start, method)
    check_same(*(trace(arm, poses, q0, method=each, start=start) for each in (method, in_python(method))))


@pytest.mark.parametrize("method", [LevenbergMarquardt(), LevenbergMarquardt(TrustRegion())], ids=repr)
def test_errors_are_those_of_the_unwrapped_configuration(method: Method) -> None:
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


def test_rounded_rotations_are_orthonormalized_first() -> None:
    rounded = np.round(poses_along(UR10, Q_0, 9), 7)
    assert not is_compiled(UR10, rounded, Q_0, "previous")
    path = trace(UR10, rounded, Q_0)
    assert path.complete
    R = path.waypoints[:, :3, :3]
    np.testing.assert_allclose(R @ R.transpose(0, 2, 1), np.tile(np.eye(3), (9, 1, 1)), atol=1e-14)


within = st.lists(st.floats(-6.28, 6.28), min_size=6, max_size=6)


@given(within, within)
def test_unwrap_finds_the_nearest_revolution_within_the_limits(q: list[float], beside: list[float]) -> None:
    arm = robots.ur10()
    unwrapped = unwrap(arm, q, beside)
    arm.check_within_limits(unwrapped)
    np.testing.assert_allclose(np.sin(unwrapped), np.sin(q), atol=1e-14)  # to rounding of a few revolutions
    np.testing.assert_allclose(np.cos(unwrapped), np.cos(q), atol=1e-14)
    for other in np.array([unwrapped - 2 * np.pi, unwrapped + 2 * np.pi]):
        allowed = np.abs(other) <= 2 * np.pi
        nearer = np.abs(other - beside) < np.abs(unwrapped - beside) - 1e-12
        assert not (allowed & nearer).any()


def test_unwrap_adds_many_revolutions_without_limits() -> None:
    arm = robots.from_screws([[0], [0], [1], [0], [0], [0]], np.eye(4))
    assert unwrap(arm, [0.5], [20.0])[0] == pytest.approx(0.5 + 6 * np.pi, abs=1e-14)


def test_unwrap_does_not_move_prismatic_and_helical_joints() -> None:
    prismatic, helical = [0, 0, 0, 0, 0, 1], [0, 0, 1, 0, 0, 0.1]
    arm = robots.from_screws(np.array([prismatic, helical]).T, np.eye(4))
    assert unwrap(arm, [0.5, 0.5], [20.0, 20.0]).tolist() == [0.5, 0.5]


def test_a_revolution_onto_a_limit_stays_within_it() -> None:
    arm = robots.ur10()
    unwrapped = unwrap(arm, np.zeros(6), np.full(6, 7.0))
    arm.check_within_limits(unwrapped)
    np.testing.assert_allclose(unwrapped, 2 * np.pi, atol=1e-15)
