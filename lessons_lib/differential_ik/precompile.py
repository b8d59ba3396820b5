"""Compile differential IK; the compiled code is the same for all robots."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.limits.limit import Limit
from lessons_lib.differential_ik.limits.rate_limits import AccelerationLimit, default_limits
from lessons_lib.differential_ik.limits.row_limits import FrameVelocityLimit
from lessons_lib.differential_ik.solving import solve_ik
from lessons_lib.differential_ik.tasks.com_task import ComTask
from lessons_lib.differential_ik.tasks.frame_tasks import FrameTask, RelativeFrameTask
from lessons_lib.differential_ik.tasks.joint_tasks import DampingTask, PostureTask
from lessons_lib.differential_ik.tasks.manipulability_task import ManipulabilityTask
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.robots import Chain, load_urdf, urdf_file

DT = 0.01
"""Duration of a step, s."""


def compilations(chain: Chain) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the description and the function of each compilation of this package."""
    yield "a step of differential IK, for all robots", take_steps


def take_steps() -> None:
    """Take steps with each task and limit that has compiled code, then call each readable method."""
    tree = load_urdf(urdf_file("panda"))
    at = Configuration(tree, (tree.lower + tree.upper) / 2.0)
    hand, gap = FrameTask("panda_link8", 1.0, 1.0), RelativeFrameTask("panda_link8", "panda_link4", 1.0, 1.0)
    posture, centre = PostureTask(1.0), ComTask(1.0)
    for task in (hand, gap, posture, centre):
        task.set_target_from_configuration(at)
    at.integrate_inplace(np.ones(tree.nv), DT)  # away from all targets, so that limits become active
    tasks: list[Task] = [hand, gap, posture, centre, DampingTask(1.0), ManipulabilityTask("panda_link8", tree)]
    limits: list[Limit] = [*default_limits(tree), AccelerationLimit(tree, np.ones(tree.nv))]
    for allowed in (limits, [*limits, FrameVelocityLimit(tree, "panda_link8", 0.001, 0.001)]):
        at.integrate_inplace(solve_ik(at, tasks, DT, limits=allowed), DT)
    for each in tasks:
        each.compute_qp_objective(at)  # constraints and refinement need it
