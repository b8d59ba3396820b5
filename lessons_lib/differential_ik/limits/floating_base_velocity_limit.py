"""Keep the floating base slow."""

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.limits.limit import Limit, check_robot
from lessons_lib.errors import LimitsError
from lessons_lib.robots import Tree


class FloatingBaseVelocityLimit(Limit):
    """Keep the twist of a frame of the floating base within bounds, axis by axis.

    Attributes:
        model: The robot.
        base_frame: Name of the frame; its own axes are the ones that are bounded.
        linear_max: Bounds of v, shape (3,), m/s.
        angular_max: Bounds of ω, shape (3,), rad/s.
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
            LimitsError: The base does not float, the frame moves against it, or bounds are not one or three numbers.
            FrameNotFound: The robot has no such frame.
        """
        if not (model.q_of_v < 0).any():
            raise LimitsError(f"{model.name} has no floating base; load it with floating_base=True")
        self.model = model
        self.base_frame = model.frame_names[0] if base_frame is None else base_frame
        self.linear_max = _three(max_linear_velocity, "max_linear_velocity")
        self.angular_max = _three(max_angular_velocity, "max_angular_velocity")
        jacobian = model.body_jacobian(model.q0, self.base_frame)
        if jacobian[:, 6:].any():
            raise LimitsError(f"frame {self.base_frame!r} moves against the floating base; name one that does not")
        bounds = np.concatenate([self.angular_max, self.linear_max])
        self._bounds = bounds[np.isfinite(bounds)]
        rows = jacobian[np.isfinite(bounds)]  # the same at every q: the frame is fixed to the base
        self._rows = np.vstack([rows, -rows])
        self._rows.setflags(write=False)

    def compute_qp_inequalities(self, configuration: Configuration, dt: float) -> tuple[Array, Array] | None:
        """Return (G, h), with the rows (ω, v) of the base's Jacobian and their bounds, or None where none is finite.

        Raises:
            ParameterError: The configuration is another robot's.
        """
        check_robot(self, configuration)
        if self._bounds.size == 0:
            return None
        furthest = dt * self._bounds
        return self._rows, np.concatenate([furthest, furthest])


def _three(value: ArrayLike, name: str) -> Array:
    """Return one bound for each axis, shape (3,), read-only."""
    array = floats(value, f"{name} must be one number or three", LimitsError)
    if array.shape not in ((), (1,), (3,)) or not (array >= 0.0).all():
        raise LimitsError(f"{name} must be one number or three, at least 0 (inf for none), got {array.tolist()}")
    bounds = np.broadcast_to(array, (3,)).copy()
    bounds.setflags(write=False)
    return bounds
