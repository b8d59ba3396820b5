"""Residual and derivative are within their radii of their values in 50 digits."""

import math

import mpmath
import numpy as np
import pytest
from exact_solution import DIGITS, arms
from many_digits import cross, kinematics, nearest_pose

from lessons_lib.certificates.ball import residual_rounding
from lessons_lib.certificates.error_bounds import distance_to_rotation
from lessons_lib.certificates.module import module
from lessons_lib.certificates.scaled_arm import scale_arm
from lessons_lib.lie import exp_so3
from lessons_lib.symbolic import sine_cosine


def run(scaled, q, T, function):
    """Return F, J and their radii."""
    F, J = np.empty(6), np.empty((6, len(q)))
    at = T.copy()
    at[:3, 3] /= scaled.length
    e_F, e_J, trace = function(
        scaled.joints, scaled.home, scaled.e_home, q / scaled.units, at, F, J, np.empty((len(q), 8))
    )
    return F, J, e_F, e_J, trace


def exact(arm, q, T):
    """Return F and τ in many digits, by the definition; q may have many digits."""
    R, p, _ = kinematics(arm, nearest_pose(arm.home)[0], [mpmath.mpf(x) for x in q])
    R_d, p_d = nearest_pose(T)
    D = [[R_d[i, k] for i in range(3)] for k in range(3)]
    turned = [cross(d, r) for d, r in zip(D, R, strict=True)]
    F = [sum(x[i] for x in turned) / 2 for i in range(3)] + [(p[i] - p_d[i]) / arm.length for i in range(3)]
    return F, sum(a * b for d, r in zip(D, R, strict=True) for a, b in zip(d, r, strict=True))


@pytest.mark.check
@pytest.mark.parametrize("arm", arms(), ids=lambda arm: arm.name)
def test_residual_and_derivative_are_within_their_radii(arm):
    rng, scaled, shares = np.random.default_rng(7), scale_arm(arm), []
    with mpmath.workdps(DIGITS):
        for _ in range(25):
            q = rng.uniform(-3.0, 3.0, arm.dof) * 10.0 ** rng.uniform(-2, 1)
            T = arm.forward_kinematics(q + 0.3 * rng.normal(size=arm.dof))
            F, J, e_F, e_J, trace = run(scaled, q, T, module().residual)
            assert residual_rounding(arm, T, q) == e_F
            known, tau = exact(arm, q, T)
            shares.append(float(mpmath.norm([a - float(b) for a, b in zip(known, F, strict=True)])) / e_F)
            assert float(tau) >= trace and trace > tau - 1e-12
            h = mpmath.mpf(10) ** -20
            square = mpmath.mpf(0)
            for j in range(arm.dof):
                moved = [mpmath.mpf(float(x)) for x in q]
                moved[j] += h * mpmath.mpf(float(scaled.units[j]))
                beside = exact(arm, moved, T)[0]
                square += sum(((a - b) / h - float(c)) ** 2 for a, b, c in zip(beside, known, J[:, j], strict=True))
            assert float(mpmath.sqrt(square)) <= e_J
    assert max(shares) <= 1.0
    assert max(shares) > 0.003 or arm.name != "UR10"  # INPUT_ERROR dominates for other axes


def test_sine_and_cosine_are_within_their_error_bound_and_it_is_tight():
    rng, worst = np.random.default_rng(9), 0.0
    angles = [*rng.uniform(-4, 4, 1500), *rng.uniform(-1e5, 1e5, 1500), *(np.arange(-40, 40) * math.pi / 4)]
    with mpmath.workdps(DIGITS):
        for angle in map(float, angles):
            s, c = module().sine_cosine_bounded(angle)
            worst = max(worst, float(abs(mpmath.sin(angle) - s)), float(abs(mpmath.cos(angle) - c)))
    assert worst <= module().SINE_COSINE_ERROR == sine_cosine.rounding_error()
    assert worst > 0.1 * module().SINE_COSINE_ERROR


@pytest.mark.parametrize(("i", "j"), [(0, 0), (2, 2), (0, 1), (1, 2)])
def test_the_distance_to_a_rotation_is_that_of_its_gram_matrix(i, j):
    T, stretch = np.eye(4), np.eye(3)
    stretch[i, j] += 1e-3
    T[:3, :3] = R = exp_so3([0.3, -0.2, 0.1]) @ stretch
    assert distance_to_rotation(T) == pytest.approx(np.linalg.norm(R.T @ R - np.eye(3)), rel=1e-9)
