"""One step of the quadruped computed by Pink, and the same problem for our solver.

The problem: the quadruped stands with its trunk shifted and turned, and one knee bent further. It should return its
trunk to the rest pose and keep its feet in place, as soft tasks, within its limits. The values come from Pink 4.4 on
Pinocchio 4.1, with DAQP; tests/course/test_pink_quadruped.py recomputes them. Pink's twists are (v, ω): here the halves
of the base are exchanged.

Source: Caron et al., Pink: Python inverse kinematics based on Pinocchio (2025).
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.course.floating_base.standing import FEET, TRUNK, quadruped, standing, trunk_pose
from lessons_lib.differential_ik import Configuration, FrameTask, PostureTask, Task, solve_ik

DT = 0.005
"""Duration of the step, s."""

TRUNK_COSTS, FOOT_COST, POSTURE_COST = (1.0, 2.0), 10.0, 1e-3
"""Costs of the trunk's position and orientation, of a foot's position, and of the joints."""

PINK: Mapping[str, tuple[float, ...]] = MappingProxyType(
    {
        "centre of mass [m]": (0.008515, -0.009828, 0.242929),
        "its y per front left hip, thigh, knee [m/rad]": (0.004039, -0.003026, -0.000093),
        "front left foot: log of its pose": (0.366511, -1.005551, 0.276192, 0.230256, 0.230257, -0.092987),
        "base: ω [rad/s]": (-3.932117, 1.966038, -7.864247),
        "base: v [m/s]": (-0.322094, 0.333025, 0.594404),
        "front left leg [rad/s]": (9.300759, -0.047261, 2.148889),
        "quaternion after the step": (0.087868, -0.043934, 0.175736, 0.979523),
    }
)
"""Pink's values, rounded to six decimals."""


def start() -> Array:
    """Return the initial configuration, shape (19,)."""
    q = standing()
    q[:3] += [0.02, -0.01, -0.03]
    q[3:7] = np.array([0.1, -0.05, 0.2, 1.0]) / np.linalg.norm([0.1, -0.05, 0.2, 1.0])
    q[9] -= 0.2
    return q


def tasks_of(configuration: Configuration) -> list[Task]:
    """Return the six tasks with their targets set."""
    trunk = FrameTask(TRUNK, *TRUNK_COSTS, gain=0.1)
    trunk.set_target(trunk_pose())
    feet = [FrameTask(foot, FOOT_COST, 0.0) for foot in FEET]
    for foot in feet:
        foot.set_target_from_configuration(configuration)
    posture = PostureTask(POSTURE_COST)
    posture.set_target(standing())
    return [trunk, *feet, posture]


def ours() -> dict[str, Array]:
    """Return our values under the names in `PINK`."""
    configuration = Configuration(quadruped(), start())
    v = solve_ik(configuration, tasks_of(configuration), DT)
    ahead = configuration.integrate(v, DT)
    foot = configuration.get_transform_frame_to_world(FEET[0])
    return {
        "centre of mass [m]": configuration.get_center_of_mass(),
        "its y per front left hip, thigh, knee [m/rad]": (configuration.get_center_of_mass_jacobian()[1, 6:9]),
        "front left foot: log of its pose": lie.log_se3(foot),
        "base: ω [rad/s]": v[:3],
        "base: v [m/s]": v[3:6],
        "front left leg [rad/s]": v[6:9],
        "quaternion after the step": ahead[3:7],
    }
