"""Differential inverse kinematics: at each step, the velocity that suits many tasks at once, within limits.

Names, arguments and units are those of Pink, so that what is written here runs there, with one difference. A twist is
(ω, v) here, angular first, as everywhere in this library; in Pink and Pinocchio it is (v, ω). That holds for the rows
of frame Jacobians and pose errors, for the six costs of a pose, and for the first six coordinates of a floating
base's tangent. Three forms differ, too: a pose is a (4, 4) array; a model is a tree, `robots.load_urdf(…)`, that
needs no data beside it; and a joint without end is one angle in q, where Pinocchio has its cosine and sine.

A constraint leaves out the rows of its task that have a cost of zero; Pink holds all rows.

Pink has no strict order of priority without limits, the classical method by null spaces; that is `prioritized_rates`.
Nor has it a step that keeps its direction where a limit is in the way, Drake's method; that is `solve_scaled`.

Source: Caron et al., Pink: Python inverse kinematics based on Pinocchio (2025).

A compiled function stands beside what it is the compiled form of, marked `@compiled`; both do the same arithmetic,
and tests hold them together: `test_two_objectives.py` for what each task and limit says in NumPy,
`test_compiled_forms.py` for which of both counts in a derived class, `test_least_step.py` for the step.
"""

from lessons_lib.differential_ik.barriers.barrier import Barrier
from lessons_lib.differential_ik.barriers.body_spherical_barrier import BodySphericalBarrier
from lessons_lib.differential_ik.barriers.position_barrier import PositionBarrier
from lessons_lib.differential_ik.barriers.self_collision_barrier import SelfCollisionBarrier
from lessons_lib.differential_ik.closed_loop import LoopReport, run_loop
from lessons_lib.differential_ik.configuration import Configuration
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
from lessons_lib.differential_ik.joint_values import custom_configuration_vector, get_joint_idx
from lessons_lib.differential_ik.limits.acceleration_limit import AccelerationLimit
from lessons_lib.differential_ik.limits.configuration_limit import ConfigurationLimit
from lessons_lib.differential_ik.limits.floating_base_velocity_limit import FloatingBaseVelocityLimit
from lessons_lib.differential_ik.limits.frame_velocity_limit import FrameVelocityLimit
from lessons_lib.differential_ik.limits.limit import Limit
from lessons_lib.differential_ik.limits.linear_velocity_limit import LinearVelocityLimit
from lessons_lib.differential_ik.limits.velocity_limit import VelocityLimit
from lessons_lib.differential_ik.priority import null_space_projector, prioritized_rates
from lessons_lib.differential_ik.scaled_velocity import ScaledVelocity, StepStatus, solve_scaled
from lessons_lib.differential_ik.solver.problem import build_ik
from lessons_lib.differential_ik.solving import solve_ik
from lessons_lib.differential_ik.tasks.com_task import ComTask
from lessons_lib.differential_ik.tasks.damping_task import DampingTask
from lessons_lib.differential_ik.tasks.frame_task import FrameTask
from lessons_lib.differential_ik.tasks.frame_velocity_task import FrameVelocityTask
from lessons_lib.differential_ik.tasks.joint_coupling_task import JointCouplingTask
from lessons_lib.differential_ik.tasks.joint_velocity_task import JointVelocityTask
from lessons_lib.differential_ik.tasks.linear_holonomic_task import LinearHolonomicTask
from lessons_lib.differential_ik.tasks.low_acceleration_task import LowAccelerationTask
from lessons_lib.differential_ik.tasks.manipulability_task import ManipulabilityTask
from lessons_lib.differential_ik.tasks.omniwheel_task import OmniwheelTask
from lessons_lib.differential_ik.tasks.posture_task import PostureTask
from lessons_lib.differential_ik.tasks.relative_frame_task import RelativeFrameTask
from lessons_lib.differential_ik.tasks.rolling_task import RollingTask
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.errors import ConfigurationError, FrameNotFound

__all__ = [
    "AccelerationLimit",
    "Barrier",
    "BodySphericalBarrier",
    "ComTask",
    "Configuration",
    "ConfigurationError",
    "ConfigurationLimit",
    "DampingTask",
    "FloatingBaseVelocityLimit",
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
