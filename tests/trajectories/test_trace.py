"""`trace`: reached and missed waypoints, initial guesses, unwrapping, failures."""

import modern_robotics as mr
import numpy as np
import pytest
from run_in_python import in_python

from lessons_lib import pose_ik, robots
from lessons_lib.course import matlab_library as matlab
from lessons_lib.pose_ik import Constant, LevenbergMarquardt, Near, Restarts, Status, Stop, TrustRegion
from lessons_lib.trajectories import trace
from lessons_lib.trajectories.trace_loops import AHEAD, FIRST, STOP, write_guess

NINE = np.array(matlab.ur10_waypoints())
OUT_OF_REACH = NINE.copy()
OUT_OF_REACH[4, :3, 3] = [3.0, 0.0, 0.0]


@pytest.fixture(scope="module")
def ur10():
    return robots.ur10()


def tip_errors(path):
    """Return the angle and the distance between each tip and its waypoint, by the code of Modern Robotics."""
    found = []
    for q, pose in zip(path.q, path.waypoints, strict=True):
        tip = mr.FKinSpace(path.chain.home, path.chain.screws, q)
        omega = mr.so3ToVec(mr.MatrixLog3(tip[:3, :3].T @ pose[:3, :3]))
        found.append([np.linalg.norm(omega), np.linalg.norm(tip[:3, 3] - pose[:3, 3])])
    return np.array(found)


def test_the_nine_waypoints_are_reached(ur10):
    path = trace(ur10, NINE)
    assert path.complete and path.on_path.all() and path.tried.all()
    assert (tip_errors(path) <= 1e-6).all()  # the tolerance of Stop(); |p − p_d| is at most |v_b|
    assert (path.restarts == 0).all()
    assert set(path.status) == {Status.CONVERGED}


def test_iterations_match_the_matlab_library(ur10):
    """At these poses |V_s| ≤ 1e-5 and the two norms of V_b ≤ 1e-5 fall at the same step."""
    method = LevenbergMarquardt(Constant(matlab.DAMPING), frame="space")
    stop = Stop(orientation=1e-5, position=1e-5, max_iterations=matlab.MOST_STEPS)
    options = {"method": method, "starts": Restarts(0), "stop": stop}
    assert trace(ur10, NINE, **options).iterations.tolist() == list(matlab.UR10_COUNTS)
    wrong = trace(matlab.wrong_ur10(), NINE, **options)
    assert wrong.iterations.tolist() == list(matlab.WRONG_UR10_COUNTS)


@pytest.mark.parametrize(
    ("choice", "reached", "on_path", "tried"),
    [
        ("stop", [1, 1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 0, 0, 0, 0]),
        ("skip", [1, 1, 1, 1, 0, 1, 1, 1, 1], [1, 1, 1, 1, 0, 1, 1, 1, 1], [1] * 9),
        ("go on", [1, 1, 1, 1, 0, 1, 1, 1, 1], [1] * 9, [1] * 9),
    ],
)
def test_on_failure_decides_what_follows_an_unreachable_waypoint(ur10, choice, reached, on_path, tried):
    path = trace(ur10, OUT_OF_REACH, on_failure=choice)
    assert not path.complete
    assert path.status[4] is Status.UNREACHABLE
    assert path.reached.tolist() == list(map(bool, reached))
    assert path.on_path.tolist() == list(map(bool, on_path))
    assert path.tried.tolist() == list(map(bool, tried))
    assert len(path.configurations) == 1 + sum(on_path)
    whole = trace(ur10, NINE)
    np.testing.assert_array_equal(path.q[:4], whole.q[:4])  # the path before the failure is unchanged
    assert (tip_errors(path)[path.reached] <= 1e-6).all()


@pytest.mark.parametrize(("choice", "previous"), [("skip", 3), ("go on", 4)])
def test_after_a_missed_waypoint_the_solve_starts_at_the_arm(ur10, choice, previous):
    path = trace(ur10, OUT_OF_REACH, on_failure=choice)
    assert path.iterations[5] == pose_ik.solve(ur10, NINE[5], path.q[previous]).iterations


def test_untried_waypoints_have_no_numbers(ur10):
    path = trace(ur10, OUT_OF_REACH)
    rest = slice(5, None)
    assert np.isnan(path.q[rest]).all() and np.isnan(path.position_error[rest]).all()
    assert np.isnan(path.orientation_error[rest]).all() and not path.iterations[rest].any()
    assert all(status is None for status in path.status[rest])
    assert np.isnan(path.moves[4:]).all() and np.isfinite(path.moves[:4]).all()


