"""exp, log and the left and right Jacobians agree with mpmath; exp and log are inverse at all angles."""

import mpmath
import numpy as np
import pytest

from lessons_lib import lie

UNIT = 2.0**-53
SMALL = [0.0, 1e-300, *(10.0**-k for k in range(16, 2, -1))]
NEAR_PI = [np.pi - 10.0**-k for k in range(2, 13)]
ANGLES = [*SMALL, 0.5, 1.0, np.pi / 2, 2.0, 3.0, *NEAR_PI, np.pi]


def exact_exp(xi):
    """Return exp [ξ] at 40 digits by mpmath's own matrix exponential."""
    w0, w1, w2, v0, v1, v2 = (mpmath.mpf(float(x)) for x in xi)
    return mpmath.expm(mpmath.matrix([[0, -w2, w1, v0], [w2, 0, -w0, v1], [-w1, w0, 0, v2], [0, 0, 0, 0]]))


def distance(T, exact):
    return float(max(abs(mpmath.mpf(float(T[i, j])) - exact[i, j]) for i in range(4) for j in range(4)))


@pytest.mark.parametrize("angle", ANGLES)
def test_exp_of_log_returns_the_pose(angle, twists):
    # required: 5e-15, about 20 units in the last place of a position of 2 m
    worst = 0.0
    for xi in twists(angle, 200):
        T = lie.exp_se3(xi)
        worst = max(worst, np.abs(lie.exp_se3(lie.log_se3(T)) - T).max())
    assert worst <= 5e-15


@pytest.mark.parametrize("angle", ANGLES[:-1])
def test_log_of_exp_returns_the_twist(angle, twists):
    # Below π the logarithm is smooth; V⁻¹ amplifies by θ/(2 sin θ/2) ≤ π/2, and 64 u is a dozen operations on ‖ξ‖ ≤ 5.
    for xi in twists(angle, 200):
        assert np.abs(lie.log_se3(lie.exp_se3(xi)) - xi).max() <= 64 * UNIT
        assert np.abs(lie.log_so3(lie.exp_so3(xi[:3])) - xi[:3]).max() <= 64 * UNIT


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-6, 1e-3, 0.5, 2.0, 2.4256, 3.0, np.pi - 1e-6, np.pi])
def test_exp_equals_the_matrix_exponential(angle, twists):
    # 2.4256 = √5.884 is where c₁ changes from its series to its closed form
    with mpmath.workdps(40):
        for xi in twists(angle, 14):
            assert distance(lie.exp_se3(xi), exact_exp(xi)) <= 16 * UNIT


def test_log_of_exp_returns_tiny_twists():
    """To the last bit, except for digits lost next to the largest entry: a product and a sum may be rounded once."""
    for xi in ([1e-320, 0, 0, 0, 5e-324, 0], [0, 1e-300, 1e-200, 1e300, 0, 0]):
        back = lie.log_se3(lie.exp_se3(xi))
        np.testing.assert_array_equal(back[:3], xi[:3])
        np.testing.assert_allclose(back[3:], xi[3:], rtol=0, atol=1e-200 * max(xi))


root = np.sqrt(0.5)
ROTATIONS_BY_PI = {
    "x": ([[1, 0, 0], [0, -1, 0], [0, 0, -1]], [1, 0, 0]),
    "y": ([[-1, 0, 0], [0, 1, 0], [0, 0, -1]], [0, 1, 0]),
    "z": ([[-1, 0, 0], [0, -1, 0], [0, 0, 1]], [0, 0, 1]),
    "x and y": ([[0, 1, 0], [1, 0, 0], [0, 0, -1]], [root, root, 0]),
    "x against y": ([[0, -1, 0], [-1, 0, 0], [0, 0, -1]], [root, -root, 0]),
    "y against z": ([[-1, 0, 0], [0, 0, -1], [0, -1, 0]], [0, root, -root]),
}


@pytest.mark.parametrize("name", ROTATIONS_BY_PI)
def test_log_at_exactly_pi_has_a_positive_first_component(name):
    R, axis = ROTATIONS_BY_PI[name]
    np.testing.assert_allclose(lie.log_so3(R), np.pi * np.array(axis), rtol=0, atol=4 * UNIT)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1.0, np.pi / 2, 3.0, np.pi])
