"""Ask the joints to stand still."""

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.tasks.joint_task import JointTask


class DampingTask(JointTask):
    """Make every motion of the joints cost something; the floating base moves freely.

    Attributes:
        cost: [cost]/rad of the step Δq. Pink's documentation says [cost]·s/rad, yet no dt enters the objective there
            either: with half the time step the same velocity costs a quarter.
    """

    def __init__(self, cost: ArrayLike) -> None:
        """Take the cost: one number, or one for each joint rate."""
        super().__init__(cost)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return zeros, shape (nv,) or, with a floating base, (nv − 6,): the step itself is what costs."""
        return np.zeros(configuration.model.nv - configuration.root_nv)
