"""Keep joints in a fixed ratio."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.errors import ParameterError, near_matches


class JointCouplingTask(Task):
    """Keep Σ ratio·q at zero: ratios (1, −2) ask the first joint to turn twice as far as the second.

    Attributes:
        joint_names: Names of the joints, each with one coordinate.
        ratios: A factor for each of them.
        cost: What a radian of the sum costs, [cost]/rad.
    """

    def __init__(
        self,
        joint_names: Sequence[str],
        ratios: Sequence[float],
        cost: ArrayLike,
        configuration: Configuration,
        lm_damping: float = 0.0,
        gain: float = 1.0,
    ) -> None:
        """Find the joints in a robot.

        Raises:
            ParameterError: No joint of that name with one coordinate, or not as many ratios as names.
        """
        super().__init__(cost, gain, lm_damping)
        self.joint_names = tuple([joint_names] if isinstance(joint_names, str) else joint_names)
        self.ratios = tuple(arguments.vector(ratios, "ratios", len(self.joint_names)).tolist())
        names = configuration.model.v_names
        single = names[configuration.root_nv :]
        self._row = np.zeros((1, len(names)))
        for name, ratio in zip(self.joint_names, self.ratios, strict=True):
            if name not in single:
                near = near_matches(name, single)
                raise ParameterError(f"{configuration.model.name} has no joint {name!r} with one coordinate; {near}")
            self._row[0, names.index(name)] = ratio

    def _cost_sizes(self) -> tuple[int, ...]:
        return (1,)

    def compute_error(self, configuration: Configuration) -> Array:
        """Return Σ ratio·q, shape (1,), rad or m; the joint of a wheel is taken within half a turn of zero.

        Raises:
            ParameterError: The robot is not the one that the joints were found in.
        """
        model = configuration.model
        return self.compute_jacobian(configuration) @ model.difference(model.q0, configuration.q)

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return the ratios in the columns of their joints, shape (1, nv).

        Raises:
            ParameterError: The robot is not the one that the joints were found in.
        """
        if self._row.shape[1] != configuration.model.nv:
            raise ParameterError(
                f"the joints were found in a robot with {self._row.shape[1]} rates; {configuration.model.name} has "
                f"{configuration.model.nv}"
            )
        return self._row.copy()
