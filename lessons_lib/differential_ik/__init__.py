"""Differential inverse kinematics: the velocity that fulfils several tasks best in each step, within limits.

Names, arguments and units are those of Pink, with one difference: a twist is (ω, v), angular part first, as everywhere
in this library; in Pink and Pinocchio it is (v, ω). This concerns the rows of frame Jacobians and pose errors, the six
costs of a pose, and the first six tangent coordinates of a floating base. Three types differ as well: a pose is an
array of shape (4, 4); a model is a tree, `robots.load_urdf(…)`, without separate data; and a continuous joint is one
angle in q, where Pinocchio has its cosine and sine.

A constraint ignores the rows of its task that have a cost of zero; Pink keeps all rows. Features beyond Pink: tasks for
a point, an axis or an angle (`PointTask`, `AxisTask`, `AngleTask`); frames within intervals (`FrameIntervalTask`);
strict priorities by null spaces (`prioritized_rates`); and steps that keep their direction at a limit (`solve_scaled`).

Source: Caron et al., Pink: Python inverse kinematics based on Pinocchio (2025).
"""

from lessons_lib.differential_ik.barriers import Barrier, BodySphericalBarrier, PositionBarrier, SelfCollisionBarrier
from lessons_lib.differential_ik.closed_loop import LoopReport, run_loop
from lessons_lib.differential_ik.configuration import Configuration, custom_configuration_vector, get_joint_idx
from lessons_lib.differential_ik.errors import (
    InvalidCollisionPairs,
    MeshTouched,
    NegativeMinimumDistance,
    NoPositionLimitProvided,
    NoSolutionFound,
    NotWithinConfigurationLimits,
    PinkError,
    TargetNotSet,
    TaskDefinitionError,
    TaskJacobianNotSet,
    UnknownSolver,
)
from lessons_lib.differential_ik.joint_middle import middle_cost, middle_gradient
from lessons_lib.differential_ik.limits.limit import Limit
from lessons_lib.differential_ik.limits.rate_limits import AccelerationLimit, ConfigurationLimit, VelocityLimit
from lessons_lib.differential_ik.limits.row_limits import (
    FloatingBaseVelocityLimit,
    FrameVelocityLimit,
    LinearVelocityLimit,
)
from lessons_lib.differential_ik.priority import null_space_projector, prioritized_rates
from lessons_lib.differential_ik.scaled_velocity import ScaledVelocity, StepStatus, solve_scaled
from lessons_lib.differential_ik.solver.problem import build_ik
from lessons_lib.differential_ik.solving import solve_ik
from lessons_lib.differential_ik.tasks.com_task import ComTask
from lessons_lib.differential_ik.tasks.frame_tasks import FrameIntervalTask, FrameTask, RelativeFrameTask
from lessons_lib.differential_ik.tasks.frame_velocity_task import FrameVelocityTask
from lessons_lib.differential_ik.tasks.joint_tasks import (
    DampingTask,
    JointVelocityTask,
    LowAccelerationTask,
    PostureTask,
)
from lessons_lib.differential_ik.tasks.linear_tasks import JointCouplingTask, LinearHolonomicTask
from lessons_lib.differential_ik.tasks.manipulability_task import ManipulabilityTask
from lessons_lib.differential_ik.tasks.partial_tasks import AngleTask, AxisTask, PointTask
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.differential_ik.tasks.wheel_tasks import OmniwheelTask, RollingTask
from lessons_lib.errors import ConfigurationError, FrameNotFound

__all__ = [
    "AccelerationLimit",
    "AngleTask",
    "AxisTask",
    "Barrier",
    "BodySphericalBarrier",
    "ComTask",
    "Configuration",
    "ConfigurationError",
    "ConfigurationLimit",
    "DampingTask",
    "FloatingBaseVelocityLimit",
    "FrameIntervalTask",
    "FrameNotFound",
    "FrameTask",
    "FrameVelocityLimit",
    "FrameVelocityTask",
    "InvalidCollisionPairs",
    "JointCouplingTask",
    "JointVelocityTask",
    "Limit",
    "LinearHolonomicTask",
    "LinearVelocityLimit",
    "LoopReport",
    "LowAccelerationTask",
    "ManipulabilityTask",
    "MeshTouched",
    "NegativeMinimumDistance",
    "NoPositionLimitProvided",
    "NoSolutionFound",
    "NotWithinConfigurationLimits",
    "OmniwheelTask",
    "PinkError",
    "PointTask",
    "PositionBarrier",
    "PostureTask",
    "RelativeFrameTask",
    "RollingTask",
    "ScaledVelocity",
    "SelfCollisionBarrier",
    "StepStatus",
    "TargetNotSet",
    "Task",
    "TaskDefinitionError",
    "TaskJacobianNotSet",
    "UnknownSolver",
    "VelocityLimit",
    "build_ik",
    "custom_configuration_vector",
    "get_joint_idx",
    "middle_cost",
    "middle_gradient",
    "null_space_projector",
    "prioritized_rates",
    "run_loop",
    "solve_ik",
    "solve_scaled",
]
