"""Unreachable poses: q minimizes the weighted error within the limits, by comparison with SciPy's least squares."""

import numpy as np
import pytest
from scipy.optimize import least_squares

from lessons_lib import lie, robots
from lessons_lib.pose_ik import Restarts, Status, pose, solve, solve_batch
from lessons_lib.pose_ik.one_pose import solve_in_python


def translation(x, y, z):
    return lie.pose(np.eye(3), (x, y, z))


def gantry(unit=1.0):
    screws = np.vstack([np.zeros((3, 3)), np.eye(3)])
    return robots.from_screws(screws, np.eye(4), limits=unit * np.tile([-1.0, 1.0], (3, 1)), name=f"gantry {unit:g}")


def scara():
    rotating, sliding = np.array([0.0, 0, 1, 0, 0, 0]), np.array([0.0, 0, 0, 0, 0, 1])
    elbow, tip = (lie.adjoint(translation(x, 0.0, 0.0)) @ rotating for x in (0.4, 0.7))
    limits = [[-2.5, 2.5], [-2.5, 2.5], [-0.3, 0.1], [-3.0, 3.0]]
    return robots.from_screws(np.array([rotating, elbow, sliding, tip]).T, translation(0.7, 0, 0), limits, "SCARA")


def five_joints():
    whole = robots.ur10()
    return robots.from_screws(whole.screws[:, :5], whole.home, limits=whole.limits[:5], name="five joints")


ARMS = {make.__name__: make for make in (gantry, scara, robots.planar_2r, robots.planar_3r, five_joints)}


def residual(arm, target, weights=1.0):
    return lambda q: np.sqrt(weights) * lie.log_se3(lie.inverse(arm.forward_kinematics(q)) @ target)


def least_error(arm, target, starts, weights=1.0):
    """Return the least ½ VᵀWV within the limits that SciPy finds from some starts."""
    low, high = np.clip(arm.limits, -20.0, 20.0).T
    tight = {"xtol": 1e-15, "ftol": 1e-15, "gtol": 1e-12, "bounds": (low, high)}
    starts = np.clip(starts, low + 1e-9, high - 1e-9)
    return min(least_squares(residual(arm, target, weights), q, **tight).cost for q in starts)


def draw_unreachable_target(arm, rng):
    by = np.concatenate([rng.normal(size=3) * 0.3, rng.normal(size=3) * 0.1])
    return arm.forward_kinematics(arm.random_configuration(rng)) @ lie.exp_se3(by)


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("weighted", [False, True])
def test_an_unreachable_target_gets_the_least_weighted_error(name, weighted):
    arm, rng = ARMS[name](), np.random.default_rng(3)
    weights = np.array([0.3, 1.0, 2.0, 4.0, 1.0, 3.0]) if weighted else np.ones(6)
    goal = pose(tuple(weights)) if weighted else None
    targets = np.array([draw_unreachable_target(arm, rng) for _ in range(2)])
    batch = solve_batch(arm, targets, goal=goal)
    for row, target in enumerate(targets):
        found = solve(arm, target, goal=goal)
        assert found.status in (Status.STALLED, Status.MAX_ITERATIONS, Status.UNREACHABLE)
        error = 0.5 * np.square(residual(arm, target, weights)(found.q)).sum()
        starts = np.array([found.q, *(arm.random_configuration(rng) for _ in range(2))])
        # the descent stops if the relative gradient is below 1e-7, so the error is the least to its square
        assert error <= least_error(arm, target, starts, weights) * (1.0 + 1e-11)
        expected = lie.log_se3(lie.inverse(arm.forward_kinematics(found.q)) @ target)
        assert found.orientation_error == pytest.approx(np.linalg.norm(expected[:3]), abs=1e-12)
        assert found.position_error == pytest.approx(np.linalg.norm(expected[3:]), abs=1e-12)
        np.testing.assert_array_equal(batch.q[row], found.q)
        assert (batch.status[row], batch.position_error[row]) == (found.status, found.position_error)


@pytest.mark.parametrize("unit", [1.0, 1000.0])
@pytest.mark.parametrize("tilt", [1e-3, 0.3, 3.0])
@pytest.mark.parametrize("trace", [False, True])
def test_a_gantry_reaches_the_position_of_a_tilted_target(unit, tilt, trace):
    arm, q = gantry(unit), unit * np.array([0.4, -0.7, 0.99])
    target = arm.forward_kinematics(q) @ lie.exp_se3([0.6 * tilt, 0.0, 0.8 * tilt, 0, 0, 0])
    for found in (solve(arm, target, trace=trace), solve_in_python(arm, target, trace=trace, starts=Restarts(5))):
        assert found.status in (Status.STALLED, Status.MAX_ITERATIONS)
        np.testing.assert_allclose(found.q, q, atol=1e-6 * unit)  # FLAT of the tilt
        assert found.position_error < 1e-6 * unit
        assert found.orientation_error == pytest.approx(tilt, abs=1e-12)
    np.testing.assert_allclose(solve_batch(arm, [target] * 3).q, [q] * 3, atol=1e-6 * unit)


@pytest.mark.parametrize("make", [robots.ur10, robots.panda])
def test_a_target_out_of_reach_gets_a_least_error(make):
    arm = make()
    for rows in np.random.default_rng(8).normal(size=(3, 6)):
        target = lie.exp_se3(rows)
        target[:3, 3] *= 3.0 / np.linalg.norm(target[:3, 3])
        found = solve(arm, target)
        assert found.status is Status.UNREACHABLE
        error = 0.5 * np.square(residual(arm, target)(found.q)).sum()
        assert error <= least_error(arm, target, found.q[None]) * (1.0 + 1e-9)
