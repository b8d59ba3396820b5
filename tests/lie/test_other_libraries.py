"""Poses, twists, screw axes, quaternions and nearest rotations against Pinocchio, modern_robotics and SciPy."""

import math
from types import SimpleNamespace

import modern_robotics
import modern_robotics as mr
import numpy as np
import pinocchio
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import polar
from scipy.spatial.transform import Rotation

from lessons_lib import lie, pose_ik, robots
from lessons_lib.arrays import floats
from lessons_lib.errors import TransformError
from lessons_lib.symbolic import se3

MODERATE = [0.1, 0.5, 1.0, 2.0, 3.0]


def swap(matrix):
    """Return a twist or a 6×6 matrix with (ω, v) and (v, ω) exchanged."""
    order = [3, 4, 5, 0, 1, 2]
    return matrix[order] if matrix.ndim == 1 else matrix[np.ix_(order, order)]


@pytest.mark.parametrize("angle", [0.0, 1e-10, 1e-6, *MODERATE, np.pi - 1e-3, np.pi - 1e-6])
def test_pinocchio_agrees(angle, twists):
    for xi in twists(angle, 50):
        M = pinocchio.exp6(swap(xi))
        T = lie.exp_se3(xi)
        assert np.abs(T - M.homogeneous).max() <= 1e-14
        assert np.abs(lie.log_se3(T) - swap(pinocchio.log6(pinocchio.SE3(T)).vector)).max() <= 1e-13
        assert np.abs(lie.adjoint(T) - swap(M.action)).max() <= 1e-13
        assert np.abs(lie.inverse(T) - M.inverse().homogeneous).max() <= 1e-14
        np.testing.assert_array_equal(lie.hat_se3(xi), mr.VecTose3(xi))
        assert np.abs(lie.right_jacobian_se3(xi) - swap(pinocchio.Jexp6(swap(xi)))).max() <= 1e-10
        # Jlog6(M) is the inverse of J_r at log M, and J_r(ξ)⁻¹ = J_l(−ξ)⁻¹
        assert np.abs(lie.left_jacobian_inverse_se3(-xi) - swap(pinocchio.Jlog6(M))).max() <= 1e-10


P = np.array(se3.exchange().tolist(), dtype=np.float64)


@pytest.mark.parametrize("shape", [(6,), (6, 1), (6, 6), (6, 7), (6, 0)])
def test_swap_halves_agrees_with_the_symbolic_exchange(shape):
    x = np.random.default_rng(4).normal(size=shape)
    before = x.copy()
    np.testing.assert_array_equal(lie.swap_halves(x), P @ x)
    np.testing.assert_array_equal(lie.swap_halves(lie.swap_halves(x)), x)
    np.testing.assert_array_equal(x, before)


def test_swap_map_exchanges_rows_and_columns():
    A = np.random.default_rng(5).normal(size=(6, 6))
    np.testing.assert_array_equal(lie.swap_map(A), P @ A @ P)
    assert np.abs(lie.swap_map(A) - lie.swap_halves(A)).max() > 0.1  # the two must not be mixed up


TWISTS = np.random.default_rng(5).normal(size=(20, 6))
TURNS = [*TWISTS[:, :3], np.zeros(3), np.array([np.pi, 0, 0]), np.array([0, -np.pi + 1e-9, 0])]


@pytest.mark.parametrize("pitch", [0.0, 0.3, -2.0])
def test_screw_axes_agree_with_modern_robotics(pitch):
    point, direction = TWISTS[0].reshape(2, 3)
    unit = direction / np.linalg.norm(direction)
    np.testing.assert_allclose(lie.screw_axis(point, direction, pitch), mr.ScrewToAxis(point, unit, pitch), atol=1e-14)


