"""Fix a part of a frame's pose: a point on a point, a line or a plane; an axis along a direction or at an angle."""
# each error is measured in a frame {r}, the world or one that moves, and has a row per degree of freedom to remove

import math

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration, check_configuration
from lessons_lib.differential_ik.errors import TargetNotSet, TaskDefinitionError
from lessons_lib.differential_ik.tasks.frame_tasks import relative_jacobian
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.errors import ParameterError
from lessons_lib.robots.joint_frames import basis

WORLD = "universe"
"""Name of the world in every tree."""

PARALLEL = 1e-8
"""Sine below which θ/sin θ is taken as 1: for small angles this is exact to the last bit; at π there is no limit."""


class PartialTask(Task):
    """A task that fixes a part of the pose of a frame {b} in a frame {r}; its target is given in {r}."""

    def __init__(self, frame: str, root: str, cost: ArrayLike, lm_damping: float, gain: float) -> None:
        """Set the frames, the costs and the gains."""
        super().__init__(cost, gain, lm_damping)
        self.frame, self.root = arguments.frame_name(frame), arguments.frame_name(root, "root")
        self._target: Array | None = None

    def target(self) -> Array:
        """Return the target, read-only."""
        if self._target is None:
            raise TargetNotSet(self)
        return self._target

    def __repr__(self) -> str:
        """Return the task with its arguments."""
        fields = {name: value for name, value in vars(self).items() if name[0] != "_" and name != "cost_range"}
        fields |= {"cost": self.cost, "gain": self.gain}
        words = [f"{name}={np.asarray(value).tolist()!r}" for name, value in fields.items()]
        return f"{type(self).__name__}({', '.join(words)})"


class PointTask(PartialTask):
    """Bring a point of a frame {b} to a point of a frame {r}, or onto a line or a plane through that point.

    Between two links of a tree it closes a loop, as MuJoCo's `connect` does.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("two_arms")))
    >>> task = dik.PointTask("left_hand", plane=(0, 0, 1))  # keep its height
    >>> task.set_target_from_configuration(at)
    >>> task.compute_jacobian(at).shape
    (1, 15)

    Attributes:
        frame: Name of the frame {b}.
        root: Name of the frame {r} in which the target is given; "universe" is the world.
        point: The point in {b}, shape (3,), m, read-only.
        normals: Unit vectors in {r} along which the distance must be zero, shape (k, 3), read-only: three axes, two
            perpendicular to the line, or the normal of the plane.
        cost: Cost of a metre, [cost]/m: one number, or one for each row of `normals`.
    """

    def __init__(
        self,
        frame: str,
        root: str = WORLD,
        *,
        point: ArrayLike = (0.0, 0.0, 0.0),
        line: ArrayLike | None = None,
        plane: ArrayLike | None = None,
        cost: ArrayLike = 1.0,
        lm_damping: float = 0.0,
        gain: float = 1.0,
    ) -> None:
        """Set the frames, the point in {b}, and the line or plane on which it must lie; by default the target point.

        `line` is the direction of a line through the target, `plane` the normal of a plane through it, both in {r}, of
        any length above zero.

        Raises:
            TaskDefinitionError: Both a line and a plane are given.
            ParameterError: Another argument is not valid.
        """
        if line is not None and plane is not None:
            raise TaskDefinitionError("give the direction of a line or the normal of a plane, not both")
        self.normals = np.eye(3)
        if line is not None:
            self.normals = basis(_unit(line, "line"))[:, :2].T.copy()
        elif plane is not None:
            self.normals = _unit(plane, "plane")[None, :]
        self.normals.setflags(write=False)
        super().__init__(frame, root, cost, lm_damping, gain)
        self.point = arguments.vector(point, "point", 3)

    def _cost_sizes(self) -> tuple[int, ...]:
        return (1, len(self.normals))

    def set_target(self, target: ArrayLike) -> None:
        """Set the target point, shape (3,), m in {r}; the task keeps a copy.

        Raises:
            ParameterError: Not three finite numbers.
        """
        self._target = arguments.vector(target, "target", 3)

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Set the target to the place in {r} that the point has in a configuration."""
        check_configuration(configuration)
        self.set_target(self._place(configuration))

    def _place(self, configuration: Configuration) -> Array:
        T_rb = configuration.get_transform(self.frame, self.root)
        return T_rb[:3, :3] @ self.point + T_rb[:3, 3]

    def compute_error(self, configuration: Configuration) -> Array:
        """Return N (p_r − p*), shape (k,), m: from the target to the point, along the rows N of `normals`."""
        return self.normals @ (self._place(configuration) - self.target())

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return N R_rb (J_v − [p] J_ω), shape (k, nv), m per rad or m; J is the motion of {b} relative to {r}."""
        self.target()
        R_rb = configuration.get_transform(self.frame, self.root)[:3, :3]
        J = relative_jacobian(configuration, self.frame, self.root)
        return self.normals @ R_rb @ (J[3:] - lie.hat_so3(self.point) @ J[:3])


