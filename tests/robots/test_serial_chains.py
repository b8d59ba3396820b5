"""Serial chains out of URDF files: the library's own arms, chains between hands, and what is refused."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pinocchio_trees import ROBOTS
from urdf_texts import TWO_LINKS, joint, robot, write_urdf

from lessons_lib import lie, robots
from lessons_lib.robots import Chain


@pytest.mark.parametrize("name", ["planar_2r", "ur10", "panda"])
def test_the_courses_files_are_the_librarys_arms(name: str) -> None:
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
def test_published_files_are_the_librarys_arms(urdf: str, base: str, tip: str, built: Chain) -> None:
    read = robots.from_urdf(ROBOTS / urdf, base, tip)
    # these files write π/2 with 10 or 11 digits
    assert_allclose(read.screws, built.screws, atol=1e-10)
    assert_allclose(read.home, built.home, atol=1e-10)
    assert read.dof == built.dof


@pytest.mark.parametrize(
    ("base", "tip"),
    [
        ("left_hand", "pedestal"),
        ("left_hand", "right_hand"),
        ("torso", "left_hand"),
    ],
)
def test_a_chain_is_the_tree_seen_from_its_base(base: str, tip: str) -> None:
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


def test_a_joint_that_mimics_a_fixed_one_is_part_of_the_link(tmp_path: Path) -> None:
    text = robot(
        TWO_LINKS
        + '<link name="c"/><link name="d"/>'
        + joint('<mimic joint="glue" offset="0.5"/>')
        + joint(name="free", ends="bc")
        + joint(name="glue", kind="fixed", limit="", ends="ad")
    )
    chain = robots.from_urdf(write_urdf(tmp_path, text), tip="c")
    assert chain.joint_names == ("free",)
    assert_allclose(chain.home, lie.exp_se3([0.5, 0, 0, 0, 0, 0]), atol=1e-16)


ARM = '<link name="a"/><link name="b"/><link name="c"/>' + joint(name="shoulder")


@pytest.mark.parametrize("gripper", [joint(name="left_Finger", ends="bc"), joint(name="j6", ends="bc")])
def test_a_gripper_causes_a_warning_unless_the_tip_is_given(gripper: str) -> None:
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
