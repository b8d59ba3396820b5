"""Forward kinematics, differential IK, pose error and pose source, against Modern Robotics and NumPy."""

from typing import Any

import modern_robotics as mr
import numpy as np
import pytest
from spatialmath import SE3

from lessons_lib import lie, robots
from lessons_lib.blocks import DifferentialIK, ForwardKinematics, PoseError, PoseSource
from lessons_lib.errors import ConfigurationError, ParameterError, TransformError

Q = np.array([0.1, -1.0, 1.2, 0.3, 0.5, 0.2])
TOOL = lie.exp_se3([0.1, 0.3, -0.2, 0.05, 0.0, 0.2])


@pytest.mark.parametrize("name", ["planar_2r", "ur10", "panda"])
def test_forward_kinematics_is_that_of_modern_robotics(name: str) -> None:
    arm = getattr(robots, name)()
    q = arm.random_configuration(np.random.default_rng(4))
    (pose,) = ForwardKinematics(name).test_output(q)
    np.testing.assert_allclose(pose, mr.FKinSpace(arm.home, arm.screws, q), atol=1e-14)  # rounding of seven products


def test_forward_kinematics_of_a_tool_and_as_an_se3() -> None:
    arm = robots.ur10()
    (pose,) = ForwardKinematics(arm, frame=SE3(TOOL, check=False), se3=True).test_output(Q)
    assert isinstance(pose, SE3)
    np.testing.assert_allclose(pose.A, arm.forward_kinematics(Q) @ TOOL, atol=1e-14)


@pytest.mark.parametrize("space", [False, True])
@pytest.mark.parametrize("damping", [0.0, 0.05, 0.5])
def test_rates_are_those_of_the_damped_least_squares_problem(space: bool, damping: float) -> None:
    """The least of |J q̇ − V|² + λ² |q̇|², stacked and left to NumPy."""
    arm, twist = robots.ur10(), np.array([0.1, -0.2, 0.3, 0.05, 0.02, -0.1])
    (rates,) = DifferentialIK(arm, damping=damping, space=space).test_output(twist, Q)
    jacobian = mr.JacobianSpace(arm.screws, Q)
    if not space:
        jacobian = mr.Adjoint(mr.TransInv(mr.FKinSpace(arm.home, arm.screws, Q))) @ jacobian
    stacked, right = np.vstack([jacobian, damping * np.eye(6)]), np.concatenate([twist, np.zeros(6)])
    np.testing.assert_allclose(rates, np.linalg.lstsq(stacked, right, rcond=None)[0], rtol=1e-9)  # cond 1e2, squared


def test_rates_stay_bounded_where_the_arm_is_singular() -> None:
    rng = np.random.default_rng(0)
    block = DifferentialIK("ur10", damping=0.05)
    for _ in range(50):
        twist = rng.normal(size=6)
        (rates,) = block.test_output(twist, np.zeros(6))
        assert np.linalg.norm(rates) <= np.linalg.norm(twist) / (2 * 0.05) * (1 + 1e-12)  # σ/(σ² + λ²) ≤ 1/(2λ)


def test_the_frame_of_a_tool_moves_the_body_twist() -> None:
    arm, twist = robots.ur10(), np.array([0.1, -0.2, 0.3, 0.05, 0.02, -0.1])
    (rates,) = DifferentialIK(arm, frame=TOOL, damping=0.0).test_output(twist, Q)
    (same,) = DifferentialIK(arm, damping=0.0).test_output(lie.adjoint(TOOL) @ twist, Q)
    np.testing.assert_allclose(rates, same, rtol=1e-10)
    assert (DifferentialIK(arm, frame=TOOL).robot.velocity_limits == arm.velocity_limits).all()


