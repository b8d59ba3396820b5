"""The library's arms and serial chains out of URDF files: published numbers, chains between hands, grippers."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pinocchio_trees import ROBOTS
from test_kinematics import shift
from urdf_texts import TWO_LINKS, joint, robot, write_urdf

from lessons_lib import lie, robots


@pytest.mark.parametrize("name", ["planar_2r", "ur10", "panda"])
def test_the_courses_files_are_the_librarys_arms(name):
    read, built = robots.from_urdf(robots.urdf_file(name)), getattr(robots, name)()
    assert_allclose(read.screws, built.screws, atol=1e-15)  # sums in another order
    assert_allclose(read.home, built.home, atol=1e-15)
    assert_array_equal(read.limits, built.limits)
    assert len(read.source("scalar")) < 1.1 * len(built.source("scalar"))  # quarter turns are exact in both


@pytest.mark.parametrize(
    ("urdf", "base", "tip", "built"),
    [
        ("ur_description/urdf/ur10_robot.urdf", "base", "tool0", robots.ur10()),
        ("panda_description/urdf/panda.urdf", "panda_link0", "panda_link8", robots.panda()),
    ],
)
def test_published_files_are_the_librarys_arms(urdf, base, tip, built):
    read = robots.from_urdf(ROBOTS / urdf, base, tip)
    # these files write π/2 with 10 or 11 digits
    assert_allclose(read.screws, built.screws, atol=1e-10)
    assert_allclose(read.home, built.home, atol=1e-10)
    assert read.dof == built.dof


@pytest.mark.parametrize(
    ("base", "tip"), [("left_hand", "pedestal"), ("left_hand", "right_hand"), ("torso", "left_hand")]
)
def test_a_chain_is_the_tree_seen_from_its_base(base, tip):
    path = robots.urdf_file("two_arms")
    tree, chain = robots.load_urdf(path), robots.from_urdf(path, base, tip)
    q = tree.random_configuration(np.random.default_rng(12))
    places = [tree.q_names.index(name) for name in chain.joint_names]
    T_base, T_tip = tree.forward_kinematics(q, base), tree.forward_kinematics(q, tip)
    assert_allclose(chain.forward_kinematics(q[places]), lie.inverse(T_base) @ T_tip, atol=1e-14)
    against = lie.adjoint(lie.inverse(T_tip) @ T_base) @ tree.body_jacobian(q, base)
    J = tree.body_jacobian(q, tip) - against
    assert_allclose(chain.body_jacobian(q[places]), J[:, places], atol=1e-14)
    others = [k for k in range(tree.nv) if k not in places]
    assert_allclose(J[:, others], 0.0, atol=1e-14)  # no joint is left out
    assert_array_equal(chain.limits, np.column_stack([tree.lower, tree.upper])[places])


def test_a_joint_that_mimics_a_fixed_one_is_part_of_the_link(tmp_path):
    parts = joint('<mimic joint="glue" offset="0.5"/>') + joint(name="free", ends="bc")
    parts += joint(name="glue", kind="fixed", limit="", ends="ad")
    text = robot(TWO_LINKS + '<link name="c"/><link name="d"/>' + parts)
    chain = robots.from_urdf(write_urdf(tmp_path, text), tip="c")
    assert chain.joint_names == ("free",)
    assert_allclose(chain.home, lie.exp_se3([0.5, 0, 0, 0, 0, 0]), atol=1e-16)


ARM = '<link name="a"/><link name="b"/><link name="c"/>' + joint(name="shoulder")


@pytest.mark.parametrize("gripper", [joint(name="left_Finger", ends="bc"), joint(name="j6", ends="bc")])
def test_a_gripper_causes_a_warning_unless_the_tip_is_given(gripper):
    text = robot(ARM + gripper)
    if "Finger" in text:
        words = "its only leaf 'c' contains joint 'left_Finger', probably of a gripper: give tip='b' to exclude it"
        with pytest.warns(UserWarning, match=words) as warned:
            assert robots.from_urdf(text).dof == 2
        assert [Path(one.filename) for one in warned] == [Path(__file__)]
    assert robots.from_urdf(text, tip="c").dof == 2
    assert robots.from_urdf(text, tip="b").dof == 1
    assert robots.from_urdf(text.replace("left_Finger", "wrist")).dof == 2, "no warning"
    finger = robot(TWO_LINKS + joint(name="finger_1"))
    assert robots.from_urdf(finger).dof == 1, "a finger alone is the arm that was asked for"


def test_ur10_at_zero():
    T = robots.ur10().forward_kinematics(np.zeros(6))
    # both long links back along x, wrist and flange along −y, the second wrist down
    np.testing.assert_allclose(T[:3, 3], [-0.612 - 0.5723, -0.163941 - 0.0922, 0.1273 - 0.1157], atol=1e-15)
    np.testing.assert_allclose(T[:3, :3], [[1, 0, 0], [0, 0, -1], [0, 1, 0]], atol=1e-15)


def test_panda_at_zero():
    T = robots.panda().forward_kinematics(np.zeros(7))
    np.testing.assert_allclose(T[:3, 3], [0.088, 0, 0.333 + 0.316 + 0.384 - 0.107], atol=1e-15)
    np.testing.assert_allclose(T[:3, :3], np.diag([1.0, -1, -1]), atol=1e-15)


def test_panda_is_manipulable_as_published():
    # Haviland & Corke's tutorial at qr: manipulability √det(J Jᵀ) and condition, of translation, of rotation, of all.
    # Their tip is 0.1034 m beyond the flange, between the fingers.
    chain = robots.from_dh(robots.PANDA_DH, "modified", tool=shift(0, 0, 0.107 + 0.1034))
    ready = np.array([0, -0.3, 0, -2.2, 0, 2.0, np.pi / 4])
    J_b = chain.body_jacobian(ready)  # theirs has the axes of {s}, which changes no singular value
    parts = ("translation", "rotation", "all")
    manipulability = [robots.manipulability(J_b, part) for part in parts]
    assert manipulability == pytest.approx([0.14384, 2.74558, 0.08375], abs=5e-6)
    condition = [robots.condition_number(J_b, part) for part in parts]
    assert condition == pytest.approx([2.5513, 2.0310, 8.9110], abs=5e-5)


def test_planar_3r_is_three_links_in_the_plane():
    q, lengths = np.array([0.4, -1.1, 2.3]), (1.0, 0.8, 0.6)
    T = robots.planar_3r(*lengths).forward_kinematics(q)
    tip = np.exp(1j * np.cumsum(q)) @ lengths  # the plane as complex numbers
    np.testing.assert_allclose(T[:3, 3], [tip.real, tip.imag, 0.0], atol=1e-15)
    assert np.arctan2(T[1, 0], T[0, 0]) == pytest.approx(q.sum(), abs=1e-15)
    assert robots.planar_3r().limits.tolist() == [[-np.pi, np.pi]] * 3


def test_the_quadruped_has_twelve_joints_and_stands_on_four_feet():
    tree = robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True)
    assert (tree.nq, tree.nv) == (19, 18)
    names = ("front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot")
    feet = [tree.forward_kinematics(tree.q0, name)[:3, 3] for name in names]
    assert_allclose([foot[2] for foot in feet], -0.4)
    assert_allclose(np.mean(feet, axis=0)[:2], tree.centre_of_mass(tree.q0)[:2], atol=1e-15)
