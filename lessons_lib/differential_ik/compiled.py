"""The compiled form of the library's own tasks and limits, called with what each of them holds."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lessons_lib.differential_ik import kernels
from lessons_lib.differential_ik.acceleration_limit import AccelerationLimit
from lessons_lib.differential_ik.com_task import ComTask
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.configuration_limit import ConfigurationLimit
from lessons_lib.differential_ik.damping_task import DampingTask
from lessons_lib.differential_ik.frame_task import FrameTask
from lessons_lib.differential_ik.joint_coupling_task import JointCouplingTask
from lessons_lib.differential_ik.limit import Limit
from lessons_lib.differential_ik.low_acceleration_task import LowAccelerationTask
from lessons_lib.differential_ik.manipulability_task import ManipulabilityTask
from lessons_lib.differential_ik.posture_task import PostureTask
from lessons_lib.differential_ik.rate_limit import RateLimit
from lessons_lib.differential_ik.relative_frame_task import RelativeFrameTask
from lessons_lib.differential_ik.task import Task
from lessons_lib.differential_ik.velocity_limit import VelocityLimit

Array = NDArray[np.float64]


def _add_frame(task: FrameTask, configuration: Configuration, H: Array, c: Array) -> None:
    carrier, offset = configuration.frame_arrays(task.frame)
    joints, poses, twists = configuration.kinematic_arrays
    target, costs, gain, damping = task.target(), task.costs_for(6), task.gain, task.lm_damping
    kernels.module().add_frame_objective(carrier, offset, joints, poses, twists, target, costs, gain, damping, H, c)


def _add_relative(task: RelativeFrameTask, configuration: Configuration, H: Array, c: Array) -> None:
    frames = (*configuration.frame_arrays(task.frame), *configuration.frame_arrays(task.root))
    wish = (task.target(), task.costs_for(6), task.gain, task.lm_damping)
    kernels.module().add_relative_objective(*frames, *configuration.kinematic_arrays, *wish, H, c)


def _add_posture(task: PostureTask, configuration: Configuration, H: Array, c: Array) -> None:
    first, q_of_v, turns = configuration.root_nv, configuration.model.q_of_v, configuration.model.arrays.turns
    target, q, costs = task.target_for(configuration), configuration.q, task.costs_for(len(c) - first)
    kernels.module().add_posture_objective(first, q_of_v, turns, target, q, costs, task.gain, task.lm_damping, H, c)


def _add_joints(task: DampingTask | LowAccelerationTask, configuration: Configuration, H: Array, c: Array) -> None:
    error, first = task.compute_error(configuration), configuration.root_nv
    kernels.module().add_joint_objective(first, error, task.costs_for(len(error)), task.gain, task.lm_damping, H, c)


def _add(task: Task, configuration: Configuration, H: Array, c: Array) -> None:
    J, e = task.compute_jacobian(configuration), task.compute_error(configuration)
    kernels.module().add_objective(J, e, task.costs_for(len(e)), task.gain, task.lm_damping, H, c)


ADDERS: dict[type[Task], Callable[[Any, Configuration, Array, Array], None]] = {
    FrameTask: _add_frame,
    RelativeFrameTask: _add_relative,
    PostureTask: _add_posture,
    DampingTask: _add_joints,
    LowAccelerationTask: _add_joints,
    ComTask: _add,
    JointCouplingTask: _add,
    ManipulabilityTask: _add,
}
"""How the objective of each of the library's own tasks is added; a class derived from one of them is not in here."""


def _narrow_to_range(
    limit: ConfigurationLimit, configuration: Configuration, dt: float, lower: Array, upper: Array
) -> None:
    kernels.module().narrow_to_range(*limit.range_arrays, limit.config_limit_gain, configuration.q, lower, upper)


def _narrow_to_speed(limit: VelocityLimit, configuration: Configuration, dt: float, lower: Array, upper: Array) -> None:
    kernels.module().narrow_to_speed(limit.indices, limit.largest, dt, lower, upper)


def _narrow(limit: RateLimit, configuration: Configuration, dt: float, lower: Array, upper: Array) -> None:
    kernels.module().narrow(limit.indices, *limit.compute_bounds(configuration, dt), lower, upper)


NARROWERS: dict[type[Limit], Callable[[Any, Configuration, float, Array, Array], None]] = {
    ConfigurationLimit: _narrow_to_range,
    VelocityLimit: _narrow_to_speed,
    AccelerationLimit: _narrow,
}
"""How each of the library's limits of single rates narrows the box lower ≤ Δq ≤ upper in place; not a class derived."""
