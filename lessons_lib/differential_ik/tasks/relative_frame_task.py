"""Bring a frame of the robot to a pose in another of its frames."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

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
    from lessons_lib.differential_ik.se3_code import (
        adjoint_kernel,
        between_kernel,
        left_jacobian_inverse_se3_kernel,
        log_se3_kernel,
    )
    from lessons_lib.robots.tree_loops import frame_jacobian


class RelativeFrameTask(PoseTask):
    """Bring a frame {b} to a pose {d} in the frame {r} of a link that may itself move: one hand in the other.

    Attributes:
        frame: Name of the frame {b}.
        root: Name of the frame {r} in which the target is given.
        position_cost: What an error of one metre costs, [cost]/m.
        orientation_cost: What an error of one radian costs, [cost]/rad.
    """

    def __init__(
        self,
        frame: str,
        root: str,
        position_cost: ArrayLike,
        orientation_cost: ArrayLike,
        lm_damping: float = 0.0,
        gain: float = 1.0,
    ) -> None:
        """Take the two frames and the two costs, each one number or one for each axis of the frame."""
        super().__init__(frame, position_cost, orientation_cost, lm_damping, gain)
        self.root = root

    @property
    def transform_target_to_root(self) -> Array | None:
        """The target T_rd, shape (4, 4), which may be written into; None before it is set."""
        return self._target

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Ask the two frames to keep the pose that they have to each other.

        Raises:
            FrameNotFound: The robot lacks one of the frames.
        """
        self.set_target(configuration.get_transform(self.frame, self.root))

    def compute_error(self, configuration: Configuration) -> Array:
        """Return log(T_rd⁻¹ T_rb), shape (6,), (ω, v), rad and m.

        As in Pink it points away from the target, while `FrameTask` points to it. The step is the same, for the
        Jacobian has the other sign, too.

        Raises:
            TargetNotSet: No target was set.
            TransformError: What was written into the target has left no pose.
            FrameNotFound: The robot lacks one of the frames.
        """
        target = self.checked_target()
        return lie.log_se3(lie.inverse(target) @ configuration.get_transform(self.frame, self.root))

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return J_r⁻¹(e) (J_b − Ad(T_br) J_r), shape (6, nv): the motion of {b} as {r} sees it.

        Raises:
            TargetNotSet: No target was set.
            TransformError: What was written into the target has left no pose.
            FrameNotFound: The robot lacks one of the frames.
        """
        return self._jacobian(configuration, self.compute_error(configuration))

    def _jacobian(self, configuration: Configuration, error: Array) -> Array:
        T_br = configuration.get_transform(self.root, self.frame)
        J_root = configuration.get_frame_jacobian(self.root)
        seen_from_root = configuration.get_frame_jacobian(self.frame) - lie.adjoint(T_br) @ J_root
        return lie.left_jacobian_inverse_se3(-error) @ seen_from_root

    @stands_for("compute_error", "compute_jacobian")
    def linearize(self, configuration: Configuration) -> tuple[Array, Array]:
        """Return J and e; e is computed once."""
        error = self.compute_error(configuration)
        return self._jacobian(configuration, error), error

    @stands_for("compute_error", "compute_jacobian", "compute_qp_objective")
    def add_objective(self, configuration: Configuration, H: Array, c: Array) -> None:
        """Add onto H and c what `compute_qp_objective` returns, in one compiled call."""
        frames = (*configuration.frame_arrays(self.frame), *configuration.frame_arrays(self.root))
        numbers = (*configuration.kinematic_arrays, self.target(), self.costs_for(6), self.gain, self.lm_damping)
        self.check_added(kernels.module().add_relative_objective(*frames, *numbers, H, c))


@compiled
def add_relative_objective(
    carrier: int,
    offset: Array,
    root_carrier: int,
    root_offset: Array,
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
    """Add the objective of a pose in a moving frame: e = log(T_rd⁻¹ T_rb) and J = J_r⁻¹(e) (J_b − Ad(T_br) J_r)."""
    if not pose_deviation(target, 0) <= ORTHOGONALITY:
        return False
    nv = H.shape[0]
    relative, between, e, six = np.empty((4, 4)), np.empty((4, 4)), np.empty(6), np.empty((6, 6))
    J_b, J_root, J = np.empty((6, nv)), np.empty((6, nv)), np.empty((6, nv))
    frame_jacobian(carrier, offset, joints, poses, twists, J_b)
    T = poses[-1].copy()  # the frame's pose is left there, until the next one is
    frame_jacobian(root_carrier, root_offset, joints, poses, twists, J_root)
    T_root = poses[-1]
    between_kernel(T, T_root, relative)  # T_br
    adjoint_kernel(relative, six)
    product(six, J_root, J)
    for i in range(6):
        for j in range(nv):
            J_b[i, j] -= J[i, j]
    between_kernel(T_root, T, relative)  # T_rb
    between_kernel(target, relative, between)
    log_se3_kernel(between, e)
    left_jacobian_inverse_se3_kernel(-e, six)
    product(six, J_b, J)
    return add_objective(J, e, costs, gain, lm_damping, H, c)
