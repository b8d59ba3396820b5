"""A pose with a rounded rotation is orthonormalized once, and every entry point accepts it."""

from __future__ import annotations

import numpy as np
import pytest
import six_r_arms

from lessons_lib import lie, pose_ik, robots, trajectories
from lessons_lib.lie.checks import check_target, first_invalid_pose
from lessons_lib.lie.poses import ROUNDED

DECIMALS = range(7, 17)
ARMS = {
    "three parallel axes": six_r_arms.ur10,
    "a wrist": lambda: six_r_arms.from_table(six_r_arms.PUMA_560, "PUMA 560"),
    "no closed form": six_r_arms.jaco_2,
    "seven joints": robots.panda,
    "in a plane": robots.planar_3r,
}


def rounded_poses(arm, rng):
    """Yield configurations and their poses, rounded to each number of decimals and as a product of 160 motions."""
    for decimals in DECIMALS:
        q = arm.random_configuration(rng)
        T = arm.forward_kinematics(q)
        T[:3] = np.round(T[:3], decimals)
        yield q, T
    step = lie.exp_se3([0.01, 0.02, 0.03, 0.0, 0.0, 0.0] if arm.dof > 3 else [0.0, 0.0, 0.03, 0.0, 0.0, 0.0])
    back = np.linalg.inv(np.linalg.matrix_power(step, 160))
    q = arm.random_configuration(rng)
    T = arm.forward_kinematics(q) @ back
    for _ in range(160):
        T = T @ step
    yield q, T


def contains(arm, solutions, q):
    """Return whether a configuration is among the solutions, or on one of their families."""
    found = [*solutions.q, *(family.nearest(q) for family in solutions.families)]
    return min(np.abs(np.remainder(one - q + np.pi, 2 * np.pi) - np.pi).max() for one in found) < 1e-4


@pytest.mark.parametrize("kind", ARMS)
def test_every_entry_point_accepts_rounded_poses(kind):
    arm, rng = ARMS[kind](), np.random.default_rng(1)
    few = pose_ik.Stop(max_iterations=1)
    for place, (q, T) in enumerate(rounded_poses(arm, rng)):
        solutions = pose_ik.all_solutions(arm, T)
        assert lie.check_transform(solutions.target) is not None
        assert pose_ik.solve(arm, T, q0=q).converged
        assert pose_ik.solve_batch(arm, T[None], q0=q).converged.all()
        assert "radius" in repr(pose_ik.certificate(arm, T, q))
        assert pose_ik.solve(arm, T, stop=few, starts=pose_ik.Restarts(0)).explain() is not None
        if arm.dof == 7:
            assert len(solutions.slice(float(q[6])))
            assert place % 5 != 1 or contains(arm, solutions, q)
            continue
        assert contains(arm, solutions, q)
        assert np.abs(pose_ik.solve(arm, T, prefer=q).q - q).max() < 1e-4
        assert np.abs(pose_ik.solve(arm, T, q0=q, starts=pose_ik.AllBranches()).q - q).max() < 1e-4
        assert pose_ik.all_solutions_batch(arm, T[None]).counts[0] == len(solutions)
        if arm.dof == 6:
            assert trajectories.trace(arm, [T, T], branches="best").largest_move < 1e-12


def test_a_pose_is_unchanged_or_orthonormalized_to_rounding():
    rng = np.random.default_rng(2)
    for size in 10.0 ** np.linspace(-17.0, -6.3, 200):
        T = lie.exp_se3(rng.normal(size=6))
        T[:3, :3] += rng.uniform(-size, size, (3, 3))
        found = check_target(T)
        difference = np.abs(T[:3, :3].T @ T[:3, :3] - np.eye(3)).max()
        if abs(difference - ROUNDED) > 1e-15:
            assert np.array_equal(found, T) == (difference <= ROUNDED)
        if difference > ROUNDED:
            assert first_invalid_pose(found[None], 2e-15) == 1
        np.testing.assert_allclose(found[:3, :3], lie.project_so3(T[:3, :3]), atol=1e-14)


@pytest.mark.parametrize("far", [1e154, 1e200, 1.7e308])
def test_a_pose_at_any_finite_distance_is_valid_and_has_no_solution(far):
    T = lie.pose(np.eye(3), [far] * 3)
    for make in (six_r_arms.ur10, six_r_arms.jaco_2, robots.planar_3r):
        assert len(pose_ik.all_solutions(make(), T)) == 0
