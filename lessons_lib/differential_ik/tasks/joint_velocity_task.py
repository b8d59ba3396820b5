"""Ask the joints for rates."""

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import TargetNotSet, TaskDefinitionError
from lessons_lib.differential_ik.tasks.joint_task import JointTask


class JointVelocityTask(JointTask):
    """Move the joints at given rates; the base of a robot that floats or rolls in the plane is free.

    Attributes:
        cost: [cost]/rad of the difference between the step Δq and the one that is asked for.
    """

    def __init__(self, cost: ArrayLike) -> None:
        """Take the cost: one number, or one for each joint rate."""
        super().__init__(cost)
        self._step: Array | None = None

    def set_target(self, target_v: ArrayLike, dt: float) -> None:
        """Set the rates, shape (nv,) or, with a free base, without those of the base, and the duration of a step, s.

        Raises:
            TaskDefinitionError: Not a vector of finite numbers.
            ParameterError: dt is not above zero.
        """
        rates = floats(target_v, "target_v must be a vector of numbers", TaskDefinitionError)
        self._step = arguments.vector(rates, "target_v", rates.size, TaskDefinitionError) * arguments.time_step(dt)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return minus the step that is asked for, rad or m, so that J Δq = −e follows the rates.

        In Pink 4.4 the error has the other sign, and the joints turn the other way.

        Raises:
            TargetNotSet: No rates were set.
            TaskDefinitionError: There are more rates or fewer than the joints have.
        """
        if self._step is None:
            raise TargetNotSet(self)
        rates = configuration.model.nv - configuration.root_nv
        if self._step.size != rates:
            raise TaskDefinitionError(
                f"target_v has {self._step.size} rates, the joints of {configuration.model.name} have {rates}"
            )
        return np.negative(self._step)
