"""Tasks for wheels that roll on the floor without slipping."""

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.errors import ParameterError
from lessons_lib.robots import tree_layout

FLAT = 1e-6
"""Smallest relative horizontal component of an axle; a wheel on its side does not roll."""


class RollingTask(Task):
    """Keep a wheel on the floor, and its lowest point at rest there.

    Rest of the lowest point is a condition on the velocity alone. So the first two entries of the error are zero, and
    J is its derivative only in the third row. As a constraint of `solve_ik` the task enforces exact rolling.

    >>> from lessons_lib import differential_ik as dik
    >>> dik.RollingTask("wheel", "floor", wheel_radius=0.1, cost=1.0).wheel_radius
    0.1

    Attributes:
        hub_frame: Name of a frame in the middle of the wheel that rotates with it.
        floor_frame: Name of a frame at rest, such as "universe"; its x and y axes span the floor.
        wheel_radius: Radius, m.
        cost: Cost of a metre of slip or of height, [cost]/m: one number, or one for each axis of the floor.
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
        """Set the wheel, the floor and the costs.

        Raises:
            ParameterError: The radius is not above zero, or a frame, cost, gain or damping is not valid.
        """
        super().__init__(cost, gain, lm_damping)
        self.hub_frame = arguments.frame_name(hub_frame, "hub_frame")
        self.floor_frame = arguments.frame_name(floor_frame, "floor_frame")
        self.wheel_radius = arguments.between(wheel_radius, "wheel_radius", 0.0, float("inf"), above=True)

    def _cost_sizes(self) -> tuple[int, ...]:
        return (1, 3)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return (0, 0, height of the hub − radius), shape (3,), m, along the axes of the floor."""
        height = configuration.get_transform(self.hub_frame, self.floor_frame)[2, 3]
        return np.array([0.0, 0.0, height - self.wheel_radius])

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return the Jacobian of the lowest point, shape (3, nv), m per rad or m, along the axes of the floor.

        With R the hub's rotation in the floor, (ω, v) its twist and ρ the vector from the hub to the lowest point, the
        velocity is R v − ρ × R ω.
        """
        R = configuration.get_transform(self.hub_frame, self.floor_frame)[:3, :3]
        J_b = configuration.get_frame_jacobian(self.hub_frame)
        omega, jacobian = R @ J_b[:3], R @ J_b[3:]
        jacobian[0] -= self.wheel_radius * omega[1]  # ρ = (0, 0, −r)
        jacobian[1] += self.wheel_radius * omega[0]
        return jacobian

    def __repr__(self) -> str:
        """Return the task with its frames, its radius and its cost."""
        return (
            f"{type(self).__name__}({self.hub_frame!r}, {self.floor_frame!r}, wheel_radius={self.wheel_radius:g}, "
            f"cost={self.cost}, gain={self.gain:g}, lm_damping={self.lm_damping:g})"
        )


class OmniwheelTask(RollingTask):
    """Keep a wheel on the floor, and its lowest point at rest in the rolling direction; it may move along its axle.

    The axle is the axis of the joint that carries the hub, and the wheel rolls at right angles to it. In Pink 4.4 the
    rolling direction is always the floor's x; the two agree if the axle is parallel to the floor's y.

    >>> from lessons_lib import differential_ik as dik
    >>> dik.OmniwheelTask("wheel", "floor", wheel_radius=0.1, cost=1.0).wheel_radius
    0.1

    Attributes:
        cost: Cost of a metre of slip and of height, [cost]/m: one number, or two.
    """

    def _cost_sizes(self) -> tuple[int, ...]:
        return (1, 2)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return (0, height of the hub − radius), shape (2,), m."""
        return super().compute_error(configuration)[1:]

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return the Jacobian of the lowest point, in the rolling direction and up, shape (2, nv), m per rad or m.

        Of the two rolling directions it takes the one nearer to the floor's x.
        """
        jacobian = super().compute_jacobian(configuration)
        return np.vstack([self._heading(configuration) @ jacobian[:2], jacobian[2]])

    def _heading(self, configuration: Configuration) -> Array:
        """Return the rolling direction, a unit vector in the floor's x and y, shape (2,)."""
        joints, _, twists = configuration.kinematic_arrays
        carrier = configuration.frame_arrays(self.hub_frame)[0]
        revolute = carrier > 0 and joints[carrier - 1, tree_layout.KIND] == tree_layout.REVOLUTE
        if not revolute:
            raise ParameterError(f"hub_frame must be carried by a revolute joint, {self.hub_frame!r} is not")
        T = configuration.get_transform_frame_to_world(self.floor_frame)
        axle = T[:3, :3].T @ twists[joints[carrier - 1, tree_layout.ROW], :3]
        flat = float(np.hypot(axle[0], axle[1]))
        if flat <= FLAT * float(np.linalg.norm(axle)):
            raise ParameterError(f"the axle of the wheel at {self.hub_frame!r} must not be perpendicular to the floor")
        heading: Array = np.array([axle[1], -axle[0]]) / flat
        return heading if heading[0] >= 0.0 else -heading