def test_an_infinite_pitch_gives_a_translation():
    assert lie.screw_axis((1, 2, 3), (0, 0, -2), math.inf).tolist() == [0, 0, 0, 0, 0, -1]
    assert lie.screw_axis((1, 2, 3), (0, 0, -2), -math.inf).tolist() == [0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("omega", TURNS)
def test_quaternions_agree_with_scipy_in_both_orders(omega):
    rotation = Rotation.from_rotvec(omega)
    R, known = rotation.as_matrix(), rotation.as_quat(canonical=True)
    found = lie.so3_to_quaternion(R)
    sign = np.sign(found @ known) if known[3] < 1e-8 else 1.0  # for a rotation by π both signs are correct
    np.testing.assert_allclose(found, sign * known, atol=1e-15)
    np.testing.assert_allclose(lie.so3_to_quaternion(R, "wxyz"), np.roll(found, 1), atol=0)
    for quaternion, order in ((found, "xyzw"), (-found, "xyzw"), (np.roll(found, 1), "wxyz")):
        np.testing.assert_allclose(lie.quaternion_to_so3(quaternion, order), R, atol=2e-15)


def test_poses_of_other_libraries_are_accepted():
    import pinocchio
    import spatialmath

    for T in [lie.exp_se3(xi) for xi in TWISTS[:3]]:
        for pose in (pinocchio.SE3(T), spatialmath.SE3(T, check=False)):
            np.testing.assert_array_equal(lie.check_transform(pose), T)
            np.testing.assert_array_equal(lie.log_se3(pose), lie.log_se3(T))
        np.testing.assert_array_equal(lie.log_so3(spatialmath.SO3(T[:3, :3], check=False)), lie.log_so3(T[:3, :3]))


def test_lists_of_poses_of_other_libraries_are_converted_to_a_stack():
    import pinocchio
    import spatialmath

    matrices = [lie.exp_se3(xi) for xi in TWISTS[:3]]
    only = [SimpleNamespace(A=T) for T in matrices]
    for many in ([pinocchio.SE3(T) for T in matrices], spatialmath.SE3(matrices, check=False), only):
        np.testing.assert_array_equal(floats(many, "poses", TransformError), matrices)
    with pytest.raises(TransformError, match="T must be numbers"):
        lie.log_se3(SimpleNamespace(A=1.0))


def rotation_with_errors(seed, size):
    """Return a rotation, and the same rotation with errors of a given size in all entries."""
    rng = np.random.default_rng(seed)
    R = Rotation.random(random_state=rng).as_matrix()
    return R, R + size * rng.uniform(-1.0, 1.0, (3, 3))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-3, 0.3])
def test_the_nearest_rotation_is_that_of_the_polar_decomposition(seed, size):
    _, M = rotation_with_errors(seed, size)
    assert np.linalg.det(M) > 0.0
    found = lie.project_so3(M)
    assert_allclose(found, polar(M)[0], rtol=0, atol=1e-14)
    assert_allclose(found, modern_robotics.ProjectToSO3(M), rtol=0, atol=1e-14)
    assert_allclose(found.T @ found, np.eye(3), rtol=0, atol=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_a_rounded_target_is_replaced_by_its_polar_factor(seed):
    _, M = rotation_with_errors(seed, 1e-7)
    target = np.block([[M, np.array([[0.3], [0.4], [0.5]])], [np.zeros((1, 3)), 1.0]])
    solved = pose_ik.all_solutions(robots.ur10(), target)
    assert_allclose(solved.target[:3, :3], polar(M)[0], rtol=0, atol=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_no_other_rotation_is_nearer_to_a_reflection(seed):
    """For a negative determinant, the result of modern_robotics may be far from the matrix."""
    rng = np.random.default_rng(seed)
    M = -rotation_with_errors(seed, 0.4)[1]
    found = lie.project_so3(M)
    assert np.linalg.det(found) == pytest.approx(1.0)
    for other in (*Rotation.random(200, random_state=rng).as_matrix(), modern_robotics.ProjectToSO3(M)):
        assert np.linalg.norm(M - found) <= np.linalg.norm(M - other) + 1e-12
    for turn in rng.normal(scale=1e-3, size=(50, 3)):
        assert np.linalg.norm(M - found) <= np.linalg.norm(M - lie.exp_so3(turn) @ found) + 1e-12


def test_a_pose_with_three_digits_is_refused_with_advice():
    T = robots.ur10().forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    printed = np.round(T, 3)
    with pytest.raises(TransformError, match=r"is not a rotation: RᵀR .* differs .*; lie\.project_so3 returns the"):
        lie.log_se3(printed)
    projected = lie.project_se3(printed)
    assert np.linalg.norm(lie.log_se3(np.linalg.inv(T) @ projected)) < 2e-3
    assert_allclose(projected[:3, 3], printed[:3, 3], rtol=0, atol=0)
