"""Trees as values: every kind of joint, the configuration space and its tangent, and what they refuse."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from urdf_texts import EVERY_KIND, write_urdf

from lessons_lib import lie, robots
from lessons_lib.errors import ParameterError

inf, pi = np.inf, np.pi


@pytest.fixture(scope="module")
def every(tmp_path_factory):
    return robots.load_urdf(write_urdf(tmp_path_factory.mktemp("every"), EVERY_KIND))


@pytest.fixture(scope="module")
def dog():
    return robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True)


def differences(tree, q, pose):
    """Return a body Jacobian by central differences along the tangent."""
    h, columns = 1e-5, []
    for direction in np.eye(tree.nv):
        there, back = pose(tree.integrate(q, h * direction)), pose(tree.integrate(q, -h * direction))
        columns.append(lie.log_se3(lie.inverse(back) @ there) / (2 * h))
    return np.column_stack(columns)


def test_limits_and_neutral_configuration(every):
    assert_array_equal(every.q0, [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0])
    assert_array_equal(every.lower, [-inf] * 11 + [-1])
    assert_array_equal(every.upper, [inf] * 11 + [2])
    assert_array_equal(every.velocity_limits, [inf] * 10 + [3])
    assert_array_equal(np.flatnonzero(every.is_angle), [9, 10])  # a prismatic mimic joint does not change its leader


def test_masses_of_links_and_of_what_moves(every):
    assert_array_equal(every.link_masses, [9, 1, 2, 0.5, 0.7, 0.3, 0.2, 0, 0])
    assert_array_equal(every.link_centres[1], [0.1, 0.2, 0.3])
    assert every.mass == pytest.approx(4.7)  # link a stands still


@pytest.mark.parametrize("seed", range(5))
def test_jacobians_are_the_derivatives_of_poses(every, seed):
    q = every.random_configuration(np.random.default_rng(seed))
    for name in every.frame_names:
        numeric = differences(every, q, lambda q, name=name: every.forward_kinematics(q, name))
        # central differences: h² of curvature is 1e-10, rounding over h is 1e-11
        assert_allclose(every.body_jacobian(q, name), numeric, atol=1e-8)


def test_locked_joints_lock_their_mimic_joints(every, tmp_path):
    held = robots.load_urdf(write_urdf(tmp_path, EVERY_KIND), locked={"turn": 0.7, "slide": -0.5})
    assert held.joint_names == ("float", "plane")
    q = every.random_configuration(np.random.default_rng(3))
    q[10:] = 0.7, -0.5
    for name in every.frame_names:
        assert_allclose(held.forward_kinematics(q[:10], name), every.forward_kinematics(q, name), atol=1e-14)
    with pytest.raises(ParameterError, match="r has no revolute or prismatic joint 'plane'"):
        robots.load_urdf(write_urdf(tmp_path, EVERY_KIND), locked=["plane"])


def test_a_floating_base_is_a_free_root():
    fixed = robots.load_urdf(robots.urdf_file("two_arms"))
    free = robots.load_urdf(robots.urdf_file("two_arms"), floating_base=True)
    assert free.joint_names == ("root_joint", *fixed.joint_names)
    assert (free.nq, free.nv) == (fixed.nq + 7, fixed.nv + 6)
    assert free.mass == pytest.approx(fixed.mass + 20.0)  # the pedestal moves now
    rng = np.random.default_rng(2)
    q = free.random_configuration(rng)
    base, hand = free.forward_kinematics(q, "pedestal"), free.forward_kinematics(q, "left_hand")
    assert_allclose(base @ fixed.forward_kinematics(q[7:], "left_hand"), hand, atol=1e-15)
    assert_allclose(base[:3, 3], q[:3])
    assert_allclose(free.body_jacobian(q, "pedestal"), np.eye(6, free.nv), atol=2e-15)  # a few roundings


def test_the_quaternion_stays_on_its_side(dog):
    q, v = dog.q0.copy(), np.zeros(dog.nv)
    for turn in (3.0, 4.0, 6.0, 7.0):
        v[0] = turn
        assert dog.integrate(q, v)[3:7] @ q[3:7] >= 0.0


@pytest.mark.parametrize(
    ("start", "end", "way"), [(0, 1, 1), (0, 4, 4 - 2 * pi), (3, -3, 2 * pi - 6), (0, 2 * pi, 0), (0.5, 100.5, None)]
)
def test_a_continuous_joint_goes_the_short_way(every, start, end, way):
    q_0, q_1 = every.q0.copy(), every.q0.copy()
    q_0[10], q_1[10] = start, end
    found = every.difference(q_0, q_1)[9]
    assert -pi <= found < pi
    assert found == pytest.approx((end - start + pi) % (2 * pi) - pi if way is None else way, abs=1e-13)
    assert every.integrate(q_0, 7.0 * np.eye(11)[9])[10] == start + 7.0  # the angle itself is not wrapped
