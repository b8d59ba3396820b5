"""The same mathematics by SciPy, Pinocchio and modern_robotics, and how far each is to be trusted.

Pinocchio's twists are (v, ω): `swap` is the only place where the order changes.
"""

from collections.abc import Callable

import modern_robotics as mr
import numpy as np
import pinocchio
import pytest

from lessons_lib import lie
from lessons_lib.arrays import Array

Twists = Callable[[float, int], Array]

MODERATE = [0.1, 0.5, 1.0, 2.0, 3.0]


def swap(matrix: Array) -> Array:
    """Return a twist or a 6×6 matrix with (ω, v) and (v, ω) exchanged."""
    order = [3, 4, 5, 0, 1, 2]
    return matrix[order] if matrix.ndim == 1 else matrix[np.ix_(order, order)]


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
