"""The robots of the course and their URDF files: the published numbers, computed."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from test_kinematics import PANDA_ROWS, shift

from lessons_lib import robots


def test_ur10_at_zero() -> None:
    T = robots.ur10().forward_kinematics(np.zeros(6))
    # both long links back along x, wrist and flange along −y, the second wrist down
    np.testing.assert_allclose(T[:3, 3], [-0.612 - 0.5723, -0.163941 - 0.0922, 0.1273 - 0.1157], atol=1e-15)
    np.testing.assert_allclose(T[:3, :3], [[1, 0, 0], [0, 0, -1], [0, 1, 0]], atol=1e-15)


def test_panda_at_zero() -> None:
    T = robots.panda().forward_kinematics(np.zeros(7))
    np.testing.assert_allclose(T[:3, 3], [0.088, 0, 0.333 + 0.316 + 0.384 - 0.107], atol=1e-15)
    np.testing.assert_allclose(T[:3, :3], np.diag([1.0, -1, -1]), atol=1e-15)


def test_panda_is_manipulable_as_published() -> None:
    # Haviland & Corke's tutorial at qr: manipulability √det(J Jᵀ) and condition, of translation, of rotation, of all.
    # Their tip is 0.1034 m beyond the flange, between the fingers.
    chain = robots.from_dh([row[:3] for row in PANDA_ROWS], "modified", tool=shift(0, 0, 0.107 + 0.1034))
    ready = np.array([0, -0.3, 0, -2.2, 0, 2.0, np.pi / 4])
    J_b = chain.body_jacobian(ready)  # theirs has the axes of {s}, which changes no singular value
    parts = ("translation", "rotation", "all")
    manipulability = [robots.manipulability(J_b, part) for part in parts]
    assert manipulability == pytest.approx([0.14384, 2.74558, 0.08375], abs=5e-6)
    condition = [robots.condition_number(J_b, part) for part in parts]
    assert condition == pytest.approx([2.5513, 2.0310, 8.9110], abs=5e-5)


def test_planar_3r_is_three_links_in_the_plane() -> None:
    q, lengths = np.array([0.4, -1.1, 2.3]), (1.0, 0.8, 0.6)
    T = robots.planar_3r(*lengths).forward_kinematics(q)
    tip = np.exp(1j * np.cumsum(q)) @ lengths  # the plane as complex numbers
    np.testing.assert_allclose(T[:3, 3], [tip.real, tip.imag, 0.0], atol=1e-15)
    assert np.arctan2(T[1, 0], T[0, 0]) == pytest.approx(q.sum(), abs=1e-15)
    assert robots.planar_3r().limits.tolist() == [[-np.pi, np.pi]] * 3


def test_the_quadruped_has_twelve_joints_and_stands_on_four_feet() -> None:
    tree = robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True)
    assert (tree.nq, tree.nv) == (19, 18)
    feet = [
        tree.forward_kinematics(tree.q0, f"{end}_{side}_foot")[:3, 3]
        for end in ("front", "rear")
        for side in ("left", "right")
    ]
    assert_allclose([foot[2] for foot in feet], -0.4)
    assert_allclose(np.mean(feet, axis=0)[:2], tree.centre_of_mass(tree.q0)[:2], atol=1e-15)
