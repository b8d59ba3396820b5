"""A configuration: read-only q, limits, poses and Jacobians of its own, and what it refuses."""

import logging

import numpy as np
import pytest
from pink_robots import Q, robot

from lessons_lib import differential_ik as dik
from lessons_lib import robots
from lessons_lib.errors import ConfigurationError, FrameNotFound, LessonsError, ParameterError


def test_q_is_a_copy_that_cannot_be_written(ur10: dik.Configuration) -> None:
    q = Q.copy()
    at = dik.Configuration(ur10.model, q)
    q[0] = 9.0
    assert np.array_equal(at.q, Q)
    with pytest.raises(ValueError, match="read-only"):
        at.q[0] = 1.0
    with pytest.raises(AttributeError):
        at.q = q  # type: ignore[misc]


def test_q_is_neutral_when_left_out() -> None:
    tree = robot("Go2").tree
    assert np.array_equal(dik.Configuration(tree).q, tree.q0)
    assert (tree.nq, tree.nv) == (19, 18)


def test_update_moves_everything(ur10: dik.Configuration) -> None:
    other = dik.Configuration(ur10.model, -Q)
    ur10.update(-Q)
    assert np.array_equal(ur10.q, -Q)
    assert np.array_equal(ur10.get_frame_jacobian("tool0"), other.get_frame_jacobian("tool0"))
    ur10.update()  # as in Pink: nothing new, computed again
    assert np.array_equal(ur10.q, -Q)


def test_two_configurations_of_a_robot_do_not_disturb_each_other(ur10: dik.Configuration) -> None:
    before = ur10.get_transform_frame_to_world("tool0")
    dik.Configuration(ur10.model, -Q)
    assert np.array_equal(ur10.get_transform_frame_to_world("tool0"), before)


def test_what_it_returns_is_the_callers(ur10: dik.Configuration) -> None:
    first = ur10.get_transform_frame_to_world("tool0")
    first[:] = 0.0
    J = ur10.get_frame_jacobian("tool0")
    J[:] = 0.0
    assert ur10.get_transform_frame_to_world("tool0")[3, 3] == 1.0
    assert ur10.get_frame_jacobian("tool0").any()


def test_the_velocity_of_a_frames_origin_in_the_world() -> None:
    at = dik.Configuration(robot("Go2").tree, robot("Go2").inside(np.random.default_rng(1)))
    v, h = np.random.default_rng(2).normal(size=18), 1e-6
    ends = [
        dik.Configuration(at.model, at.integrate(v, s)).get_transform_frame_to_world("FL_foot")[:3, 3] for s in (h, -h)
    ]
    assert np.abs(at.get_velocity_jacobian("FL_foot") @ v - (ends[0] - ends[1]) / (2 * h)).max() < 1e-8


def test_limits(ur10: dik.Configuration, caplog: pytest.LogCaptureFixture) -> None:
    ur10.check_limits()
    upper = ur10.model.upper[2]
    q = Q.copy()
    q[2] = upper + 1e-3
    ur10.update(q)
    ur10.check_limits(tol=2e-3)
    with pytest.raises(dik.NotWithinConfigurationLimits) as raised:
        ur10.check_limits()
    error = raised.value
    assert (error.joint, error.name, error.value, error.upper) == (2, "elbow_joint", q[2], upper)
    assert error.lower == ur10.model.lower[2]
    assert str(error).startswith("joint 'elbow_joint' is outside its limits: q[2] = 3.14259 is not in [-3.14159,")
    assert isinstance(error, ConfigurationError) and isinstance(error, LessonsError)
    with caplog.at_level(logging.WARNING):
        ur10.check_limits(safety_break=False)
    assert caplog.messages == [str(error)]


def test_a_base_and_wheels_have_no_limits() -> None:
    go2 = robot("Go2")
    q = go2.inside(np.random.default_rng(6))
    q[:3] = 1e6
    dik.Configuration(go2.tree, q).check_limits()
    dik.Configuration(robot("double pendulum").tree, [1e3, -1e3]).check_limits()
    q[-1] = 1e6  # a knee has
    with pytest.raises(dik.NotWithinConfigurationLimits):
        dik.Configuration(go2.tree, q).check_limits()


def test_a_tree_from_the_course_and_a_chain() -> None:
    assert dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), Q).root_nv == 0
    with pytest.raises(ParameterError, match=r"model is a Chain; make a tree with robots.load_urdf\(…\)"):
        dik.Configuration(robots.ur10(), Q)  # type: ignore[arg-type]


@pytest.mark.parametrize("frame", ["tool", "Tool0", "", None, 7])
def test_an_unknown_frame_is_named_with_its_neighbours(ur10: dik.Configuration, frame: object) -> None:
    asks = (ur10.get_frame_jacobian, ur10.get_transform_frame_to_world, ur10.get_velocity_jacobian, ur10.frame_arrays)
    for ask in asks:
        with pytest.raises(FrameNotFound, match="ur10 has no frame") as raised:
            ask(frame)  # type: ignore[arg-type]
        assert raised.value.name == frame
    if frame == "tool":
        assert "'tool0'" in str(raised.value)


@pytest.mark.parametrize(
    ("q", "message"),
    [
        (np.zeros(5), r"must have shape \(6,\), got \(5,\)"),
        (np.full(6, np.nan), "must be finite"),
        ([1, 2, 3, 4, 5, np.inf], "must be finite"),
        ("here", "must be 6 numbers, got 'here'"),
    ],
)
def test_what_q_must_be(ur10: dik.Configuration, q: object, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        dik.Configuration(ur10.model, q)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match=message):
        ur10.update(q)  # type: ignore[arg-type]
    assert np.array_equal(ur10.q, Q)


@pytest.mark.parametrize(
    ("velocity", "dt", "message"),
    [
        (np.zeros(5), 0.1, r"velocity must have shape \(6,\), got \(5,\)"),
        (np.full(6, np.nan), 0.1, "velocity must be finite"),
        (np.zeros(6), np.nan, "dt must be a finite number, got nan"),
        (np.ones(6), np.inf, "dt must be a finite number, got inf"),
        (np.ones((6, 1)), 0.1, r"velocity must have shape \(6,\), got \(6, 1\)"),
    ],
)
def test_what_a_velocity_must_be(ur10: dik.Configuration, velocity: object, dt: float, message: str) -> None:
    for integrate in (ur10.integrate, ur10.integrate_inplace):
        with pytest.raises(ParameterError, match=message):
            integrate(velocity, dt)  # type: ignore[arg-type]
    assert np.array_equal(ur10.q, Q)
