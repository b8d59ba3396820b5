"""The URDF files of the course: all there, sound, and what Pinocchio reads."""

from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lessons_lib import robots


@pytest.mark.parametrize("name", robots.urdf_names())
def test_inertias_are_those_of_real_bodies(name: str) -> None:
    for inertia in ElementTree.parse(robots.urdf_file(name)).getroot().iter("inertia"):
        moments = np.sort([float(inertia.get(axis, "nan")) for axis in ("ixx", "iyy", "izz")])
        assert moments[0] > 0.0
        assert moments[2] <= (moments[0] + moments[1]) * 1.01  # three digits are written


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


def test_the_two_arms_mirror_each_other() -> None:
    tree = robots.load_urdf(robots.urdf_file("two_arms"))
    assert tree.nv == 15
    rng, mirror = np.random.default_rng(14), np.diag([1.0, -1.0, 1.0])
    q = tree.random_configuration(rng)
    q[0] = 0.0  # the waist
    turned_over = np.array([1.0, -1.0, -1.0, 1.0, -1.0, 1.0, -1.0])  # roll and yaw change sign, pitch does not
    q[8:] = turned_over * q[1:8]
    assert ((tree.lower <= q) & (q <= tree.upper)).all()  # so do the limits
    left, right = (tree.forward_kinematics(q, f"{side}_hand") for side in ("left", "right"))
    assert_allclose(right[:3, 3], mirror @ left[:3, 3], atol=1e-15)
    assert_allclose(right[:3, :3], mirror @ left[:3, :3] @ mirror, atol=1e-15)
