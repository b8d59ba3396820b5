"""Solve with starts=AllBranches()."""

import math
import pickle

import numpy as np
import pytest
from arms import largest_difference, ur10

from lessons_lib import pose_ik, robots
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.pose_ik import AllBranches, Status

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
    # within the length of the stretched arm, but the wrist would be too close to axis 1
    inside = np.eye(4)
    inside[:3, 3] = 0.0, 0.05, 0.3
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
    with pytest.raises(ParameterError, match="single pose"):
        pose_ik.solve(arm, T, goal=pose_ik.position_only(), starts=AllBranches())
    with pytest.raises(ParameterError, match="trace"):
        pose_ik.solve(arm, T, trace=True, starts=AllBranches())
    with pytest.raises(ParameterError, match="does not support"):
        pose_ik.solve(robots.from_screws(arm.screws[:, :2], arm.home), T, starts=AllBranches())
    with pytest.raises(ConfigurationError, match="outside"):
        pose_ik.solve(arm, T, np.full(6, 9.0), starts=AllBranches())
    assert math.isfinite(pose_ik.solve(arm, T, max_time=1.0, starts=AllBranches()).position_error)