def test_a_nearly_orthogonal_rotation_has_a_logarithm_nearby(angle, twists):
    rng = np.random.default_rng(9)
    for xi in twists(angle, 30):
        R = lie.exp_so3(xi[:3])
        spoiled = R + rng.uniform(-1, 1, (3, 3)) * 1e-7
        again = lie.exp_so3(lie.log_so3(spoiled))
        # an error e of R rotates it by at most about 3 e; at θ = 0 the trace adds √e, because cos θ may exceed 1
        assert np.abs(again - R).max() <= 1e-6


@pytest.mark.parametrize("slope", [4e-16, -4e-16, 3e-15, -3e-15])
def test_log_at_pi_takes_the_sign_of_the_first_component_that_is_not_rounding(slope):
    """The axis is (slope, 1, 0); a first component below 1e-15 is a rounding error, so the second one decides."""
    R = np.diag([-1.0, 1.0, -1.0])
    R[0, 1] = R[1, 0] = 2.0 * slope
    omega = lie.log_so3(R)
    assert omega[1] == pytest.approx(np.pi if slope > -1e-15 else -np.pi, rel=1e-12)


@pytest.mark.parametrize("k", range(3))
def test_log_at_pi_takes_the_largest_column(k):
    """The relative error of the other columns grows with the ratio of the norms."""
    axis = np.full(3, 1e-9)
    axis[k] = 1.0
    omega = lie.log_so3(2.0 * np.outer(axis, axis) - np.eye(3))
    np.testing.assert_allclose(omega, np.pi * axis, rtol=0, atol=1e-15 * np.pi + 1e-15)


BEYOND = [4.0, 2 * np.pi - 1e-3, 2 * np.pi, 7.0, 12.0]


def bracket(xi):
    """Return ad_ξ, shape (6, 6), rows (Ω, 0) and ([v], Ω)."""
    Omega, V = lie.hat_so3(xi[:3]), lie.hat_so3(xi[3:])
    return np.block([[Omega, np.zeros((3, 3))], [V, Omega]])


def exact_left_jacobian(xi):
    """Return Σ adᵏ/(k+1)! at 40 digits: the upper right block of exp of (ad, I; 0, 0)."""
    with mpmath.workdps(40):
        doubled = mpmath.zeros(12)
        doubled[:6, :6], doubled[:6, 6:] = mpmath.matrix(bracket(xi).tolist()), mpmath.eye(6)
        block = mpmath.expm(doubled)[:6, 6:]
        return np.array(block.tolist(), dtype=np.float64)


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-9, 1e-4, 0.5, 2.0, 2.68, 3.0, 3.04, 3.35, 3.68, *BEYOND])
def test_the_jacobians_equal_their_series(angle, twists):
    # 2.68, 3.04, 3.35, 3.68 lie where c₂ … c₅ change from their series to their closed form
    for xi in twists(angle, 3):
        exact = exact_left_jacobian(xi)
        assert np.abs(lie.left_jacobian_se3(xi) - exact).max() <= 5e-15
        assert np.abs(lie.left_jacobian_so3(xi[:3]) - exact[:3, :3]).max() <= 5e-15
        assert np.abs(lie.right_jacobian_se3(-xi) - exact).max() <= 5e-15  # J_r(−ξ) = J_l(ξ)
        assert np.abs(lie.right_jacobian_so3(-xi[:3]) - exact[:3, :3]).max() <= 5e-15


@pytest.mark.parametrize("angle", [*ANGLES, 4.0, 6.0])
def test_the_inverse_left_jacobian_inverts_the_left_jacobian(angle, twists):
    # at θ = 6 the smallest singular value of J_l is sin(3)/3 = 0.05, and its square enters the dual part
    for xi in twists(angle, 50):
        product = lie.left_jacobian_inverse_se3(xi) @ lie.left_jacobian_se3(xi)
        assert np.abs(product - np.eye(6)).max() <= 1e-12


def test_the_inverse_left_jacobian_near_2_pi_has_six_digits(twists):
    # c₂ has a double zero at 2π: 1e-3 from it, it is 1e-8 and holds 8 digits, and the dual part divides by c₂²
    for xi in twists(2 * np.pi - 1e-3, 50):
        product = lie.left_jacobian_inverse_se3(xi) @ lie.left_jacobian_se3(xi)
        assert np.abs(product - np.eye(6)).max() <= 1e-6
