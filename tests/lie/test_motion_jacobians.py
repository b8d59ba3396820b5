"""Left and right Jacobians against mpmath's series."""

from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from test_exp_and_log import ANGLES

from lessons_lib import lie
from lessons_lib.arrays import Array

Twists = Callable[[float, int], Array]

BEYOND = [4.0, 2 * np.pi - 1e-3, 2 * np.pi, 7.0, 12.0]


def bracket(xi: Array) -> Array:
    """Return ad_ξ, shape (6, 6), rows (Ω, 0) and ([v], Ω)."""
    Omega, V = lie.hat_so3(xi[:3]), lie.hat_so3(xi[3:])
    return np.block([[Omega, np.zeros((3, 3))], [V, Omega]])


def exact_left_jacobian(xi: Array) -> Array:
    """Return Σ adᵏ/(k+1)! at 40 digits: the upper right block of exp of (ad, I; 0, 0)."""
    with mpmath.workdps(40):
        doubled = mpmath.zeros(12)
        doubled[:6, :6], doubled[:6, 6:] = mpmath.matrix(bracket(xi).tolist()), mpmath.eye(6)
        block = mpmath.expm(doubled)[:6, 6:]
        return np.array(block.tolist(), dtype=np.float64)


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-9, 1e-4, 0.5, 2.0, 2.68, 3.0, 3.04, 3.35, 3.68, *BEYOND])
def test_the_jacobians_equal_their_series(angle: float, twists: Twists) -> None:
    # 2.68, 3.04, 3.35, 3.68 lie where c₂ … c₅ change from their series to their closed form
    for xi in twists(angle, 3):
        exact = exact_left_jacobian(xi)
        assert np.abs(lie.left_jacobian_se3(xi) - exact).max() <= 5e-15
        assert np.abs(lie.left_jacobian_so3(xi[:3]) - exact[:3, :3]).max() <= 5e-15
        assert np.abs(lie.right_jacobian_se3(-xi) - exact).max() <= 5e-15  # J_r(−ξ) = J_l(ξ)
        assert np.abs(lie.right_jacobian_so3(-xi[:3]) - exact[:3, :3]).max() <= 5e-15


@pytest.mark.parametrize("angle", [*ANGLES, 4.0, 6.0])
def test_the_inverse_left_jacobian_inverts_the_left_jacobian(angle: float, twists: Twists) -> None:
    # at θ = 6 the smallest singular value of J_l is sin(3)/3 = 0.05, and its square enters the dual part
    for xi in twists(angle, 50):
        product = lie.left_jacobian_inverse_se3(xi) @ lie.left_jacobian_se3(xi)
        assert np.abs(product - np.eye(6)).max() <= 1e-12


def test_the_inverse_left_jacobian_near_2_pi_has_six_digits(twists: Twists) -> None:
    # c₂ has a double zero at 2π: 1e-3 from it, it is 1e-8 and holds 8 digits, and the dual part divides by c₂²
    for xi in twists(2 * np.pi - 1e-3, 50):
        product = lie.left_jacobian_inverse_se3(xi) @ lie.left_jacobian_se3(xi)
        assert np.abs(product - np.eye(6)).max() <= 1e-6