def test_method_stop_and_starts_are_passed_on(ur10):
    path = trace(ur10, NINE, starts=Restarts(0), stop=Stop(max_iterations=1), on_failure="go on")
    assert set(path.status) == {Status.MAX_ITERATIONS}
    assert (path.iterations == 1).all()
    again = trace(ur10, NINE[:2], starts=pose_ik.Nearest(3), rng=np.random.default_rng(1))
    assert again.restarts.tolist() == [2, 2]


def test_a_path_is_read_only_and_copies_its_arguments(ur10):
    poses, q0 = NINE.copy(), np.full(6, 0.1)
    path = trace(ur10, poses, q0)
    poses[:], q0[:] = 0.0, 9.0
    np.testing.assert_array_equal(path.waypoints, NINE)
    np.testing.assert_array_equal(path.start, np.full(6, 0.1))
    with pytest.raises(ValueError, match="read-only"):
        path.q[0, 0] = 1.0


@pytest.mark.parametrize("method", [None, in_python()], ids=["compiled", "readable"])
def test_ahead_starts_at_the_extrapolation(ur10, method):
    """For even joint steps the extrapolation is the next solution, up to the tolerance of two solves."""
    q = np.array([0.3, -1.2, 1.5, -1.9, -1.2, 0.4]) + 0.03 * np.arange(8)[:, None]
    poses = np.array([mr.FKinSpace(ur10.home, ur10.screws, row) for row in q])
    ahead, previous = (trace(ur10, poses, q[0], start=start, method=method) for start in ("ahead", "previous"))
    assert (ahead.iterations[2:] <= 1).all()
    assert (previous.iterations[2:] > 1).all()


def test_the_guess_ahead_is_clipped_and_the_first_guess_is_q0():
    joints = np.array([[-1.0, 1.0, 0.0, -1.0, 1.0]] * 2)
    history, guess = np.array([[0.1, 0.2], [0.7, -0.5], [0.3, -0.4]]), np.empty(2)
    cases = ([AHEAD, STOP, 2], [1.0, -0.6]), ([AHEAD, STOP, 1], [0.7, -0.5]), ([FIRST, STOP, 5], [0.1, 0.2])
    for codes, expected in cases:
        write_guess(history, np.array(codes), joints, guess)
        np.testing.assert_allclose(guess, expected, rtol=1e-15)


UR10 = robots.ur10()
Q_0 = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])


def out_and_back(count, distance):
    """Return poses on a straight line beyond the reach and back."""
    poses = np.repeat(UR10.forward_kinematics(Q_0)[None], count, axis=0)
    poses[:, :3, 3] += distance * np.sin(np.linspace(0, np.pi, count))[:, None] * np.array([0.0, -1.0, 0.0])
    return poses


@pytest.mark.parametrize("start", ["previous", "ahead"])
def test_the_arm_does_not_jump_over_a_gap(start):
    """Compare with the trust region with the exact derivative; the best of many starts is half a revolution away."""
    poses, few = out_and_back(200, 2.6), Restarts(40)
    path = trace(UR10, poses, Q_0, on_failure="go on", start=start, starts=few)
    missed = ~path.reached
    assert 100 < missed.sum() < 190
    assert path.moves.max() < 0.5
    descent = LevenbergMarquardt(TrustRegion(), derivative="exact")
    options = {"method": descent, "starts": Restarts(0), "stop": Stop(max_iterations=100)}
    theirs = trace(UR10, poses, Q_0, on_failure="go on", **options)
    assert path.moves.max() <= 1.2 * theirs.moves.max()
    errors = np.hypot(path.orientation_error, path.position_error)[missed]
    best = np.hypot(theirs.orientation_error, theirs.position_error)[missed]
    np.testing.assert_allclose(errors, best, atol=1e-4)


def test_status_after_go_on_is_that_of_the_failed_solve():
    path = trace(UR10, out_and_back(40, 3.0), Q_0, on_failure="go on", starts=Restarts(20))
    assert set(path.status) >= {Status.CONVERGED, Status.UNREACHABLE}
    assert Status.LOCAL_MINIMUM not in set(path.status)
    near = trace(UR10, out_and_back(40, 3.0), Q_0, on_failure="go on", starts=Near())
    assert set(near.status) == {Status.CONVERGED, Status.LOCAL_MINIMUM} and near.restarts.max() <= 1
    np.testing.assert_array_equal(near.reached, path.reached)


def test_a_table_names_the_unit_of_the_arm():
    arm = robots.from_dh([(300.0, 0.0, 0.0), (200.0, 0.0, 0.0)], length_unit="mm")
    table = str(trace(arm, arm.forward_kinematics(np.array([[0.3, 0.4]])), [0.3, 0.4]))
    assert "|v| [mm]" in table and "[m]" not in table
