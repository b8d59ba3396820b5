"""Keep joints in a fixed ratio."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.tasks.linear_holonomic_task import LinearHolonomicTask
from lessons_lib.errors import ParameterError, near_matches


class JointCouplingTask(LinearHolonomicTask):
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
        if not isinstance(configuration, Configuration):
            raise ParameterError(f"configuration is a {type(configuration).__name__}; make a Configuration(tree, q)")
        try:
            self.joint_names = tuple([joint_names] if isinstance(joint_names, str) else joint_names)
        except TypeError as cause:
            raise ParameterError(f"joint_names is {joint_names!r}; it is a sequence of names") from cause
        self.ratios = tuple(arguments.vector(ratios, "ratios", len(self.joint_names)).tolist())
        names = configuration.model.v_names
        single = names[configuration.root_nv :]
        row = np.zeros((1, len(names)))
        for name, ratio in zip(self.joint_names, self.ratios, strict=True):
            if not isinstance(name, str) or name not in single:
                near = near_matches(name, single)
                raise ParameterError(f"{configuration.model.name} has no joint {name!r} with one coordinate; {near}")
            row[0, names.index(name)] = ratio
        super().__init__(row, [0.0], None, cost, lm_damping, gain)
