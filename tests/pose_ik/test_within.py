"""A bound on the move of each joint, and the nearest solution by the longest move, against all solutions."""

import numpy as np
import pytest

from lessons_lib import pose_ik, robots
from lessons_lib.all_solutions.solutions import nearest_2pi_equivalent
from lessons_lib.pose_ik import Status

UR10, PANDA = robots.ur10(), robots.panda()
Q0 = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
EXACT = pose_ik.Stop(1e-11, 1e-11)
ROUNDED = 1e-15
"""q0 + within is rounded."""


def problem(arm, rng, move):
    """Return a pose that a move of each joint by at most `move` from q0 reaches, and q0."""
    q0 = arm.random_configuration(rng)
    q = np.clip(q0 + rng.uniform(-move, move, arm.dof), *arm.limits.T)
    return arm.forward_kinematics(q), q0


def nearest_of_all(arm, T, q0):
    """Return all isolated solutions, each with its joints nearest to q0."""
    return np.array([nearest_2pi_equivalent(q, q0, arm, arm.limits) for q in pose_ik.all_solutions(arm, T).q])


def check_against_all_solutions(arm, rng, within):
    T, q0 = problem(arm, rng, 1.5 * within)
    known, result = pose_ik.all_solutions(arm, T), pose_ik.solve(arm, T, q0, within=within)
    assert np.abs(result.q - q0).max() <= within + ROUNDED
    assert (arm.limits[:, 0] <= result.q).all() and (result.q <= arm.limits[:, 1]).all()
    if not known.complete or known.families or not len(known):  # q was clipped to a limit, where the wrist is singular
        return result.converged
    longest = np.abs(nearest_of_all(arm, T, q0) - q0).max(axis=1).min()
    if abs(longest - within) > 1e-5:  # at the bound itself the tolerances decide
        assert result.converged == (longest < within)
    if not result.converged:
        assert result.status is Status.OUTSIDE_BOUND
        (cause,) = result.explain()
        assert cause.proven and cause.q is not None and abs(np.abs(cause.q - q0).max() - longest) < 1e-6
    return result.converged


@pytest.mark.parametrize("count", [12, pytest.param(300, marks=pytest.mark.release)])
def test_a_solution_within_the_bound_is_found_if_all_solutions_have_one(count):
    rng = np.random.default_rng(3)
    assert {check_against_all_solutions(UR10, rng, 0.4) for _ in range(count)} == {True, False}


@pytest.mark.parametrize("within", [0.2, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]])
def test_a_redundant_arm_stays_within_the_bound_of_each_joint(within):
    rng = np.random.default_rng(4)
    for _ in range(20):
        T, q0 = problem(PANDA, rng, 0.1)
        result = pose_ik.solve(PANDA, T, q0, within=within)
        assert result.converged and (np.abs(result.q - q0) <= np.array(within) + ROUNDED).all()


@pytest.mark.parametrize(
    "options",
    [
        {"method": pose_ik.NewtonRaphson()},
        {"method": pose_ik.LevenbergMarquardt(pose_ik.Constant(0.1))},
        {"starts": pose_ik.BestOf(5)},
        {"starts": pose_ik.Nearest(20, norm="max")},
        {"starts": pose_ik.Near()},
        {"goal": pose_ik.position_only()},
        {"max_time": 10.0},
        {"rng": np.random.default_rng(0)},
        {"trace": True},
    ],
)
def test_the_bound_holds_in_every_search(options):
    T = UR10.forward_kinematics(Q0 + 0.1)
    for q0 in (Q0, Q0 + 0.02):
        result = pose_ik.solve(UR10, T, q0, within=0.15, **options)
        assert result.converged and np.abs(result.q - q0).max() <= 0.15 + ROUNDED


