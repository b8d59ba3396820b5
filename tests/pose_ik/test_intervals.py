"""Goals with intervals: a roll of ±10°, a box of positions, a bounded rotation about an axis.

The oracles are modern_robotics' kinematics with SciPy's rotation vectors, SciPy's optimizer, and finite differences.
"""

import math

import modern_robotics
import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from lessons_lib import lie
from lessons_lib.lie.intervals import Intervals
from lessons_lib.pose_ik import Restarts, evaluate, explain, pose, solve, solve_batch

ROLL = (np.radians(10), 0, 0, 0, 0, 0)
BOX = (0, 0, 0, (-0.05, 0.1), 0.02, (0, 0.03))
AXIS = (0, 0, (-2.0, 1.0), 0, 0, 0)
MIXED = (0.1, (None, 0.2), None, 0.01, 0, (-0.02, None))
GOALS = {"roll": ROLL, "box": BOX, "free axis": AXIS}


def displacement(chain, q, target):
    """Return (log(R_dᵀR), R_dᵀ(p − p_d)) by modern_robotics and SciPy."""
    T = modern_robotics.FKinSpace(chain.home, chain.screws, np.where(np.abs(q) < 1e-6, q + 2 * np.pi, q))
    R_d = target[:3, :3]
    rotation = Rotation.from_matrix(R_d.T @ T[:3, :3]).as_rotvec()
    return np.concatenate([rotation, R_d.T @ (T[:3, 3] - target[:3, 3])])


def violation(chain, q, target, bounds):
    """Return the distances to the boxes of rotation and position, rad and m."""
    x, (lower, upper) = displacement(chain, q, target), np.array(bounds).T
    outside = np.maximum(lower - x, 0.0) + np.maximum(x - upper, 0.0)
    return float(np.linalg.norm(outside[:3])), float(np.linalg.norm(outside[3:]))


def displace(targets, bounds, rng):
    """Return targets from which the given poses have random displacements within the intervals."""
    lower, upper = np.clip(np.array(bounds).T, -0.3, 0.3)
    displaced = []
    for T in targets:
        x = rng.uniform(lower, upper)
        R = T[:3, :3] @ Rotation.from_rotvec(x[:3]).as_matrix().T
        displaced.append(lie.pose(R, T[:3, 3] - R @ x[3:]))
    return np.array(displaced)


@pytest.mark.parametrize("name", ["ur10", "panda"])
@pytest.mark.parametrize("kind", GOALS)
def test_random_poses_are_solved_within_the_intervals(name, kind, request):
    chain = request.getfixturevalue(name)
    rng, goal = np.random.default_rng(5), pose(intervals=GOALS[kind])
    bounds = goal.intervals.bounds
    targets = displace(chain.targets(300, rng)[0], bounds, rng)
    found = solve_batch(chain, targets, goal=goal)
    assert found.converged.all()
    lower, upper = chain.limits.T
    assert ((lower <= found.q) & (found.q <= upper)).all()
    for i, (q, target) in enumerate(zip(found.q, targets, strict=True)):
        angle, distance = violation(chain, q, target, bounds)
        assert angle < 1e-6 + 1e-9 and distance < 1e-6 + 1e-9  # the tolerances of Stop
        assert found.orientation_error[i] == pytest.approx(angle, abs=1e-9)
        assert found.position_error[i] == pytest.approx(distance, abs=1e-9)
    for i in range(3):
        np.testing.assert_array_equal(solve(chain, targets[i], goal=goal).q, found.q[i])


