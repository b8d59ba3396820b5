"""Keep a point of the robot at a point of the world, as for a foot that may rotate but must not slip."""

from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import Configuration, TargetNotSet, Task, arguments

__all__ = [
    "PointTask",
]


class PointTask(Task):
    """Move the origin of a frame to a point in the world, with any orientation of the frame.

    As one of the `constraints` of `solve_ik` it is satisfied exactly; as one of its `tasks`, according to its cost.
    Pink has no such class, but accepts one written in the same way.

    Attributes:
        frame: Name of the frame.
        cost: Cost, [cost]/m: one number, or one for each axis of the world.
    """

    def __init__(self, frame: str, cost: ArrayLike, gain: float = 1.0, lm_damping: float = 0.0) -> None:
        """Store frame, cost, gain and damping."""
        super().__init__(cost, gain, lm_damping)
        self.frame = frame
        self._target: Array | None = None

    def _cost_sizes(self) -> tuple[int, ...]:
        return (1, 3)

    @property
    def target(self) -> Array | None:
        """The target point, shape (3,), m, read-only; None before it is set."""
        return self._target

    def set_target(self, target: ArrayLike) -> None:
        """Set the target point, shape (3,), m in the world.

        Raises:
            ParameterError: The target is not three finite numbers.
        """
        self._target = arguments.vector(target, "target, a point in m,", 3)

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Set the target to the point's position in this configuration.

        Raises:
            FrameNotFound: The robot has no such frame.
        """
        self.set_target(configuration.get_transform_frame_to_world(self.frame)[:3, 3])

    def compute_error(self, configuration: Configuration) -> Array:
        """Return p − p*, shape (3,), m along the axes of the world.

        Raises:
            TargetNotSet: No target was set.
            FrameNotFound: The robot has no such frame.
        """
        if self._target is None:
            raise TargetNotSet(self)
        return configuration.get_transform_frame_to_world(self.frame)[:3, 3] - self._target

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return ∂p/∂q = R_sb times the lower half of J_b, shape (3, nv), m per unit of each rate.

        Raises:
            FrameNotFound: The robot has no such frame.
        """
        return configuration.get_velocity_jacobian(self.frame)
