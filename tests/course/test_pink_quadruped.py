"""The stored numbers of lesson 18 are Pink's, and ours agree with them."""

import numpy as np
import pink
import pinocchio
import pytest

from lessons_lib import lie, robots
from lessons_lib.arrays import Array
from lessons_lib.course.floating_base.pink_quadruped import DT, FOOT_COST, PINK, POSTURE_COST, TRUNK_COSTS, ours, start
from lessons_lib.course.floating_base.standing import FEET, TRUNK, standing, trunk_pose

HALF_A_DIGIT = 5.000001e-7
"""Six decimals are stored."""


@pytest.fixture(scope="module")
def theirs() -> dict[str, Array]:
    """Run Pink. Its q has our order; in its tangent v comes before ω."""
    path = str(robots.urdf_file("quadruped"))
    model = pinocchio.buildModelFromUrdf(path, pinocchio.JointModelFreeFlyer())
    configuration = pink.Configuration(model, model.createData(), start())
    trunk = pink.FrameTask(TRUNK, *TRUNK_COSTS, gain=0.1)
    trunk.set_target(pinocchio.SE3(trunk_pose()))
    feet = [pink.FrameTask(foot, FOOT_COST, 0.0) for foot in FEET]
    for foot in feet:
        foot.set_target_from_configuration(configuration)
    posture = pink.PostureTask(POSTURE_COST)
    posture.set_target(standing())
    v = pink.solve_ik(configuration, [trunk, *feet, posture], DT, solver="daqp")
    ahead = configuration.integrate(v, DT)
    pinocchio.jacobianCenterOfMass(model, configuration.data, start())
    pose = configuration.get_transform_frame_to_world(FEET[0]).homogeneous
    return {
        "centre of mass [m]": configuration.data.com[0].copy(),
        "its y per front left hip, thigh, knee [m/rad]": configuration.data.Jcom[1, 6:9],
        "front left foot: log of its pose": lie.swap_halves(pinocchio.log6(pinocchio.SE3(pose)).vector),
        "base: ω [rad/s]": v[3:6],
        "base: v [m/s]": v[:3],
        "front left leg [rad/s]": v[6:9],
        "quaternion after the step": ahead[3:7],
    }


def test_the_stored_numbers_are_pinks(theirs: dict[str, Array]) -> None:
    assert PINK.keys() == theirs.keys()
    for name, values in theirs.items():
        np.testing.assert_allclose(PINK[name], values, rtol=0, atol=HALF_A_DIGIT, err_msg=name)


def test_ours_are_the_same_to_nine_digits(theirs: dict[str, Array]) -> None:
    for name, values in ours().items():
        np.testing.assert_allclose(values, theirs[name], rtol=0, atol=1e-8, err_msg=name)  # DAQP stops near 1e-9
