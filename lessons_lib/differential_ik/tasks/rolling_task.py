"""Roll a wheel on the floor without slipping."""

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.tasks.task import Task


class RollingTask(Task):
    """Keep a wheel on the floor, and its lowest point at rest there.

    That the lowest point rests is a condition on the velocity alone. So the first two entries of the error are zero,
    and J is its derivative in the third row only. A wheel rolls exactly where this is a constraint of `solve_ik`.

    Attributes:
        hub_frame: Name of a frame in the middle of the wheel that turns with it.
        floor_frame: Name of a frame that stands still, such as "universe"; its x and y span the floor.
        wheel_radius: From the hub to the rim, m.
        cost: What a metre of slip or of height costs, [cost]/m: one number, or one for each axis of the floor.
    """

    def __init__(
        self,
        hub_frame: str,
        floor_frame: str,
        wheel_radius: float,
        cost: ArrayLike | None,
        gain: float = 1.0,
        lm_damping: float = 0.0,
    ) -> None:
        """Take the wheel, the floor, and what slipping and leaving the floor cost.

        Raises:
            ParameterError: The radius is not above zero, or a cost, gain or damping is not right.
        """
        super().__init__(cost, gain, lm_damping)
        self.hub_frame, self.floor_frame = hub_frame, floor_frame
        self.wheel_radius = arguments.between(wheel_radius, "wheel_radius", 0.0, float("inf"), above=True)

    def _cost_sizes(self) -> tuple[int, ...]:
        return (1, 3)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return (0, 0, height of the hub − radius), shape (3,), m, along the axes of the floor.

        Raises:
            FrameNotFound: The robot lacks one of the frames.
        """
        height = configuration.get_transform(self.hub_frame, self.floor_frame)[2, 3]
        return np.array([0.0, 0.0, height - self.wheel_radius])

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return what moves the lowest point of the wheel, shape (3, nv), m per rad or m, along the axes of the floor.

        With R the hub's rotation in the floor and ρ the way from the hub to the lowest point, it is R v − ρ × R ω for
        the hub's twist (ω, v).

        Raises:
            FrameNotFound: The robot lacks one of the frames.
        """
        R = configuration.get_transform(self.hub_frame, self.floor_frame)[:3, :3]
        J_b = configuration.get_frame_jacobian(self.hub_frame)
        omega, jacobian = R @ J_b[:3], R @ J_b[3:]
        jacobian[0] -= self.wheel_radius * omega[1]  # (0, 0, −r) is the way to the lowest point
        jacobian[1] += self.wheel_radius * omega[0]
        return jacobian

    def __repr__(self) -> str:
        """Return the task with its frames, its radius and its cost."""
        return (
            f"{type(self).__name__}({self.hub_frame!r}, {self.floor_frame!r}, wheel_radius={self.wheel_radius:g}, "
            f"cost={self.cost}, gain={self.gain:g}, lm_damping={self.lm_damping:g})"
        )
