"""Blocks beside Modern Robotics and NumPy: inverse and forward kinematics, rates, pose error, pose source."""

import modern_robotics as mr
import numpy as np
import pytest
from spatialmath import SE3

from lessons_lib import lie, robots
from lessons_lib.blocks import DampedLeastSquaresIK, DifferentialIK, ForwardKinematics, PoseError, PoseSource
from lessons_lib.course import matlab_library as matlab
from lessons_lib.pose_ik import Status

ONES = np.ones(6)


def tip_error(chain, q, pose):
    """Angle and distance between tip and pose, by Modern Robotics' own code."""
    tip = mr.FKinSpace(chain.home, chain.screws, q)
    turn = mr.so3ToVec(mr.MatrixLog3(tip[:3, :3].T @ pose[:3, :3]))
    return float(np.linalg.norm(turn)), float(np.linalg.norm(tip[:3, 3] - pose[:3, 3]))


def near(chain, seed):
    """A configuration inside the limits, and the pose of another one close by."""
    rng = np.random.default_rng(seed)
    middle, half = chain.limits.mean(axis=1), np.diff(chain.limits, axis=1)[:, 0] / 2
    q = middle + np.minimum(half, 1.5) * rng.uniform(-0.5, 0.5, chain.dof)
    return q, chain.forward_kinematics(q + rng.uniform(-0.1, 0.1, chain.dof))


@pytest.mark.parametrize("name", ["planar_2r", "ur10", "panda"])
@pytest.mark.parametrize("seed", range(4))
def test_any_number_of_joints_reaches_a_pose_near_by(name, seed):
    chain = getattr(robots, name)()
    guess, pose = near(chain, seed)
    config, info = DampedLeastSquaresIK(name).test_output(SE3(pose, check=False), ONES, guess)
    assert config.shape == (chain.dof,)
    assert info["reached"] is True and info["status"] is Status.CONVERGED
    assert max(tip_error(chain, config, pose)) <= 1e-6  # the tolerance; |p − p_d| is at most |v_b|
    np.testing.assert_allclose(info["error"], tip_error(chain, config, pose), rtol=0.1, atol=1e-12)


def test_weights_come_orientation_first_and_bend_the_step():
    arm = robots.planar_2r()
    pose = np.eye(4)
    pose[:3, 3] = [1.5, 0.5, 0.0]  # with the orientation of {s} out of reach, without it not
    block = DampedLeastSquaresIK(arm)
    _, both = block.test_output(pose, ONES, [0.3, 0.5])
    config, position = block.test_output(pose, [0, 0, 0, 1, 1, 1], [0.3, 0.5])
    turned, orientation = block.test_output(pose, [1, 1, 1, 0, 0, 0], [0.3, 0.5])
    assert not both["reached"] and position["reached"] and orientation["reached"]
    assert tip_error(arm, config, pose)[1] <= 1e-6 < 0.1 < tip_error(arm, config, pose)[0]
    assert tip_error(arm, turned, pose)[0] <= 1e-6 < 0.1 < tip_error(arm, turned, pose)[1]
    assert position["error"][0] == pytest.approx(tip_error(arm, config, pose)[0], abs=1e-9)  # told, though it is free


def test_an_unreachable_pose_gives_the_best_configuration_and_its_status():
    far = np.eye(4)
    far[0, 3] = 3.0
    block = DampedLeastSquaresIK("ur10", max_iterations=20)
    config, info = block.test_output(far, ONES, np.zeros(6))
    assert info["status"] is Status.UNREACHABLE and info["reached"] is False
    assert info["iterations"] == 20 and info["restarts"] == 0
    assert info["error"][1] > 1.0
    robots.ur10().check_within_limits(config)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_pose_that_is_not_finite_returns_the_guess(bad):
    pose = np.eye(4)
    pose[1, 3] = bad
    guess = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    config, info = DampedLeastSquaresIK("ur10").test_output(pose, ONES, guess)
    np.testing.assert_array_equal(config, guess)
    assert info["status"] is Status.NOT_FINITE and not info["reached"] and info["iterations"] == 0
    assert np.isinf(info["error"]).all()


