"""Chains with coupled joints, θ = A q + b, against the same joints moved freely, trees with mimics, and Pinocchio."""

import numpy as np
import pinocchio
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from urdf_texts import EVERY_KIND, LIMIT, joint, robot, write_urdf

from lessons_lib import collisions, robots
from lessons_lib.errors import LimitsError
from lessons_lib.robots import Coupling
from lessons_lib.robots.stick_figure import prefixes, skeleton

PARALLELOGRAM = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, -1, 1, 0], [0, 0, -1, 0], [0, 0, 0, 1]])
"""Both motors of a palletizer at its base, shoulder and forearm counted from the horizontal, the hand kept level."""

ROWS = [(0, np.pi / 2, 0.138), (0.135, 0, 0), (0.147, 0, 0), (0.06, -np.pi / 2, 0), (0, 0, -0.1)]
"""A palletizer of the size of Dobot's Magician."""

LINKS = "".join(f'<link name="{name}"/>' for name in "abcdefgh")


def palletizer():
    limits = [[-1.57, 1.57], [0.0, 1.48], [-1.5, 0.17], [-1.57, 1.57]]
    return robots.from_dh(ROWS, limits=limits, name="palletizer", length_unit="m", coupling=Coupling(PARALLELOGRAM))


def turn(name, ends, axis, more=""):
    return joint(f'<origin xyz="0.1 0.02 0.3" rpy="0.3 0 0.2"/><axis xyz="{axis}"/>{more}', name=name, ends=ends)


MIMIC = robot(
    LINKS
    + turn("one", "ab", "0 0 1")
    + turn("two", "bc", "0 1 0")
    + turn("echo", "cd", "0 1 0", '<mimic joint="two" multiplier="-0.5" offset="0.2"/>')
    + turn("three", "de", "1 0 0")
    + turn("four", "ef", "0 1 0")
    + turn("five", "fg", "0 0 1")
    + turn("six", "gh", "0 1 0")
)
"""Six coordinates and seven joints, one of which mimics another."""


def test_a_palletizer_keeps_its_hand_level():
    arm = palletizer()
    q = arm.random_configuration(np.random.default_rng(1))
    T, J_b = arm.pose_and_jacobian(q)
    assert_allclose(T[2, :3], [0, 0, 1], atol=1e-16)  # the angles that would tilt it have cancelled
    assert_array_equal(J_b[:2], 0.0)
    free = arm.uncoupled
    theta = PARALLELOGRAM @ q
    assert_array_equal(arm.joint_values(q), theta)
    assert_allclose(T, free.forward_kinematics(theta), atol=1e-15)
    assert_allclose(J_b, free.body_jacobian(theta) @ PARALLELOGRAM, atol=1e-15)
    assert_allclose(arm.space_jacobian(q), free.space_jacobian(theta) @ PARALLELOGRAM, atol=1e-15)


def test_a_coordinate_is_periodic_only_where_its_joints_are():
    screws, home = robots.ur10().screws[:, 3:], np.eye(4)
    half = Coupling([[1, 0, 0], [0, 0.5, 0.5], [0, 0.5, -0.5]])
    arm = robots.from_screws(screws, home, coupling=half)
    assert arm.joint_types == ("revolute", "coupled", "coupled")
    assert_array_equal(arm.sampling_limits[:, 1], [np.pi, 2 * np.pi, 2 * np.pi])  # the joints turn all the way round
    rack = np.column_stack([[0, 0, 0, 0, 1, 0], screws[:, 0]])  # rotation of the pinion moves the rack
    assert robots.from_screws(rack, home, coupling=Coupling([[0.1], [1]])).joint_units == ("rad",)
    assert robots.from_screws(rack, home, coupling=Coupling([[1], [0.1]])).joint_types == ("prismatic",)
    whole = Coupling([[1, 0], [0, 2], [1, -1]])
    assert robots.from_screws(screws, home, coupling=whole).joint_types == ("revolute", "revolute")


def test_a_joint_that_follows_one_coordinate_narrows_its_limits():
    screws = robots.ur10().screws[:, :3]
    coupling = Coupling([[1, 0], [-2, 0], [0, 1]], [0, 0.5, 0], [[-1, 1], [-1.5, 0.9], [-np.inf, np.inf]])
    arm = robots.from_screws(screws, np.eye(4), coupling=coupling, limits=[[-3, 0.7], [-2, 2]])
    assert_allclose(arm.limits, [[-0.2, 0.7], [-2, 2]])


