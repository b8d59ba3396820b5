"""Bring a frame of the robot to a pose in the world."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lessons_lib import lie
from lessons_lib.differential_ik.pose_task import PoseTask

if TYPE_CHECKING:
    from lessons_lib.differential_ik.configuration import Configuration

Array = NDArray[np.float64]


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
        """The target T_sd, shape (4, 4), read-only; None before it is set."""
        return self._target

    def set_target_from_configuration(self, configuration: "Configuration") -> None:
        """Ask the frame to stay where it is in this configuration.

        Raises:
            FrameNotFound: The robot has no such frame.
        """
        self.set_target(configuration.get_transform_frame_to_world(self.frame))

    def compute_error(self, configuration: "Configuration") -> Array:
        """Return V_b = log(T_sb⁻¹ T_sd), shape (6,), (ω, v) in the frame, rad and m: the twist that would mend it.

        Raises:
            TargetNotSet: No target was set.
            FrameNotFound: The robot has no such frame.
        """
        target = self.target()
        T_sb = configuration.get_transform_frame_to_world(self.frame)
        return lie.log_se3(lie.inverse(T_sb) @ target)

    def compute_jacobian(self, configuration: "Configuration") -> Array:
        """Return ∂V_b/∂q = −J_l⁻¹(V_b) J_b, shape (6, nv): moving the frame ahead shortens the way from it.

        Raises:
            TargetNotSet: No target was set.
            FrameNotFound: The robot has no such frame.
        """
        error = self.compute_error(configuration)
        jacobian: Array = -lie.left_jacobian_inverse_se3(error) @ configuration.get_frame_jacobian(self.frame)
        return jacobian
