"""Goals with free components: position only, orientation only, or the direction of a tool's axis."""

from typing import Any

import numpy as np
import pytest

from lessons_lib import lie
from lessons_lib.pose_ik import (
    orientation_only,
    pointing,
    position_only,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.robots import Chain

AXES = [(0, 0, 1), (0, 0, -1), (1, 0, 0), (1, -2, 0.5), (1e-9, 1.0, 0.0), (-3e8, 2e8, 1e8)]


def rotate_about(targets: np.ndarray, axis: Any, rng: np.random.Generator) -> np.ndarray:
    """Return the targets, each rotated at random about an axis in its own frame, which a pointing goal ignores."""
    unit = np.array(axis, dtype=float) / np.linalg.norm(axis)
    return np.array(
        [
            T @ lie.pose(lie.exp_so3(angle * unit), np.zeros(3))
            for T, angle in zip(targets, rng.uniform(-3, 3, len(targets)), strict=True)
        ]
    )


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", ["ur10", "panda"])
def test_a_pointing_goal_aligns_any_axis_of_the_tool(name: str, axis: Any, request: pytest.FixtureRequest) -> None:
    chain: Chain = request.getfixturevalue(name)
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
def test_position_only_and_orientation_only(solve: Any, ur10: Chain) -> None:
    targets, _ = ur10.targets(5, np.random.default_rng(3))
    for T, other in zip(targets, targets[::-1], strict=True):
        target = lie.pose(other[:3, :3], T[:3, 3])
        found = ur10.forward_kinematics(solve(ur10, target, goal=position_only()).q)
        assert np.linalg.norm(found[:3, 3] - T[:3, 3]) < 1e-6
        target[:3, 3] = 99.0
        result = solve(ur10, target, goal=orientation_only())
        assert result.converged and result.position_error > 90
        np.testing.assert_allclose(ur10.forward_kinematics(result.q)[:3, :3], other[:3, :3], atol=2e-6)


def test_pointing_without_position_ignores_the_position(ur10: Chain) -> None:
    T, _ = ur10.targets(1)
    far = lie.pose(T[0, :3, :3], (50, 0, 0))
    result = solve(ur10, far, goal=pointing((0, 1, 1), position=False))
    assert result.converged
    np.testing.assert_allclose(
        ur10.forward_kinematics(result.q)[:3, :3] @ [0, 1, 1], far[:3, :3] @ [0, 1, 1], atol=2e-6
    )
