"""The peers' arms are our arms: each form of them gives our forward kinematics."""

from pathlib import Path

import numpy as np
import pinocchio
import pytest
from scipy.spatial.transform import Rotation

from benchmarks import models
from lessons_lib import robots
from lessons_lib.robots import Chain

ARMS = [robots.ur10, robots.panda]


def with_a_slide() -> Chain:
    screws = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 1, 0], [0, 1, 0, -0.3, 0, 0.2]], dtype=np.float64).T
    home = np.eye(4)
    home[:3, :3], home[:3, 3] = Rotation.from_rotvec([0.3, -0.8, 1.1]).as_matrix(), [0.1, 0.2, 0.3]
    return robots.from_screws(screws, home, limits=[(-1.0, 2.0), (-0.1, 0.3), (-3.0, 3.0)])


@pytest.mark.parametrize("make", [*ARMS, with_a_slide])
def test_pinocchio_s_arm_is_ours(make: object) -> None:
    chain = make()  # type: ignore[operator]
    arm = models.PinocchioArm(chain)
    models.check_equal(chain, "Pinocchio", arm.forward_kinematics)
    assert np.array_equal(arm.model.lowerPositionLimit, chain.limits[:, 0])
    assert np.array_equal(arm.model.upperPositionLimit, chain.limits[:, 1])


@pytest.mark.parametrize("make", [*ARMS, with_a_slide])
def test_the_urdf_read_by_pinocchio_is_our_arm(make: object, tmp_path: Path) -> None:
    chain = make()  # type: ignore[operator]
    model = pinocchio.buildModelFromUrdf(str(models.write_urdf(chain, tmp_path / "arm.urdf")))
    data, tip = model.createData(), model.getFrameId("tip")

    def place(q: object) -> object:
        pinocchio.framesForwardKinematics(model, data, q)
        return data.oMf[tip].homogeneous

    models.check_equal(chain, "the URDF", place)
    assert model.lowerPositionLimit == pytest.approx(chain.limits[:, 0], abs=1e-15)
    assert model.upperPositionLimit == pytest.approx(chain.limits[:, 1], abs=1e-15)


def test_another_arm_is_found_out() -> None:
    """The MATLAB library's UR10, whose a₂ is 0.3 m short."""
    rows = [list(row) for row in robots.library.UR10_DH]
    rows[1][0] = -0.312
    other = robots.from_dh(rows, "standard")
    with pytest.raises(models.UnequalModels, match=r"a peer's UR10 is 0\.\d+ away from ours at q = \["):
        models.check_equal(robots.ur10(), "a peer", other.forward_kinematics)


@pytest.mark.parametrize("angles", [(0.1, -0.4, 2.0), (0.0, np.pi / 2, 0.0), (1.0, -np.pi / 2, 0.5), (np.pi, 0.0, 0.0)])
def test_roll_pitch_and_yaw_give_the_rotation_back(angles: tuple[float, float, float]) -> None:
    R = Rotation.from_euler("xyz", angles).as_matrix()
    again = Rotation.from_euler("xyz", models._roll_pitch_yaw(R)).as_matrix()
    assert again == pytest.approx(R, abs=1e-9)  # below 1e-9 from straight up, the pitch is taken for a right angle


def test_the_frame_of_a_joint_has_its_z_along_the_axis_and_lies_on_it() -> None:
    for screw in robots.panda().screws.T:
        T = models.joint_frame(screw)
        z, p = T[:3, 2], T[:3, 3]
        assert z == pytest.approx(screw[:3], abs=1e-15)
        assert np.cross(p, z) == pytest.approx(screw[3:], abs=1e-15)
        assert T[:3, :3].T @ T[:3, :3] == pytest.approx(np.eye(3), abs=1e-15)
        assert np.linalg.det(T[:3, :3]) == pytest.approx(1.0)