def test_a_guess_beyond_a_limit_starts_at_the_limit():
    arm = robots.panda()
    guess, pose = near(arm, 2)
    beyond = guess.copy()
    beyond[1] = 1.8  # its limit is 1.7628
    clipped = beyond.copy()
    clipped[1] = arm.limits[1, 1]
    block = DampedLeastSquaresIK(arm)
    np.testing.assert_array_equal(block.test_output(pose, ONES, beyond)[0], block.test_output(pose, ONES, clipped)[0])


def test_the_end_effector_frame_is_where_the_error_counts():
    tool = lie.exp_se3([0.0, 0.3, 0.0, 0.0, 0.0, 0.2])
    arm = robots.ur10()
    guess = np.array([0.1, -1.0, 1.2, 0.3, 0.5, 0.2])
    pose = arm.forward_kinematics(guess + 0.05) @ tool
    config, info = DampedLeastSquaresIK(arm, frame=tool).test_output(pose, ONES, guess)
    assert info["reached"]
    tip = mr.FKinSpace(arm.home, arm.screws, config) @ tool
    np.testing.assert_allclose(tip, pose, atol=2e-6)  # the tolerance, in rad and m, over entries of a rotation


def test_a_urdf_file_names_its_frames():
    file = robots.urdf_file("ur10")
    flange, wrist = DampedLeastSquaresIK(file, frame="tool0"), DampedLeastSquaresIK(str(file), frame="wrist_1_link")
    assert flange.robot.dof == 6 and wrist.robot.dof == 4  # fixed bodies on the way are no joints
    guess = np.array([0.1, -1.0, 1.2, 0.3, 0.5, 0.2])
    pose = robots.from_urdf(file, tip="tool0").forward_kinematics(guess + 0.1)
    config, info = flange.test_output(pose, ONES, guess)
    assert info["reached"] and max(tip_error(flange.robot, config, pose)) <= 1e-6


def test_restarts_are_made_when_they_are_allowed():
    arm = robots.panda()
    rng = np.random.default_rng(1)
    poses = [arm.forward_kinematics(arm.random_configuration(rng)) for _ in range(20)]
    guess = [0.0, -0.3, 0.0, -2.2, 0.0, 2.0, 0.78]
    once = [DampedLeastSquaresIK(arm).test_output(pose, ONES, guess)[1] for pose in poses]
    often = [DampedLeastSquaresIK(arm, restarts=1000).test_output(pose, ONES, guess)[1] for pose in poses]
    assert all(info["reached"] for info in often)
    assert 0 < sum(info["reached"] for info in once) < 20
    assert sum(info["restarts"] for info in often) > 0 == sum(info["restarts"] for info in once)


def test_a_simulation_stops_at_a_pose_that_is_missed_and_keeps_what_it_has(sim, bd):
    poses = np.array(matlab.ur10_waypoints()[:3])
    poses[1, 0, 3] = 9.0
    source = bd.POSESOURCE(poses, interval=1.0)
    ik, joints = bd.DAMPEDLEASTSQUARESIK("ur10"), bd.ZOH(bd.clock(10, unit="Hz"), x0=np.zeros(6))
    for block, port in ((source, 0), (bd.CONSTANT(ONES), 1), (joints, 2)):
        bd.connect(block, ik[port])
    bd.connect(ik[0], joints)
    bd.connect(ik[1], bd.STOP(lambda info: not info["reached"]))
    bd.compile()
    out = sim.run(bd, T=3.0, watch=[joints])
    assert out.t[-1] == pytest.approx(1.0, abs=1e-6)
    np.testing.assert_allclose(tip_error(robots.ur10(), out.y[-1], poses[0]), 0.0, atol=1e-6)


Q = np.array([0.1, -1.0, 1.2, 0.3, 0.5, 0.2])
TOOL = lie.exp_se3([0.1, 0.3, -0.2, 0.05, 0.0, 0.2])


@pytest.mark.parametrize("name", ["planar_2r", "ur10", "panda"])
def test_forward_kinematics_is_that_of_modern_robotics(name):
    arm = getattr(robots, name)()
    q = arm.random_configuration(np.random.default_rng(4))
    (pose,) = ForwardKinematics(name).test_output(q)
    np.testing.assert_allclose(pose, mr.FKinSpace(arm.home, arm.screws, q), atol=1e-14)  # rounding of seven products