def test_limits_that_several_coordinates_share_are_kept_or_refused():
    screws, A = robots.ur10().screws[:, :2], [[0.5, 0.5], [0.5, -0.5]]
    limits = [[-1.0, 1.0], [-np.inf, np.inf]]
    inside = robots.from_screws(screws, np.eye(4), [[-1, 1], [-1, 1]], coupling=Coupling(A, limits=limits))
    assert_array_equal(inside.limits, [[-1, 1], [-1, 1]])
    with pytest.raises(LimitsError, match=r"joint 1 are \[-1, 1\], but .* reaches \[-1.5, 1\].*'joint 1', 'joint 2'"):
        robots.from_screws(screws, np.eye(4), [[-2, 1], [-1, 1]], coupling=Coupling(A, limits=limits))
    with pytest.raises(LimitsError, match="'joint 1': the joints that follow it allow no common value"):
        robots.from_screws(screws, np.eye(4), coupling=Coupling([[1], [1]], [0, 3], [[-1, 1], [-1, 1]]))


def test_a_mimic_narrows_limits_and_speed_of_the_joint_that_leads():
    chain = robots.from_urdf(EVERY_KIND, "c", "g")
    assert chain.joint_names == ("turn", "slide")
    assert chain.joint_units == ("rad", "m")
    assert_allclose(chain.limits, [[-0.85, 0.65], [-1, 2]])  # −1 ≤ 0.3 − 2 q ≤ 2; and −1 ≤ 0.15 − q ≤ 2
    assert_allclose(chain.velocity_limits, [1.5, 3.0])
    without = joint('<mimic joint="j"/>', "k", limit='<limit velocity="0"/>', ends="bc")
    held = robots.from_urdf(robot("".join(f'<link name="{name}"/>' for name in "abc") + joint(limit=LIMIT) + without))
    assert_array_equal(held.limits, [[-1, 2]])  # limits left out are zeros, and say nothing of a joint that follows


def test_a_chain_with_a_mimic_is_pinocchios(tmp_path):
    path = write_urdf(tmp_path, MIMIC)
    chain = robots.from_urdf(path)
    model = pinocchio.buildModelFromUrdf(str(path), mimic=True)
    assert (chain.dof, model.nq, chain.screws.shape) == (6, 6, (6, 7))
    data, frame = model.createData(), model.getFrameId("h")
    for q in (chain.random_configuration(np.random.default_rng(seed)) for seed in range(5)):
        J = pinocchio.computeFrameJacobian(model, data, q, frame, pinocchio.LOCAL)
        pinocchio.framesForwardKinematics(model, data, q)
        assert_allclose(chain.forward_kinematics(q), data.oMf[frame].homogeneous, atol=1e-14)
        assert_allclose(chain.body_jacobian(q), np.vstack([J[3:], J[:3]]), atol=1e-14)


def test_bodies_of_a_coupled_arm_are_where_its_joints_carry_them():
    arm = palletizer()
    free, rng = arm.uncoupled, np.random.default_rng(4)
    post = collisions.sphere([0.2, 0.1, 0.2], 0.05)
    coupled, loose = (collisions.Scene(chain, collisions.fitted_links(chain, 0.02), (post,)) for chain in (arm, free))
    Q = np.array([arm.random_configuration(rng) for _ in range(5)])
    theta = Q @ PARALLELOGRAM.T
    assert_allclose(coupled.clearance(Q), loose.clearance(theta), atol=1e-15)
    assert_allclose(coupled.gradients(Q), loose.gradients(theta) @ PARALLELOGRAM, atol=1e-14)
    assert_allclose(prefixes(arm, Q[0]), prefixes(free, theta[0]))
    assert_allclose(skeleton(arm).at(arm, Q[0]), skeleton(free).at(free, theta[0]))
    move = collisions.moves_free(coupled, Q[0], Q[1])
    between = Q[0] + np.linspace(0, 1, 200)[:, None] * (Q[1] - Q[0])
    assert move.free == bool(coupled.is_free(between).all())
    _, motion = coupled.distances_and_motion(Q[:1], np.abs(Q[1] - Q[0]))
    moved = np.abs(coupled.distances(Q[1]).distance - coupled.distances(Q[0]).distance)
    assert (motion[0] >= moved).all()
