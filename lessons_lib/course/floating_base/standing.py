"""A quadruped that moves its trunk and keeps its feet on the ground: the floating base of lesson 18."""

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie, robots
from lessons_lib.arrays import Array, is_real
from lessons_lib.course.floating_base.support import support_margin
from lessons_lib.course.point_task import PointTask
from lessons_lib.course.quadruped_parts import LEGS
from lessons_lib.differential_ik import Configuration, FrameTask, Task, solve_ik
from lessons_lib.errors import ParameterError
from lessons_lib.robots import Tree

__all__ = [
    "FEET",
    "feet_of",
    "margin_of",
    "quadruped",
    "trunk_pose",
]


TRUNK = "trunk"
FEET = tuple(f"{leg}_foot" for leg in LEGS)
LEG = 0.4
"""The length of an outstretched leg from the hip to the foot, in m; the thigh and the shank are each half as long."""

HEIGHT = 0.3
"""The height of the trunk above the feet in the rest stance, in m."""

RATE = 200.0
"""The step rate, in Hz."""


@cache
def quadruped() -> Tree:
    """Return the course's quadruped with a floating base: nq = 19, nv = 18."""
    return robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True)


def standing(height: float = HEIGHT) -> Array:
    """Return the configuration, (19,), with each foot below its hip at z = 0, the trunk level, the knees back; m."""
    if not (is_real(height) and 0.0 < height <= LEG):
        raise ParameterError(f"height must be in (0, {LEG}] m, got {height!r}")
    bend = float(np.arccos(height / LEG))
    q = quadruped().q0.copy()
    q[2] = height
    q[7:] = np.tile([0.0, bend, -2.0 * bend], len(FEET))
    return q


def at_ease(height: float = HEIGHT) -> Configuration:
    """Return the `Configuration` of the quadruped that is `standing`; height in m."""
    return Configuration(quadruped(), standing(height))


def trunk_pose(
    height: float = HEIGHT,
    forward: float = 0.0,
    left: float = 0.0,
    roll: float = 0.0,
    pitch: float = 0.0,
    yaw: float = 0.0,
) -> Array:
    """Return a trunk pose with R = R_z(yaw) R_y(pitch) R_x(roll), shape (4, 4).

    Args:
        height: Height above the feet's centres, m.
        forward: Position along x, m.
        left: Position along y, m.
        roll: Rotation about x, rad; positive lowers the right side.
        pitch: Rotation about y, rad; positive lowers the nose.
        yaw: Rotation about z, rad; positive turns the nose to the left.
    """
    T = np.eye(4)
    T[:3, :3] = lie.exp_so3([0, 0, yaw]) @ lie.exp_so3([0, pitch, 0]) @ lie.exp_so3([roll, 0, 0])
    T[:3, 3] = forward, left, height
    return T


def feet_of(configuration: Configuration, feet: Sequence[str] = FEET) -> Array:
    """Return the positions of some feet in the world, shape (m, 3), m."""
    return np.array([configuration.get_transform_frame_to_world(foot)[:3, 3] for foot in feet])


def margin_of(configuration: Configuration, feet: Sequence[str] = FEET) -> float:
    """Return the distance of the centre of mass inside the support polygon of some feet, in m; negative outside."""
    return support_margin(feet_of(configuration, feet), configuration.get_center_of_mass())


def feet_down(configuration: Configuration) -> list[PointTask]:
    """Return a task for each foot to stay where it is; 1 m costs 1."""
    tasks = [PointTask(foot, 1.0) for foot in FEET]
    for task in tasks:
        task.set_target_from_configuration(configuration)
    return tasks


def follow(
    configuration: Configuration,
    poses: Iterable[ArrayLike],
    constraints: Sequence[Task],
    tasks: Sequence[Task] = (),
    rate: float = RATE,
) -> Array:
    """Move the trunk through poses, one step each at a rate [Hz]; return the configurations, (steps, nq)."""
    # `configuration` is changed; the trunk task has costs of 1 per metre and 1 per radian
    trunk = FrameTask(TRUNK, position_cost=1.0, orientation_cost=1.0)
    rows = []
    for pose in poses:
        trunk.set_target(pose)
        v = solve_ik(configuration, [trunk, *tasks], 1.0 / rate, constraints=constraints)
        configuration.integrate_inplace(v, 1.0 / rate)
        rows.append(configuration.q)
    return np.array(rows)
