"""What of a pose is asked for: position, orientation, or where a tool's axis points; the rest counts for nothing."""

from typing import Any

import numpy as np
import pytest

from lessons_lib import lie, trajectories
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import (
    Chan,
    GaussNewton,
    LevenbergMarquardt,
    NewtonRaphson,
    StayNear,
    orientation_only,
    pointing,
    position_only,
    solve,
    solve_batch,
)
from lessons_lib.robots import Chain

AXES = [(0, 0, 1), (0, 0, -1), (1, 0, 0), (1, -2, 0.5), (1e-9, 1.0, 0.0), (-3e8, 2e8, 1e8)]


def turned(targets: np.ndarray, axis: Any, rng: np.random.Generator) -> np.ndarray:
    """Return the targets, each turned about its own axis: what a pointing arm need not care about."""
    unit = np.array(axis, dtype=float) / np.linalg.norm(axis)
    return np.array(
        [
            T @ lie.pose(lie.exp_so3(angle * unit), np.zeros(3))
            for T, angle in zip(targets, rng.uniform(-3, 3, len(targets)), strict=True)
        ]
    )


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", ["ur10", "panda"])
def test_a_tool_points_where_it_should_whatever_its_axis(name: str, axis: Any, request: pytest.FixtureRequest) -> None:
    chain: Chain = request.getfixturevalue(name)
    rng = np.random.default_rng(7)
    reachable, _ = chain.targets(100, rng)
    targets = turned(reachable, axis, rng)
    found = solve_batch(chain, targets, goal=pointing(axis))
    assert found.converged.all()
    T = chain.forward_kinematics(found.q)
    unit = np.array(axis, dtype=float) / np.linalg.norm(axis)
    there, wanted = T[:, :3, :3] @ unit, targets[:, :3, :3] @ unit
    tilt = np.linalg.norm(np.cross(there, wanted), axis=1)
    assert (tilt < 1.1e-6).all() and (np.sum(there * wanted, axis=1) > 0).all()
    assert (np.linalg.norm(T[:, :3, 3] - targets[:, :3, 3], axis=1) < 1e-6).all()
    assert found.orientation_error.max() > 0.1  # the turn about the axis is not asked for


def test_another_axis_compiles_nothing(ur10: Chain, monkeypatch: pytest.MonkeyPatch) -> None:
    T, q = ur10.targets(1)
    solve(ur10, T[0], q[0], goal=pointing((1, 0, 0)))
    monkeypatch.setattr("lessons_lib.codegen.modules.load", lambda *_: pytest.fail("something was made"))
    assert solve(ur10, T[0], q[0], goal=pointing((1, 1, 0))).converged


@pytest.mark.parametrize("compiled", [True, False])
def test_position_or_orientation_alone(compiled: bool, ur10: Chain) -> None:
    targets, _ = ur10.targets(5, np.random.default_rng(3))
    for T, other in zip(targets, targets[::-1], strict=True):
        mixed = lie.pose(other[:3, :3], T[:3, 3])
        found = ur10.forward_kinematics(solve(ur10, mixed, goal=position_only(), compiled=compiled).q)
        assert np.linalg.norm(found[:3, 3] - T[:3, 3]) < 1e-6
        mixed[:3, 3] = 99.0
        result = solve(ur10, mixed, goal=orientation_only(), compiled=compiled)
        assert result.converged and result.position_error > 90
        np.testing.assert_allclose(ur10.forward_kinematics(result.q)[:3, :3], other[:3, :3], atol=2e-6)


@pytest.mark.check
def test_both_roads_and_a_path_point_alike(ur10: Chain) -> None:
    rng, axis = np.random.default_rng(2), (1.0, 2.0, -1.0)
    goal, unit = pointing(axis), np.array(axis) / np.linalg.norm(axis)
    (begin, end), q = ur10.targets(2, rng)
    waypoints = trajectories.path_between([begin, lie.pose(begin[:3, :3], begin[:3, 3] + 0.05)], 5)
    for compiled in (True, False):
        path = trajectories.trace(ur10, waypoints, q[0], goal=goal, compiled=compiled)
        assert path.complete
        T = ur10.forward_kinematics(path.q)
        np.testing.assert_allclose(T[:, :3, :3] @ unit, waypoints[:, :3, :3] @ unit, atol=1.1e-6)
    for method in (GaussNewton(), LevenbergMarquardt(Chan(0.2), derivative="exact"), None):
        initial = StayNear() if method is None else None
        near = solve(ur10, end, q[1] + 0.05, goal=goal, method=method, initial=initial)
        np.testing.assert_allclose(ur10.forward_kinematics(near.q)[:3, :3] @ unit, end[:3, :3] @ unit, atol=1.1e-6)


def test_pointing_alone_leaves_the_position_out(ur10: Chain) -> None:
    T, _ = ur10.targets(1)
    far = lie.pose(T[0, :3, :3], (50, 0, 0))
    result = solve(ur10, far, goal=pointing((0, 1, 1), position=False))
    assert result.converged
    np.testing.assert_allclose(
        ur10.forward_kinematics(result.q)[:3, :3] @ [0, 1, 1], far[:3, :3] @ [0, 1, 1], atol=2e-6
    )


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: pointing((0, 0)),
            r"axis is \[0.0, 0.0\]; it is a direction \(x, y, z\) in {b}, finite and not all zero",
        ),
        (lambda: pointing((0, 0, 0)), r"axis is \[0.0, 0.0, 0.0\]"),
        (lambda: pointing((0, np.nan, 1)), r"axis is \[0.0, nan, 1.0\]"),
        (lambda: pointing("z"), "axis must be three numbers, a direction in the tool's frame {b}, got 'z'"),
    ],
)
def test_an_axis_that_is_none_is_refused(make: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        make()


@pytest.mark.parametrize(
    ("goal", "method", "words"),
    [
        ("position", None, r"goal is 'position'; it is a Goal, such as pose_ik.position_only\(\)"),
        (position_only(), NewtonRaphson(), "a goal needs weights, which NewtonRaphson.* has not"),
        (position_only(), LevenbergMarquardt(weights=[1] * 6), "give that or a goal, not both"),
        (pointing((0, 0, 1)), LevenbergMarquardt(frame="space"), "give that or a goal, not both"),
    ],
)
def test_a_goal_that_cannot_be_kept_is_refused(goal: Any, method: Any, words: str, planar_2r: Chain) -> None:
    for call in (solve, solve_batch, trajectories.trace):
        with pytest.raises(ParameterError, match=words):
            call(planar_2r, np.eye(4) if call is solve else np.eye(4)[None], goal=goal, method=method)
