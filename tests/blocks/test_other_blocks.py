"""Forward kinematics, differential IK, pose error and pose source beside Modern Robotics and NumPy."""

from typing import Any

import modern_robotics as mr
import numpy as np
import pytest
from spatialmath import SE3

from lessons_lib import lie, robots
from lessons_lib.blocks import DifferentialIK, ForwardKinematics, PoseError, PoseSource

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
    assert PoseSource(poses).output(1.0, [], np.empty(0))[0][0, 3] == 2.0  # one a second, unless said otherwise
    ticks = [k * 0.1 for k in range(3)]  # 0.30000000000000004 and its like count for the tick that is meant
    assert [block.output(t, [], np.empty(0))[0][0, 3] for t in ticks] == [1.0, 2.0, 3.0]


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


PORTS = {
    "DAMPEDLEASTSQUARESIK": (["Pose", "Weights", "InitialGuess"], ["Config", "Info"], "function"),
    "FORWARDKINEMATICS": (["Config"], ["Pose"], "function"),
    "DIFFERENTIALIK": (["Twist", "Config"], ["Rates"], "function"),
    "POSEERROR": (["Pose", "Target"], ["Twist", "Error"], "function"),
    "POSESOURCE": ([], ["Pose"], "source"),
}


def test_bdsim_finds_the_blocks_and_no_others(sim: Any) -> None:
    found = {name for name, info in sim.block_library.items() if info["package"] == "lessons_lib"}
    assert found == set(PORTS)


@pytest.mark.parametrize("name", PORTS)
def test_a_block_has_the_ports_that_its_library_entry_says(sim: Any, name: str) -> None:
    info = sim.block_library[name]
    inputs, outputs, kind = PORTS[name]
    assert (info["nin"], info["nout"], info["blockclass"]) == (len(inputs), len(outputs), kind)
    arguments = [np.eye(4)[None]] if name == "POSESOURCE" else []
    block = getattr(sim.blockdiagram(), name)(*arguments)
    assert list(block._inport_names or []) == inputs
    assert list(block._outport_names or []) == outputs
