"""A goal may allow intervals: a roll of ±10°, a box of positions, an axis that turns between bounds.

The oracles are modern_robotics' kinematics with SciPy's rotation vectors, SciPy's optimizer, and finite differences.
"""

from dataclasses import replace
from typing import Any

import modern_robotics
import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from lessons_lib import lie, trajectories
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.lie.intervals import Intervals
from lessons_lib.pose_ik import (
    GaussNewton,
    Halley,
    LevenbergMarquardt,
    NewtonRaphson,
    Restarts,
    Status,
    Stop,
    TrustRegion,
    evaluate,
    explain,
    pose,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.robots import Chain

ROLL = (np.radians(10), 0, 0, 0, 0, 0)
BOX = (0, 0, 0, (-0.05, 0.1), 0.02, (0, 0.03))
AXIS = (0, 0, (-2.0, 1.0), 0, 0, 0)
MIXED = (0.1, (None, 0.2), None, 0.01, 0, (-0.02, None))
GOALS = {"roll": ROLL, "box": BOX, "free axis": AXIS}
METHODS = [LevenbergMarquardt(), GaussNewton(), LevenbergMarquardt(TrustRegion()), NewtonRaphson()]


def displacement(chain: Chain, q: Array, target: Array) -> Array:
    """Return (log(R_dᵀR), R_dᵀ(p − p_d)) by modern_robotics and SciPy."""
    T = modern_robotics.FKinSpace(chain.home, chain.screws, np.where(np.abs(q) < 1e-6, q + 2 * np.pi, q))
    R_d = target[:3, :3]
    turn = Rotation.from_matrix(R_d.T @ T[:3, :3]).as_rotvec()
    return np.concatenate([turn, R_d.T @ (T[:3, 3] - target[:3, 3])])


def violation(chain: Chain, q: Array, target: Array, bounds: Any) -> tuple[float, float]:
    """Return how far a configuration is outside, in rad and m: the distances to the boxes of rotation and position."""
    x, (lower, upper) = displacement(chain, q, target), np.array(bounds).T
    left = np.maximum(lower - x, 0.0) + np.maximum(x - upper, 0.0)
    return float(np.linalg.norm(left[:3])), float(np.linalg.norm(left[3:]))


def displaced(targets: Array, bounds: Any, rng: np.random.Generator) -> Array:
    """Return targets from which the given poses have random displacements within the intervals."""
    lower, upper = np.clip(np.array(bounds).T, -0.3, 0.3)
    moved = []
    for T in targets:
        x = rng.uniform(lower, upper)
        R = T[:3, :3] @ Rotation.from_rotvec(x[:3]).as_matrix().T
        moved.append(lie.pose(R, T[:3, 3] - R @ x[3:]))
    return np.array(moved)


@pytest.mark.parametrize("name", ["ur10", "panda"])
@pytest.mark.parametrize("kind", GOALS)
def test_300_random_poses_are_solved_within_the_intervals(name: str, kind: str, request: pytest.FixtureRequest) -> None:
    chain: Chain = request.getfixturevalue(name)
    rng, goal = np.random.default_rng(5), pose(intervals=GOALS[kind])
    bounds = goal.intervals.bounds
    targets = displaced(chain.targets(300, rng)[0], bounds, rng)
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


def test_the_jacobian_is_the_derivative_of_the_error_away_from_the_ends(chain: Chain) -> None:
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
def test_out_of_reach_the_compromise_is_scipys(planar_2r: Chain, weights: Any) -> None:
    """Half the squared distance to the set, written without our error; its minimum is found by SciPy."""
    target, intervals = np.eye(4), (0, 0, 0.2, (-0.3, 0), 0.1, 0)
    target[:2, 3] = [2.3, 1.2]
    goal = pose(weights, intervals=intervals)
    roots = np.sqrt(np.ones(6) if weights is None else weights)

    def outside(q: Array) -> Array:
        x, (lower, upper) = displacement(planar_2r, q, target), np.array(goal.intervals.bounds).T
        return roots * (np.maximum(x - upper, 0.0) - np.maximum(lower - x, 0.0))

    found = solve(planar_2r, target, [0.3, 0.4], goal=goal, starts=Restarts(20))
    best = min(least_squares(outside, q, xtol=1e-15, ftol=1e-15).cost for q in ([0.3, 0.4], [0.8, -0.4], [0.1, 0.1]))
    assert not found.converged and best > 1e-4
    assert 0.5 * np.sum(outside(found.q) ** 2) == pytest.approx(best, rel=1e-6)


@pytest.mark.parametrize("method", [None, *(pytest.param(one, marks=pytest.mark.release) for one in METHODS)], ids=str)
def test_zero_width_gives_the_plain_pose(ur10: Chain, method: Any) -> None:
    q0, rng = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4]), np.random.default_rng(7)
    for _ in range(3):
        start = q0 + rng.uniform(-0.2, 0.2, 6)
        T = ur10.forward_kinematics(q0)
        exact = solve(ur10, T, start, goal=pose(intervals=(0,) * 6), method=method)
        plain = solve(ur10, T, start, method=method)
        assert exact.converged and plain.converged
        np.testing.assert_allclose(exact.q, plain.q, atol=1e-4)  # both within 1e-6 of the pose


