"""Bring a frame of the robot to a pose in the world."""

from typing import TYPE_CHECKING

import numpy as np

from lessons_lib import lie
from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import kernels
from lessons_lib.differential_ik.compiled_forms import stands_for
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.tasks.pose_task import PoseTask, product
from lessons_lib.differential_ik.tasks.task import add_objective
from lessons_lib.lie import ORTHOGONALITY
from lessons_lib.lie.poses import pose_deviation

if TYPE_CHECKING:
    from lessons_lib.differential_ik.se3_code import between_kernel, left_jacobian_inverse_se3_kernel, log_se3_kernel
    from lessons_lib.robots.tree_loops import frame_jacobian


class FrameTask(PoseTask):
    """Bring a frame {b} of the robot to a pose {d} in the world {s}.

    A hand that weighs ten times as much as another is given ten times its costs.

    Attributes:
        frame: Name of the frame.
        position_cost: What an error of one metre costs, [cost]/m.
        orientation_cost: What an error of one radian costs, [cost]/rad.
    """

    @property
    def transform_target_to_world(self) -> Array | None:
        """The target T_sd, shape (4, 4), which may be written into; None before it is set."""
        return self._target

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Ask the frame to stay where it is in this configuration.

        Raises:
            FrameNotFound: The robot has no such frame.
        """
        self.set_target(configuration.get_transform_frame_to_world(self.frame))

    def compute_error(self, configuration: Configuration) -> Array:
        """Return V_b = log(T_sb⁻¹ T_sd), shape (6,), (ω, v) in the frame, rad and m: the twist that would mend it.

        Raises:
            TargetNotSet: No target was set.
            TransformError: What was written into the target has left no pose.
            FrameNotFound: The robot has no such frame.
        """
        target = self.checked_target()
        T_sb = configuration.get_transform_frame_to_world(self.frame)
        return lie.log_se3(lie.inverse(T_sb) @ target)

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return ∂V_b/∂q = −J_l⁻¹(V_b) J_b, shape (6, nv): moving the frame ahead shortens the way from it.

        Raises:
            TargetNotSet: No target was set.
            TransformError: What was written into the target has left no pose.
            FrameNotFound: The robot has no such frame.
        """
        return self._jacobian(configuration, self.compute_error(configuration))

    def _jacobian(self, configuration: Configuration, error: Array) -> Array:
        return -lie.left_jacobian_inverse_se3(error) @ configuration.get_frame_jacobian(self.frame)

    @stands_for("compute_error", "compute_jacobian")
    def linearize(self, configuration: Configuration) -> tuple[Array, Array]:
        """Return J and e; e is computed once."""
        error = self.compute_error(configuration)
        return self._jacobian(configuration, error), error

    @stands_for("compute_error", "compute_jacobian", "compute_qp_objective")
    def add_objective(self, configuration: Configuration, H: Array, c: Array) -> None:
        """Add onto H and c what `compute_qp_objective` returns, in one compiled call."""
        frame = configuration.frame_arrays(self.frame)
        numbers = (*configuration.kinematic_arrays, self.target(), self.costs_for(6), self.gain, self.lm_damping)
        self.check_added(kernels.module().add_frame_objective(*frame, *numbers, H, c))


@compiled
def add_frame_objective(
    carrier: int,
    offset: Array,
    joints: Integers,
    poses: Array,
    twists: Array,
    target: Array,
    costs: Array,
    gain: float,
    lm_damping: float,
    H: Array,
    c: Array,
) -> bool:
    """Add the objective of a frame's pose: e = log(T_sb⁻¹ T_sd) and J = −J_l⁻¹(e) J_b."""
    if not pose_deviation(target, 0) <= ORTHOGONALITY:
        return False
    nv = H.shape[0]
    between, e, inverse = np.empty((4, 4)), np.empty(6), np.empty((6, 6))
    J_b, J = np.empty((6, nv)), np.empty((6, nv))
    frame_jacobian(carrier, offset, joints, poses, twists, J_b)
    between_kernel(poses[-1], target, between)  # the frame's pose is left there
    log_se3_kernel(between, e)
    left_jacobian_inverse_se3_kernel(e, inverse)
    product(-inverse, J_b, J)
    return add_objective(J, e, costs, gain, lm_damping, H, c)
