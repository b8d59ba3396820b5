"""A motion passes its waypoints in time, rests where it should, and samples evenly."""

import numpy as np
import pytest

from lessons_lib import lie
from lessons_lib.trajectories import interpolate, path_between, through

CORNERS = np.array(
    [lie.pose(np.diag([1.0, -1.0, -1.0]), p) for p in ([0.4, 0.2, 0.1], [0.3, 0.4, 0.2], [0.1, 0.5, 0.2])]
)


@pytest.mark.parametrize("scaling", ["linear", "cubic", "quintic", "trapezoidal"])
@pytest.mark.parametrize("how", ["screw", "decoupled"])
def test_every_waypoint_is_passed_at_its_time(scaling: str, how: str) -> None:
    motion = through(CORNERS, [0.5, 2.0], how=how, scaling=scaling)
    assert motion.times.tolist() == [0.0, 0.5, 2.5]
    assert motion.duration == 2.5
    np.testing.assert_allclose(motion.at(motion.times), CORNERS, atol=1e-13)  # rounding
    np.testing.assert_allclose(motion(-1.0), CORNERS[0], atol=1e-13)
    np.testing.assert_allclose(motion(99.0), CORNERS[-1], atol=1e-13)


def test_a_call_is_the_interpolation_at_the_scaled_time() -> None:
    motion = through(CORNERS, 2.0, scaling="cubic")
    np.testing.assert_array_equal(motion(0.5), interpolate(CORNERS[0], CORNERS[1], 3 / 16 - 2 / 64))


def test_it_rests_at_the_waypoints() -> None:
    motion = through(CORNERS, 1.0)
    step = np.linalg.norm(np.diff(motion.at([1.0 - 1e-3, 1.0, 1.0 + 1e-3])[:, :3, 3], axis=0), axis=1)
    assert (step < 1e-8).all()  # 10 τ³ of half a metre


def test_samples_are_even_and_hold_both_ends() -> None:
    times, poses = through(CORNERS, 0.7).sampled(100.0)
    assert len(times) == 141
    np.testing.assert_allclose(np.diff(times), 0.01, atol=1e-15)
    np.testing.assert_allclose(poses[[0, 70, 140]], CORNERS, atol=1e-13)


def test_the_end_is_sampled_though_it_comes_sooner_than_the_others_after_one_another() -> None:
    times, poses = through(CORNERS, 0.525).sampled(10.0)
    np.testing.assert_allclose(times, [*np.arange(11) / 10, 1.05], atol=1e-15)
    np.testing.assert_allclose(poses[-1], CORNERS[-1], atol=1e-13)


def test_a_path_between_has_even_pieces() -> None:
    dense = path_between(CORNERS, 10)
    assert dense.shape == (21, 4, 4)
    np.testing.assert_allclose(dense[::10], CORNERS, atol=1e-15)
    gaps = np.linalg.norm(np.diff(dense[:11, :3, 3], axis=0), axis=1)
    np.testing.assert_allclose(gaps, gaps[0], rtol=1e-12)