def test_a_start_within_the_intervals_is_left_alone(ur10: Chain) -> None:
    q0 = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    target = ur10.forward_kinematics(q0) @ lie.pose(lie.exp_so3((0.05, 0, 0)), (0.02, 0, 0))
    for solver in (solve, solve_in_python):
        found = solver(ur10, target, q0, goal=pose(intervals=(0.1, 0.01, 0.01, 0.03, 0.01, 0.01)))
        assert found.converged and found.iterations == 0 and (found.q == q0).all()
        assert found.orientation_error == found.position_error == 0.0


def test_own_methods_traces_and_paths_take_intervals(planar_2r: Chain) -> None:
    class Own:
        def step(self, jacobian: Array, error: Array) -> Array:
            return np.linalg.pinv(jacobian, rcond=1e-9) @ error

    q0, goal = np.array([0.3, 0.8]), pose(intervals=(0, 0, None, 0.01, (-0.05, 0.03), 0))
    T, bounds = planar_2r.forward_kinematics(q0), goal.intervals.bounds
    waypoints = trajectories.path_between([T, T @ lie.pose(np.eye(3), (0.2, 0.1, 0))], 5)
    path = trajectories.trace(planar_2r, waypoints, q0, goal=goal)
    assert path.complete and np.linalg.norm(path.q[-1] - path.q[0]) > 0.1
    asked: Any = {"goal": goal, "trace": True}
    own = solve(planar_2r, waypoints[-1], q0, **asked, method=Own())
    traced = solve(planar_2r, waypoints[-1], q0, **asked, method=GaussNewton())
    for q in (path.q[-1], own.q, traced.q):
        assert max(violation(planar_2r, q, waypoints[-1], bounds)) < 1.1e-6
    np.testing.assert_allclose(own.trace.q, traced.trace.q, atol=1e-9)
    first = evaluate(planar_2r, waypoints[-1], q0, goal.intervals, True).error
    np.testing.assert_allclose(traced.trace.error_twists[0], first, atol=1e-12)


@pytest.mark.parametrize("method", METHODS[:3], ids=str)
def test_the_derived_kernels_take_the_steps_of_numpy(planar_2r: Chain, method: Any) -> None:
    """From a start where components are inside: the rows of the Jacobian that vanish decide about the steps."""
    q0, goal = np.array([0.3, 0.8]), pose((1, 1, 1, 2, 2, 2), intervals=(0, 0, 0.3, 0.02, 0.4, 0))
    asked: Any = {"goal": goal, "method": method, "starts": Restarts(0)}
    for moved in ((0.15, 0.05), (-0.1, 0.2), (0.25, -0.1)):
        target = planar_2r.forward_kinematics(q0 + moved)
        expected = solve_in_python(planar_2r, target, q0, **asked, trace=True)
        assert expected.converged and expected.iterations > 0
        begin = expected.trace.error_twists[0][2:5]  # rotation about z, position along x and y
        assert begin.any() and not begin.all()
        traced, found = (solve(planar_2r, target, q0, **asked, trace=trace) for trace in (True, False))
        np.testing.assert_allclose(traced.trace.q, expected.trace.q, atol=1e-9)
        np.testing.assert_allclose(found.q, expected.q, atol=1e-9)


def test_a_failure_names_the_violated_components(planar_2r: Chain) -> None:
    target = np.eye(4)
    target[:2, 3] = [1.9, 1.0]
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


def test_where_components_compete_only_the_violations_are_causes(planar_2r: Chain) -> None:
    """Zero rows of the Jacobian are no singular configuration."""
    target = np.eye(4)
    target[:2, 3] = [0.6, 1.2]
    found = solve(planar_2r, target, goal=pose(intervals=(0, 0, 0.01, 0.1, 0.01, 0)), starts=Restarts(5))
    (cause,) = found.explain()
    assert cause.name == "outside the intervals"
    assert "rotation z" in cause.sentence and "position y" in cause.sentence