def test_the_jacobian_is_the_derivative_of_the_error_away_from_the_ends(chain):
    rng, intervals, h = np.random.default_rng(6), Intervals.of(MIXED), 1e-6
    compared = 0
    while compared < 20:
        target = chain.targets(1, rng)[0][0]
        q = chain.random_configuration(rng)
        x, (lower, upper) = displacement(chain, q, target), np.array(intervals.bounds).T
        if np.linalg.norm(x[:3]) > 2.9 or min(np.abs(x - lower).min(), np.abs(x - upper).min()) < 1e-4:
            continue  # differences must straddle neither the cut of the logarithm nor the end of an interval
        here = evaluate(chain, target, q, intervals, split=True)
        np.testing.assert_allclose(here.error, np.clip(x, lower, upper) - x, atol=1e-11)
        steps = h * np.eye(chain.dof)
        ends = [[evaluate(chain, target, q + s * d, intervals, split=True).error for s in (-1, 1)] for d in steps]
        columns = np.column_stack([(before - after) / (2 * h) for before, after in ends])
        np.testing.assert_allclose(here.jacobian, columns, atol=1e-8 * max(1.0, np.abs(columns).max()))
        assert not here.jacobian[here.error == 0.0].any()
        compared += 1


@pytest.mark.parametrize("weights", [None, (1, 1, 1, 30, 30, 30)], ids=["alike", "weighted"])
def test_out_of_reach_the_error_is_the_minimum_by_scipy(planar_2r, weights):
    """SciPy minimizes half the squared distance to the set, computed independently."""
    target, intervals = np.eye(4), (0, 0, 0.2, (-0.3, 0), 0.1, 0)
    target[:2, 3] = [2.3, 1.2]
    goal = pose(weights, intervals=intervals)
    roots = np.sqrt(np.ones(6) if weights is None else weights)

    def outside(q):
        x, (lower, upper) = displacement(planar_2r, q, target), np.array(goal.intervals.bounds).T
        return roots * (np.maximum(x - upper, 0.0) - np.maximum(lower - x, 0.0))

    found = solve(planar_2r, target, [0.3, 0.4], goal=goal, starts=Restarts(20))
    best = min(least_squares(outside, q, xtol=1e-15, ftol=1e-15).cost for q in ([0.3, 0.4], [0.8, -0.4], [0.1, 0.1]))
    assert not found.converged and best > 1e-4
    assert 0.5 * np.sum(outside(found.q) ** 2) == pytest.approx(best, rel=1e-6)


def test_a_failure_names_the_violated_components(planar_2r):
    target = lie.pose(np.eye(3), (1.9, 1.0, 0.0))
    goal = pose(intervals=(0, 0, np.radians(10), (-0.05, 0.1), 0, 0))
    found = solve(planar_2r, target, goal=goal, starts=Restarts(5))
    reach, cause = found.explain()
    assert reach.name == "the point is out of reach" and "The intervals allow 100 mm more" in reach.sentence
    angle, distance = violation(planar_2r, found.q, target, goal.intervals.bounds)
    assert f"{np.degrees(angle):.3g}° outside [-10, 10]°" in cause.sentence and cause.proven
    x = displacement(planar_2r, found.q, target)
    assert f"position y is {x[4]:.4g} m, {1e3 * abs(x[4]):.4g} mm outside [0, 0] m" in cause.sentence
    assert distance == pytest.approx(found.position_error)
    assert str(explain(planar_2r, target, found, goal=goal)) == str(found.explain())


def test_a_rotation_that_covers_a_revolution_is_free():
    assert Intervals.of((4, (-1, 6), (None, 3.5), 0, 0, 0)).bounds[:3] == ((-np.inf, np.inf),) * 3
    one_sided = ((-np.inf, 0.2), (-3.0, np.inf), (-np.pi, 3.0))
    assert Intervals.of(((None, 0.2), (-3, None), (-np.pi, 3), 0, 0, 0)).bounds[:3] == one_sided


@pytest.mark.parametrize("width", [math.pi, 4.0, 6.28])
def test_only_a_whole_revolution_is_free(width):
    ends = -min(width, math.pi), max(0.0, width - math.pi)
    assert tuple(Intervals.of([ends, 0, 0, 0, 0, 0]).bounds[0]) == ends
