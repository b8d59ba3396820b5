"""Closed loops: of blocks, simulated by bdsim without a window, and of an arm with mass, in MuJoCo."""

import numpy as np
import pinocchio
import pytest

from lessons_lib import robots, trajectories
from lessons_lib.course import Servo, commands_of, follow_commands
from lessons_lib.course import matlab_library as matlab
from lessons_lib.course.closed_loop import sampled_joints
from lessons_lib.course.simulation import SimulationError

NINE = np.array(matlab.ur10_waypoints())
ENDS = np.arange(1, 10) - 0.011
"""Just before each pose gives way to the next, s: one sample of the discrete loop, and rounding."""

PANDA_START = [0.0, -0.3, 0.0, -2.2, 0.0, 2.0, 0.78]
ARMS = {"ur10": (robots.ur10(), np.zeros(6), 0), "panda": (robots.panda(), PANDA_START, 1000)}


def recompute_errors(chain, run, poses):
    """The distance of the tip at the end of each interval, from the joints."""
    places = np.searchsorted(run.t, ENDS + 1e-9, side="right") - 1
    tips = chain.forward_kinematics(run.q[places])[:, :3, 3]
    return np.linalg.norm(tips - poses[:, :3, 3], axis=1)


@pytest.mark.parametrize("name", ARMS)
def test_joints_sampled_at_100_hz_reach_the_nine_waypoints_in_their_time(name):
    chain, start, restarts = ARMS[name]
    run = sampled_joints(chain, NINE, start, rate=100.0, restarts=restarts)
    assert len(run.t) == 901 and np.diff(run.t) == pytest.approx(0.01, abs=1e-9)
    assert run.reached.all() and not run.q.flags.writeable
    assert (run.error_at(ENDS) < 1e-6).all()  # the tolerance
    np.testing.assert_allclose(run.error_at(ENDS)[:, 1], recompute_errors(chain, run, NINE), atol=1e-12)
    # one sample late, and nothing else; bdsim's clock ticks for the first time after one period, so that t = 0 has none
    np.testing.assert_array_equal(run.q[2:], run.command[1:-1])
    np.testing.assert_array_equal(run.q[:2], [start, start])


def test_a_motion_is_followed_one_sample_behind():
    chain, q = robots.ur10(), np.array([0.1, -1.0, 1.2, 0.3, 0.5, 0.0])
    speed, begin = 0.1, chain.forward_kinematics(q)

    def going_up(t):
        pose = begin.copy()
        pose[2, 3] += speed * t
        return pose

    sampled = sampled_joints(chain, going_up, q, duration=1.0, rate=100.0)
    assert sampled.error[-1, 1] == pytest.approx(speed * 0.01, rel=1e-3)  # one sample


def test_an_unreachable_pose_is_reported_and_the_loop_continues():
    poses = NINE.copy()
    poses[4, :3, 3] = [3.0, 0.0, 0.0]
    run = sampled_joints(robots.ur10(), poses, np.zeros(6))
    during = (run.t > 4.001) & (run.t < 4.999)
    assert not run.reached[during].any() and run.reached[~during & (run.t > 5.01)].all()
    errors = run.error_at(ENDS)[:, 1]
    assert errors[4] > 1.0 and (np.delete(errors, 4) < 1e-6).all()


def test_a_pose_that_is_not_finite_is_an_error_of_the_simulation(capsys):
    def lost(t):
        return np.full((4, 4), np.nan) if t > 0.5 else NINE[0]

    with pytest.raises(SimulationError, match="the simulation failed: Target of miss must be finite"):
        sampled_joints(robots.ur10(), lost, np.zeros(6), duration=1.0)
    assert "Target of miss must be finite" in capsys.readouterr().out


REST = np.array([0.2, -1.9, 1.8, -1.4, -1.5, 0.3])
IDEAL = {"encoder": 0.0, "believed": 1.0, "delay": 0}


def hold(**values):
    return follow_commands(np.tile(REST, (1500, 1)), Servo(**IDEAL | values))


def test_an_arm_at_rest_is_held_by_the_torques_of_gravity():
    model = pinocchio.buildModelFromUrdf(str(robots.urdf_file("ur10")))
    gravity = pinocchio.computeGeneralizedGravity(model, model.createData(), REST)
    run = hold()
    np.testing.assert_allclose(run.torque[-1], gravity, atol=1e-9)
    np.testing.assert_allclose(run.q[-1], REST, atol=1e-12)
    assert (np.abs(gravity) < run.most).all()


def test_underestimated_masses_let_the_arm_sag_as_claimed():
    """At rest b² e is the acceleration that the missing part of gravity causes."""
    model = pinocchio.buildModelFromUrdf(str(robots.urdf_file("ur10")))
    data = model.createData()
    q = hold(believed=0.9).q[-1]
    inertia = pinocchio.crba(model, data, q)
    expected = 0.1 / 0.9 * np.linalg.solve(inertia, pinocchio.computeGeneralizedGravity(model, data, q))
    np.testing.assert_allclose(25.0**2 * (REST - q), expected, atol=1e-6)


def test_the_arm_yields_to_a_push_and_delay_destabilizes_a_stiff_loop():
    soft, stiff = (np.abs(hold(push=100.0, bandwidth=b).q - REST).max() for b in (25.0, 100.0))
    assert 5e-4 < stiff < soft < 4e-2
    assert np.abs(hold(push=100.0, bandwidth=100.0, delay=8).q - REST).max() > 0.1


def test_a_message_becomes_the_motion_that_it_was_made_of():
    arm = robots.ur10()
    motion = trajectories.retime(np.array([REST, REST + 0.3, REST]), arm, acceleration=1.5)
    commands = commands_of(motion.to_message(rate=200))
    times = np.arange(len(commands)) / 1000
    np.testing.assert_allclose(commands, motion.at(times)[0], atol=1e-5)
    assert motion.duration - times[-1] < 1.1e-3