def test_the_reach_grows_by_the_box(planar_2r: Chain) -> None:
    target, free = np.eye(4), (None, None, None)
    target[0, 3] = 2.2
    assert solve(planar_2r, target, goal=pose(intervals=(*free, 0.3, 0.3, 0))).converged
    assert solve(planar_2r, target, goal=pose(intervals=(*free, None, 0, 0))).converged
    near = solve(planar_2r, target, goal=pose(intervals=(*free, 0.1, 0, 0)))
    assert near.status is Status.UNREACHABLE and near.position_error == pytest.approx(0.1, abs=1e-6)
    assert "by 100 mm" in near.explain()[0].sentence


def test_the_unit_of_length_does_not_matter(ur10: Chain) -> None:
    """An arm in units of 1/1024 m, which scales without rounding; the intervals are in the arm's unit."""
    unit, targets = 1024.0, ur10.targets(3, np.random.default_rng(8))[0]
    screws, home = ur10.screws.copy(), ur10.home.copy()
    screws[3:] *= unit
    home[:3, 3] *= unit
    small, stop = replace(ur10, screws=screws, home=home), Stop(position=1e-6 * unit)
    scaled = pose(intervals=(*BOX[:3], *((unit * a, unit * b) for a, b in pose(intervals=BOX).intervals.bounds[3:])))
    for T in targets:
        far = T.copy()
        far[:3, 3] *= unit
        np.testing.assert_array_equal(
            solve(small, far, goal=scaled, stop=stop).q, solve(ur10, T, goal=pose(intervals=BOX)).q
        )


@pytest.mark.parametrize(
    ("intervals", "words"),
    [
        ((0, 0, 0, (0.2, 0.1), 0, 0), "the interval of position x is empty: its lower end 0.2 is above its upper 0.1"),
        ((np.nan, 0, 0, 0, 0, 0), "the interval of rotation x must be a number t ≥ 0 .* got nan"),
        ((0, 0, 0, 0, (0, np.nan), 0), "the interval of position y must be"),
        ((0, 0, 0, 0, 0, -0.1), "the interval of position z must be .* got -0.1"),
        ((0, 0, 0, 0, 0, (np.inf, np.inf)), "the interval of position z must be"),
        ((0, 0, 0, 0, 0, "0"), "the interval of position z must be"),
        ((0, 0, 0, 0, 0), "intervals must be six, .* got 5 of them"),
        (0.1, "intervals must be six"),
        ((0, (-10, 10), 0, 0, 0, 0), r"rotation y ends at -10 rad, .* is numpy.radians\(-10\)"),
        ((None,) * 6, "all six intervals are free"),
        (((3.0, 3.3), 0, 0, 0, 0, 0), r"\[3, 3.3\] of rotation x goes beyond ±π"),
        (((2, 3), (2, 3), (2, 3), 0, 0, 0), "a length up to π, and theirs are at least 3.464"),
    ],
)
def test_an_interval_that_is_none_is_refused(intervals: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        pose(intervals=intervals)


def test_a_rotation_that_covers_a_revolution_is_free() -> None:
    assert Intervals.of((4, (-1, 6), (None, 3.5), 0, 0, 0)).bounds[:3] == ((-np.inf, np.inf),) * 3
    one_sided = ((-np.inf, 0.2), (-3.0, np.inf), (-np.pi, 3.0))
    assert Intervals.of(((None, 0.2), (-3, None), (-np.pi, 3), 0, 0, 0)).bounds[:3] == one_sided


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"method": Halley()}, "a goal with intervals has its own error, .*Halley.* uses the twist"),
        ({"method": NewtonRaphson("space")}, "uses the twist"),
        ({"certify": True}, "certify=True needs a single pose, and the goal has intervals"),
        ({"prefer": np.zeros(6)}, "prefer cannot be combined with intervals"),
    ],
)
def test_what_intervals_exclude_is_refused(ur10: Chain, asked: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        solve(ur10, np.eye(4), goal=pose(intervals=ROLL), **asked)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"weights": (0, 1, 1, 1, 1, 1)}, "weights of a goal with intervals must be positive"),
        ({"axes": "space"}, "intervals are along the axes of the target: leave axes='space' out"),
    ],
)
def test_weights_of_zero_and_other_axes_are_refused(asked: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        pose(intervals=ROLL, **asked)


def test_equal_goals_are_prepared_once(ur10: Chain) -> None:
    assert pose(intervals=ROLL) == pose(intervals=np.array([(-t, t) for t in ROLL]))
    target = ur10.forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    solve(ur10, target, goal=pose(intervals=ROLL))
    before = len(ur10.prepared)
    solve(ur10, target, goal=pose(intervals=list(ROLL)))
    assert len(ur10.prepared) == before
