"""`retime`: limits at all samples, rest at both ends, distance from the path, export; linear programs."""

import csv
import io

import numpy as np
import pytest
from scipy.optimize import linprog

from lessons_lib import robots
from lessons_lib.trajectories import path_between, retime, trace
from lessons_lib.trajectories import reachability as plain

RNG = np.random.default_rng(8)
ARM = robots.ur10().with_limits(acceleration=[3, 3, 4, 6, 6, 8])
ROWS = RNG.uniform(-2, 2, (6, 6))
"""A path with sharp corners."""


@pytest.fixture(scope="module")
def motion():
    return retime(ROWS, ARM)


@pytest.mark.parametrize("rows", [ROWS, ROWS[:2], np.repeat(ROWS, 2, axis=0), np.array([ROWS[0], ROWS[1], ROWS[0]])])
def test_differences_of_the_samples_keep_the_limits(rows):
    motion = retime(rows, ARM)
    times, q, v, a = motion.sampled(1000.0)
    dt = np.diff(times[:-1])
    speeds = np.diff(q[:-1], axis=0) / dt[:, None]  # each is the mean of q̇ over a millisecond
    accelerations = np.diff(speeds, axis=0) / dt[1:, None]
    assert (np.abs(speeds) <= ARM.velocity_limits * (1 + 1e-9)).all()
    assert (np.abs(accelerations) <= ARM.acceleration_limits * (1 + 1e-8)).all()  # 1e-16 rad over the square of dt
    assert (np.abs(v) <= ARM.velocity_limits).all()
    assert (np.abs(a) <= ARM.acceleration_limits).all()
    np.testing.assert_allclose(v[1:-2], (speeds[1:] + speeds[:-1]) / 2, atol=0.02)  # ½ q̈ dt, where q̈ jumps
    assert np.abs(v[0]).max() == 0.0 and np.abs(v[-1]).max() < 1e-9
    np.testing.assert_allclose(q[[0, -1]], rows[[0, -1]], atol=1e-12)


def test_some_joint_is_always_at_a_limit(motion):
    _, _, v, a = motion.sampled(200.0)
    used = np.maximum(np.abs(v) / ARM.velocity_limits, np.abs(a) / ARM.acceleration_limits).max(axis=1)
    assert np.median(used) > 0.97


def test_a_traced_path_is_retimed_and_the_tip_stays_on_it(ur10_path):
    path, waypoints = ur10_path
    motion = retime(path, acceleration=5.0)
    assert np.isfinite(motion.duration) and motion.chain is path.chain
    _, q, _, _ = motion.sampled(50.0)
    tips = path.chain.forward_kinematics(q)[:, :3, 3]
    begin, end = waypoints[0, :3, 3], waypoints[-1, :3, 3]
    along = (end - begin) / np.linalg.norm(end - begin)
    distances = np.linalg.norm((tips - begin) - np.outer((tips - begin) @ along, along), axis=1)
    assert distances.max() < 1e-4


@pytest.fixture(scope="module")
def ur10_path():
    arm = robots.ur10()
    q = np.array([0.3, -1.2, 1.5, -1.9, -1.2, 0.4])
    T = arm.forward_kinematics(q)
    end = T.copy()
    end[:3, 3] += (0.1, 0.05, -0.1)
    waypoints = path_between([T, end], 20)
    return trace(arm, waypoints, q), waypoints


def test_motion_rests_outside_its_times_and_can_be_slowed(motion):
    for t, row in ((-1.0, ROWS[0]), (motion.duration + 1.0, ROWS[-1])):
        q, v, a = motion.at(t)
        np.testing.assert_allclose(q, row, atol=1e-12)
        assert not v.any() and not a.any() and q.shape == (6,)
    slow = motion.slowed(2.0)
    assert slow.duration == 2 * motion.duration
    np.testing.assert_allclose(slow.at(1.0)[1], motion.at(0.5)[1] / 2, atol=1e-12)
    np.testing.assert_allclose(slow.at(1.0)[2], motion.at(0.5)[2] / 4, atol=1e-12)


