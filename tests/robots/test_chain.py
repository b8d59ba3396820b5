"""Chains as values: their parts, limits and random configurations, many configurations, and chains from chains."""

import dataclasses

import modern_robotics as mr
import numpy as np
import pytest
from test_kinematics import shift

from lessons_lib import lie, robots
from lessons_lib.errors import ConfigurationError, ParameterError, TransformError

nan, inf, pi = np.nan, np.inf, np.pi
HINGE, SLIDER = [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]
HELIX = [0, 0, 1, 0, 0, 8e-4]  # a spindle, 5 mm per revolution


def chain(*screws, **options):
    return robots.from_screws(np.array(screws, dtype=float).T, np.eye(4), **options)


def test_the_parts_are_kept():
    limits = [(-1, 2), (-inf, 0.5)]
    arm = robots.from_screws(np.array([HINGE, SLIDER]).T, shift(1, 2, 3), limits, "arm", ["turn", "push"])
    assert (arm.name, arm.dof, arm.joint_names) == ("arm", 2, ("turn", "push"))
    assert arm.joint_types == ("revolute", "prismatic")
    np.testing.assert_array_equal(arm.screws, np.array([HINGE, SLIDER]).T)
    np.testing.assert_array_equal(arm.home, shift(1, 2, 3))
    np.testing.assert_array_equal(arm.limits, limits)
    assert repr(arm) == "Chain('arm', 2 joints: RP)"


def test_a_chain_is_frozen_and_its_arguments_are_not():
    arguments = [np.array([HINGE, SLIDER], dtype=float).T, np.eye(4), np.array([[-1.0, 1], [0, 1]])]
    arm = robots.from_screws(*arguments)
    for array in arguments:
        assert array.flags.writeable
        assert not any(np.shares_memory(array, own) for own in (arm.screws, arm.home, arm.limits))
    with pytest.raises(dataclasses.FrozenInstanceError):
        arm.name = "other"


def test_outside_the_limits_is_refused_by_name():
    arm = robots.panda()
    inside = arm.sampling_limits.mean(axis=1)
    np.testing.assert_array_equal(arm.check_within_limits(inside), inside)
    np.testing.assert_array_equal(arm.check_within_limits(arm.limits[:, 0]), arm.limits[:, 0])
    outside = inside.copy()
    outside[3] = 0.5
    with pytest.raises(ConfigurationError, match=r"joint 4' of Panda is at 0\.5, outside .*\[-3\.0718, -0\.0698\]"):
        arm.check_within_limits(outside)
    arm.check_within_limits(outside, tolerance=0.6)
    arm.forward_kinematics(outside)  # the pose is defined everywhere


@pytest.mark.filterwarnings("ignore:limits of joint", "ignore:joint .* cannot move")
@pytest.mark.parametrize(
    ("screw", "given", "expected"),
    [
        (HINGE, (-inf, inf), (-pi, pi)),
        (SLIDER, (-inf, inf), (-1, 1)),
        (HINGE, (0.5, 0.5), (0.5, 0.5)),
        (HINGE, (0.5, inf), (0.5, 0.5 + 2 * pi)),
        (HINGE, (-inf, 1), (1 - 2 * pi, 1)),
        (SLIDER, (5, inf), (5, 7)),
        (SLIDER, (-inf, -5), (-7, -5)),
        (HINGE, (-1e12, 1e12), (-pi, pi)),
        (HINGE, (-1e16, 2), (2 - 2 * pi, 2)),
        (HINGE, (5, 1e9), (5, 5 + 2 * pi)),
        (HINGE, (-700, 700), (-pi, pi)),  # 100 revolutions are 628 rad
        (HINGE, (900, 901), (900, 901)),
        (HINGE, (-2e12, -1e12), (-1e12 - 2 * pi, -1e12)),
        (SLIDER, (-1e12, 1e12), (-1, 1)),
        (SLIDER, (0, 1e6), (0, 2)),
        (HELIX, (-5000, 5000), (-5000, 5000)),
        (HELIX, (-1e12, 1e12), (-pi, pi)),
    ],
)
def test_missing_limits_have_a_finite_stand_in(screw, given, expected):
    arm = chain(screw, limits=[given])
    np.testing.assert_allclose(arm.sampling_limits, [expected], rtol=1e-15)
    np.testing.assert_array_equal(arm.limits, [given])


def test_random_configurations_fill_the_limits_and_can_be_repeated():
    arm = chain(HINGE, SLIDER, HINGE).with_limits(position=[(-0.5, 2), (3, inf), (1, 1)])
    rng = np.random.default_rng(21)
    drawn = np.array([arm.random_configuration(rng) for _ in range(2000)])
    assert drawn.shape == (2000, 3)
    low, high = arm.sampling_limits.T
    assert (drawn >= low).all()
    assert (drawn <= high).all()
    # of 2,000 uniform draws the extremes are within 1 % of the ends, except with probability 2e-9
    np.testing.assert_allclose(drawn.min(axis=0), low, atol=0.01 * np.ptp(arm.sampling_limits))
    np.testing.assert_allclose(drawn.max(axis=0), high, atol=0.01 * np.ptp(arm.sampling_limits))
    again = np.random.default_rng(21)
    np.testing.assert_array_equal(drawn[:5], [arm.random_configuration(again) for _ in range(5)])


