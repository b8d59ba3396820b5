"""Limits of linear combinations of rates: of the joints, of a frame, or of a base."""

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.limits.limit import Limit, check_robot
from lessons_lib.errors import LimitsError
from lessons_lib.robots import Tree
from lessons_lib.robots.arguments import check_tree


class LinearVelocityLimit(Limit):
    """Keep lower ≤ A v ≤ upper: a bound on the difference of two joints, or joints coupled by a belt.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> limit = dik.LinearVelocityLimit(at.model, [[1, 1, 0, 0, 0, 0]], [-0.5], [0.5])  # rad/s
    >>> limit.compute_qp_inequalities(at, 0.01)[0].shape
    (2, 6)

    Attributes:
        model: The robot.
        A: Shape (k, nv), read-only.
        lower: Shape (k,), in the units of A v, −inf for none, read-only.
        upper: Shape (k,), inf for none, read-only; equal to lower to fix A v.
    """

    def __init__(
        self,
        model: Tree,
        A: ArrayLike,  # noqa: N803
        lower: ArrayLike,
        upper: ArrayLike,
    ) -> None:
        """Set the robot, the rows and their bounds: one number for all rows, or one for each.

        Raises:
            LimitsError: A is not finite or does not have nv columns, or the bounds have another size or cross.
        """
        check_tree(model)
        self.model = model
        self.A = floats(A, "A must be a matrix of numbers", LimitsError)
        if self.A.ndim != 2 or self.A.shape[1] != model.nv or not np.isfinite(self.A).all():
            raise LimitsError(f"A must be finite and have shape (k, {model.nv}), got shape {self.A.shape}")
        self.lower = arguments.each(lower, "lower", len(self.A), LimitsError)
        self.upper = arguments.each(upper, "upper", len(self.A), LimitsError)
        if not (self.lower <= self.upper).all():
            raise LimitsError(f"lower must not exceed upper, got {self.lower.tolist()} and {self.upper.tolist()}")
        self.A.setflags(write=False)

    def compute_qp_inequalities(self, configuration: Configuration, dt: float) -> tuple[Array, Array] | None:
        """Return (G, h) of the finite bounds, or None if there are none."""
        check_robot(self, configuration)
        above, below = np.isfinite(self.upper), np.isfinite(self.lower)
        if not (above.any() or below.any()):
            return None
        G = np.vstack([self.A[above], -self.A[below]])
        return G, dt * np.concatenate([self.upper[above], -self.lower[below]])


class FrameVelocityLimit(Limit):
    """Keep the twist of a frame within bounds, axis by axis. `solve_scaled` also keeps its direction.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> limit = dik.FrameVelocityLimit(at.model, "tool0", max_linear_velocity=0.25, max_angular_velocity=1.0)
    >>> limit.compute_qp_inequalities(at, 0.01)[0].shape
    (12, 6)

    Attributes:
        model: The robot.
        frame: Name of the frame; the bounds refer to its own axes.
        linear_max: Bounds of v, shape (3,), m/s.
        angular_max: Bounds of ω, shape (3,), rad/s.
    """

    def __init__(
        self, model: Tree, frame: str, max_linear_velocity: ArrayLike, max_angular_velocity: ArrayLike
    ) -> None:
        """Set the robot, the frame, and the bounds: one number or three each, inf for none.

        Raises:
            LimitsError: Bounds are not one or three numbers, at least zero.
            ParameterError: The frame is not a name.
            FrameNotFound: The robot has no such frame.
        """
        check_tree(model)
        model.frame(arguments.frame_name(frame))
        self.model, self.frame = model, frame
        self.linear_max = _three(max_linear_velocity, "max_linear_velocity")
        self.angular_max = _three(max_angular_velocity, "max_angular_velocity")

    def compute_qp_inequalities(self, configuration: Configuration, dt: float) -> tuple[Array, Array] | None:
        """Return (G, h), with rows (ω, v) of the frame's Jacobian and their bounds, or None if none is finite."""
        check_robot(self, configuration)
        bounds = np.concatenate([self.angular_max, self.linear_max])
        bounded = np.isfinite(bounds)
        if not bounded.any():
            return None
        rows, furthest = configuration.get_frame_jacobian(self.frame)[bounded], dt * bounds[bounded]
        return np.vstack([rows, -rows]), np.concatenate([furthest, furthest])


class FloatingBaseVelocityLimit(FrameVelocityLimit):
    """Keep the twist of a frame of a floating or planar base within bounds, axis by axis.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True))
    >>> limit = dik.FloatingBaseVelocityLimit(at.model, "trunk", 0.25, 1.0)  # m/s and rad/s
    >>> limit.compute_qp_inequalities(at, 0.01)[0].shape
    (12, 18)

    Attributes:
        base_frame: Name of the frame; the bounds refer to its own axes.
    """

    def __init__(
        self,
        model: Tree,
        base_frame: str | None,
        max_linear_velocity: ArrayLike,
        max_angular_velocity: ArrayLike,
    ) -> None:
        """Set the robot, a frame that is fixed to its base (the root link if None), and the bounds (inf for none).

        Raises:
            LimitsError: The base is fixed, the frame moves relative to it, or bounds are not one or three numbers.
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
            raise LimitsError(f"frame {self.base_frame!r} moves relative to the floating base; name one that does not")


def _three(value: ArrayLike, name: str) -> Array:
    """Return one bound for each axis, shape (3,), read-only."""
    array = floats(value, f"{name} must be one number or three", LimitsError)
    if array.shape not in ((), (1,), (3,)) or not (array >= 0.0).all():
        raise LimitsError(f"{name} must be one number or three, at least 0 (inf for none), got {array.tolist()}")
    bounds = np.broadcast_to(array, (3,)).copy()
    bounds.setflags(write=False)
    return bounds
