"""From rest to rest under limits of the jerk: its phases against Ruckig's own evaluation, its limits, known times."""

import pickle

import numpy as np
import pytest
import ruckig

from lessons_lib import robots
from lessons_lib.errors import ConfigurationError, LimitsError, ParameterError
from lessons_lib.trajectories import JerkLimited, rest_to_rest

RNG = np.random.default_rng(22)
ARM = robots.ur10().with_limits(acceleration=[3, 3, 4, 6, 6, 8])
FLAT = robots.planar_2r().with_limits(velocity=1.0, acceleration=2.0)
JERK = np.array([20.0, 20.0, 30.0, 40.0, 50.0, 60.0])


def motion_of(start: np.ndarray, end: np.ndarray) -> JerkLimited:
    return rest_to_rest(ARM, start, end, jerk=JERK)


@pytest.mark.parametrize("size", [3.0, 1e-3, 1e-6])
def test_it_is_ruckigs_motion_and_keeps_all_limits(size: float) -> None:
    ends = size * RNG.uniform(-1, 1, (2, 6))
    motion = motion_of(*ends)
    asked, found = ruckig.InputParameter(6), ruckig.Trajectory(6)
    asked.current_position, asked.target_position = ends.tolist()
    asked.max_velocity, asked.max_acceleration = ARM.velocity_limits.tolist(), ARM.acceleration_limits.tolist()
    asked.max_jerk = JERK.tolist()
    ruckig.Ruckig(6).calculate(asked, found)
    assert motion.duration == pytest.approx(found.duration, rel=1e-12)
    times = np.linspace(0.0, motion.duration, 2001)
    theirs = np.array([found.at_time(t) for t in times]).swapaxes(0, 1)
    for ours, other in zip(motion.at(times), theirs, strict=True):
        np.testing.assert_allclose(ours, other, atol=1e-9)
    q, v, a = motion.at(times)
    rounded = 1.0 + 1e-9  # Ruckig's own promise
    assert (np.abs(v) <= rounded * ARM.velocity_limits).all() and (np.abs(a) <= rounded * ARM.acceleration_limits).all()
    assert (np.abs(motion.jerks) <= rounded * JERK[:, None]).all()
    assert (np.abs(np.diff(a, axis=0)) <= rounded * JERK * np.diff(times)[:, None] + 1e-9).all()
    assert (q >= ends.min(axis=0) - 1e-12).all() and (q <= ends.max(axis=0) + 1e-12).all()


def test_seven_phases_last_as_long_as_arithmetic_says() -> None:
    """From 0 to 2 with v = 1, a = 2, jerk 10: up to v in v / a + a / jerk, and as long down, 2 / 1 on the way."""
    motion = rest_to_rest(FLAT, [0, 0], [2.0, 0.5], jerk=10.0)
    assert motion.duration == pytest.approx(2.0 + 1 / 2 + 2 / 10, rel=1e-12)
    q, v, a = motion.at(motion.duration / 2)
    np.testing.assert_allclose(q, [1.0, 0.25], atol=1e-9)
    assert v[0] == pytest.approx(1.0) and a[0] == pytest.approx(0.0, abs=1e-9)


def test_it_rests_before_and_after_travels_and_is_written() -> None:
    start, end = np.zeros(6), np.array([1.0, -0.5, 0.0, 0.2, 0.0, 1e-9])
    motion = motion_of(start, end)
    for t, row in ((-1.0, start), (0.0, start), (motion.duration, end), (motion.duration + 1.0, end)):
        q, v, a = motion.at(t)
        np.testing.assert_allclose(q, row, atol=1e-12)
        assert not v.any() or t == 0.0
    copy = pickle.loads(pickle.dumps(motion))
    np.testing.assert_array_equal(copy.at(0.3), motion.at(0.3))
    points = motion.to_message(50.0)["points"]
    assert len(points) == int(np.ceil(50 * motion.duration)) + 1 and points[-1]["positions"] == end.tolist()
    still = motion_of(start, start)
    assert still.duration == 0.0 and not still.at([0.0, 1.0])[1].any()


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ConfigurationError):
        motion_of(np.zeros(6), np.full(6, 9.0))
    with pytest.raises(LimitsError, match="jerk must be positive"):
        rest_to_rest(ARM, np.zeros(6), np.ones(6), jerk=0.0)
    with pytest.raises(LimitsError, match="jerk must be positive"):
        rest_to_rest(ARM, np.zeros(6), np.ones(6), jerk=[1.0, 2.0])
    with pytest.raises(ParameterError, match="Ruckig finds no motion of UR10 from"):
        rest_to_rest(ARM, np.zeros(6), np.ones(6), jerk=np.nextafter(0.0, 1.0), velocity=1e300)
