"""Keep the base slow, be it afloat or in the plane."""

from numpy.typing import ArrayLike

from lessons_lib.differential_ik.limits.frame_velocity_limit import FrameVelocityLimit
from lessons_lib.errors import LimitsError
from lessons_lib.robots import Tree
from lessons_lib.robots.arguments import check_tree


class FloatingBaseVelocityLimit(FrameVelocityLimit):
    """Keep the twist of a frame of the base within bounds, axis by axis.

    Attributes:
        base_frame: Name of the frame; its own axes are the ones that are bounded.
    """

    def __init__(
        self,
        model: Tree,
        base_frame: str | None,
        max_linear_velocity: ArrayLike,
        max_angular_velocity: ArrayLike,
    ) -> None:
        """Take the robot, a frame that is fixed to its base (the root link if None), and the bounds (inf for none).

        Raises:
            LimitsError: The base does not move, the frame moves against it, or bounds are not one or three numbers.
            FrameNotFound: The robot has no such frame.
        """
        check_tree(model)
        if model.q_of_v.size == 0 or model.q_of_v[0] >= 0:
            raise LimitsError(
                f"{model.name} has no floating base; load it with floating_base=True, or with planar_base=True"
            )
        self.base_frame = model.frame_names[0] if base_frame is None else base_frame
        super().__init__(model, self.base_frame, max_linear_velocity, max_angular_velocity)
        moved = model.body_jacobian(model.q0, self.base_frame).any(axis=0)
        if (moved & (model.q_of_v != model.q_of_v[0])).any():
            raise LimitsError(f"frame {self.base_frame!r} moves against the floating base; name one that does not")
