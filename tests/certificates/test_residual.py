"""Residual and derivative lie within their radii of what 50 digits say."""

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest
from exact_solution import DIGITS, arms
from many_digits import cross, kinematics, nearest_pose

from lessons_lib.certificates import residual as text
from lessons_lib.certificates.arm_numbers import arm_numbers
from lessons_lib.certificates.ball import rounding_at
from lessons_lib.certificates.module import module
from lessons_lib.lie import exp_so3
from lessons_lib.symbolic import sine_cosine


def run(told, q, T, function):
    """Return F, J and their radii."""
    F, J = np.empty(6), np.empty((6, len(q)))
    at = T.copy()
    at[:3, 3] /= told.length
    e_F, e_J, trace = function(
        told.joints, told.home, told.home_radius, q / told.units, at, F, J, np.empty((len(q), 8))
    )
    return F, J, e_F, e_J, trace


def exact(arm, q, T):
    """Return F, J and τ in many digits, from the definition."""
    R, p, _ = kinematics(arm, nearest_pose(arm.home)[0], [mpmath.mpf(float(x)) for x in q])
    R_d, p_d = nearest_pose(T)
    D = [[R_d[i, k] for i in range(3)] for k in range(3)]
    turned = [cross(d, r) for d, r in zip(D, R, strict=True)]
    F = [sum(x[i] for x in turned) / 2 for i in range(3)] + [(p[i] - p_d[i]) / arm.length for i in range(3)]
    return F, sum(a * b for d, r in zip(D, R, strict=True) for a, b in zip(d, r, strict=True))


@pytest.mark.check
@pytest.mark.parametrize("arm", arms(), ids=lambda arm: arm.name)
def test_residual_and_derivative_are_within_their_radii(arm):
    rng, told, shares = np.random.default_rng(7), arm_numbers(arm), []
    with mpmath.workdps(DIGITS):
        for _ in range(25):
            q = rng.uniform(-3.0, 3.0, arm.dof) * 10.0 ** rng.uniform(-2, 1)
            T = arm.forward_kinematics(q + 0.3 * rng.normal(size=arm.dof))
            F, J, e_F, e_J, trace = run(told, q, T, module().residual)
            assert rounding_at(arm, T, q) == e_F
            known, tau = exact(arm, q, T)
            shares.append(float(mpmath.norm([a - float(b) for a, b in zip(known, F, strict=True)])) / e_F)
            assert float(tau) >= trace and trace > tau - 1e-12
            h = mpmath.mpf(10) ** -20
            square = mpmath.mpf(0)
            for j in range(arm.dof):
                moved = [mpmath.mpf(float(x)) for x in q]
                moved[j] += h * mpmath.mpf(float(told.units[j]))
                beside = exact_at(arm, moved, T)
                square += sum(((a - b) / h - float(c)) ** 2 for a, b, c in zip(beside, known, J[:, j], strict=True))
            assert float(mpmath.sqrt(square)) <= e_J
    assert max(shares) <= 1.0
    assert max(shares) > 0.003 or arm.name != "UR10"  # other axes are known to more than rounding adds


def exact_at(arm, q, T):
    """Return F at a configuration of many digits."""
    R, p, _ = kinematics(arm, nearest_pose(arm.home)[0], q)
    R_d, p_d = nearest_pose(T)
    D = [[R_d[i, k] for i in range(3)] for k in range(3)]
    turned = [cross(d, r) for d, r in zip(D, R, strict=True)]
    return [sum(x[i] for x in turned) / 2 for i in range(3)] + [(p[i] - p_d[i]) / arm.length for i in range(3)]


OFF = 1e-10
"""Far more than rounding, and less than where radii end."""


def off_by(told, place, rng):
    """Return numbers of an arm of which one joint, or the home pose, is off by as much as a radius of OFF allows."""
    joints, home = told.joints.copy(), told.home.copy()
    ways = rng.normal(size=(2, 3))
    first, second = OFF * ways / np.linalg.norm(ways, axis=1)[:, None]
    if place == "home":
        home[:3, :3] = exp_so3(first / math.sqrt(2.0)) @ home[:3, :3]
        home[:3, 3] += second
        return replace(told, joints=joints, home=home)
    row = joints[place]
    axis = row[text.AXIS : text.AXIS + 3].copy()
    if row[text.PRISMATIC]:
        row[text.AXIS : text.AXIS + 3] += first
        return replace(told, joints=joints)
    across = first - axis * (axis @ first)
    turned = axis + OFF * across / np.linalg.norm(across)
    row[text.AXIS : text.AXIS + 3] = turned / np.linalg.norm(turned)
    row[text.STEP : text.STEP + 3] += second
    row[text.PITCH] += OFF * rng.choice([-1.0, 1.0]) * (row[text.PITCH] != 0.0)
    return replace(told, joints=joints)


@pytest.mark.check
@pytest.mark.parametrize("arm", arms(), ids=lambda arm: arm.name)
def test_radii_hold_what_the_numbers_of_an_arm_are_off_by_and_are_not_much_wider(arm):
    """Rounding is hundreds of times smaller than its bound; here each term is asked for by itself."""
    exactly = replace(arm_numbers(arm), joints=arm_numbers(arm).joints.copy(), home_radius=0.0)
    exactly.joints[:, text.JOINT_RADIUS] = 0.0
    rng = np.random.default_rng(3)
    for place in ("home", *range(arm.dof)):
        told, shares = replace(exactly, joints=exactly.joints.copy()), []
        if place == "home":
            told = replace(told, home_radius=OFF)
        else:
            told.joints[place, text.JOINT_RADIUS] = OFF
        for k in range(40):
            q = rng.uniform(-3.0, 3.0, arm.dof)
            T = arm.forward_kinematics(q + 0.3 * rng.normal(size=arm.dof) * (k % 2))
            F, J, e_F, e_J, _ = run(told, q, T, module().residual)
            beside, slope, *_ = run(off_by(exactly, place, rng), q, T, module().residual)
            shares.append([np.linalg.norm(beside - F) / e_F, np.linalg.norm(slope - J) / e_J])
        largest = np.max(shares, axis=0)
        assert (largest <= 1.0).all()
        assert (largest > ([0.6, 0.4] if place == "home" else [0.04, 0.01])).all()


def test_sine_and_cosine_are_off_by_less_than_their_bound_and_not_by_much_less():
    rng, worst = np.random.default_rng(9), 0.0
    angles = [*rng.uniform(-4, 4, 1500), *rng.uniform(-1e5, 1e5, 1500), *(np.arange(-40, 40) * math.pi / 4)]
    with mpmath.workdps(DIGITS):
        for angle in map(float, angles):
            s, c = module().sine_cosine_bounded(angle)
            worst = max(worst, float(abs(mpmath.sin(angle) - s)), float(abs(mpmath.cos(angle) - c)))
    assert worst <= module().ANGLES == sine_cosine.rounding_error()
    assert worst > 0.1 * module().ANGLES
