"""Ask the joints to move on as they did."""

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.tasks.joint_task import JointTask
from lessons_lib.errors import ParameterError


class LowAccelerationTask(JointTask):
    """Make every change of the joints' rates cost something. It swings on if nothing damps it.

    Attributes:
        cost: [cost]/rad of the difference between this step Δq and the last one.
    """

    def __init__(self, cost: ArrayLike) -> None:
        """Take the cost: one number, or one for each joint rate."""
        super().__init__(cost)
        self._last_step: Array | None = None

    @property
    def Delta_q_prev(self) -> Array | None:  # noqa: N802 (Pink's name)
        """The last step, shape (nv,), read-only; None before it is known, which counts as standing still."""
        return self._last_step

    def set_last_integration(self, v_prev: ArrayLike, dt: float) -> None:
        """Remember the velocity that was just followed, shape (nv,), and for how long, s.

        Raises:
            ParameterError: Not finite numbers, or dt is not above zero.
        """
        velocity = floats(v_prev, "v_prev must be a vector of numbers", ParameterError)
        self._last_step = arguments.vector(velocity, "v_prev", velocity.size) * arguments.time_step(dt)
        self._last_step.setflags(write=False)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return minus the last step, shape (nv,) or, with a floating base, (nv − 6,), rad or m.

        Pink does not leave the base out here, so that the task fails there on a robot with a floating base.

        Raises:
            ParameterError: The last velocity has another number of coordinates than the robot's tangent.
        """
        nv = configuration.model.nv
        last = np.zeros(nv) if self._last_step is None else arguments.vector(self._last_step, "the last velocity", nv)
        return -last[configuration.root_nv :]
