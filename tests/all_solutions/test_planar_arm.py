"""Planar arms, with and without a prismatic joint, and arms of five revolute joints."""

import math

import numpy as np
import pytest
from arms import from_axes, largest_difference
from scipy.linalg import expm
from scipy.optimize import least_squares

from lessons_lib import lie, pose_ik, robots
from lessons_lib.lie import exp_se3, hat_se3
from lessons_lib.robots import planar_2r_solutions


def scara(order="RRPR"):
    """Return a SCARA with {s} at its base, links of 0.4 and 0.3 m, its joints in the given order."""
    at = {"R": iter([(0.0, 0.0), (0.4, 0.0), (0.7, 0.0)])}
    columns = []
    for letter in order:
        if letter == "R":
            x, y = next(at["R"])
            columns.append([0.0, 0.0, 1.0, y, -x, 0.0])
        else:
            columns.append([0.0, 0.0, 0.0, 0.0, 0.0, -1.0])
    home = lie.pose(np.eye(3), (0.7, 0.0, 0.2))
    limits = [(-0.3, 0.3) if letter == "P" else (-math.pi, math.pi) for letter in order]
    return robots.from_screws(np.array(columns).T, home, limits=limits, name=f"SCARA {order}")


ARMS = [robots.planar_3r(1.0, 0.8, 0.3), scara("RRPR"), scara("RRRP"), scara("PRRR")]


@pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.name)
def test_a_planar_arm_has_two_solutions(arm):
    rng = np.random.default_rng(1)
    for _ in range(50):
        q = arm.random_configuration(rng)
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        assert len(solutions) == 2 and solutions.complete, solutions.reason
        assert min(largest_difference(one, q) for one in solutions.q) < 1e-7
        assert solutions.residual.max() < 1e-12
        assert {one.names for one in solutions} == {("elbow left",), ("elbow right",)}


def test_a_planar_2r_arm_has_the_solution_with_the_right_orientation():
    arm = robots.planar_2r()
    q = np.array([0.4, 1.1])
    T = arm.forward_kinematics(q)
    solutions = pose_ik.all_solutions(arm, T)
    assert len(solutions) == 1 and np.abs(solutions.q[0] - q).max() < 1e-12
    by_points = planar_2r_solutions(T[:2, 3])
    assert min(largest_difference(q, other) for other in by_points) < 1e-12
    T[:3, :3] = lie.exp_so3([0.0, 0.0, 0.2]) @ T[:3, :3]
    assert len(pose_ik.all_solutions(arm, T)) == 0 and pose_ik.all_solutions(arm, T).complete


def test_a_pose_out_of_the_plane_has_no_solution():
    for arm in ARMS:
        T = arm.forward_kinematics(np.full(arm.dof, 0.2))
        tilted = T.copy()
        tilted[:3, :3] = lie.exp_so3([0.1, 0.0, 0.0]) @ T[:3, :3]
        assert len(pose_ik.all_solutions(arm, tilted)) == 0 and pose_ik.all_solutions(arm, tilted).complete
        tilted[:3, :3] = lie.exp_so3([1e-14, 0.0, 0.0]) @ T[:3, :3]
        assert len(pose_ik.all_solutions(arm, tilted)) == 2 and not pose_ik.all_solutions(arm, tilted).complete
    T[:3, 3] = 9.0, 0.0, 0.0
    assert len(pose_ik.all_solutions(ARMS[0], T)) == 0 and pose_ik.all_solutions(ARMS[0], T).complete
    high = scara().forward_kinematics([0.3, 0.4, 0.0, 0.1])
    high[2, 3] += 0.31
    assert len(pose_ik.all_solutions(scara(), high)) == 0
    assert len(pose_ik.all_solutions(scara(), high, limits=False)) == 2


def test_an_outstretched_arm_has_one_solution_and_folded_links_a_family():
    arm = robots.planar_3r()
    stretched = pose_ik.all_solutions(arm, arm.forward_kinematics([0.3, 0.0, 0.4]))
    assert len(stretched) == 1 and not stretched.complete
    folded = pose_ik.all_solutions(arm, arm.forward_kinematics([0.3, math.pi, 0.4]))
    assert len(folded) == 0 and len(folded.families) == 1
    for value in np.linspace(-3.0, 3.0, 7):
        there = folded.families[0].at(value)
        assert np.abs(arm.forward_kinematics(there) - folded.target).max() < 1e-12


def arm_of(directions, points, name):
    return from_axes(directions, points, (0.45, 0.02, 0.25), [(-4.0, 4.0)] * 5, name)


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
