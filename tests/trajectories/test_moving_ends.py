"""`retime` with end speeds: closed forms, finite differences, the reversed motion, and errors."""

import re

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.errors import ParameterError
from lessons_lib.trajectories import retime

ARM = robots.ur10().with_limits([(-10.0, 10.0)] * 6, acceleration=[3, 3, 4, 6, 6, 8])
FLAT = robots.planar_2r().with_limits(velocity=1.0, acceleration=2.0)


def line_duration(length, start, end):
    """Return the duration of a joint's motion between two speeds, with at most 1 rad/s and 2 rad/s²."""
    top = min(1.0, float(np.sqrt((4.0 * length + start**2 + end**2) / 2.0)))
    ramps = (2.0 * top**2 - start**2 - end**2) / 4.0
    return (2.0 * top - start - end) / 2.0 + (length - ramps) / top


@pytest.mark.parametrize(
    ("length", "start", "end"),
    [(2.0, 0.0, 0.0), (2.0, 1.0, 1.0), (2.0, 0.3, 0.9), (2.0, 0.9, 0.0), (0.2, 0.5, 0.1), (0.1, 0.6, 0.3)],
)
def test_one_joint_takes_the_time_of_a_trapezoid_between_two_speeds(length, start, end):
    motion = retime([[0.0, 0.0], [length, 0.0]], FLAT, start_speed=start, end_speed=end)
    assert motion.duration == pytest.approx(line_duration(length, start, end), rel=2e-3)
    _, v, _ = motion.at([0.0, motion.duration])
    np.testing.assert_allclose(v[:, 0], [start, end], atol=1e-9)
    assert motion.certificate.holds


def check_moving_ends(seed):
    rng = np.random.default_rng(seed)
    rows, wanted = rng.uniform(-2, 2, (rng.integers(2, 8), 6)), 3.0 * rng.uniform(0, 1, 2) ** 2
    try:
        motion = retime(rows, ARM, start_speed=wanted[0], end_speed=wanted[1])
    except ParameterError as refused:
        check_refusal(str(refused), rows, wanted)
        return
    times, dt = np.linspace(0.0, motion.duration, 40_001, retstep=True)
    q, v, _ = motion.at(times)
    np.testing.assert_allclose(np.linalg.norm(v[[0, -1]], axis=1), wanted, rtol=1e-7, atol=1e-9)
    speeds, accelerations = np.diff(q, axis=0) / dt, np.diff(v, axis=0) / dt
    assert (np.abs(speeds) <= ARM.velocity_limits * (1 + 1e-9)).all()
    assert (np.abs(accelerations) <= ARM.acceleration_limits * (1 + 1e-9)).all()
    backward = retime(rows[::-1], ARM, start_speed=wanted[1], end_speed=wanted[0])
    # the greedy choice of ṡ² on the grid depends on the direction
    assert backward.duration == pytest.approx(motion.duration, rel=2e-3)


def check_refusal(message, rows, wanted):
    """Check that the speeds allowed by a message are accepted, and larger ones refused."""
    most = re.search(r"(start|end)_speed must be at most (\S+) on this path", message)
    if most:
        end, bound = most[1] + "_speed", float(most[2])
        with pytest.raises(ParameterError, match=f"{end} must be at most"):
            retime(rows, ARM, **{end: 1.001 * bound})
        return
    found = re.search(r"start speeds of (\S+) to (\S+) before .* end speeds of (\S+) to (\S+) af", message)
    assert found, message
    start_low, start_high, end_low, end_high = map(float, found.groups())
    for start in (1.00001 * start_low, 0.99999 * start_high):
        assert retime(rows, ARM, start_speed=start, end_speed=wanted[1]).certificate.holds
    for end in (1.00001 * end_low, 0.99999 * end_high):
        assert retime(rows, ARM, start_speed=wanted[0], end_speed=end).certificate.holds


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 308), marks=pytest.mark.release)])
def test_random_paths_have_the_given_end_speeds(seeds):
    for seed in seeds:
        check_moving_ends(seed)


def test_error_states_the_end_speeds_that_the_limits_allow():
    words = r"start_speed must be at most 1 on this path, .*: joint 'joint 1' is then at its velocity limit, 1, got 1.1"
    with pytest.raises(ParameterError, match=words):
        retime([[0, 0], [2, 0]], FLAT, start_speed=1.1)
    bend = [[0, 0], [0.1, 0], [0.1, 0.1]]
    for name, side, path in (("start", "after", bend), ("end", "before", bend[::-1])):
        with pytest.raises(ParameterError, match=rf"{name}_speed must .*: at a higher speed the limits {side} .*got 1"):
            retime(path, FLAT, **{f"{name}_speed": 1.0})
    with pytest.raises(ParameterError, match=r"end_speed must be at most 1 on this path, .*, got 1.1"):
        retime([[0, 0], [2, 0]], FLAT, end_speed=1.1)
    words = r"start_speed=0.8 to end_speed=0: .* start speeds of 0 to 0.632456 .* end speeds of 0.489898 to 1"
    with pytest.raises(ParameterError, match=words):  # √(2 a L) and √(v² − 2 a L)
        retime([[0, 0], [0.1, 0]], FLAT, start_speed=0.8)
    with pytest.raises(ParameterError, match=r"start_speed must be at most 1 .*, got 1e\+308"):
        retime([[0, 0], [2, 0]], FLAT, start_speed=1e308)
    words = r"to end_speed=0.8: .* start speeds of 0.489898 to 1 before .* end speeds of 0 to 0.632456 after"
    with pytest.raises(ParameterError, match=words):
        retime([[0, 0], [0.1, 0]], FLAT, end_speed=0.8)
    assert retime([[0, 0], [2, 0]], FLAT, start_speed=1.0, end_speed=1.0).duration == pytest.approx(2.0, rel=1e-9)
