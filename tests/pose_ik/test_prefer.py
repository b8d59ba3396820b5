"""Solves that prefer a posture: the goal is exact, and no small move that keeps it is nearer to the posture."""

import pickle

import modern_robotics
import numpy as np
import pytest
from scipy.optimize import minimize

from lessons_lib import pose_ik
from lessons_lib.pose_ik import Status

WHOLE = np.arange(6)
GOALS = {
    "ur10, position": ("ur10", pose_ik.position_only(), WHOLE[3:]),
    "panda, whole": ("panda", None, WHOLE),
    "panda, weighted": ("panda", pose_ik.pose((1, 1, 1, 9, 9, 9)), WHOLE),
    "panda, pointing": ("panda", pose_ik.pointing((0, 0, 1)), np.array([0, 1, 3, 4, 5])),
    "panda, orientation": ("panda", pose_ik.orientation_only(), WHOLE[:3]),
}


@pytest.fixture(scope="module")
def arms(ur10, panda):
    return {"ur10": ur10, "panda": panda}


def independent_pose(arm, q):
    """Return the pose by modern_robotics, which rounds angles below 1e-6 to zero."""
    return modern_robotics.FKinSpace(arm.home, arm.screws, np.where(np.abs(q) < 1e-6, q + 2 * np.pi, q))


def independent_error(arm, target, q):
    """Return the axis of the remaining rotation times its sine, and the remaining translation, in the tip's axes."""
    T = np.linalg.inv(independent_pose(arm, q)) @ target
    S = (T[:3, :3] - T[:3, :3].T) / 2
    return np.array([S[2, 1], S[0, 2], S[1, 0], *T[:3, 3]])


def null_space(arm, target, q, rows, free):
    """Return a basis of the null space of the goal in the free joints, by differences of independent poses."""
    step, columns = 1e-6, []
    for j in free:
        d = step * np.eye(arm.dof)[j]
        change = independent_error(arm, target, q + d) - independent_error(arm, target, q - d)
        columns.append(change[rows] / (2 * step))
    _, s, Vt = np.linalg.svd(np.array(columns).T)
    return Vt[np.sum(s > 1e-6) :].T


@pytest.mark.parametrize("name", GOALS)
def test_the_goal_is_exact_and_the_distance_is_stationary(name, arms):
    which, goal, rows = GOALS[name]
    arm, rng = arms[which], np.random.default_rng(36)
    targets, _ = arm.targets(12, rng)
    for target in targets:
        posture = arm.random_configuration(rng)
        found = pose_ik.solve(arm, target, goal=goal, prefer=posture)
        preference = found.preference
        assert found.converged and preference.stationary
        assert np.all(found.q >= arm.limits[:, 0]) and np.all(found.q <= arm.limits[:, 1])
        assert np.abs(independent_error(arm, target, found.q)[rows]).max() < 1e-9  # a search has a tolerance of 1e-6
        assert preference.distance == pytest.approx(np.linalg.norm(found.q - posture))
        free = [j for j in range(arm.dof) if j not in preference.joints_at_limits]
        N = null_space(arm, target, found.q, rows, free)
        left = N.T @ (found.q - posture)[free]
        assert N.shape[1] >= arm.dof - len(rows) - len(preference.joints_at_limits)
        assert np.abs(left).max(initial=0.0) < 1e-6  # differences of 1e-6 know the null space to 1e-9, times some rad


def test_a_general_optimizer_finds_no_nearer_solution(panda):
    rng, held = np.random.default_rng(15), 0
    targets, _ = panda.targets(25, rng)
    for target in targets:
        posture = panda.random_configuration(rng)
        found = pose_ik.solve(panda, target, prefer=posture)
        better = minimize(
            lambda q, p: 0.5 * np.sum((q - p) ** 2),
            found.q,
            (posture,),
            "SLSQP",
            lambda q, p: q - p,
            bounds=panda.limits,
            constraints={"type": "eq", "fun": lambda q, T: independent_error(panda, T, q), "args": (target,)},
            options={"ftol": 1e-14},
        )
        error = np.abs(independent_error(panda, target, better.x)).max()
        assert error > 1e-6 or 2 * better.fun > found.preference.distance**2 - 1e-6
        held += bool(found.preference.joints_at_limits)
    assert held > 0  # some solutions are at limits


def test_whole_revolutions_are_counted(ur10, panda):
    q = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    posture = q + 2 * np.pi * np.array([0, 0, -1, 1, 0, -1]) - 0.05
    assert pose_ik.solve(ur10, ur10.forward_kinematics(q), prefer=posture).preference.distance < 0.2
    wide = panda.with_limits(position=[[-9.0, 9.0]] * 7)
    posture = np.array([0.1, -0.4, 0.2, -2.0, 6.9, 1.7, -5.5])
    found = pose_ik.solve(wide, wide.forward_kinematics(posture - 0.02), posture % (2 * np.pi), prefer=posture)
    assert found.preference.stationary and found.preference.distance <= 0.02 * np.sqrt(7) + 1e-9


def test_six_joints_return_the_nearest_of_all_solutions(ur10):
    rng = np.random.default_rng(3)
    targets, _ = ur10.targets(40, rng)
    for target in targets:
        posture = ur10.random_configuration(rng)
        found = pose_ik.solve(ur10, target, prefer=posture)
        solutions = pose_ik.all_solutions(ur10, target)
        # the limits of the UR10 are one revolution each way
        equivalents = solutions.q[:, :, None] + 2 * np.pi * np.arange(-2, 3)
        moves = np.where(np.abs(equivalents) <= 2 * np.pi, np.abs(equivalents - posture[:, None]), np.inf).min(axis=2)
        nearest = min(np.linalg.norm(moves, axis=1))
        assert found.preference.distance == pytest.approx(nearest, abs=1e-9)
        assert np.abs(independent_error(ur10, target, found.q)).max() < 1e-9
    names = {one.names for one in pose_ik.all_solutions(ur10, target)}
    assert found.branch in names and pickle.loads(pickle.dumps(found)).branch == found.branch


def test_a_loose_tolerance_is_tightened(panda):
    target = panda.targets(1, np.random.default_rng(5))[0][0]
    found = pose_ik.solve(panda, target, stop=pose_ik.Stop(1e-2, 1e-2), prefer=panda.sampling_limits.mean(axis=1))
    assert found.preference.stationary and np.abs(independent_error(panda, target, found.q)).max() < 1e-9


def test_out_of_reach_the_status_is_that_of_the_search(ur10, panda):
    for arm in (ur10, panda):
        target, posture = np.eye(4), np.clip(np.full(arm.dof, 0.2), *arm.limits.T)
        target[0, 3] = 5.0
        found, plain = pose_ik.solve(arm, target, prefer=posture), pose_ik.solve(arm, target, posture)
        assert found.status is plain.status is Status.UNREACHABLE and found.preference is None
        assert found.explain().causes
