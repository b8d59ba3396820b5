"""Weights change the objective; a weight of zero masks its component, along named axes. The oracle is Pinocchio."""

import numpy as np
import pinocchio
import pytest

from lessons_lib import lie, pose_ik
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.pose_ik.weights import uses_split_error
from tools.benchmarks.models import PinocchioArm

FRAMES = ("body", "space", "target")
POSITION_ONLY = (0, 0, 0, 1, 1, 1)
MASKS = POSITION_ONLY, *(tuple(map(int, word)) for word in "000110 110111 110023 111101 001111".split())


def error_by_pinocchio(arm, q, target, frame):
    """Return (ω, r) along the axes of {b}, {s} or {d}, computed without T_bd."""
    T = arm.forward_kinematics(q)
    axes = {"body": T[:3, :3], "space": np.eye(3), "target": target[:3, :3]}[frame]
    rotation = T[:3, :3] @ pinocchio.log3(T[:3, :3].T @ target[:3, :3])  # in {s}
    return np.concatenate([axes.T @ rotation, axes.T @ (target[:3, 3] - T[:3, 3])])


@pytest.mark.parametrize("frame", FRAMES)
def test_split_error_and_derivative_agree_with_pinocchio(chain, frame):
    rng, arm = np.random.default_rng(61), PinocchioArm(chain)
    for _ in range(10):
        q, target = chain.random_configuration(rng), chain.forward_kinematics(chain.random_configuration(rng))
        here = pose_ik.evaluate(chain, target, q, frame, split=True)
        expected = error_by_pinocchio(arm, q, target, frame)
        if np.linalg.norm(expected[:3]) > 2.9:  # differences must not straddle the cut of the logarithm at π
            continue
        np.testing.assert_allclose(here.error, expected, atol=1e-12)
        h = 1e-5  # error h² = 1e-10 of truncation, and eps/h = 2e-11 of rounding
        ends = [[error_by_pinocchio(arm, q + s * h * d, target, frame) for s in (-1, 1)] for d in np.eye(chain.dof)]
        columns = np.column_stack([(behind - ahead) / (2 * h) for behind, ahead in ends])
        np.testing.assert_allclose(here.jacobian, columns, atol=1e-7 * max(1.0, np.abs(columns).max()))


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("weights", MASKS, ids=str)
def test_converged_results_have_the_active_components_by_pinocchio(ur10, weights, frame):
    rng, arm, active = np.random.default_rng(62), PinocchioArm(ur10), np.array(weights) > 0
    goal = pose_ik.pose(weights, axes=frame)
    for method in (pose_ik.GaussNewton(), pose_ik.LevenbergMarquardt()):
        targets = np.array([ur10.forward_kinematics(ur10.random_configuration(rng)) for _ in range(40)])
        results = pose_ik.solve_batch(ur10, targets, ur10.random_configuration(rng), goal=goal, method=method)
        assert results.converged.all()
        for q, target, angle, distance in zip(
            results.q, targets, results.orientation_error, results.position_error, strict=True
        ):
            error = error_by_pinocchio(arm, q, target, frame)
            assert np.linalg.norm((active * error)[:3]) <= 1e-6 * (1 + 1e-6)
            assert np.linalg.norm((active * error)[3:]) <= 1e-6 * (1 + 1e-6)
            assert angle == pytest.approx(np.linalg.norm(error[:3]), abs=1e-9)  # reported, whatever the weights
            expected = np.linalg.norm(error[3:])
            if uses_split_error(goal.of(method)):
                assert distance == pytest.approx(expected, abs=1e-12)
            else:  # |v_b|
                assert expected - 1e-12 <= distance <= np.pi / 2 * expected + 1e-12


@pytest.mark.parametrize("frame", FRAMES)
def test_a_start_that_solves_the_active_components_takes_no_step(ur10, frame):
    """Rotation errors up to half a revolution, where the logarithm is discontinuous."""
    q0 = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    for angle in (0.0, 1e-9, 1.0, np.pi - 1e-9, np.pi):
        target = ur10.forward_kinematics(q0)
        target[:3, :3] = target[:3, :3] @ pinocchio.exp3(np.array([0.0, 0.0, angle]))
        for solver in (solve_in_python, pose_ik.solve):
            method = pose_ik.LevenbergMarquardt()
            result = solver(ur10, target, q0, goal=pose_ik.pose(POSITION_ONLY, axes=frame), method=method)
            assert result.converged and result.iterations == 0 and (result.q == q0).all()
            assert result.orientation_error == pytest.approx(angle, abs=1e-8)
            about_z = solver(ur10, target, q0, goal=pose_ik.pose((1, 1, 0, 1, 1, 1)), method=method)
            assert about_z.converged and about_z.iterations == 0


@pytest.mark.parametrize(
    "method",
    [
        pose_ik.LevenbergMarquardt(derivative="geometric"),
        pose_ik.LevenbergMarquardt(derivative="exact"),
        pose_ik.LevenbergMarquardt(pose_ik.TrustRegion(), derivative="exact"),
    ],
    ids=str,
)
def test_position_only_by_the_twist(ur10, independent_errors, method):
    rng = np.random.default_rng(51)
    for solver in (solve_in_python, pose_ik.solve):
        target = ur10.forward_kinematics(ur10.random_configuration(rng))
        result = solver(ur10, target, ur10.random_configuration(rng), goal=pose_ik.pose(POSITION_ONLY), method=method)
        assert result.converged
        distance = np.linalg.norm(ur10.forward_kinematics(result.q)[:3, 3] - target[:3, 3])
        assert distance <= 1e-6
        angle, linear = independent_errors(ur10, result.q, target)
        assert result.orientation_error == pytest.approx(angle) and angle > 1e-3  # reported, though it does not count
        assert distance * (1 - 1e-9) <= linear <= np.pi / 2 * distance * (1 + 1e-9) + 1e-12


def test_without_weights_the_iterate_with_the_lowest_larger_error_is_returned(planar_2r):
    target = lie.pose(np.eye(3), (1.5, 0.5, 0.0))
    method = pose_ik.LevenbergMarquardt(pose_ik.TrustRegion(), derivative="exact")
    result = pose_ik.solve(planar_2r, target, [0.1, 0.3], method=method, starts=pose_ik.Restarts(0), trace=True)
    stop, iterates = pose_ik.Stop(), result.trace
    scores = np.maximum(iterates.orientation_errors / stop.orientation, iterates.position_errors / stop.position)
    assert result.q == pytest.approx(result.trace.q[int(np.argmin(scores))], abs=1e-12)
