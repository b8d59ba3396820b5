"""What differential IK compiles: it serves every robot, so an arm of the library's stands for the chain."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.limits.acceleration_limit import AccelerationLimit
from lessons_lib.differential_ik.limits.defaults import default_limits
from lessons_lib.differential_ik.limits.frame_velocity_limit import FrameVelocityLimit
from lessons_lib.differential_ik.limits.limit import Limit
from lessons_lib.differential_ik.solving import solve_ik
from lessons_lib.differential_ik.tasks.com_task import ComTask
from lessons_lib.differential_ik.tasks.damping_task import DampingTask
from lessons_lib.differential_ik.tasks.frame_task import FrameTask
from lessons_lib.differential_ik.tasks.manipulability_task import ManipulabilityTask
from lessons_lib.differential_ik.tasks.posture_task import PostureTask
from lessons_lib.differential_ik.tasks.relative_frame_task import RelativeFrameTask
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.robots import Chain, load_urdf, urdf_file

DT = 0.01
"""Duration of a step, s."""


def compilations(chain: Chain) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what this package compiles for a chain, and with it for all robots."""
    yield "a step of differential IK, for all robots", take_steps


def take_steps() -> None:
    """Step with each kind of task and limit that has compiled code of its own, then ask for each readable form."""
    tree = load_urdf(urdf_file("panda"))
    at = Configuration(tree, (tree.lower + tree.upper) / 2.0)
    hand, gap = FrameTask("panda_link8", 1.0, 1.0), RelativeFrameTask("panda_link8", "panda_link4", 1.0, 1.0)
    posture, centre = PostureTask(1.0), ComTask(1.0)
    for task in (hand, gap, posture, centre):
        task.set_target_from_configuration(at)
    at.integrate_inplace(np.ones(tree.nv), DT)  # away from all of them, so that the limits below are in the way
    tasks: list[Task] = [hand, gap, posture, centre, DampingTask(1.0), ManipulabilityTask("panda_link8", tree)]
    limits: list[Limit] = [*default_limits(tree), AccelerationLimit(tree, np.ones(tree.nv))]
    for allowed in (limits, [*limits, FrameVelocityLimit(tree, "panda_link8", 0.001, 0.001)]):
        at.integrate_inplace(solve_ik(at, tasks, DT, limits=allowed), DT)
    for each in tasks:
        each.compute_qp_objective(at)  # constraints ask for it, and objectives that have many least steps