@pytest.mark.parametrize(
    ("pitch", "kind"), [(0.0, "revolute"), (5e-10, "revolute"), (2e-9, "helical"), (-0.1, "helical"), (3.0, "helical")]
)
def test_a_pitch_makes_a_joint_helical(pitch, kind):
    arm = chain(HINGE, [0, 0, 1, 0, -0.5, pitch], SLIDER)
    assert arm.joint_types == ("revolute", kind, "prismatic")
    assert repr(arm).endswith(f"3 joints: R{kind[0].upper()}P)")


@pytest.mark.parametrize("length", [1e50, 1e99])
def test_lengths_beyond_the_compilers_integers_are_numbers_like_others(length):
    home = lie.pose(np.eye(3), (length, 0.0, 0.0))
    arm = robots.from_screws(np.array([HINGE, [0, 1, 0, length, 0, 0.1]]).T, home)
    expected = length * np.cos(0.3)
    np.testing.assert_allclose(arm.forward_kinematics([0.3, 0.0])[0, 3], expected, rtol=1e-14)


TOOL = lie.pose(lie.exp_so3([0.2, -0.5, 1.0]), (0.1, -0.2, 0.3))
MIXED = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0.6, 0.8], [0, 1, 0, 0.2, 0, 0.1]], dtype=float).T


@pytest.fixture(scope="module")
def arm():
    """Two revolute joints with a prismatic one between them."""
    return robots.from_screws(MIXED, TOOL, limits=[(-1, 1), (0, 0.5), (-2, 2)], name="slider")


def test_a_stack_gives_what_its_rows_give(arm):
    q = np.random.default_rng(1).uniform(-2, 2, (7, 3))
    T, J_s, J_b = arm.forward_kinematics(q), arm.space_jacobian(q), arm.body_jacobian(q)
    both = arm.pose_and_jacobian(q)
    assert (T.shape, J_s.shape, J_b.shape) == ((7, 4, 4), (7, 6, 3), (7, 6, 3))
    for row in range(7):
        np.testing.assert_array_equal(T[row], arm.forward_kinematics(q[row]))
        np.testing.assert_array_equal(J_s[row], arm.space_jacobian(q[row]))
        np.testing.assert_array_equal(J_b[row], arm.body_jacobian(q[row]))
        np.testing.assert_array_equal(both[0][row], arm.pose_and_jacobian(q[row])[0])
        np.testing.assert_array_equal(both[1][row], J_b[row])
    assert arm.forward_kinematics(q[:0]).shape == (0, 4, 4) and arm.body_jacobian(q[:0]).shape == (0, 6, 3)
    np.testing.assert_array_equal(arm.forward_kinematics(np.asfortranarray(q)), T)
    np.testing.assert_array_equal(arm.forward_kinematics(q.tolist()), T)


def test_targets_are_reached_by_their_configurations(arm):
    T, q = arm.targets(50, np.random.default_rng(4))
    assert T.shape == (50, 4, 4) and q.shape == (50, 3)
    lower, upper = arm.limits.T
    assert (lower <= q).all() and (q <= upper).all() and len({*q[:, 0]}) == 50
    np.testing.assert_allclose(T, [mr.FKinSpace(arm.home, arm.screws, row) for row in q], atol=1e-14)
    np.testing.assert_array_equal(arm.targets(3)[1], arm.targets(3)[1])
    with pytest.raises(ParameterError, match="count must be an integer from 0 to 10,000,000, got -1"):
        arm.targets(-1)


def test_a_tool_is_carried_by_the_tip(arm):
    longer = arm.with_tool(TOOL)
    q = [0.3, 0.2, -1.0]
    np.testing.assert_allclose(longer.forward_kinematics(q), arm.forward_kinematics(q) @ TOOL, atol=1e-15)
    J_b = lie.adjoint(lie.inverse(TOOL)) @ arm.body_jacobian(q)
    np.testing.assert_allclose(longer.body_jacobian(q), J_b, atol=1e-15)
    assert (longer.name, longer.joint_names, longer.limits.tolist()) == (arm.name, arm.joint_names, arm.limits.tolist())
    with pytest.raises(TransformError, match="the rotation part of tool is not a rotation"):
        arm.with_tool(np.diag([2.0, 2, 2, 1]))
    file = robots.urdf_file("ur10")
    np.testing.assert_array_equal(robots.from_urdf(file, tool=TOOL).home, robots.from_urdf(file).with_tool(TOOL).home)


def test_a_base_carries_the_whole_arm(arm):
    moved, q = arm.on_base(TOOL), [0.3, 0.2, -1.0]
    np.testing.assert_allclose(moved.forward_kinematics(q), TOOL @ arm.forward_kinematics(q), atol=1e-15)
    np.testing.assert_allclose(moved.forward_kinematics(q), mr.FKinSpace(moved.home, moved.screws, q), atol=1e-14)
    np.testing.assert_allclose(moved.body_jacobian(q), arm.body_jacobian(q), atol=1e-15)
    np.testing.assert_allclose(moved.space_jacobian(q), lie.adjoint(TOOL) @ arm.space_jacobian(q), atol=1e-15)
    with pytest.raises(TransformError, match="the rotation part of base is not a rotation"):
        arm.on_base(np.diag([2.0, 2, 2, 1]))
