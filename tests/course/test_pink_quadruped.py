"""One step of the quadruped: Pink's and ours agree.

The trunk is shifted and rotated, and one knee is bent further. The trunk should return to its rest pose and the feet
should stay in place, all as tasks with costs, within the limits.
"""

import numpy as np
import pink
import pinocchio
import pytest

from lessons_lib import lie, robots
from lessons_lib.arrays import Array
from lessons_lib.course.floating_base.standing import FEET, TRUNK, quadruped, standing, trunk_pose
from lessons_lib.differential_ik import Configuration, FrameTask, PostureTask, solve_ik

DT = 0.005
"""Duration of the step, s."""

TRUNK_COSTS, FOOT_COST, POSTURE_COST = (1.0, 2.0), 10.0, 1e-3
"""Costs of the trunk's position and orientation, of a foot's position, and of the joints."""


def start() -> Array:
    """Return the initial configuration, shape (19,)."""
    q = standing()
    q[:3] += [0.02, -0.01, -0.03]
    q[3:7] = np.array([0.1, -0.05, 0.2, 1.0]) / np.linalg.norm([0.1, -0.05, 0.2, 1.0])
    q[9] -= 0.2
    return q


@pytest.fixture(scope="module")
def pinks() -> dict[str, Array]:
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
        "centre of mass": configuration.data.com[0].copy(),
        "its derivative by the joints": configuration.data.Jcom[:, 6:].copy(),
        "log of a foot's pose": lie.swap_halves(pinocchio.log6(pinocchio.SE3(pose)).vector),
        "velocity": np.concatenate([v[3:6], v[:3], v[6:]]),
        "quaternion after the step": ahead[3:7],
    }


@pytest.fixture(scope="module")
def ours() -> dict[str, Array]:
    """Run `differential_ik` on the same problem."""
    configuration = Configuration(quadruped(), start())
    trunk = FrameTask(TRUNK, *TRUNK_COSTS, gain=0.1)
    trunk.set_target(trunk_pose())
    feet = [FrameTask(foot, FOOT_COST, 0.0) for foot in FEET]
    for foot in feet:
        foot.set_target_from_configuration(configuration)
    posture = PostureTask(POSTURE_COST)
    posture.set_target(standing())
    v = solve_ik(configuration, [trunk, *feet, posture], DT)
    return {
        "centre of mass": configuration.get_center_of_mass(),
        "its derivative by the joints": configuration.get_center_of_mass_jacobian()[:, 6:],
        "log of a foot's pose": lie.log_se3(configuration.get_transform_frame_to_world(FEET[0])),
        "velocity": v,
        "quaternion after the step": configuration.integrate(v, DT)[3:7],
    }


def test_both_steps_agree_to_eight_digits(ours: dict[str, Array], pinks: dict[str, Array]) -> None:
    for name, values in ours.items():
        np.testing.assert_allclose(values, pinks[name], rtol=0, atol=1e-8, err_msg=name)  # DAQP stops near 1e-9
