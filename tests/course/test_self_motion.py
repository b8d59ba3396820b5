"""The self-motion: the hand is fixed according to Pinocchio, and the curve closes or stops at a limit."""

import numpy as np
import pinocchio
import pytest

from lessons_lib import course, robots
from lessons_lib.course.redundancy.self_motion_curve import at_value, null_direction, put_back
from lessons_lib.errors import ConfigurationError, ParameterError

READY = np.array([0, -0.3, 0, -2.2, 0, 2.0, np.pi / 4])
BENT = np.array([0.3, 0.8, 0.7])


@pytest.fixture(scope="module")
def swing():
    return course.self_motion(robots.panda(), READY)


def test_the_hand_stays_by_pinocchios_measure(swing):
    model = pinocchio.buildModelFromUrdf(str(robots.urdf_file("panda")))
    data, hands = model.createData(), []
    for q in swing.configurations:
        pinocchio.framesForwardKinematics(model, data, q)
        hands.append(data.oMf[model.getFrameId("panda_link8")].homogeneous)
    assert np.abs(np.array(hands) - hands[swing.start]).max() < 1e-11  # Newton stops below 1e-12


def test_it_passes_through_the_start_and_ends_at_the_limit(swing):
    panda = robots.panda()
    assert np.array_equal(swing.configurations[swing.start], READY)
    assert swing.lengths[swing.start] == 0.0
    assert swing.ends == ("limit of joint 2", "limit of joint 2")
    for q in swing.configurations[[0, -1]]:
        panda.check_within_limits(q)
        assert q[1] - panda.limits[1, 0] < 1e-6  # a step is halved until it is shorter than 1e-7


def test_a_3r_that_holds_a_far_point_closes_its_curve():
    arm = robots.planar_3r(1.0, 0.8, 0.6)
    loop = course.self_motion(arm, BENT, held="position")
    assert loop.ends == ("closed", "closed")
    assert np.array_equal(loop.configurations[0], loop.configurations[-1])
    tips = np.exp(1j * np.cumsum(loop.configurations, axis=1)) @ [1.0, 0.8, 0.6]  # by complex numbers
    assert np.abs(tips - tips[0]).max() < 1e-11
    # far out the tip allows both signs of the first elbow, and the curve joins them
    assert loop.configurations[:, 1].min() < 0 < loop.configurations[:, 1].max()


def test_it_ends_where_the_arm_is_singular():
    """A rhombus of equal links lies flat after a quarter turn, and could then open in two ways.

    Its self-motion is the straight line (φ, −φ, φ − π), so a hundred steps lead to φ = 0 or φ = π without rounding.
    """
    limitless = robots.from_screws(robots.planar_3r().screws, robots.planar_3r().home)
    quarter = np.sqrt(3) * np.pi / 2
    q0 = np.array([np.pi / 2, -np.pi / 2, -np.pi / 2])
    curve = course.self_motion(limitless, q0, held="position", step=quarter / 100)
    assert curve.ends == ("singular", "singular")
    assert np.allclose(curve.lengths[[0, -1]], [-quarter, quarter], rtol=0, atol=1e-12)
    assert np.allclose(curve.configurations[:, 0] + curve.configurations[:, 1], 0.0, rtol=0, atol=1e-12)
    flat = curve.configurations[-1]
    assert null_direction(limitless, flat, "position") is None
    with pytest.raises(ParameterError, match="exactly one redundant joint"):
        course.self_motion(limitless, flat, held="position")


def test_put_back_restores_the_hand_and_returns_none_out_of_reach():
    panda = robots.panda()
    T = panda.forward_kinematics(READY)
    q = put_back(panda, READY + 0.02, T)
    assert q is not None
    assert np.abs(panda.forward_kinematics(q) - T).max() < 1e-11
    T[0, 3] += 3.0  # m
    assert put_back(panda, READY, T) is None


def test_a_value_on_the_curve_is_found_between_configurations(swing):
    angles = [robots.arm_angle(robots.panda(), q) for q in swing.configurations]
    q = at_value(swing, angles, 0.5)
    assert robots.arm_angle(robots.panda(), q) == pytest.approx(0.5, abs=1e-4)  # the square of a step
    backwards = course.SelfMotion(swing.configurations[::-1], 0, swing.ends)
    assert np.allclose(at_value(backwards, angles[::-1], 0.5), q, rtol=0, atol=1e-15)
    with pytest.raises(ConfigurationError, match="on this curve, got 3"):
        at_value(swing, angles, 3.0)