class AxisTask(PartialTask):
    """Bring an axis of a frame {b} to a direction in a frame {r}; the frame may rotate about it.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> task = dik.AxisTask("tool0", axis=(0, 0, 1))
    >>> task.set_target_from_configuration(at)
    >>> task.compute_jacobian(at).shape
    (2, 6)

    Attributes:
        frame: Name of the frame {b}.
        axis: Unit vector in {b}, shape (3,), read-only.
        root: Name of the frame {r} in which the target is given; "universe" is the world.
        cost: Cost of a radian, [cost]/rad: one number, or one for each of the two rows.
    """

    def __init__(
        self,
        frame: str,
        axis: ArrayLike,
        root: str = WORLD,
        *,
        cost: ArrayLike = 1.0,
        lm_damping: float = 0.0,
        gain: float = 1.0,
    ) -> None:
        """Set the frames and the axis, a direction in {b}, shape (3,), of any length above zero.

        Raises:
            ParameterError: An argument is not valid.
        """
        super().__init__(frame, root, cost, lm_damping, gain)
        self.axis = _unit(axis, "axis")

    def _cost_sizes(self) -> tuple[int, ...]:
        return (1, 2)

    def set_target(self, target: ArrayLike) -> None:
        """Set the direction in {r} that the axis should have, shape (3,), of any length above zero.

        Raises:
            ParameterError: Not three finite numbers, or zero.
        """
        self._target = _unit(target, "target")

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Set the target to the direction in {r} that the axis has in a configuration."""
        check_configuration(configuration)
        self.set_target(configuration.get_transform(self.frame, self.root)[:3, :3] @ self.axis)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return θ u, shape (2,), rad.

        θ in [0, π] is the angle between target and axis, and u the direction of the axis in the plane perpendicular to
        the target, arbitrary if both are parallel.
        """
        theta, _, u, _ = _polar(self, self.target(), configuration)
        return theta * u

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return the derivative of θ u, shape (2, nv): that of θ along u, and (θ/sin θ) da perpendicular to it."""
        theta, sine, u, J = _polar(self, self.target(), configuration)
        ratio = theta / sine if sine > PARALLEL else 1.0
        along = math.cos(theta) * (u @ J[:2]) - sine * J[2]
        jacobian: Array = np.outer(u, along) + ratio * (J[:2] - np.outer(u, u @ J[:2]))
        return jacobian


class AngleTask(PartialTask):
    """Bring the angle between an axis of a frame {b} and an axis of a frame {r} to a target.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> task = dik.AngleTask("tool0", axis=(0, 0, 1), root_axis=(0, 0, 1))
    >>> task.set_target_from_configuration(at)
    >>> task.compute_jacobian(at).shape
    (1, 6)

    Attributes:
        frame: Name of the frame {b}.
        axis: Unit vector in {b}, shape (3,), read-only.
        root: Name of the frame {r}; "universe" is the world.
        root_axis: Unit vector in {r}, shape (3,), read-only.
        cost: Cost of a radian, [cost]/rad.
    """

    def __init__(
        self,
        frame: str,
        axis: ArrayLike,
        root: str = WORLD,
        *,
        root_axis: ArrayLike,
        cost: ArrayLike = 1.0,
        lm_damping: float = 0.0,
        gain: float = 1.0,
    ) -> None:
        """Set the frames and an axis of each, a direction of shape (3,) and of any length above zero.

        Raises:
            ParameterError: An argument is not valid.
        """
        super().__init__(frame, root, cost, lm_damping, gain)
        self.axis, self.root_axis = _unit(axis, "axis"), _unit(root_axis, "root_axis")

    def _cost_sizes(self) -> tuple[int, ...]:
        return (1,)

    def set_target(self, angle: float) -> None:
        """Set the angle, rad, above 0 and below π; an `AxisTask` makes axes parallel.

        Raises:
            ParameterError: The angle is not between 0 and π, where it has no derivative.
        """
        if not 0.0 < arguments.number(angle, "angle") < math.pi:
            raise ParameterError(f"angle must be above 0 and below π rad, got {angle!r}; AxisTask makes axes parallel")
        self._target = np.array(float(angle))

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Set the target to the angle that the axes have in a configuration."""
        check_configuration(configuration)
        self.set_target(_polar(self, self.root_axis, configuration)[0])

    def compute_error(self, configuration: Configuration) -> Array:
        """Return the angle minus its target, shape (1,), rad."""
        return np.array([_polar(self, self.root_axis, configuration)[0] - float(self.target())])

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return the derivative of the angle, shape (1, nv); of parallel axes that along an arbitrary direction."""
        self.target()
        theta, sine, u, J = _polar(self, self.root_axis, configuration)
        return np.atleast_2d(math.cos(theta) * (u @ J[:2]) - sine * J[2])


def _unit(value: ArrayLike, name: str) -> Array:
    """Return a direction as a read-only unit vector, shape (3,)."""
    arrow = arguments.vector(value, name, 3)
    if not arrow.any():
        raise ParameterError(f"{name} must be a direction (x, y, z) that is not zero, got {arrow.tolist()}")
    arrow = arrow / np.abs(arrow).max()  # whose square neither overflows nor vanishes
    unit: Array = arrow / np.linalg.norm(arrow)
    unit.setflags(write=False)
    return unit


def _polar(task: AxisTask | AngleTask, target: Array, at: Configuration) -> tuple[float, float, Array, Array]:
    """Return θ, sin θ, u and ∂axis/∂q, shapes (2,) and (3, nv), in coordinates whose third axis is the target."""
    R = basis(target).T @ at.get_transform(task.frame, task.root)[:3, :3]
    x, y, z = (R @ task.axis).tolist()
    sine = math.hypot(x, y)
    u = np.array([x, y]) / sine if sine > 0.0 else np.array([1.0, 0.0])
    return math.atan2(sine, z), sine, u, -R @ lie.hat_so3(task.axis) @ relative_jacobian(at, task.frame, task.root)[:3]
