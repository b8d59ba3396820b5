"""Nearest rotation and pose: against other libraries and random rotations, refused if not unique."""

import modern_robotics
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import polar
from scipy.spatial.transform import Rotation

from lessons_lib import lie, robots
from lessons_lib.errors import TransformError
from lessons_lib.lie import checks


def rotation_with_errors(seed: int, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Return a rotation, and the same rotation with errors of a given size in all entries."""
    rng = np.random.default_rng(seed)
    R = Rotation.random(random_state=rng).as_matrix()
    return R, R + size * rng.uniform(-1.0, 1.0, (3, 3))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-3, 0.3])
def test_the_nearest_rotation_is_that_of_the_polar_decomposition(seed: int, size: float) -> None:
    _, M = rotation_with_errors(seed, size)
    assert np.linalg.det(M) > 0.0
    found = lie.project_so3(M)
    assert_allclose(found, polar(M)[0], rtol=0, atol=1e-14)
    assert_allclose(found, modern_robotics.ProjectToSO3(M), rtol=0, atol=1e-14)
    assert_allclose(found.T @ found, np.eye(3), rtol=0, atol=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_no_other_rotation_is_nearer_to_a_reflection(seed: int) -> None:
    """For a negative determinant, the result of modern_robotics may be far from the matrix."""
    rng = np.random.default_rng(seed)
    M = -rotation_with_errors(seed, 0.4)[1]
    found = lie.project_so3(M)
    assert np.linalg.det(found) == pytest.approx(1.0)
    for other in (*Rotation.random(200, random_state=rng).as_matrix(), modern_robotics.ProjectToSO3(M)):
        assert np.linalg.norm(M - found) <= np.linalg.norm(M - other) + 1e-12
    for turn in rng.normal(scale=1e-3, size=(50, 3)):
        assert np.linalg.norm(M - found) <= np.linalg.norm(M - lie.exp_so3(turn) @ found) + 1e-12


def test_a_pose_with_three_digits_is_refused_with_advice() -> None:
    T = robots.ur10().forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    printed = np.round(T, 3)
    with pytest.raises(
        TransformError, match=r"is not a rotation: RᵀR .* differs .*; lie\.project_so3 returns the nearest"
    ):
        lie.log_se3(printed)
    projected = lie.project_se3(printed)
    assert np.linalg.norm(lie.log_se3(np.linalg.inv(T) @ projected)) < 2e-3
    assert_allclose(projected[:3, 3], printed[:3, 3], rtol=0, atol=0)


def test_a_rounded_target_is_orthonormalized_and_all_rows_of_a_batch_are_checked() -> None:
    R, M = rotation_with_errors(3, 1e-7)
    rounded = lie.pose(R, (1, 2, 3))
    rounded[:3, :3] = M
    found = checks.check_target(rounded)
    assert_allclose(found[:3, :3], polar(M)[0], rtol=0, atol=1e-13)  # a step of second order: (1e-7)²
    assert_allclose(found[:, 3], [1, 2, 3, 1], rtol=0, atol=0)
    with pytest.raises(TransformError, match="target 1: the last row must be"):
        checks.check_targets([rounded, 2 * np.eye(4), rounded])
