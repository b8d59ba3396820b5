"""Kinematics of many configurations at a time, and chains made from other chains."""

import modern_robotics as mr
import numpy as np
import pytest

from lessons_lib import lie, robots
from lessons_lib.errors import ParameterError, TransformError
from lessons_lib.robots import Chain

TOOL = lie.pose(lie.exp_so3([0.2, -0.5, 1.0]), (0.1, -0.2, 0.3))
SLIDER = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0.6, 0.8], [0, 1, 0, 0.2, 0, 0.1]], dtype=float).T


@pytest.fixture(scope="module")
def arm() -> Chain:
    """Two hinges with a slider between them."""
    return robots.from_screws(SLIDER, TOOL, limits=[(-1, 1), (0, 0.5), (-2, 2)], name="slider")


def test_a_stack_gives_what_its_rows_give(arm: Chain) -> None:
    q = np.random.default_rng(1).uniform(-2, 2, (7, 3))
    T, J_s, J_b = arm.forward_kinematics(q), arm.space_jacobian(q), arm.body_jacobian(q)
    both = arm.pose_and_jacobian(q)
    assert (T.shape, J_s.shape, J_b.shape) == ((7, 4, 4), (7, 6, 3), (7, 6, 3))
    for row in range(7):
        np.testing.assert_array_equal(T[row], arm.forward_kinematics(q[row]))
        np.testing.assert_array_equal(J_s[row], arm.space_jacobian(q[row]))
        np.testing.assert_array_equal(J_b[row], arm.body_jacobian(q[row]))
        np.testing.assert_array_equal(both[0][row], arm.pose_and_jacobian(q[row])[0])
        np.testing.assert_array_equal(both[1][row], J_b[row])
    assert arm.forward_kinematics(q[:0]).shape == (0, 4, 4) and arm.body_jacobian(q[:0]).shape == (0, 6, 3)
    np.testing.assert_array_equal(arm.forward_kinematics(np.asfortranarray(q)), T)
    np.testing.assert_array_equal(arm.forward_kinematics(q.tolist()), T)


def test_targets_are_reached_by_their_configurations(arm: Chain) -> None:
    T, q = arm.targets(50, np.random.default_rng(4))
    assert T.shape == (50, 4, 4) and q.shape == (50, 3)
    lower, upper = arm.limits.T
    assert (lower <= q).all() and (q <= upper).all() and len({*q[:, 0]}) == 50
    np.testing.assert_allclose(T, [mr.FKinSpace(arm.home, arm.screws, row) for row in q], atol=1e-14)
    np.testing.assert_array_equal(arm.targets(3)[1], arm.targets(3)[1])
    with pytest.raises(ParameterError, match="count is -1; it must be a whole number of poses"):
        arm.targets(-1)


def test_a_tool_is_carried_by_the_tip(arm: Chain) -> None:
    longer = arm.with_tool(TOOL)
    q = [0.3, 0.2, -1.0]
    np.testing.assert_allclose(longer.forward_kinematics(q), arm.forward_kinematics(q) @ TOOL, atol=1e-15)
    np.testing.assert_allclose(
        longer.body_jacobian(q), lie.adjoint(lie.inverse(TOOL)) @ arm.body_jacobian(q), atol=1e-15
    )
    assert (longer.name, longer.joint_names, longer.limits.tolist()) == (arm.name, arm.joint_names, arm.limits.tolist())
    with pytest.raises(TransformError, match="the rotation part of tool is not a rotation"):
        arm.with_tool(np.diag([2.0, 2, 2, 1]))
    file = robots.urdf_file("ur10")
    np.testing.assert_array_equal(robots.from_urdf(file, tool=TOOL).home, robots.from_urdf(file).with_tool(TOOL).home)


def test_a_base_carries_the_whole_arm(arm: Chain) -> None:
    moved, q = arm.on_base(TOOL), [0.3, 0.2, -1.0]
    np.testing.assert_allclose(moved.forward_kinematics(q), TOOL @ arm.forward_kinematics(q), atol=1e-15)
    np.testing.assert_allclose(moved.forward_kinematics(q), mr.FKinSpace(moved.home, moved.screws, q), atol=1e-14)
    np.testing.assert_allclose(moved.body_jacobian(q), arm.body_jacobian(q), atol=1e-15)
    np.testing.assert_allclose(moved.space_jacobian(q), lie.adjoint(TOOL) @ arm.space_jacobian(q), atol=1e-15)
    with pytest.raises(TransformError, match="the rotation part of base is not a rotation"):
        arm.on_base(np.diag([2.0, 2, 2, 1]))
