"""Solves of arms with coupled joints: a palletizer, a URDF with a mimic joint, a differential wrist on a UR10."""

from functools import cache

import numpy as np
import pinocchio
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from six_r_arms import differential_wrist
from test_coupling import MIMIC, palletizer

from lessons_lib import pose_ik, robots


@cache
def wrist():
    return differential_wrist([[-3.0, 3.0]] * 4 + [[-6.0, 6.0]] * 2)


@cache
def mimic():
    return robots.from_urdf(MIMIC, tip="h")


MAKERS = pytest.mark.parametrize("make", [palletizer, wrist, mimic])


def known_pose(arm, q):
    """Return the tip's pose by a formula, by Pinocchio, or from the uncoupled joints."""
    if arm.name == "r":
        model = pinocchio.buildModelFromXML(MIMIC, mimic=True)
        data = model.createData()
        pinocchio.framesForwardKinematics(model, data, q)
        return data.oMf[model.getFrameId("h")].homogeneous
    if arm.name == "wrist":
        motors = np.array([0.5 * (q[4] + q[5]), 0.5 * (q[4] - q[5])])
        return robots.ur10().forward_kinematics([*q[:4], *motors])
    pan, shoulder, forearm, hand = q
    out = 0.135 * np.cos(shoulder) + 0.147 * np.cos(forearm) + 0.06
    up = 0.138 + 0.135 * np.sin(shoulder) + 0.147 * np.sin(forearm) - 0.1
    c, s = np.cos(pan + hand), np.sin(pan + hand)
    return np.array([[c, -s, 0, out * np.cos(pan)], [s, c, 0, out * np.sin(pan)], [0, 0, 1, up], [0, 0, 0, 1]])


@MAKERS
@pytest.mark.parametrize("count", [20, pytest.param(300, marks=pytest.mark.release)])
def test_random_poses_are_solved_within_the_limits(make, count):
    arm, rng = make(), np.random.default_rng(5)
    for _ in range(count):
        q = arm.random_configuration(rng)
        T = known_pose(arm, q)
        assert_allclose(arm.forward_kinematics(q), T, atol=1e-14)
        found = pose_ik.solve(arm, T)
        assert found.converged
        assert_array_equal(arm.check_within_limits(found.q), found.q)
        assert_allclose(known_pose(arm, found.q), T, atol=1e-5)


@MAKERS
def test_a_row_of_a_batch_is_the_single_solution(make):
    arm = make()
    targets, _ = arm.targets(12)
    rows = pose_ik.solve_batch(arm, targets)
    assert_array_equal(rows.q, [pose_ik.solve(arm, target).q for target in targets])


def test_out_of_reach_is_proven_by_the_links():
    arm = palletizer()
    T = arm.forward_kinematics([0.1, 0.6, -0.5, 0.0])
    T[0, 3] += 1.0
    found = pose_ik.solve(arm, T)
    assert found.status.name == "UNREACHABLE"
    assert "The point is out of reach (proven)" in str(found.explain())


@MAKERS
def test_the_error_after_a_step_of_halleys_is_of_third_order(make):
    arm, rng = make(), np.random.default_rng(3)
    stop, orders = pose_ik.Stop(1e-13, 1e-13, max_iterations=1), []
    options = {"method": pose_ik.Halley(), "stop": stop, "starts": pose_ik.Restarts(0)}
    for _ in range(6):
        q, direction = 0.5 * arm.random_configuration(rng), rng.normal(size=arm.dof)
        T, direction = arm.forward_kinematics(q), direction / np.linalg.norm(direction)
        errors = [pose_ik.solve(arm, T, q + h * direction, **options).q - q for h in (2e-2, 1e-2)]
        orders.append(np.log2(np.linalg.norm(errors[0]) / np.linalg.norm(errors[1])))
    assert np.median(orders) > 2.8  # Newton's step has 2
