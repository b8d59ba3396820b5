"""Close, noisy or rounded waypoints: limits, no needless stop, no overshoot, tolerances."""

import warnings

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.trajectories import retime

ARM = robots.ur10().with_limits([(-10.0, 10.0)] * 6, acceleration=[3, 3, 4, 6, 6, 8])
FLAT = robots.planar_2r().with_limits([(-1e6, 1e6)] * 2, velocity=1.0, acceleration=2.0)


def retime_quietly(rows, arm, **options):
    """Return the motion without the warning of a short step."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "configurations near", UserWarning)
        return retime(rows, arm, **options)


def close_rows(seed):
    """Return waypoints far apart, with up to three more beside each, 1e-8 to 0.1 rad away."""
    rng, rows = np.random.default_rng(seed), list[Array]()
    for q in rng.uniform(-2, 2, (rng.integers(2, 7), 6)):
        rows.append(q)
        for _ in range(rng.integers(0, 4)):
            rows.append(rows[-1] + 10.0 ** rng.uniform(-8, -1) * rng.normal(size=6))
    return np.array(rows)


def duration_with_stops(rows, arm):
    """Return the duration with a stop at each waypoint: a trapezoid for each step, with all joints in proportion."""
    duration = 0.0
    for step in np.abs(np.diff(rows, axis=0)):
        moves = step > 0.0
        v, a = (limits[moves] / step[moves] for limits in (arm.velocity_limits, arm.acceleration_limits))
        speed, acceleration = v.min(), a.min()
        duration += 1.0 / speed + speed / acceleration if speed**2 < acceleration else 2.0 / np.sqrt(acceleration)
    return duration


def check_close_rows(seed):
    rows = close_rows(seed)
    motion = retime_quietly(rows, ARM)
    times, dt = np.linspace(0.0, motion.duration, 40_001, retstep=True)
    q, v, _ = motion.at(times)
    speeds, accelerations = np.diff(q, axis=0) / dt, np.diff(v, axis=0) / dt  # means over dt
    assert (np.abs(speeds) <= ARM.velocity_limits * (1 + 1e-9)).all()
    assert (np.abs(accelerations) <= ARM.acceleration_limits * (1 + 1e-9)).all()
    assert motion.duration < 1.1 * duration_with_stops(rows, ARM)
    np.testing.assert_allclose(q[[0, -1]], rows[[0, -1]], atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_motion_over_close_waypoints_keeps_limits_and_is_about_as_fast_as_with_stops(seed):
    check_close_rows(seed)


@pytest.mark.parametrize("gap", [1e-8, 1e-4, 1e-3, 1.1e-3, 2e-3, 4e-3, 5e-3, 1e-2, 0.1])
def test_close_waypoints_on_a_line_neither_slow_the_arm_nor_warn(gap):
    motion = retime([[0, 0], [1, 0.5], [1 + gap, 0.5 + 0.5 * gap], [2, 1]], FLAT)
    assert motion.duration == pytest.approx(2.5, rel=1e-3)  # 2 rad at 1 rad/s, and 1 / 2 s for both ramps


@pytest.mark.parametrize("gap", [1e-4, 1e-3, 1.1e-3, 2e-3, 4.9e-3, 1e-2, 2e-2])
def test_overshoot_at_a_step_aside_is_little_more_than_the_step(gap):
    motion = retime_quietly([[0, 0], [1, 0], [1, gap], [2, gap]], FLAT)
    lowest, highest = motion.certificate.lowest[1], motion.certificate.highest[1]
    assert max(-lowest, highest - gap) < 1.5 * gap
    assert motion.duration < 3.15  # with stops it takes 3 s and the time of the step


def noisy(kind):
    """Return a smooth path of 500 waypoints, a disturbed copy of it, and a tolerance."""
    s = np.linspace(0.0, 1.0, 500)[:, None]
    clean = np.hstack([np.sin(2 * s), np.cos(2 * s), s, s**2, -s, 0.3 * np.sin(5 * s)])
    if kind == "rounded":
        return clean, clean.round(3), 1e-3
    if kind == "float32":
        return clean, clean.astype(np.float32).astype(np.float64), 1e-6
    return clean, clean + 1e-3 * np.random.default_rng(2).normal(size=clean.shape), 4e-3


@pytest.mark.parametrize("kind", ["rounded", "float32", "noisy"])
def test_a_tolerance_removes_noise_and_is_kept(kind):
    clean, rows, tolerance = noisy(kind)
    best, motion = retime(clean, ARM).duration, retime(rows, ARM, tolerance=tolerance)
    assert motion.duration == pytest.approx(best, rel=0.02)
    assert kind == "float32" or retime(rows, ARM).duration > 4.0 * best, "the reason for the tolerance"
    np.testing.assert_array_equal(motion.configurations[[0, -1]], rows[[0, -1]])
    q = motion.at(np.linspace(0.0, motion.duration, 20_001))[0]
    distances = [np.abs(q - row).max(axis=1).min() for row in rows[::7]]
    assert max(distances) < 1.001 * tolerance + 2e-4  # 2e-4: half of the largest distance of two samples


@pytest.mark.parametrize("tolerance", [1e-4, [1e-2, 1e-4]])
def test_a_tolerance_is_kept_and_used_in_each_joint_at_corners(tolerance):
    rows = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 2e-3], [2.0, 0.5], [2.0, 1.5]])
    motion = retime(rows, FLAT, tolerance=tolerance)
    relative = np.abs(motion.configurations - rows) / tolerance
    assert 0.9 < relative.max() <= 1.0
    assert motion.certificate.holds and motion.duration < retime_quietly(rows, FLAT).duration
