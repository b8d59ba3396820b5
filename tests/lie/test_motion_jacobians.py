"""Left and right Jacobians: against mpmath's derivatives and series, and against each other."""

from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from test_exp_and_log import ANGLES, exact_exp

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


@pytest.mark.parametrize("angle", [*ANGLES, *BEYOND])
def test_the_left_jacobian_is_the_adjoint_of_the_right_one(angle: float, twists: Twists) -> None:
    for xi in twists(angle, 200):
        carried = lie.adjoint(lie.exp_se3(xi)) @ lie.right_jacobian_se3(xi)
        assert np.abs(lie.left_jacobian_se3(xi) - carried).max() <= 1e-12
        turned = lie.exp_so3(xi[:3]) @ lie.right_jacobian_so3(xi[:3])
        assert np.abs(lie.left_jacobian_so3(xi[:3]) - turned).max() <= 1e-12


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-9, 1e-4, 0.5, 2.0, 2.68, 3.0, 3.04, 3.35, 3.68, *BEYOND])
def test_the_left_jacobian_is_its_series(angle: float, twists: Twists) -> None:
    # 2.68, 3.04, 3.35, 3.68 lie where c₂ … c₅ change from their series to their closed form
    for xi in twists(angle, 3):
        exact = exact_left_jacobian(xi)
        assert np.abs(lie.left_jacobian_se3(xi) - exact).max() <= 5e-15
        assert np.abs(lie.left_jacobian_so3(xi[:3]) - exact[:3, :3]).max() <= 5e-15


@pytest.mark.parametrize("angle", [0.0, 1e-8, 1.0, np.pi, 5.0])
def test_the_left_jacobian_is_the_derivative_of_exp(angle: float, twists: Twists) -> None:
    direction = np.array([0.3, -0.2, 0.5, 1.0, 0.4, -0.7])
    with mpmath.workdps(40):
        for xi in twists(angle, 3):
            T_inverse = exact_exp(-xi)

            def moved(s: mpmath.mpf, xi: Array = xi) -> mpmath.matrix:
                return exact_exp_along(xi, direction, s)

            step = mpmath.mpf(10) ** -13
            slope = (moved(step) - moved(-step)) / (2 * step) * T_inverse  # error of order step² = 1e-26
            expected = lie.vee_se3(np.array(slope.tolist(), dtype=np.float64))
            assert np.abs(lie.left_jacobian_se3(xi) @ direction - expected).max() <= 1e-14


def exact_exp_along(xi: Array, direction: Array, s: mpmath.mpf) -> mpmath.matrix:
    """Return exp [ξ + s δ] at the working precision."""
    start, rate = (mpmath.matrix(lie.hat_se3(twist).tolist()) for twist in (xi, direction))
    return mpmath.expm(start + s * rate)


@pytest.mark.parametrize("angle", [*ANGLES, 4.0, 6.0])
def test_the_inverse_is_the_inverse(angle: float, twists: Twists) -> None:
    # at θ = 6 the smallest singular value of J_l is sin(3)/3 = 0.05, and its square enters the dual part
    for xi in twists(angle, 50):
        product = lie.left_jacobian_inverse_se3(xi) @ lie.left_jacobian_se3(xi)
        assert np.abs(product - np.eye(6)).max() <= 1e-12


def test_the_inverse_close_to_a_full_turn_is_still_of_use(twists: Twists) -> None:
    # c₂ has a double zero at 2π: 1e-3 from it, it is 1e-8 and holds 8 digits, and the dual part divides by c₂²
    for xi in twists(2 * np.pi - 1e-3, 50):
        product = lie.left_jacobian_inverse_se3(xi) @ lie.left_jacobian_se3(xi)
        assert np.abs(product - np.eye(6)).max() <= 1e-6


@pytest.mark.parametrize("angle", [2 * np.pi - 1e-8, 2 * np.pi, 6.3, 40.0])
def test_the_inverse_is_refused_from_a_full_turn_on(angle: float) -> None:
    with pytest.raises(lie.TransformError, match=f"singular at 2π, .* at most 2π − 1e-06 rad, got {angle:.16g}"):
        lie.left_jacobian_inverse_se3([angle, 0, 0, 1, 2, 3])


def test_at_zero_every_jacobian_is_the_identity_with_half_the_bracket() -> None:
    xi = np.array([0, 0, 0, 1.0, 2.0, 3.0])
    np.testing.assert_array_equal(lie.left_jacobian_so3([0, 0, 0]), np.eye(3))
    np.testing.assert_allclose(lie.left_jacobian_se3(xi), np.eye(6) + bracket(xi) / 2, atol=1e-16)
    np.testing.assert_allclose(lie.right_jacobian_se3(xi), np.eye(6) - bracket(xi) / 2, atol=1e-16)
    np.testing.assert_allclose(lie.left_jacobian_inverse_se3(xi), np.eye(6) - bracket(xi) / 2, atol=1e-16)
