"""Solve with starts=AllBranches(), and collision-free solutions: all, the nearest one, and statuses."""

import math
import pickle

import numpy as np
import pytest
from arms import largest_difference, ur10

from lessons_lib import collisions, lie, pose_ik, robots
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.pose_ik import AllBranches, Status
from lessons_lib.pose_ik.solve_by_branches import FAMILY_SAMPLES, candidates
from lessons_lib.robots.stick_figure import skeleton

Q = np.array([0.3, -1.2, 1.4, 0.5, 0.3, 0.7])


def test_all_branches_returns_the_nearest_solution_and_its_branch():
    arm = ur10()
    T = arm.forward_kinematics(Q)
    for one in pose_ik.all_solutions(arm, T):
        result = pose_ik.solve(arm, T, np.clip(one.q + 0.05, -3.1, 3.1), starts=AllBranches())
        assert result.converged and result.iterations == 0 and largest_difference(result.q, one.q) < 1e-9
        assert result.branch == one.names
        assert max(result.orientation_error, result.position_error) < 1e-12
        assert pickle.loads(pickle.dumps(result)).branch == one.names
    assert pose_ik.solve(arm, T).branch is None


def test_all_branches_names_the_family_at_a_singular_pose():
    arm = ur10()
    q = Q.copy()
    q[4] = 0.0
    result = pose_ik.solve(arm, arm.forward_kinematics(q), q, starts=AllBranches())
    assert result.converged and np.abs(result.q - q).max() < 1e-7 and result.branch == ("shoulder left", "elbow up")


def test_all_branches_reports_unreachable_and_outside_limits():
    arm = ur10()
    T = arm.forward_kinematics(Q)
    far = T.copy()
    far[:3, 3] *= 3.0
    assert pose_ik.solve(arm, far, starts=AllBranches()).status is Status.UNREACHABLE
    # within the length of the outstretched arm, but the wrist would be too close to axis 1
    inside = lie.pose(np.eye(3), (0.0, 0.05, 0.3))
    assert pose_ik.solve(arm, inside, starts=AllBranches()).status is Status.UNREACHABLE
    assert pose_ik.all_solutions(arm, inside, limits=False).complete
    narrow = arm.with_limits(position=[(-0.1, 0.1)] * 6)
    result = pose_ik.solve(narrow, T, starts=AllBranches())
    assert result.status is Status.OUTSIDE_LIMITS and not result.converged and (np.abs(result.q) <= 0.1).all()


def test_all_branches_solves_the_panda_on_its_nearest_family():
    arm = robots.panda()
    q = arm.random_configuration(np.random.default_rng(1))
    result = pose_ik.solve(arm, arm.forward_kinematics(q), q, starts=AllBranches())
    assert result.converged and np.abs(result.q - q).max() < 1e-6


def test_options_incompatible_with_all_branches_raise():
    arm = ur10()
    T = arm.forward_kinematics(Q)
    with pytest.raises(ParameterError, match="does not support"):
        pose_ik.solve(robots.from_screws(arm.screws[:, :2], arm.home), T, starts=AllBranches())
    with pytest.raises(ConfigurationError, match="outside"):
        pose_ik.solve(arm, T, np.full(6, 9.0), starts=AllBranches())
    assert math.isfinite(pose_ik.solve(arm, T, max_time=1.0, starts=AllBranches()).position_error)


UR10 = robots.ur10()
BEGIN = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
TARGET = UR10.forward_kinematics(BEGIN)
RADII, ASIDE = [0.06, 0.06, 0.055, 0.05, 0.045, 0.045, 0.04], {1: 0.175, 2: -0.126}
ARM = collisions.Scene(UR10, collisions.fitted_links(UR10, RADII, ASIDE))


def elbow(q):
    """Return the position of the elbow."""
    return skeleton(UR10, ASIDE).at(UR10, q)[4]


BALL = ARM.with_obstacles([collisions.sphere(elbow(BEGIN), 0.1, "ball")])


def test_free_of_filters_solutions_and_keeps_their_names():
    every = pose_ik.all_solutions(UR10, TARGET)
    kept = pose_ik.all_solutions(UR10, TARGET, free_of=BALL)
    free = [one for one in every if BALL.is_free(one.q)]
    assert 0 < len(kept) == len(free) < len(every) and kept.complete == every.complete
    for one, other in zip(kept, free, strict=True):
        assert np.array_equal(one.q, other.q) and one.names == other.names