def test_csv_and_ros_message_contain_the_samples(motion, tmp_path):
    assert motion.sampled()[0][1] == 0.01, "the default rate is 100 Hz"
    times, q, v, a = motion.sampled(20.0)
    assert times[-1] == motion.duration and len(times) == int(np.ceil(20 * motion.duration)) + 1
    text = io.StringIO()
    motion.to_csv(text, 20.0)
    motion.to_csv(tmp_path / "motion.csv", 20.0)
    assert (tmp_path / "motion.csv").read_text(encoding="utf8") == text.getvalue()
    titles, *rows = csv.reader(text.getvalue().splitlines())
    assert titles[:2] == ["time [s]", "shoulder pan [rad]"] and titles[7] == "velocity of shoulder pan [rad/s]"
    assert titles[-1] == "acceleration of wrist 3 [rad/s²]"
    np.testing.assert_array_equal(np.array(rows, dtype=float), np.column_stack([times, q, v, a]))
    message = motion.to_message(20.0)
    assert message["joint_names"] == list(ARM.joint_names) and len(message["points"]) == len(times)
    last = message["points"][-1]
    assert last["positions"] == q[-1].tolist() and last["velocities"] == v[-1].tolist()
    since = last["time_from_start"]
    assert since["sec"] + 1e-9 * since["nanosec"] == pytest.approx(motion.duration, abs=1e-9)


@pytest.mark.parametrize("d", [1.1e-3, 3e-3])
def test_retime_warns_of_a_short_step_aside(d):
    arm = robots.planar_2r().with_limits(velocity=1.0, acceleration=2.0)
    with pytest.warns(UserWarning, match=rf"near \[1\.0, 0\.0\] are {d:.2g} apart, next to a step of 1: "):
        retime([[0.0, 0.0], [1.0, 0.0], [1.0, d], [2.0, d]], arm)


DRAW = np.random.default_rng(22)


def rows_of(kind):
    rows = DRAW.normal(size=(20, 2)) * 10.0 ** DRAW.uniform(-3, 3, (20, 1))
    if kind == "nearly parallel":
        rows = DRAW.normal(size=2) + 1e-5 * DRAW.normal(size=(20, 2))
    if kind == "y has little influence":
        rows[:, 1] *= 1e-9
    if kind == "some joints at rest":
        rows[::2] = 0.0
    return rows


@pytest.mark.parametrize("kind", ["any", "nearly parallel", "y has little influence", "some joints at rest"])
def test_both_ends_of_a_piece_match_a_linear_program(kind):
    for _ in range(50):
        rows, after = rows_of(kind), float(10.0 ** DRAW.uniform(-3, 3))
        A, b = np.concatenate([rows, -rows]), np.ones(2 * len(rows))
        x = plain.find_edge(rows, 0.0, after, plain.bound_start(rows, after), -1.0)
        solution = linprog([-1, 0], A, b, bounds=[(0, None), (0, after)])
        assert x == pytest.approx(-solution.fun, rel=1e-6)  # the tolerance of SciPy's solver is 1e-7
        less = 0.7 * x
        y = plain.maximize_end(rows, less, 0.0, after)
        bounds = [(less, less), (0, after)]
        assert y == pytest.approx(-linprog([0, -1], A, b, bounds=bounds).fun, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("kind", ["any", "nearly parallel", "y has little influence", "some joints at rest"])
def test_the_controllable_set_matches_a_linear_program(kind):
    reachable = 0
    for _ in range(50):
        rows, (lower, upper) = rows_of(kind), np.sort(10.0 ** DRAW.uniform(-3, 1, 2))
        A, b = np.concatenate([rows, -rows]), np.ones(2 * len(rows))
        solution = [linprog([sign, 0], A, b, bounds=[(0, None), (lower, upper)]) for sign in (1, -1)]
        least, most = np.full((2, 2), [[lower], [upper]])
        found = plain.compute_controllable_sets(rows[None], least, most)
        assert found == (solution[0].status == 0)
        if found:
            assert (least[0], most[0]) == pytest.approx((solution[0].fun, -solution[1].fun), rel=1e-6, abs=1e-7)
            reachable += 1
    assert 5 < reachable