def test_the_error_of_a_pose_is_the_body_twist_and_two_norms() -> None:
    tip, target = lie.exp_se3([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), lie.exp_se3([0.3, -0.2, 0.1, 0.2, 0.9, 0.6])
    twist, error = PoseError().test_output(tip, SE3(target, check=False))
    expected = mr.se3ToVec(mr.MatrixLog6(mr.TransInv(tip) @ target))
    np.testing.assert_allclose(twist, expected, atol=1e-12)
    assert error == pytest.approx([np.linalg.norm(expected[:3]), np.linalg.norm(target[:3, 3] - tip[:3, 3])])
    twist, error = PoseError().test_output(tip, tip)
    assert np.abs(twist).max() < 1e-15 and error.tolist() == pytest.approx([0.0, 0.0], abs=1e-15)


def test_held_poses_come_one_after_the_other_and_the_last_stays() -> None:
    poses = np.array([lie.exp_se3([0, 0, 0, x, 0, 0]) for x in (1.0, 2.0, 3.0)])
    block = PoseSource(poses, interval=0.1)
    seen = [block.output(t, [], np.empty(0))[0][0, 3] for t in (0.0, 0.0999, 0.1, 0.15, 0.2, 0.3, 7.0)]
    assert seen == [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 3.0]
    assert block.output(3 * 0.1 - 2e-17, [], np.empty(0))[0][0, 3] == 3.0
    ticks = [k * 0.1 for k in range(3)]  # 0.30000000000000004 and its like count for the tick that is meant
    assert [block.output(t, [], np.empty(0))[0][0, 3] for t in ticks] == [1.0, 2.0, 3.0]


def test_a_held_pose_is_the_readers_to_change() -> None:
    block = PoseSource([np.eye(4)])
    block.output(0.0, [], np.empty(0))[0][0, 3] = 9.0
    assert block.output(0.0, [], np.empty(0))[0][0, 3] == 0.0


def test_changes_are_declared_so_that_no_step_goes_across_one() -> None:
    class State:
        def __init__(self) -> None:
            self.times: list[float] = []

        def declare_event(self, block: Any, t: float) -> None:
            self.times.append(t)

    state = State()
    PoseSource(np.tile(np.eye(4), (3, 1, 1)), interval=0.5).start(state)
    PoseSource(lambda t: np.eye(4)).start(state)
    assert state.times == [0.5, 1.0]


def test_a_motion_is_called() -> None:
    block = PoseSource(lambda t: SE3.Rx(t))
    np.testing.assert_allclose(block.output(0.3, [], np.empty(0))[0], SE3.Rx(0.3).A)


@pytest.mark.parametrize(
    ("poses", "message"),
    [
        (None, r"poses must have shape \(k, 4, 4\), or be a function of time, got None"),
        ([], "there is no pose; a source needs at least one"),
        (np.eye(4), r"pose 0 must have shape \(4, 4\), got \(4,\)"),
        ([np.eye(4), np.nan * np.eye(4)], "pose 1 must be finite"),
    ],
)
def test_what_is_no_row_of_poses_is_refused(poses: Any, message: str) -> None:
    with pytest.raises(TransformError, match=message):
        PoseSource(poses)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: PoseSource([np.eye(4)], interval=0.0),
            ParameterError,
            "interval must be positive and finite",
        ),
        (lambda: ForwardKinematics("ur10", se3=1), ParameterError, "se3 must be True or False, got 1"),
        (lambda: DifferentialIK("ur10", space="s"), ParameterError, "space must be True or False, got 's'"),
        (lambda: DifferentialIK("ur10", damping=-1.0), ParameterError, "Constant.damping must be .* got -1.0"),
    ],
)
def test_a_parameter_that_is_none_is_refused(make: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize(
    ("block", "inputs", "error", "message"),
    [
        (ForwardKinematics("ur10", name="b"), [Q[:5]], ConfigurationError, r"Config of b must have shape \(6,\)"),
        (DifferentialIK("ur10", name="b"), [Q[:5], Q], TransformError, r"Twist of b must have shape \(6,\)"),
        (DifferentialIK("ur10", name="b"), [Q, Q[:5]], ConfigurationError, r"Config of b must have shape \(6,\)"),
        (PoseError(name="b"), [np.eye(3), np.eye(4)], TransformError, r"Pose of b must have shape \(4, 4\)"),
        (PoseError(name="b"), [np.eye(4), np.nan * np.eye(4)], TransformError, "Target of b must be finite"),
    ],
)
def test_what_does_not_fit_a_port_is_refused(block: Any, inputs: list, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        block.output(0.0, inputs, np.empty(0))


@pytest.mark.parametrize("kind", [ForwardKinematics, DifferentialIK])
def test_a_robot_that_changes_between_steps_is_refused(kind: type) -> None:
    block = kind("ur10", name="b")
    block.robot = robots.ur10()  # equal, and yet another one
    with pytest.raises(ParameterError, match="the robot of b changed"):
        block.output(0.0, [Q, Q], np.empty(0))
