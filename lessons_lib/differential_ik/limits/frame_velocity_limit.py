"""Keep a frame slow: the tip of an arm, a foot, a base."""

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.limits.limit import Limit, check_robot
from lessons_lib.errors import LimitsError
from lessons_lib.robots import Tree
from lessons_lib.robots.arguments import check_tree


class FrameVelocityLimit(Limit):
    """Keep the twist of a frame within bounds, axis by axis.

    A tip that is to keep its direction as well is slowed down by `solve_scaled`.

    Attributes:
        model: The robot.
        frame: Name of the frame; its own axes are the ones that are bounded.
        linear_max: Bounds of v, shape (3,), m/s.
        angular_max: Bounds of ω, shape (3,), rad/s.
    """

    def __init__(
        self, model: Tree, frame: str, max_linear_velocity: ArrayLike, max_angular_velocity: ArrayLike
    ) -> None:
        """Take the robot, the frame, and the bounds: one number or three each, inf for none.

        Raises:
            LimitsError: Bounds are not one or three numbers, at least zero.
            FrameNotFound: The robot has no such frame.
        """
        check_tree(model)
        model.frame(frame)
        self.model, self.frame = model, frame
        self.linear_max = _three(max_linear_velocity, "max_linear_velocity")
        self.angular_max = _three(max_angular_velocity, "max_angular_velocity")

    def compute_qp_inequalities(self, configuration: Configuration, dt: float) -> tuple[Array, Array] | None:
        """Return (G, h), with rows (ω, v) of the frame's Jacobian and their bounds, or None where none is finite.

        Raises:
            ParameterError: The configuration is another robot's.
        """
        check_robot(self, configuration)
        bounds = np.concatenate([self.angular_max, self.linear_max])
        bounded = np.isfinite(bounds)
        if not bounded.any():
            return None
        rows, furthest = configuration.get_frame_jacobian(self.frame)[bounded], dt * bounds[bounded]
        return np.vstack([rows, -rows]), np.concatenate([furthest, furthest])


def _three(value: ArrayLike, name: str) -> Array:
    """Return one bound for each axis, shape (3,), read-only."""
    array = floats(value, f"{name} must be one number or three", LimitsError)
    if array.shape not in ((), (1,), (3,)) or not (array >= 0.0).all():
        raise LimitsError(f"{name} must be one number or three, at least 0 (inf for none), got {array.tolist()}")
    bounds = np.broadcast_to(array, (3,)).copy()
    bounds.setflags(write=False)
    return bounds
