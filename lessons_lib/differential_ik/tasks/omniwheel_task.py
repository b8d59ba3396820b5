"""Roll a wheel on the floor that slides along its axle."""

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.tasks.rolling_task import RollingTask
from lessons_lib.errors import ParameterError
from lessons_lib.robots import tree_layout

FLAT = 1e-6
"""Part of the axle that must lie along the floor; a wheel on its side rolls nowhere."""


class OmniwheelTask(RollingTask):
    """Keep a wheel on the floor, and its lowest point at rest along the way that the wheel rolls.

    The wheel rolls across its axle, the axis of the joint that carries the hub. In Pink 4.4 it is the floor's x that
    must not slip, whichever way the wheel heads; the two agree where the axle lies along the floor's y.

    Attributes:
        cost: What a metre of slip and of height costs, [cost]/m: one number, or two.
    """

    def _cost_sizes(self) -> tuple[int, ...]:
        return (1, 2)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return (0, height of the hub − radius), shape (2,), m.

        Raises:
            FrameNotFound: The robot lacks one of the frames.
        """
        return super().compute_error(configuration)[1:]

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return what moves the lowest point of the wheel ahead and up, shape (2, nv), m per rad or m.

        Ahead is the part of the axle's normal in the floor that is nearest to the floor's x.

        Raises:
            FrameNotFound: The robot lacks one of the frames.
            ParameterError: No joint turns the hub, or its axis stands upright.
        """
        jacobian = super().compute_jacobian(configuration)
        return np.vstack([self._heading(configuration) @ jacobian[:2], jacobian[2]])

    def _heading(self, configuration: Configuration) -> Array:
        """Return the way that the wheel rolls, a unit vector in the floor's x and y, shape (2,)."""
        joints, _, twists = configuration.kinematic_arrays
        carrier = configuration.frame_arrays(self.hub_frame)[0]
        turns = carrier > 0 and joints[carrier - 1, tree_layout.KIND] == tree_layout.REVOLUTE
        if not turns:
            raise ParameterError(f"frame {self.hub_frame!r} is the hub of no wheel: no joint turns it about an axis")
        T = configuration.get_transform_frame_to_world(self.floor_frame)
        axle = T[:3, :3].T @ twists[joints[carrier - 1, tree_layout.ROW], :3]
        flat = float(np.hypot(axle[0], axle[1]))
        if flat <= FLAT * float(np.linalg.norm(axle)):
            raise ParameterError(f"the wheel at {self.hub_frame!r} lies on its side, so that it rolls nowhere")
        heading: Array = np.array([axle[1], -axle[0]]) / flat
        return heading if heading[0] >= 0.0 else -heading
