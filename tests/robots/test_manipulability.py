"""Manipulability against determinants and known singular postures; arm angle against Pinocchio."""

import numpy as np
import pinocchio
import pytest
from scipy.spatial.transform import Rotation

from lessons_lib import robots

REGULAR = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
PARTS = {"all": slice(0, 6), "rotation": slice(0, 3), "translation": slice(3, 6)}


@pytest.mark.parametrize("joints", [6, 7])
@pytest.mark.parametrize("part", PARTS)
def test_manipulability_is_the_root_of_the_determinant(joints, part):
    for J in np.random.default_rng(9).normal(size=(20, 6, joints)):
        rows = J[PARTS[part]]
        expected = np.sqrt(np.linalg.det(rows @ rows.T))
        assert robots.manipulability(J, part) == pytest.approx(expected, rel=1e-9)  # det squares the condition
        assert robots.condition_number(J, part) == pytest.approx(np.linalg.cond(rows), rel=1e-9)
        assert robots.singular_values(J, part) == pytest.approx(np.linalg.svd(rows)[1], rel=1e-12)


def test_at_a_singularity_the_condition_is_infinite_or_nearly_so():
    stretched = robots.planar_2r().body_jacobian([0.0, 0.0])[3:5]
    assert robots.condition_number(stretched) == np.inf
    assert robots.condition_number(np.zeros((6, 6))) == np.inf
    wrist = robots.ur10().body_jacobian(REGULAR * [1, 1, 1, 1, 0, 1])
    assert robots.condition_number(wrist) > 1e14  # zero, up to a rounding


@pytest.mark.parametrize("make", [robots.ur10, robots.panda])
def test_translation_at_fixed_orientation_is_motion_without_rotation(make):
    chain, rng = make(), np.random.default_rng(9)
    for _ in range(20):
        J = chain.body_jacobian(chain.random_configuration(rng))
        held = robots.translation_at_fixed_orientation(J)
        assert held.shape == (3, chain.dof - 3)
        whole = robots.manipulability(J, "rotation") * robots.manipulability(held)
        assert robots.manipulability(J) == pytest.approx(whole, rel=1e-10, abs=1e-15)
        # each of its columns is a motion of the whole Jacobian that has no rotation
        rates = np.linalg.lstsq(J, np.vstack([np.zeros_like(held), held]), rcond=None)[0]
        assert np.abs(J @ rates - np.vstack([np.zeros_like(held), held])).max() < 1e-12


@pytest.mark.parametrize("size", [1e-20, 1.0, 1e20])
@pytest.mark.parametrize(("least", "columns"), [(0.0, 1), (1e-16, 1), (1e-14, 0), (1e-9, 0)])
def test_translation_at_fixed_orientation_uses_a_relative_rank(size, least, columns):
    turn = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))[0]
    J = size * np.vstack([turn @ np.diag([2.0, 1.0, 2.0 * least]), turn])
    held = robots.translation_at_fixed_orientation(J)
    assert held.shape == (3, columns)
    if columns:  # the third joint alone turns nothing: its column, up to its sign
        assert np.abs(np.abs(held[:, 0]) - size * np.abs(turn[:, 2])).max() < 1e-15 * size


def test_shoulder_elbow_and_wrist_are_origins_of_pinocchios_joints():
    model = pinocchio.buildModelFromUrdf(str(robots.urdf_file("panda")))
    data, panda, rng = model.createData(), robots.panda(), np.random.default_rng(1)
    for _ in range(20):
        q = panda.random_configuration(rng)
        pinocchio.forwardKinematics(model, data, q)
        origins = np.array([data.oMi[joint].translation for joint in (2, 4, 6)])
        assert np.allclose(robots.elbow_points(panda, q), origins, rtol=0, atol=1e-14)


def test_elbow_points_of_oblique_axes_are_those_of_least_distance():
    rng = np.random.default_rng(8)
    axes, points = rng.normal(size=(7, 3)), rng.normal(size=(7, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    screws = np.hstack([axes, np.cross(points, axes)]).T
    found = robots.elbow_points(robots.from_screws(screws, np.eye(4)), np.zeros(7))
    for i, point in zip((1, 3, 5), found, strict=True):
        lines = np.column_stack([axes[i - 1], -axes[i]])
        along = np.linalg.lstsq(lines, points[i] - points[i - 1], rcond=None)[0]
        assert np.allclose(point, points[i] + along[1] * axes[i], rtol=0, atol=1e-12)


def test_the_angle_is_that_between_two_planes():
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
