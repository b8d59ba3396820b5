"""5R arms: a sixth revolute joint is appended and must be at zero."""

import numpy as np
import pytest
from arms import largest_difference
from scipy.linalg import expm
from scipy.optimize import least_squares

from lessons_lib import pose_ik, robots
from lessons_lib.lie import exp_se3, hat_se3

TIP = np.array([[1.0, 0.0, 0.0, 0.45], [0.0, 1.0, 0.0, 0.02], [0.0, 0.0, 1.0, 0.25], [0.0, 0.0, 0.0, 1.0]])


def arm_of(k, o, name):
    """Return an arm with axes of given directions through given points."""
    k = np.array(k, dtype=float)
    k /= np.linalg.norm(k, axis=1)[:, None]
    screws = np.vstack([k.T, np.cross(o, k).T])
    return robots.from_screws(screws, TIP, limits=[(-4.0, 4.0)] * 5, name=name)


X, Y, Z = np.eye(3)
DESK = arm_of([Z, Y, Y, Y, X], [[0, 0, 0], [0.03, 0, 0.1], [0.06, 0, 0.21], [0.2, 0, 0.21], [0.3, 0, 0.22]], "desk")
"""A common small arm: a turntable, three parallel revolute joints, a rolling wrist."""

UPRIGHT = arm_of([Z, Y, Y, Y, Z], [[0, 0, 0], *([0.033, 0, z] for z in (0.075, 0.23, 0.365, 0.4))], "upright")
_RNG = np.random.default_rng(1)
ANY = arm_of(_RNG.normal(size=(5, 3)), _RNG.uniform(-1, 1, (5, 3)), "any")


@pytest.mark.parametrize("arm", [DESK, UPRIGHT, ANY], ids=lambda arm: arm.name)
def test_all_solutions_of_a_5r_arm_contain_those_found_by_least_squares(arm):
    rng = np.random.default_rng(4)
    for trial in range(6):
        q = rng.uniform(-3.0, 3.0, 5)
        q[trial % 5] *= trial % 2  # every other time one joint is at zero
        T = arm.forward_kinematics(q)
        solutions = pose_ik.all_solutions(arm, T)
        assert min(largest_difference(one, q) for one in solutions.q) < 1e-6
        is_straight = q[2] == 0.0  # two solutions merge, to rounding
        assert (solutions.complete or is_straight) and len(set(solutions.names)) == len(solutions)
        for one in solutions.q:
            motions = [expm(hat_se3(screw) * angle) for screw, angle in zip(arm.screws.T, one, strict=True)]
            assert np.abs(np.linalg.multi_dot([*motions, arm.home]) - T).max() < 1e-12
        near = 1e-2 if is_straight else 1e-4
        for start in rng.uniform(-3.0, 3.0, (6, 5)):
            end = least_squares(
                lambda q, T=T: (arm.forward_kinematics(q) - T)[:3].ravel(), start, xtol=1e-15, ftol=1e-15
            )
            assert end.cost > 1e-14 or min(largest_difference(one, end.x) for one in solutions.q) < near


def test_a_rounded_pose_has_solutions_and_one_off_the_surface_has_none():
    T = DESK.forward_kinematics(np.array([0.3, -0.4, 0.8, 0.2, 1.1]))
    turned = T @ exp_se3(np.array([0.0, 0.01, 0.02, 0.0, 0.0, 0.0]))
    assert len(pose_ik.all_solutions(DESK, turned)) == 0 and pose_ik.all_solutions(DESK, turned).complete
    rounded = T @ exp_se3(1e-11 * np.array([0.3, -0.2, 0.5, 0.1, 0.2, -0.4]))
    assert len(pose_ik.all_solutions(DESK, rounded)) == len(pose_ik.all_solutions(DESK, T)) > 0
    off = T @ exp_se3(1e-7 * np.array([0.3, -0.2, 0.5, 0.1, 0.2, -0.4]))
    assert len(pose_ik.all_solutions(DESK, off)) == 0


def test_limits_exclude_solutions_and_one_at_a_limit_is_not_proven():
    q = np.array([0.3, -0.4, 0.8, 0.2, 1.1])
    T = DESK.forward_kinematics(q)
    narrow = DESK.with_limits(position=[(x - 0.1, x + 0.1) for x in q])
    assert len(pose_ik.all_solutions(narrow, T)) == 1 and pose_ik.all_solutions(narrow, T).complete
    assert len(pose_ik.all_solutions(narrow, T, limits=False)) == len(pose_ik.all_solutions(DESK, T)) > 1
    assert "limit" in pose_ik.all_solutions(DESK.with_limits(position=[(x, 3.0) for x in q]), T).reason


def test_a_free_joint_is_not_called_complete():
    """Axes 1 and 5 coincide."""
    arm = arm_of([Z, Y, Y, Y, Z], [[0, 0, 0], [0, 0, 0.1], [0, 0, 0.3], [0, 0, 0.5], [0, 0, 0.6]], "straight")
    q = np.array([0.4, 0.7, -1.2, 0.5, 0.0])  # the last axis is axis 1 again, in direction and in height
    q[3] = -(q[1] + q[2])
    assert not pose_ik.all_solutions(arm, arm.forward_kinematics(np.zeros(5))).complete