def test_the_bound_holds_in_every_unit_of_length():
    kinds = ["revolute", "revolute", "prismatic"]
    scara = robots.from_dh([(0.4, 0, 0), (0.3, 0, 0), (0, 0, 0)], joint_types=kinds)
    mm = robots.from_dh([(400, 0, 0), (300, 0, 0), (0, 0, 0)], joint_types=kinds)
    assert mm.length != 1.0
    goal, T = pose_ik.position_only(), scara.forward_kinematics([0.5, 0.6, 0.2])
    T_mm = T.copy()
    T_mm[:3, 3] *= 1000
    for arm, pose, unit in ((scara, T, 1.0), (mm, T_mm, 1000.0)):
        q0 = [0.4, 0.5, 0.1 * unit]
        for trace in (False, True):
            found = pose_ik.solve(arm, pose, q0, within=[0.2, 0.2, 0.15 * unit], goal=goal, trace=trace)
            assert found.converged and abs(found.q[2] - 0.2 * unit) < 1e-5 * unit
            assert found.trace is None or abs(found.trace.q[-1, 2] - 0.2 * unit) < 1e-5 * unit
        short = pose_ik.solve(arm, pose, q0, within=[0.2, 0.2, 0.05 * unit], goal=goal)
        assert short.status is Status.OUTSIDE_BOUND and abs(short.q[2] - q0[2]) <= 0.05 * unit * (1 + ROUNDED)
        assert arm.joint_names[2] in str(short.explain())


def test_the_explanation_names_the_joint_and_how_far_it_moves():
    q = Q0 + [0, 0, 0, 0, 0, 0.3]
    failed = pose_ik.solve(UR10, UR10.forward_kinematics(q), Q0, within=0.1)
    assert failed.status is Status.OUTSIDE_BOUND and "farther from q0" in failed.status.sentence
    (cause,) = failed.explain()
    assert (cause.name, cause.proven) == ("the bound on the move excludes it", True)
    assert "the nearest of all 8 solutions moves wrist 3 by 0.3 rad, and 0.1 rad is allowed" in cause.sentence
    np.testing.assert_allclose(cause.q, q, atol=1e-9)
    T, q0 = problem(PANDA, np.random.default_rng(0), 0.5)
    (cause,) = pose_ik.solve(PANDA, T, q0, within=0.001).explain()
    assert not cause.proven and "the nearest solution that was found moves" in cause.sentence


def test_nearest_by_the_longest_move_is_the_minimum_over_all_solutions():
    rng, differ = np.random.default_rng(7), 0
    for _ in range(12):
        T, q0 = UR10.forward_kinematics(UR10.random_configuration(rng)), UR10.random_configuration(rng)
        known = nearest_of_all(UR10, T, q0)
        longest = pose_ik.solve(UR10, T, q0, starts=pose_ik.Nearest(150, norm="max"), stop=EXACT)
        shortest = pose_ik.solve(UR10, T, q0, starts=pose_ik.Nearest(150), stop=EXACT)
        assert abs(np.abs(longest.q - q0).max() - np.abs(known - q0).max(axis=1).min()) < 1e-4
        assert abs(np.linalg.norm(shortest.q - q0) - np.linalg.norm(known - q0, axis=1).min()) < 1e-4
        differ += bool(np.abs(longest.q - shortest.q).max() > 1e-3)
    assert differ > 0


@pytest.mark.parametrize("shape", [(), (6,), (5, 6)])
def test_a_row_of_a_bounded_batch_is_the_single_solve(shape):
    rng, single, batch = np.random.default_rng(11), np.random.default_rng(3), np.random.default_rng(3)
    poses, starts = map(np.array, zip(*(problem(UR10, rng, move) for move in (0.1, 0.3, 0.5, 1, 3)), strict=True))
    within = rng.uniform(0.4, 0.6, shape)
    found = pose_ik.solve_batch(UR10, poses, starts, within=within, rng=batch)
    assert len({*found.status.tolist()}) == 2
    for row, bound in enumerate(np.broadcast_to(within, (5, 6))):
        known = pose_ik.solve(UR10, poses[row], starts[row], within=bound, rng=single)
        np.testing.assert_array_equal(found.q[row], known.q)
        assert found.status[row] is known.status and found[row].iterations == found.iterations[row] == known.iterations


def test_bounded_rows_without_time_are_interrupted():
    found = pose_ik.solve_batch(UR10, [UR10.forward_kinematics(Q0)] * 3, Q0, within=0.1, max_time=1e-9)
    assert not found.converged.any() and {*found.status.tolist()} == {Status.INTERRUPTED}
    np.testing.assert_array_equal(found.q, [Q0] * 3)
