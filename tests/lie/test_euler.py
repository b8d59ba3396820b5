"""Euler angles of all orders against SciPy, and their rates against finite differences."""

import itertools
import math
import warnings

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from lessons_lib import lie

INTRINSIC = ["".join(axes) for axes in itertools.product("XYZ", repeat=3) if axes[0] != axes[1] != axes[2]]
ORDERS = [*INTRINSIC, *(order.lower() for order in INTRINSIC)]
ANGLES = np.random.default_rng(8).uniform(-np.pi, np.pi, (20, 3))
EDGES = [(0.4, middle, -1.1) for middle in np.pi * np.array([-1, -0.5, 0, 0.5, 1])] + [(0, 0, 0), (30, -7, 300)]


def scipy_angles(R, order):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Gimbal lock detected")
        return np.asarray(Rotation.from_matrix(R).as_euler(order))


@pytest.mark.parametrize("order", ORDERS)
def test_rotations_of_euler_angles_agree_with_scipy(order):
    for angles in [*ANGLES, *EDGES]:
        R = lie.euler_to_so3(angles, order)
        np.testing.assert_allclose(R, Rotation.from_euler(order, angles).as_matrix(), atol=2e-15)
        in_degrees = lie.euler_to_so3(np.degrees(angles), order, unit="deg")
        np.testing.assert_allclose(in_degrees, R, atol=2e-14)  # 300 rad in degrees are rounded to 4e-12°


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_of_a_rotation_agree_with_scipy_also_at_gimbal_lock(order):
    for angles in [*ANGLES, *EDGES]:
        R = Rotation.from_euler(order, angles).as_matrix()
        found = lie.so3_to_euler(R, order)
        np.testing.assert_allclose(lie.euler_to_so3(found, order), R, atol=3e-15)
        off = np.array([math.remainder(angle, math.tau) for angle in found - scipy_angles(R, order)])
        assert np.abs(off).max() < 4e-12  # of 300 rad, one rounding is 6e-14
        np.testing.assert_allclose(lie.so3_to_euler(R, order, unit="deg"), np.degrees(found), rtol=1e-15)


@pytest.mark.parametrize("order", ["ZYX", "zyz", "XYX", "yxz"])
@pytest.mark.parametrize("apart", [1e-3, 1e-7, 1e-9, 1e-12, 1e-15, 0.0])
def test_near_gimbal_lock_the_rotation_is_recovered_to_rounding(order, apart):
    end = 0.0 if order[0] == order[2] else np.pi / 2
    R = lie.euler_to_so3([0.7, abs(end - apart), -0.3], order)
    found = lie.so3_to_euler(R, order)
    np.testing.assert_allclose(lie.euler_to_so3(found, order), R, atol=2e-14)  # below LOCKED the rest is dropped
    assert found[2] == 0.0 if apart < 1e-14 else abs(found[2] + 0.3) < 1e-14 / apart


@pytest.mark.parametrize("order", ORDERS)
def test_the_rate_jacobian_agrees_with_finite_differences(order):
    h = 1e-5
    for angles in ANGLES[:5]:
        R = lie.euler_to_so3(angles, order)
        for i, step in enumerate(h * np.eye(3)):
            ahead, behind = lie.euler_to_so3(angles + step, order), lie.euler_to_so3(angles - step, order)
            omega_s, omega_b = lie.log_so3(ahead @ behind.T) / (2 * h), lie.log_so3(behind.T @ ahead) / (2 * h)
            np.testing.assert_allclose(lie.euler_rate_jacobian(angles, order)[:, i], omega_s, atol=1e-9)
            half = lie.euler_rate_jacobian(np.degrees(angles), order, "body", unit="deg")
            np.testing.assert_allclose(half[:, i], omega_b, atol=1e-9)
        body, space = (lie.euler_rate_jacobian(angles, order, frame) for frame in ("body", "space"))
        np.testing.assert_allclose(R @ body, space, atol=1e-15)


def test_axis_angle_agrees_with_exp_of_a_rotation_vector():
    for axis, angle in [((1, 2, -3), 0.8), ((0, 0, 1e-9), -3.0), ((0, -5, 0), 180.0)]:
        unit = np.array(axis) / np.linalg.norm(axis)
        np.testing.assert_allclose(lie.axis_angle_to_so3(axis, angle), lie.exp_so3(unit * angle), atol=1e-13)
        turned = Rotation.from_rotvec(unit * angle, degrees=True).as_matrix()
        np.testing.assert_allclose(lie.axis_angle_to_so3(axis, angle, unit="deg"), turned, atol=1e-15)
