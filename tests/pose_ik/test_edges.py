"""Edge cases, and goals with free components: position only, orientation only, the direction of a tool's axis."""

import numpy as np
import pytest

from lessons_lib import lie, robots
from lessons_lib.lie import exp_so3
from lessons_lib.pose_ik import (
    GaussNewton,
    LevenbergMarquardt,
    NewtonRaphson,
    Restarts,
    TrustRegion,
    orientation_only,
    pointing,
    position_only,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.one_pose import solve_in_python

METHODS = [NewtonRaphson(), GaussNewton(), LevenbergMarquardt(), LevenbergMarquardt(TrustRegion())]
SOLVERS = [*((solve_in_python, method) for method in METHODS), (solve, NewtonRaphson()), (solve, LevenbergMarquardt())]
"""Methods in Python and compiled; only two are compiled, because compiling for a further arm takes long."""


@pytest.mark.parametrize("solve", [solve_in_python, solve])
def test_a_start_that_is_the_solution_takes_no_step(chain, solve):
    q0 = chain.random_configuration(np.random.default_rng(41))
    result = solve(chain, chain.forward_kinematics(q0), q0, trace=True)
    assert result.converged and result.iterations == 0 and result.restarts == 0
    np.testing.assert_array_equal(result.q, q0)
    assert result.trace.q.shape == (1, chain.dof) and result.trace.damping.shape == (0,)


@pytest.mark.parametrize("solve", [solve_in_python, solve])
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_an_error_of_exactly_half_a_revolution_is_solved(ur10, method, solve):
    q = np.array([0.3, -0.7, 1.1, 0.4, 0.9, -0.2])
    target = ur10.forward_kinematics(q)
    target[:3, :3] = target[:3, :3] @ exp_so3([0, 0, np.pi])
    result = solve(ur10, target, q, method=method, trace=True)
    assert result.converged
    assert result.trace.orientation_errors[0] <= np.pi * (1 + 1e-15)


@pytest.fixture(scope="module")
def turntable():
    """One joint about z, its tip 0.7 m out, without limits."""
    home = lie.pose(np.eye(3), (0.7, 0.0, 0.0))
    return robots.from_screws([[0], [0], [1], [0], [0], [0]], home, name="turntable")


@pytest.mark.parametrize(("solve", "method"), SOLVERS)
def test_an_arm_of_one_joint_is_solved(turntable, solve, method):
    result = solve(turntable, turntable.forward_kinematics([2.0]), method=method)
    assert result.converged
    np.testing.assert_allclose(result.q, 2.0, atol=2e-6)


@pytest.fixture(scope="module")
def gantry():
    """Prismatic joints along x, y, z and a wrist about z, x, z, which reach every pose within the limits."""
    screws = np.zeros((6, 6))
    screws[3, 0] = screws[4, 1] = screws[5, 2] = 1
    screws[2, 3] = screws[0, 4] = screws[2, 5] = 1
    limits = [(-1, 2), (0, 3), (-np.inf, np.inf), *[(-np.pi, np.pi)] * 3]
    return robots.from_screws(screws, np.eye(4), limits, name="gantry")


@pytest.mark.parametrize(("solve", "method"), SOLVERS)
def test_prismatic_joints_are_solved(gantry, solve, method):
    q = np.array([1.5, 2.5, -0.8, 0.5, 1.0, -0.4])
    result = solve(gantry, gantry.forward_kinematics(q), method=method, starts=Restarts(20))
    assert result.converged
    np.testing.assert_allclose(result.q[:3], q[:3], atol=2e-6)  # the tip's position depends on these joints only
    assert (result.q >= gantry.limits[:, 0]).all() and (result.q <= gantry.limits[:, 1]).all()


def test_a_prismatic_joint_is_never_wrapped(gantry):
    q = np.array([0.5, 1.0, 40.0, 0.5, 1.0, -0.4])
    result = solve(gantry, gantry.forward_kinematics(q), method=NewtonRaphson())
    assert result.converged and result.q[2] == pytest.approx(40.0)


def test_home_outside_the_limits_is_clipped(panda):
    """Panda's fourth joint cannot be straight: the first start is at its limit."""
    trace = solve(panda, panda.forward_kinematics(panda.limits.mean(axis=1)), starts=Restarts(0), trace=True).trace
    np.testing.assert_array_equal(trace.q[0], [0, 0, 0, -0.0698, 0, 0, 0])


AXES = [(0, 0, 1), (0, 0, -1), (1, 0, 0), (1, -2, 0.5), (1e-9, 1.0, 0.0), (-3e8, 2e8, 1e8)]


def rotate_about(targets, axis, rng):
    """Return the targets, each rotated at random about an axis in its own frame, which a pointing goal ignores."""
    unit = np.array(axis, dtype=float) / np.linalg.norm(axis)
    turns = (lie.exp_so3(angle * unit) for angle in rng.uniform(-3, 3, len(targets)))
    return np.array([T @ lie.pose(R, np.zeros(3)) for T, R in zip(targets, turns, strict=True)])


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", ["ur10", "panda"])
def test_a_pointing_goal_aligns_any_axis_of_the_tool(name, axis, request):
    chain = request.getfixturevalue(name)
    rng = np.random.default_rng(7)
    reachable, _ = chain.targets(100, rng)
    targets = rotate_about(reachable, axis, rng)
    found = solve_batch(chain, targets, goal=pointing(axis))
    assert found.converged.all()
    T = chain.forward_kinematics(found.q)
    unit = np.array(axis, dtype=float) / np.linalg.norm(axis)
    reached, expected = T[:, :3, :3] @ unit, targets[:, :3, :3] @ unit
    tilt = np.linalg.norm(np.cross(reached, expected), axis=1)
    assert (tilt < 1.1e-6).all() and (np.sum(reached * expected, axis=1) > 0).all()
    assert (np.linalg.norm(T[:, :3, 3] - targets[:, :3, 3], axis=1) < 1e-6).all()
    assert found.orientation_error.max() > 0.1  # the rotation about the axis is free


@pytest.mark.parametrize("solve", [solve, solve_in_python])
def test_position_only_and_orientation_only(solve, ur10):
    targets, _ = ur10.targets(5, np.random.default_rng(3))
    for T, other in zip(targets, targets[::-1], strict=True):
        target = lie.pose(other[:3, :3], T[:3, 3])
        found = ur10.forward_kinematics(solve(ur10, target, goal=position_only()).q)
        assert np.linalg.norm(found[:3, 3] - T[:3, 3]) < 1e-6
        target[:3, 3] = 99.0
        result = solve(ur10, target, goal=orientation_only())
        assert result.converged and result.position_error > 90
        np.testing.assert_allclose(ur10.forward_kinematics(result.q)[:3, :3], other[:3, :3], atol=2e-6)


def test_pointing_without_position_ignores_the_position(ur10):
    T, _ = ur10.targets(1)
    far = lie.pose(T[0, :3, :3], (50, 0, 0))
    result, axis = solve(ur10, far, goal=pointing((0, 1, 1), position=False)), [0, 1, 1]
    assert result.converged
    np.testing.assert_allclose(ur10.forward_kinematics(result.q)[:3, :3] @ axis, far[:3, :3] @ axis, atol=2e-6)
