"""What of a pose is asked for: position, orientation, or where a tool's axis points; the rest counts for nothing."""

from typing import Any

import numpy as np
import pytest

from lessons_lib import lie, trajectories
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import (
    Goal,
    Halley,
    LevenbergMarquardt,
    NewtonRaphson,
    Restarts,
    evaluate,
    orientation_only,
    pointing,
    pose,
    position_only,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.pose_ik.steps import steps_of
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


@pytest.mark.parametrize("solve", [solve, solve_in_python])
def test_position_or_orientation_alone(solve: Any, ur10: Chain) -> None:
    targets, _ = ur10.targets(5, np.random.default_rng(3))
    for T, other in zip(targets, targets[::-1], strict=True):
        mixed = lie.pose(other[:3, :3], T[:3, 3])
        found = ur10.forward_kinematics(solve(ur10, mixed, goal=position_only()).q)
        assert np.linalg.norm(found[:3, 3] - T[:3, 3]) < 1e-6
        mixed[:3, 3] = 99.0
        result = solve(ur10, mixed, goal=orientation_only())
        assert result.converged and result.position_error > 90
        np.testing.assert_allclose(ur10.forward_kinematics(result.q)[:3, :3], other[:3, :3], atol=2e-6)


def test_pointing_weighs_all_but_the_turn_about_the_axis_alike_as_the_modules_table_has_it() -> None:
    assert list(pointing((0, 1, 1)).weights) == [1, 1, 0, 1, 1, 1]
    assert list(pointing((0, 1, 1), position=False).weights) == [1, 1, 0, 0, 0, 0]


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
            r"axis must be a direction \(x, y, z\) in {b}, finite and not zero, got \[0.0, 0.0\]",
        ),
        (lambda: pointing((0, 0, 0)), r"axis must be .*got \[0.0, 0.0, 0.0\]"),
        (lambda: pointing((0, np.nan, 1)), r"axis must be .*got \[0.0, nan, 1.0\]"),
        (lambda: pointing("z"), "axis must be three numbers, a direction in the tool's frame {b}, got 'z'"),
    ],
)
def test_an_axis_that_is_none_is_refused(make: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        make()


@pytest.mark.parametrize(
    ("goal", "method", "words"),
    [
        ("position", None, r"goal must be a Goal, such as pose_ik.pose\(weights\), pose_ik.*, got 'position'"),
        (
            pointing((0, 0, 1)),
            LevenbergMarquardt(frame="space"),
            r"works in 'space', and the goal leaves components out: name its axes .* pose\(weights, axes='space'\)",
        ),
        (position_only(), NewtonRaphson("space"), "<Newton-Raphson .space., frame='space'> works in 'space'"),
        (
            pointing((0, 0, 1)),
            LevenbergMarquardt(derivative="geometric"),
            r"the goal names axes, turning about \(0, 0, 1\), and <Levenberg-Marquardt, Chan.*> a derivative of",
        ),
        (pose((0, 0, 0, 1, 1, 1), axes="space"), Halley(), "the goal names axes, space, and <Halley.*leave the deriv"),
    ],
)
def test_a_goal_that_cannot_be_kept_is_refused(goal: Any, method: Any, words: str, planar_2r: Chain) -> None:
    for call in (solve, solve_batch, trajectories.trace):
        with pytest.raises(ParameterError, match=words):
            call(planar_2r, np.eye(4) if call is solve else np.eye(4)[None], goal=goal, method=method)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: pose((1, 1, 1, 2, 2, 2), axes="space"),
            "axes 'space' need a weight of zero, and",
        ),
        (lambda: pose(axes="target"), "axes 'target' need a weight of zero, and no weight is"),
        (lambda: pose((0, 0, 0, 1, 1, 1), axes="tool"), r"axes must be .*'twist' or Axes\(…\), got 'tool'"),
        (lambda: pose((0, 0, 0, 1, 1, 1), axes=["body"]), r"axes must be 'body', 'space'.*, got \['body'\]"),
        (lambda: Goal((0, 0, 0, 1, 1), None), r"weights must have shape \(6,\).*, got shape \(5,\)"),
    ],
)
def test_a_goal_that_is_none_is_refused(make: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        make()


def test_along_the_twist_its_own_components_are_left_out(ur10: Chain) -> None:
    """V_b as it stands, by the exact derivative; along the axes of the body the split error is another one."""
    weights, axes = (0, 0, 0, 1, 2, 0), ("twist", None)
    (target, other), _ = ur10.targets(2, np.random.default_rng(4))
    target = lie.pose(other[:3, :3], target[:3, 3])
    errors, splits = [], []
    for name in axes:
        weighed = pose(weights, axes=name).of(LevenbergMarquardt())
        splits.append((steps_of(weighed).split, weighed.is_exact))
        found = solve(ur10, target, goal=pose(weights, axes=name), method=LevenbergMarquardt())
        assert found.converged
        V = lie.log_se3(lie.inverse(ur10.forward_kinematics(found.q)) @ target)
        errors.append(np.linalg.norm(V[3:5]))
    assert splits == [(False, True), (True, False)]
    assert errors[0] <= 1e-6 * (1 + 1e-6) < 1e-3 < errors[1]
    start, asked = np.full(6, 0.3), {"goal": pose((1, 1, 0, 1, 2, 0), axes="twist"), "starts": Restarts(0)}
    here = evaluate(ur10, target, start)
    trace = solve(ur10, target, start, **asked, method=LevenbergMarquardt(), trace=True).trace
    np.testing.assert_allclose(trace.error_twists[0], here.error, atol=1e-12)
