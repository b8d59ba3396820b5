"""Screw axes, quaternions and poses of other libraries, against those libraries and SciPy."""

import math
from types import SimpleNamespace

import modern_robotics as mr
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from lessons_lib import lie
from lessons_lib.arrays import floats
from lessons_lib.errors import TransformError

TWISTS = np.random.default_rng(5).normal(size=(20, 6))
TURNS = [*TWISTS[:, :3], np.zeros(3), np.array([np.pi, 0, 0]), np.array([0, -np.pi + 1e-9, 0])]


@pytest.mark.parametrize("pitch", [0.0, 0.3, -2.0])
def test_a_screw_axis_is_modern_robotics_one(pitch: float) -> None:
    point, direction = TWISTS[0].reshape(2, 3)
    unit = direction / np.linalg.norm(direction)
    np.testing.assert_allclose(lie.screw_axis(point, direction, pitch), mr.ScrewToAxis(point, unit, pitch), atol=1e-14)


def test_of_an_infinite_pitch_the_slide_is_left() -> None:
    assert lie.screw_axis((1, 2, 3), (0, 0, -2), math.inf).tolist() == [0, 0, 0, 0, 0, -1]
    assert lie.screw_axis((1, 2, 3), (0, 0, -2), -math.inf).tolist() == [0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("omega", TURNS)
def test_quaternions_are_scipys_in_both_orders(omega: np.ndarray) -> None:
    rotation = Rotation.from_rotvec(omega)
    R, known = rotation.as_matrix(), rotation.as_quat(canonical=True)
    found = lie.so3_to_quaternion(R)
    sign = np.sign(found @ known) if known[3] < 1e-8 else 1.0  # at half a turn both signs are right
    np.testing.assert_allclose(found, sign * known, atol=1e-15)
    np.testing.assert_allclose(lie.so3_to_quaternion(R, "wxyz"), np.roll(found, 1), atol=0)
    for quaternion, order in ((found, "xyzw"), (-found, "xyzw"), (np.roll(found, 1), "wxyz")):
        np.testing.assert_allclose(lie.quaternion_to_so3(quaternion, order), R, atol=2e-15)  # type: ignore[arg-type]


def test_poses_of_other_libraries_are_poses() -> None:
    import pinocchio
    import spatialmath

    for T in [lie.exp_se3(xi) for xi in TWISTS[:3]]:
        for pose in (pinocchio.SE3(T), spatialmath.SE3(T, check=False)):
            np.testing.assert_array_equal(lie.check_transform(pose), T)
            np.testing.assert_array_equal(lie.log_se3(pose), lie.log_se3(T))
        np.testing.assert_array_equal(lie.log_so3(spatialmath.SO3(T[:3, :3], check=False)), lie.log_so3(T[:3, :3]))


def test_many_poses_of_other_libraries_are_a_stack() -> None:
    import pinocchio
    import spatialmath

    matrices = [lie.exp_se3(xi) for xi in TWISTS[:3]]
    only = [SimpleNamespace(A=T) for T in matrices]
    for many in ([pinocchio.SE3(T) for T in matrices], spatialmath.SE3(matrices, check=False), only):
        np.testing.assert_array_equal(floats(many, "poses", TransformError), matrices)  # type: ignore[arg-type]
    with pytest.raises(TransformError, match="T must be numbers"):
        lie.log_se3(SimpleNamespace(A=1.0))  # type: ignore[arg-type]
