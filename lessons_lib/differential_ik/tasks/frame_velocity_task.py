"""Move a frame at a given twist."""

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import TargetNotSet
from lessons_lib.differential_ik.tasks.rows import rows_of
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.errors import ParameterError


class FrameVelocityTask(Task):
    """Move a frame at a twist (ω, v), in its own axes or in those of the world.

    In the axes of the world v is the velocity of the frame's origin, as in Drake's V_WE.

    Attributes:
        frame: Name of the frame.
        cost: What a unit of Δx costs, [cost]/rad and [cost]/m: one number, or one for each row that the mask leaves.
        mask: Which rows (ω, v), in the axes of the frame, are asked for, shape (6,).
        reference_frame: "local" or "world", the axes in which targets are given.
    """

    def __init__(
        self,
        frame: str,
        cost: ArrayLike = 1.0,
        mask: Literal["position", "orientation", "planar_xy"] | ArrayLike | None = None,
        reference_frame: Literal["local", "world"] = "local",
    ) -> None:
        """Take the frame, the cost, the rows (a name, six ones and zeros, or None for all), and the axes of targets.

        Raises:
            ParameterError: Another mask or reference frame, or a negative cost.
        """
        if reference_frame not in ("local", "world"):
            raise ParameterError(f"reference_frame is {reference_frame!r}; valid are 'local' and 'world'")
        self.frame, self.mask, self.reference_frame = frame, rows_of(mask), reference_frame
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
        """Ask for the twist that would bring the frame to a pose in one step, made slower where it is too fast.

        Angle and position are mended side by side: the origin goes straight.

        Args:
            configuration: Where the robot is.
            pose: Where the frame should be, shape (4, 4), m.
            dt: Duration of the step, s.
            max_linear_velocity: Bound on v along each axis of the world, m/s: one number or three.
            max_angular_speed: Bound on ‖ω‖, rad/s; the axis is kept.

        Raises:
            TransformError: Not a pose.
            ParameterError: dt is not above zero, or a bound is no number or negative.
            FrameNotFound: The robot has no such frame.

        Source: Drake, DoDifferentialInverseKinematics, for a desired pose.
        """
        target, T = lie.check_transform(pose, f"the target of frame {self.frame!r}"), self._pose(configuration)
        duration, bounds = arguments.time_step(dt), arguments.each(max_linear_velocity, "max_linear_velocity", 3)
        turning = arguments.each(max_angular_speed, "max_angular_speed", 1)[0]
        if not (bounds >= 0.0).all() or not turning >= 0.0:
            raise ParameterError(
                f"speeds are at least 0 (inf for none), got {max_linear_velocity!r} and {max_angular_speed!r}"
            )
        omega = lie.log_so3(target[:3, :3] @ T[:3, :3].T) / duration
        omega *= min(1.0, turning / max(float(np.linalg.norm(omega)), 1e-300))
        v = np.clip((target[:3, 3] - T[:3, 3]) / duration, -bounds, bounds)
        local = self.reference_frame == "local"
        self.set_target(np.concatenate([T[:3, :3].T @ half if local else half for half in (omega, v)]), duration)

    def _pose(self, configuration: Configuration) -> Array:
        return configuration.get_transform_frame_to_world(self.frame)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return minus the displacement that is asked for, in the frame's axes, shape (k,), rad and m.

        Raises:
            TargetNotSet: No twist was set.
            FrameNotFound: The robot has no such frame.
        """
        if self._displacement is None:
            raise TargetNotSet(self)
        asked = self._displacement
        if self.reference_frame == "world":
            R = self._pose(configuration)[:3, :3]
            asked = np.concatenate([R.T @ asked[:3], R.T @ asked[3:]])
        return np.negative(asked[self.mask])

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return the rows of J_b that the mask leaves, shape (k, nv).

        Raises:
            FrameNotFound: The robot has no such frame.
        """
        return configuration.get_frame_jacobian(self.frame)[self.mask]
