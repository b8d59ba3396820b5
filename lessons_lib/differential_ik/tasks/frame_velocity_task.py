"""Move a frame at a given twist."""

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import TargetNotSet
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.errors import ParameterError

MASKS = {
    "orientation": (True, True, True, False, False, False),
    "position": (False, False, False, True, True, True),
    "planar_xy": (False, False, False, True, True, False),
}
"""Rows of a frame's Jacobian, (ω, v), that a named mask selects."""


def selected_rows(mask: str | ArrayLike | None) -> NDArray[np.bool_]:
    """Return the rows that a mask selects, shape (6,); raise ParameterError if it is invalid."""
    if mask is None:
        return np.ones(6, dtype=bool)
    if isinstance(mask, str):
        if mask not in MASKS:
            raise ParameterError(f"mask must be {', '.join(map(repr, MASKS))} or six ones and zeros, got {mask!r}")
        return np.array(MASKS[mask])
    weights = arguments.vector(mask, "mask", 6)
    if not np.isin(weights, (0.0, 1.0)).all() or not weights.any():
        raise ParameterError(f"mask must be six ones and zeros, not all zero, got {weights.tolist()}")
    return np.asarray(weights == 1.0)


class FrameVelocityTask(Task):
    """Move a frame at a twist (ω, v), in its own axes or in those of the world.

    In the axes of the world v is the velocity of the frame's origin, as in Drake's V_WE.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> task = dik.FrameVelocityTask("tool0")
    >>> task.set_target([0, 0, 0, 0.1, 0, 0], dt=0.01)  # 0.1 m/s along its own x axis
    >>> velocity = dik.solve_ik(at, [task], dt=0.01)
    >>> round(float((at.model.body_jacobian(at.q, "tool0") @ velocity)[3]), 4)
    0.1

    Attributes:
        frame: Name of the frame.
        cost: Cost of a unit of Δx, [cost]/rad and [cost]/m: one number, or one for each selected row.
        mask: Selected rows (ω, v), in the axes of the frame, shape (6,).
        reference_frame: "local" or "world", the axes in which targets are given.
    """

    def __init__(
        self,
        frame: str,
        cost: ArrayLike = 1.0,
        mask: Literal["position", "orientation", "planar_xy"] | ArrayLike | None = None,
        reference_frame: Literal["local", "world"] = "local",
    ) -> None:
        """Set the frame, the cost, the rows (a name, six ones and zeros, or None for all), and the axes of targets.

        Raises:
            ParameterError: An unknown mask or reference frame, a frame that is not a name, or a negative cost.
        """
        self.frame, self.mask = arguments.frame_name(frame), selected_rows(mask)
        self.reference_frame = arguments.reference_frame(reference_frame)
        self._displacement: Array | None = None
        super().__init__(cost)

    def _cost_sizes(self) -> tuple[int, ...]:
        return (1, int(self.mask.sum()))

    def set_target(self, twist: ArrayLike, dt: float) -> None:
        """Set the twist (ω, v), shape (6,), rad/s and m/s, and the duration of a step, s.

        Raises:
            ParameterError: Not six finite numbers, or dt is not above zero.
        """
        self._displacement = arguments.vector(twist, "twist", 6) * arguments.time_step(dt)

    def set_target_pose(
        self,
        configuration: Configuration,
        pose: ArrayLike,
        dt: float,
        max_linear_velocity: ArrayLike = math.inf,
        max_angular_speed: float = math.inf,
    ) -> None:
        """Set the twist that brings the frame to a pose in one step, limited to bounds; the origin moves straight.

        Args:
            configuration: Configuration of the robot.
            pose: Desired pose of the frame, shape (4, 4), m.
            dt: Duration of the step, s.
            max_linear_velocity: Bound on v along each axis of the world, m/s: one number or three.
            max_angular_speed: Bound on ‖ω‖, rad/s; the axis does not change.

        Raises:
            TransformError: Not a pose.
            ParameterError: dt is not above zero, or a bound is not a number or is negative.
            FrameNotFound: The robot has no such frame.

        Source: Drake, DoDifferentialInverseKinematics, for a desired pose.
        """
        target, T = lie.check_transform(pose, f"the target of frame {self.frame!r}"), self._pose(configuration)
        duration, bounds = arguments.time_step(dt), arguments.each(max_linear_velocity, "max_linear_velocity", 3)
        angular = arguments.each(max_angular_speed, "max_angular_speed", 1)[0]
        if not (bounds >= 0.0).all() or not angular >= 0.0:
            raise ParameterError(
                "max_linear_velocity and max_angular_speed must be at least 0 (inf for none), got "
                f"{max_linear_velocity!r} and {max_angular_speed!r}"
            )
        omega = lie.log_so3(target[:3, :3] @ T[:3, :3].T) / duration
        omega *= min(1.0, angular / max(float(np.linalg.norm(omega)), 1e-300))
        v = np.clip((target[:3, 3] - T[:3, 3]) / duration, -bounds, bounds)
        local = self.reference_frame == "local"
        self.set_target(np.concatenate([T[:3, :3].T @ half if local else half for half in (omega, v)]), duration)

    def _pose(self, configuration: Configuration) -> Array:
        return configuration.get_transform_frame_to_world(self.frame)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return minus the desired displacement in the frame's axes, shape (k,), rad and m."""
        if self._displacement is None:
            raise TargetNotSet(self)
        desired = self._displacement
        if self.reference_frame == "world":
            R = self._pose(configuration)[:3, :3]
            desired = np.concatenate([R.T @ desired[:3], R.T @ desired[3:]])
        return np.negative(desired[self.mask])

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return the selected rows of J_b, shape (k, nv)."""
        return configuration.get_frame_jacobian(self.frame)[self.mask]
