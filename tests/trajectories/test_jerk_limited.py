"""Jerk-limited motions: comparison with Ruckig's own evaluation, limits, known durations, moving ends."""

import numpy as np
import pytest
import ruckig

from lessons_lib import robots
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.trajectories import rest_to_rest

ARM = robots.ur10().with_limits(acceleration=[3, 3, 4, 6, 6, 8])
FLAT = robots.planar_2r().with_limits(velocity=1.0, acceleration=2.0)
JERK = np.array([20.0, 20.0, 30.0, 40.0, 50.0, 60.0])


def motion_of(start, end):
    return rest_to_rest(ARM, start, end, jerk=JERK)


def test_duration_matches_the_closed_form_of_seven_phases():
    """From 0 to 2 with v = 1, a = 2, jerk 10: 2 / v for the distance, and v / a + a / jerk for the two ramps."""
    motion = rest_to_rest(FLAT, [0, 0], [2.0, 0.5], jerk=10.0)
    assert motion.duration == pytest.approx(2.0 + 1 / 2 + 2 / 10, rel=1e-12)
    q, v, a = motion.at(motion.duration / 2)
    np.testing.assert_allclose(q, [1.0, 0.25], atol=1e-9)
    assert v[0] == pytest.approx(1.0) and a[0] == pytest.approx(0.0, abs=1e-9)


def test_motion_rests_outside_its_times_and_can_be_exported():
    start, end = np.zeros(6), np.array([1.0, -0.5, 0.0, 0.2, 0.0, 1e-9])
    motion = motion_of(start, end)
    for t, row in ((-1.0, start), (0.0, start), (motion.duration, end), (motion.duration + 1.0, end)):
        q, v, a = motion.at(t)
        np.testing.assert_allclose(q, row, atol=1e-12)
        assert not v.any() or t == 0.0
    points = motion.to_message(50.0)["points"]
    assert len(points) == int(np.ceil(50 * motion.duration)) + 1 and points[-1]["positions"] == end.tolist()
    still = motion_of(start, start)
    assert still.duration == 0.0 and not still.at([0.0, 1.0])[1].any()


def check_moving_states(seed):
    """Compare a motion between random moving states with Ruckig's; return whether there is one."""
    rng = np.random.default_rng(seed)
    ends = rng.uniform(-3, 3, (2, 6)) * 10.0 ** rng.uniform(-3, 0)
    velocities = rng.uniform(-1, 1, (2, 6)) * ARM.velocity_limits
    accelerations = rng.uniform(-1, 1, (2, 6)) * ARM.acceleration_limits * rng.choice([0.0, 0.3, 1.0])
    given = dict(zip(("start_velocity", "end_velocity"), velocities, strict=True))
    given |= dict(zip(("start_acceleration", "end_acceleration"), accelerations, strict=True))
    signs = np.array([[1], [-1]])  # q̇ still grows after the start, and already grew before the end
    later = velocities + signs * accelerations * np.abs(accelerations) / (2 * JERK)
    if (np.abs(later) > ARM.velocity_limits).any():
        with pytest.raises(ParameterError, match="_velocity of joint .* with this acceleration, which cannot end at"):
            rest_to_rest(ARM, *ends, jerk=JERK, **given)
        return False
    motion = rest_to_rest(ARM, *ends, jerk=JERK, **given)
    problem, found = ruckig.InputParameter(6), ruckig.Trajectory(6)
    problem.current_position, problem.target_position = ends.tolist()
    problem.current_velocity, problem.target_velocity = velocities.tolist()
    problem.current_acceleration, problem.target_acceleration = accelerations.tolist()
    problem.max_velocity, problem.max_acceleration = ARM.velocity_limits.tolist(), ARM.acceleration_limits.tolist()
    problem.max_jerk = JERK.tolist()
    ruckig.Ruckig(6).calculate(problem, found)
    times, dt = np.linspace(0.0, motion.duration, 2001, retstep=True)
    theirs = np.array([found.at_time(t) for t in times]).swapaxes(0, 1)
    np.testing.assert_allclose(motion.at(times), theirs, atol=1e-9)
    q, v, a = motion.at(times)
    np.testing.assert_allclose([q[[0, -1]], v[[0, -1]], a[[0, -1]]], [ends, velocities, accelerations], atol=1e-9)
    rounded = 1.0 + 1e-9
    assert (np.abs(np.diff(q, axis=0)) <= rounded * ARM.velocity_limits * dt).all()
    assert (np.abs(np.diff(v, axis=0)) <= rounded * ARM.acceleration_limits * dt).all()
    assert (np.abs(np.diff(a, axis=0)) <= rounded * JERK * dt + 1e-9).all()
    assert (np.abs(motion.jerks) <= rounded * JERK[:, None]).all()
    return True


@pytest.mark.parametrize("count", [12, pytest.param(300, marks=pytest.mark.release)])
def test_motion_between_moving_states_matches_ruckig(count):
    assert sum(check_moving_states(seed) for seed in range(count)) > count // 2


def test_error_names_the_joint_that_cannot_stop_before_its_limit():
    """From 0.9 at 1 rad/s, with 2 rad/s² and much jerk, a joint stops 1 / 4 rad later, at 1.15."""
    arm = robots.planar_2r().with_limits([(-1.0, 1.0)] * 2, 1.0, 2.0)
    words = r"joint 'joint 1' of planar 2R .* reaches 1\.15\d* in between, outside its limits \[-1, 1\] by 0\.15"
    with pytest.raises(ConfigurationError, match=words):
        rest_to_rest(arm, [0.9, 0.0], [0.0, 0.0], jerk=1e4, start_velocity=[1.0, 0.0])
    with pytest.raises(ConfigurationError, match=r"reaches -1\.15\d* in between, outside"):
        rest_to_rest(arm, [0.0, 0.0], [-0.9, 0.0], jerk=1e4, end_velocity=[1.0, 0.0])
    motion = rest_to_rest(arm, [0.7, 0.0], [0.0, 0.0], jerk=1e4, start_velocity=[1.0, 0.0])
    q, v, _ = motion.at(np.linspace(0.0, motion.duration, 1001))
    assert 0.949 < q[:, 0].max() < 0.951 and v[0, 0] == 1.0
