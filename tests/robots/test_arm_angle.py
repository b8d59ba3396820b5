"""The arm angle: its three points are Pinocchio's, and it turns with the elbow."""

import numpy as np
import pinocchio
import pytest
from scipy.spatial.transform import Rotation

from lessons_lib import robots


def test_shoulder_elbow_and_wrist_are_origins_of_pinocchios_joints() -> None:
    model = pinocchio.buildModelFromUrdf(str(robots.urdf_file("panda")))
    data, panda, rng = model.createData(), robots.panda(), np.random.default_rng(1)
    for _ in range(20):
        q = panda.random_configuration(rng)
        pinocchio.forwardKinematics(model, data, q)
        origins = np.array([data.oMi[joint].translation for joint in (2, 4, 6)])
        assert np.allclose(robots.elbow_points(panda, q), origins, rtol=0, atol=1e-14)


def test_the_angle_is_that_between_two_planes() -> None:
    panda, rng = robots.panda(), np.random.default_rng(2)
    for _ in range(50):
        q = panda.random_configuration(rng)
        shoulder, elbow, wrist = robots.elbow_points(panda, q)
        axis = (wrist - shoulder) / np.linalg.norm(wrist - shoulder)
        upright = np.array([0, 0, 1]) - axis * axis[2]
        turned = Rotation.from_rotvec(robots.arm_angle(panda, q) * axis).apply(upright)
        out = (elbow - shoulder) - axis * (axis @ (elbow - shoulder))
        lengths = np.linalg.norm(turned) * np.linalg.norm(out)
        assert turned @ out == pytest.approx(lengths, rel=1e-9)  # parallel, and not opposite
