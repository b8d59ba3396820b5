"""The arm angle: its three points are Pinocchio's, and it turns with the elbow."""

import numpy as np
import pinocchio
import pytest
from scipy.spatial.transform import Rotation

from lessons_lib import robots
from lessons_lib.errors import ConfigurationError, ParameterError

READY = np.array([0, -0.3, 0, -2.2, 0, 2.0, np.pi / 4])


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


def test_an_elbow_above_has_angle_zero_and_the_first_joint_changes_nothing() -> None:
    panda = robots.panda()
    for q_1 in (-2.0, 0.0, 1.3):
        assert robots.arm_angle(panda, [q_1, *READY[1:]]) == pytest.approx(0.0, abs=1e-15)


def test_an_elbow_below_has_half_a_turn() -> None:
    below = [0.0, 1.5, np.pi, -1.5, 0.0, 2.0, 0.0]
    shoulder, elbow, wrist = robots.elbow_points(robots.panda(), below)
    assert np.cross(wrist - shoulder, elbow - shoulder)[1] > 0  # y: right-handed from the line to the elbow is down
    assert abs(robots.arm_angle(robots.panda(), below)) == pytest.approx(np.pi, abs=1e-12)


def test_mirrored_arms_have_opposite_angles() -> None:
    panda, q = robots.panda(), np.array([0.4, 0.3, 0.9, -1.9, -0.3, 2.1, 0.5])
    mirrored = q * [-1, 1, -1, 1, -1, 1, -1]  # in the plane x-z
    assert robots.arm_angle(panda, q) == pytest.approx(-robots.arm_angle(panda, mirrored), rel=1e-12)


def test_a_wrist_straight_above_the_shoulder_has_no_angle() -> None:
    with pytest.raises(ConfigurationError, match="Panda has no arm angle at q = .*straight up or down"):
        robots.arm_angle(robots.panda(), np.zeros(7))


def test_only_seven_revolute_joints_have_one() -> None:
    with pytest.raises(ParameterError, match="chain is a str; make one with"):
        robots.arm_angle("panda", READY)
    with pytest.raises(ParameterError, match="has no arm angle; seven revolute joints have one"):
        robots.arm_angle(robots.ur10(), np.zeros(6))
    screws = robots.panda().screws.copy()
    screws[:, 3] = screws[:, 2]
    straight = robots.from_screws(screws, np.eye(4), name="stick")
    with pytest.raises(ParameterError, match="stick has no arm angle: the axes of joints 3 and 4 are parallel"):
        robots.arm_angle(straight, READY)
    with pytest.raises(ConfigurationError, match=r"shape \(7,\)"):
        robots.arm_angle(robots.panda(), np.zeros(6))