def test_forward_kinematics_of_a_tool_and_as_an_se3():
    arm = robots.ur10()
    (pose,) = ForwardKinematics(arm, frame=SE3(TOOL, check=False), se3=True).test_output(Q)
    assert isinstance(pose, SE3)
    np.testing.assert_allclose(pose.A, arm.forward_kinematics(Q) @ TOOL, atol=1e-14)


@pytest.mark.parametrize("space", [False, True])
@pytest.mark.parametrize("damping", [0.0, 0.05, 0.5])
def test_rates_are_those_of_the_damped_least_squares_problem(space, damping):
    """The least of |J q̇ − V|² + λ² |q̇|², stacked and left to NumPy."""
    arm, twist = robots.ur10(), np.array([0.1, -0.2, 0.3, 0.05, 0.02, -0.1])
    (rates,) = DifferentialIK(arm, damping=damping, space=space).test_output(twist, Q)
    jacobian = mr.JacobianSpace(arm.screws, Q)
    if not space:
        jacobian = mr.Adjoint(mr.TransInv(mr.FKinSpace(arm.home, arm.screws, Q))) @ jacobian
    stacked, right = np.vstack([jacobian, damping * np.eye(6)]), np.concatenate([twist, np.zeros(6)])
    np.testing.assert_allclose(rates, np.linalg.lstsq(stacked, right, rcond=None)[0], rtol=1e-9)  # cond 1e2, squared


def test_the_frame_of_a_tool_moves_the_body_twist():
    arm, twist = robots.ur10(), np.array([0.1, -0.2, 0.3, 0.05, 0.02, -0.1])
    (rates,) = DifferentialIK(arm, frame=TOOL, damping=0.0).test_output(twist, Q)
    (same,) = DifferentialIK(arm, damping=0.0).test_output(lie.adjoint(TOOL) @ twist, Q)
    np.testing.assert_allclose(rates, same, rtol=1e-10)
    assert (DifferentialIK(arm, frame=TOOL).robot.velocity_limits == arm.velocity_limits).all()


def test_the_error_of_a_pose_is_the_body_twist_and_two_norms():
    tip, target = lie.exp_se3([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), lie.exp_se3([0.3, -0.2, 0.1, 0.2, 0.9, 0.6])
    twist, error = PoseError().test_output(tip, SE3(target, check=False))
    expected = mr.se3ToVec(mr.MatrixLog6(mr.TransInv(tip) @ target))
    np.testing.assert_allclose(twist, expected, atol=1e-12)
    assert error == pytest.approx([np.linalg.norm(expected[:3]), np.linalg.norm(target[:3, 3] - tip[:3, 3])])
    twist, error = PoseError().test_output(tip, tip)
    assert np.abs(twist).max() < 1e-15 and error.tolist() == pytest.approx([0.0, 0.0], abs=1e-15)


def test_held_poses_come_one_after_the_other_and_the_last_stays():
    poses = np.array([lie.exp_se3([0, 0, 0, x, 0, 0]) for x in (1.0, 2.0, 3.0)])
    block = PoseSource(poses, interval=0.1)
    seen = [block.output(t, [], np.empty(0))[0][0, 3] for t in (0.0, 0.0999, 0.1, 0.15, 0.2, 0.3, 7.0)]
    assert seen == [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 3.0]
    assert block.output(3 * 0.1 - 2e-17, [], np.empty(0))[0][0, 3] == 3.0
    assert PoseSource(poses).output(1.0, [], np.empty(0))[0][0, 3] == 2.0  # one a second, unless said otherwise
    ticks = [k * 0.1 for k in range(3)]  # 0.30000000000000004 and its like count for the tick that is meant
    assert [block.output(t, [], np.empty(0))[0][0, 3] for t in ticks] == [1.0, 2.0, 3.0]


def test_changes_are_declared_so_that_no_step_goes_across_one():
    class State:
        def __init__(self):
            self.times = []

        def declare_event(self, block, t):
            self.times.append(t)

    state = State()
    PoseSource(np.tile(np.eye(4), (3, 1, 1)), interval=0.5).start(state)
    PoseSource(lambda t: np.eye(4)).start(state)
    assert state.times == [0.5, 1.0]


def test_a_motion_is_called():
    block = PoseSource(lambda t: SE3.Rx(t))
    np.testing.assert_allclose(block.output(0.3, [], np.empty(0))[0], SE3.Rx(0.3).A)
