"""Planar arms, with and without a prismatic joint."""

import math

import numpy as np
import pytest
from arms import largest_difference

from lessons_lib import lie, pose_ik, robots
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
    home = np.eye(4)
    home[:3, 3] = 0.7, 0.0, 0.2
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


def test_a_stretched_arm_has_one_solution_and_folded_links_a_family():
    arm = robots.planar_3r()
    stretched = pose_ik.all_solutions(arm, arm.forward_kinematics([0.3, 0.0, 0.4]))
    assert len(stretched) == 1 and not stretched.complete
    folded = pose_ik.all_solutions(arm, arm.forward_kinematics([0.3, math.pi, 0.4]))
    assert len(folded) == 0 and len(folded.families) == 1
    for value in np.linspace(-3.0, 3.0, 7):
        there = folded.families[0].at(value)
        assert np.abs(arm.forward_kinematics(there) - folded.target).max() < 1e-12
