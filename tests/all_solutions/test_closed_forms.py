"""All solutions of closed forms, against an independent product of exponentials and random configurations."""

import math

import numpy as np
import pytest
from arms import PUMA_560, closed_form_arms, from_table, largest_difference, ur10
from scipy.linalg import expm
from scipy.optimize import brentq

from lessons_lib import lie, pose_ik, robots
from lessons_lib.errors import ConfigurationError, ParameterError

ARMS = closed_form_arms()
OFFSETS = (0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-4)
DIRECTION = np.array([0.3, -0.7, 0.5, 0.9, 1.0, -0.4])


def pose_of(arm, q):
    """Return the pose by SciPy's matrix exponential."""
    T = np.eye(4)
    for screw, angle in zip(arm.screws.T, q, strict=True):
        T = T @ expm(lie.hat_se3(screw) * angle)
    return T @ arm.home


def is_there(solutions, q, tolerance=1e-6):
    """Return whether a configuration is one of the solutions, or in one of the families."""
    candidates = [*solutions.q, *(family.nearest(q) for family in solutions.families)]
    return any(largest_difference(one, q) < tolerance for one in candidates)


@pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.name)
def test_all_solutions_contains_the_configuration_of_a_random_pose(arm):
    rng = np.random.default_rng(1)
    for k in range(12):
        q = rng.uniform(-math.pi, math.pi, 6)
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        assert is_there(solutions, q), (k, q)
        assert solutions.residual.max() < 1e-12
        for i, one in enumerate(solutions.q):
            assert all(largest_difference(one, other) > 1e-7 for other in solutions.q[:i])
        assert len(solutions) % 2 == 0 and len(solutions) <= 8
        assert solutions.complete, solutions.reason
    assert np.abs(pose_of(arm, solutions.q[-1]) - solutions.target).max() < 1e-12


SINGULAR = {
    "home": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "wrist": (0.3, -1.2, 1.4, 0.5, 0.0, 0.7),
    "wrist turned": (0.3, -1.2, 1.4, 0.5, math.pi, 0.7),
    "elbow": (0.3, -1.2, 0.0, 0.5, 1.1, 0.7),
    "elbow and wrist": (0.3, -1.2, 0.0, 0.5, 0.0, 0.7),
    "elbow folded": (0.3, -1.2, math.pi, 0.5, 1.1, 0.7),
}


@pytest.mark.parametrize("aside", OFFSETS)
@pytest.mark.parametrize("name", SINGULAR)
@pytest.mark.parametrize("arm", [ur10(), from_table(PUMA_560, "PUMA 560")], ids=lambda arm: arm.name)
def test_no_solution_is_lost_near_a_singular_pose(arm, name, aside):
    q = np.array(SINGULAR[name]) + aside * DIRECTION
    if arm.name == "PUMA 560" and name.startswith("elbow"):
        q[2] -= math.atan2(0.4318, 0.0203)  # where the forearm is in line with the upper arm
    solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    assert solutions.residual.max(initial=0.0) < 1e-12
    # at two singularities the rounding of the pose may move its branch, or put it out of reach
    both = name in ("elbow and wrist", "home") and 0.0 < aside <= 1e-6
    assert is_there(solutions, q, 3e-3 if aside == 1e-12 else 1e-5) or both, solutions
    assert np.isfinite(solutions.q).all()
    for i, one in enumerate(solutions.q):
        assert all(largest_difference(one, other) > 1e-9 for other in solutions.q[:i])
    for family in solutions.families:
        for low, high in family.intervals:
            for value in np.linspace(low, high, 7):
                there = family.at(value)
                assert there[family.joint] == value
                assert np.abs(arm.forward_kinematics(there) - solutions.target).max() < 1e-12


def test_shoulder_is_free_if_the_wrist_is_on_its_axis():
    rows = [list(row) for row in PUMA_560]
    rows[2][2] = 0.0  # without shoulder offset the wrist can be on axis 1
    arm = from_table(rows, "PUMA without an offset")
    q = np.array([0.4, 0.9, 0.0, 0.5, 0.8, -0.3])

    def aside(angle):
        q[2] = angle
        x = arm.forward_kinematics(q)[:3, 3]
        return float(np.cos(q[0]) * x[0] + np.sin(q[0]) * x[1])

    places = np.linspace(-math.pi, 0.0, 400)
    crossing = np.flatnonzero(np.diff(np.sign([aside(place) for place in places])))[0]
    q[2] = brentq(aside, *places[crossing : crossing + 2], xtol=1e-15)  # rotate the elbow until the wrist is on axis 1
    solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    assert {family.joint for family in solutions.families} == {0}
    assert is_there(solutions, q)
    assert not solutions.complete and "shoulder" in solutions.reason


@pytest.mark.parametrize("arm", ARMS[:3], ids=lambda arm: arm.name)
def test_an_unreachable_pose_is_proven_to_have_no_solution(arm):
    T = arm.forward_kinematics(np.full(6, 0.4))
    T[:3, 3] *= 5.0
    solutions = pose_ik.all_solutions(arm, T)
    assert len(solutions) == 0 and solutions.families == () and solutions.complete
    with pytest.raises(ConfigurationError, match="no solution"):
        solutions.nearest(np.zeros(6))


def test_limits_exclude_solutions():
    arm = robots.ur10()
    T = arm.forward_kinematics([0.3, -1.2, 1.4, 0.5, 0.3, 0.7])
    assert len(pose_ik.all_solutions(arm, T)) == 8
    narrow = arm.with_limits(position=[(-math.pi, math.pi)] * 2 + [(0.0, math.pi)] + [(-math.pi, math.pi)] * 3)
    some = pose_ik.all_solutions(narrow, T)
    assert len(some) == 4 and (some.q[:, 2] >= 0.0).all() and some.complete
    assert len(pose_ik.all_solutions(narrow, T, limits=False)) == 8
    shifted = arm.with_limits(position=[(math.pi, 3 * math.pi)] * 6)
    assert len(pose_ik.all_solutions(shifted, T)) == 8


@pytest.mark.parametrize("factor", [1000.0, 1 / 0.0254])
def test_solutions_do_not_depend_on_the_unit_of_length(factor):
    arm = ur10()
    screws, home = arm.screws.copy(), arm.home.copy()
    screws[3:] *= factor
    home[:3, 3] *= factor
    other = robots.from_screws(screws, home, limits=arm.limits)
    q = np.array([0.3, -1.2, 1.4, 0.5, 0.3, 0.7])
    here, there = (pose_ik.all_solutions(one, one.forward_kinematics(q)) for one in (arm, other))
    assert np.abs(here.q - there.q).max() < 1e-12 and there.complete


def test_invalid_arms_and_limits_raise():
    arm = ur10()
    T = arm.forward_kinematics(np.full(6, 0.4))
    with pytest.raises(ParameterError, match="five or six revolute joints"):
        pose_ik.all_solutions(robots.from_screws(arm.screws[:, :2], arm.home), T)
    with pytest.raises(ParameterError, match="limits"):
        pose_ik.all_solutions(arm, T, limits=[(0, 1)] * 6)
    with pytest.raises(ParameterError, match="arm"):
        pose_ik.all_solutions("ur10", T)
