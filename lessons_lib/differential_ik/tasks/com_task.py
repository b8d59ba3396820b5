"""Bring the centre of mass to a point."""

from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import TargetNotSet
from lessons_lib.differential_ik.tasks.task import Task


class ComTask(Task):
    """Bring the centre of mass to a point in the world: above the feet, say.

    Attributes:
        cost: What a metre costs, [cost]/m: one number, or one for each axis of the world.
    """

    def __init__(self, cost: ArrayLike, lm_damping: float = 0.0, gain: float = 1.0) -> None:
        """Take cost, damping and gain."""
        super().__init__(cost, gain, lm_damping)
        self._target_com: Array | None = None

    def _cost_sizes(self) -> tuple[int, ...]:
        return (1, 3)

    def set_cost(self, cost: ArrayLike) -> None:
        """Set what a metre costs, [cost]/m: one number, or one for each axis of the world."""
        self.cost = cost

    @property
    def target_com(self) -> Array | None:
        """The target, shape (3,), m in the world, which may be written into; None before it is set."""
        return self._target_com

    def set_target(self, target_com: ArrayLike) -> None:
        """Set the point to reach, shape (3,), m in the world, of which a copy is kept.

        Raises:
            ParameterError: Not three finite numbers.
        """
        self._target_com = arguments.vector(target_com, "target_com", 3).copy()

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Ask the centre of mass to stay where it is in this configuration."""
        self.set_target(configuration.get_center_of_mass())

    def compute_error(self, configuration: Configuration) -> Array:
        """Return the centre of mass seen from the target, shape (3,), m along the axes of the world.

        Raises:
            TargetNotSet: No target was set.
        """
        if self._target_com is None:
            raise TargetNotSet(self)
        return configuration.get_center_of_mass() - self._target_com

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return the derivative of the centre of mass, shape (3, nv), m per rad or m, along the axes of the world.

        Raises:
            TargetNotSet: No target was set.
        """
        if self._target_com is None:
            raise TargetNotSet(self)
        return configuration.get_center_of_mass_jacobian()