@pytest.mark.parametrize("starts", [None, pose_ik.AllBranches(), pose_ik.Restarts(60)])
def test_solve_returns_the_nearest_collision_free_solution(starts):
    assert pose_ik.solve(UR10, TARGET, BEGIN).q == pytest.approx(BEGIN) and not BALL.is_free(BEGIN)
    found = pose_ik.solve(UR10, TARGET, BEGIN, starts=starts, free_of=BALL)
    assert found.converged and BALL.is_free(found.q)
    assert np.abs(UR10.forward_kinematics(found.q) - TARGET).max() < 1e-5
    nearest = pose_ik.all_solutions(UR10, TARGET, free_of=BALL).nearest(BEGIN)
    assert np.linalg.norm(found.q - BEGIN) == pytest.approx(np.linalg.norm(nearest - BEGIN), abs=1e-4)
    assert (found.branch is None) == isinstance(starts, pose_ik.Restarts)


def test_free_of_with_goal_intervals_converges_by_their_error():
    goal = pose_ik.pose(intervals=(0.2, 0.2, None, 0.05, 0.05, 0.05))
    turned = TARGET.copy()
    turned[:3, :2] = TARGET[:3, :2] @ [[0.0, -1.0], [1.0, 0.0]]  # a quarter of a revolution about its z axis
    found = pose_ik.solve(UR10, turned, BEGIN, goal=goal, starts=pose_ik.Restarts(12), free_of=BALL)
    assert found.converged and BALL.is_free(found.q)
    assert found.orientation_error < 1e-6 and found.position_error < 1e-6


@pytest.mark.parametrize("starts", [None, pose_ik.Restarts(40)])
def test_the_status_is_touching_if_every_solution_collides(starts):
    blocked = ARM.with_obstacles([collisions.sphere(TARGET[:3, 3], 0.1), collisions.sphere(elbow(BEGIN), 0.2)])
    assert np.ptp(blocked.clearance(pose_ik.all_solutions(UR10, TARGET).q)) > 0.02
    found = pose_ik.solve(UR10, TARGET, BEGIN, starts=starts, free_of=blocked)
    assert found.status is Status.TOUCHING and not found.converged and not blocked.is_free(found.q)
    assert found.position_error < 1e-5 and found.orientation_error < 1e-5
    solutions = pose_ik.all_solutions(UR10, TARGET)
    assert blocked.clearance(found.q) >= blocked.clearance(solutions.q).max() - 1e-5
    assert len(pose_ik.all_solutions(UR10, TARGET, free_of=blocked)) == 0


def test_free_of_searches_families_and_seven_joints_and_keeps_other_statuses():
    far = lie.pose(np.eye(3), (5.0, 0.0, 0.5))
    assert pose_ik.solve(UR10, far, free_of=ARM).status is Status.UNREACHABLE
    locked = UR10.forward_kinematics([0.3, -1.2, 1.5, -0.6, 0.0, 0.4])
    found = pose_ik.solve(UR10, locked, BEGIN, free_of=ARM)
    assert found.converged and ARM.is_free(found.q)
    known = pose_ik.all_solutions(UR10, locked)
    intervals = [each for family in known.families for each in family.intervals]
    shown = candidates(known)
    assert len(intervals) > 0 and len(shown) == len(known) + FAMILY_SAMPLES * len(intervals) and FAMILY_SAMPLES == 64
    assert np.abs(UR10.forward_kinematics(shown) - locked).max() < 1e-9
    panda = robots.panda()
    scene = collisions.Scene(panda, collisions.fitted_links(panda, 0.03))
    poses, _ = panda.targets(3, np.random.default_rng(3))
    for T in poses:
        result = pose_ik.solve(panda, T, free_of=scene)
        assert result.converged and scene.is_free(result.q) and result.branch is None  # found by the search
    point = pose_ik.solve(UR10, TARGET, BEGIN, goal=pose_ik.position_only(), free_of=BALL)
    assert point.converged and BALL.is_free(point.q)


def test_options_incompatible_with_a_scene_raise():
    for scene in ("post", collisions.Scene(robots.panda(), ())):
        for function in (pose_ik.solve, pose_ik.all_solutions):
            with pytest.raises(ParameterError, match="free_of must be a"):
                function(UR10, TARGET, free_of=scene)
    with pytest.raises(ParameterError, match="cannot be combined with trace"):
        pose_ik.solve(UR10, TARGET, free_of=ARM, trace=True)
    with pytest.raises(ParameterError, match="cannot be combined with trace"):
        pose_ik.solve(UR10, TARGET, free_of=ARM, max_time=1.0)
    weighted = pose_ik.position_only()
    with pytest.raises(ParameterError, match="cannot be combined with weights"):
        pose_ik.solve(UR10, TARGET, free_of=ARM, goal=weighted, starts=pose_ik.AllBranches())
