"""The same mathematics by SciPy, Pinocchio and modern_robotics, and how far each is to be trusted.

Pinocchio's twists are (v, ω): `swap` is the only place where the order changes.
"""

from collections.abc import Callable

import modern_robotics as mr
import numpy as np
import pinocchio
import pytest
from scipy.linalg import expm, logm
from scipy.spatial.transform import Rotation

from lessons_lib import lie
from lessons_lib.arrays import Array

Twists = Callable[[float, int], Array]

MODERATE = [0.1, 0.5, 1.0, 2.0, 3.0]


def swap(matrix: Array) -> Array:
    """Return a twist or a 6×6 matrix with (ω, v) and (v, ω) exchanged."""
    order = [3, 4, 5, 0, 1, 2]
    return matrix[order] if matrix.ndim == 1 else matrix[np.ix_(order, order)]


@pytest.mark.parametrize("angle", [0.0, 1e-8, 1e-4, *MODERATE, np.pi, 5.0])
def test_scipy_agrees(angle: float, twists: Twists) -> None:
    for xi in twists(angle, 20):
        T = lie.exp_se3(xi)
        assert np.abs(T - expm(lie.hat_se3(xi))).max() <= 1e-13  # expm squares and multiplies: a few hundred units
        assert np.abs(T[:3, :3] - Rotation.from_rotvec(xi[:3]).as_matrix()).max() <= 4e-15  # two roundings of θ ≤ 5


@pytest.mark.parametrize("angle", MODERATE)
def test_scipys_logarithms_agree(angle: float, twists: Twists) -> None:
    for xi in twists(angle, 20):
        T = lie.exp_se3(xi)
        assert np.abs(lie.hat_se3(lie.log_se3(T)) - logm(T).real).max() <= 1e-11  # logm takes repeated square roots
        assert np.abs(lie.log_so3(T[:3, :3]) - Rotation.from_matrix(T[:3, :3]).as_rotvec()).max() <= 1e-13


@pytest.mark.parametrize("angle", [0.0, 1e-10, 1e-6, *MODERATE, np.pi - 1e-3, np.pi - 1e-6])
def test_pinocchio_agrees(angle: float, twists: Twists) -> None:
    for xi in twists(angle, 50):
        M = pinocchio.exp6(swap(xi))
        T = lie.exp_se3(xi)
        assert np.abs(T - M.homogeneous).max() <= 1e-14
        assert np.abs(lie.log_se3(T) - swap(pinocchio.log6(pinocchio.SE3(T)).vector)).max() <= 1e-13
        assert np.abs(lie.adjoint(T) - swap(M.action)).max() <= 1e-13
        assert np.abs(lie.right_jacobian_se3(xi) - swap(pinocchio.Jexp6(swap(xi)))).max() <= 1e-10
        # Jlog6(M) is the inverse of J_r at log M, and J_r(ξ)⁻¹ = J_l(−ξ)⁻¹
        assert np.abs(lie.left_jacobian_inverse_se3(-xi) - swap(pinocchio.Jlog6(M))).max() <= 1e-10


@pytest.mark.parametrize("angle", MODERATE)
def test_modern_robotics_agrees(angle: float, twists: Twists) -> None:
    for xi in twists(angle, 50):
        T = mr.MatrixExp6(mr.VecTose3(xi))
        np.testing.assert_array_equal(lie.hat_se3(xi), mr.VecTose3(xi))
        assert np.abs(lie.exp_se3(xi) - T).max() <= 1e-14
        assert np.abs(lie.log_se3(T) - mr.se3ToVec(mr.MatrixLog6(T))).max() <= 1e-12  # its acos loses digits near π
        np.testing.assert_allclose(lie.adjoint(T), mr.Adjoint(T), atol=1e-15)
        np.testing.assert_allclose(lie.inverse(T), mr.TransInv(T), atol=1e-15)


def worst_round_trip(round_trip: Callable[[Array], Array], poses: list[Array]) -> float:
    """Return the worst |exp(log T) − T|; not finite counts as infinite."""
    with np.errstate(all="ignore"):
        errors = [np.abs(round_trip(T) - T).max() for T in poses]
    return float(np.max(np.nan_to_num(errors, nan=np.inf)))


def modern_robotics_round_trip(T: Array) -> Array:
    return np.asarray(mr.MatrixExp6(mr.MatrixLog6(T)))


def pinocchio_round_trip(T: Array) -> Array:
    return np.asarray(pinocchio.exp6(pinocchio.log6(pinocchio.SE3(T))).homogeneous)


@pytest.mark.parametrize(
    ("angle", "modern_robotics_errs_by"),
    [(1e-8, 1e-9), (1e-6, 1e-7), (np.pi - 1e-3, 1e-10), (np.pi - 1e-6, 1e-5), (np.pi - 1e-8, 1e-8)],
)
def test_ours_is_the_best_of_three_where_logarithms_go_wrong(
    angle: float, modern_robotics_errs_by: float, twists: Twists
) -> None:
    poses = [lie.exp_se3(xi) for xi in twists(angle, 300)]
    ours = worst_round_trip(lambda T: lie.exp_se3(lie.log_se3(T)), poses)
    rounding = 4 * 2.0**-52  # two libraries that err by this much are equally good
    assert ours <= worst_round_trip(pinocchio_round_trip, poses) + rounding
    assert ours <= 5e-15
    assert worst_round_trip(modern_robotics_round_trip, poses) > modern_robotics_errs_by
