"""A configuration: read-only q, limits, poses and Jacobians of its own, and what it refuses."""

import logging

import numpy as np
import pytest
from pink_robots import Q, robot

from lessons_lib import differential_ik as dik
from lessons_lib.errors import ConfigurationError, LessonsError


def test_q_is_a_copy_that_cannot_be_written(ur10: dik.Configuration) -> None:
    q = Q.copy()
    at = dik.Configuration(ur10.model, q)
    q[0] = 9.0
    assert np.array_equal(at.q, Q)
    with pytest.raises(ValueError, match="read-only"):
        at.q[0] = 1.0
    with pytest.raises(AttributeError):
        at.q = q  # type: ignore[misc]


def test_what_it_returns_is_the_callers(ur10: dik.Configuration) -> None:
    first = ur10.get_transform_frame_to_world("tool0")
    first[:] = 0.0
    J = ur10.get_frame_jacobian("tool0")
    J[:] = 0.0
    assert ur10.get_transform_frame_to_world("tool0")[3, 3] == 1.0
    assert ur10.get_frame_jacobian("tool0").any()


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
