"""Bring the centre of mass to a point."""

from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration, check_configuration
from lessons_lib.differential_ik.errors import TargetNotSet
from lessons_lib.differential_ik.tasks.task import Task


class ComTask(Task):
    """Bring the centre of mass to a point in the world.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True))
    >>> task = dik.ComTask(cost=1.0)
    >>> task.set_target(at.get_center_of_mass() + [0, 0, 0.01])  # 1 cm up
    >>> task.compute_error(at).round(6).tolist()[2]
    -0.01

    Attributes:
        cost: Cost of a metre, [cost]/m: one number, or one for each axis of the world.
    """

    def __init__(self, cost: ArrayLike, lm_damping: float = 0.0, gain: float = 1.0) -> None:
        """Set cost, damping and gain."""
        super().__init__(cost, gain, lm_damping)
        self._target_com: Array | None = None

    def _cost_sizes(self) -> tuple[int, ...]:
        return (1, 3)

    def set_cost(self, cost: ArrayLike) -> None:
        """Set the cost of a metre, [cost]/m: one number, or one for each axis of the world."""
        self.cost = cost

    @property
    def target_com(self) -> Array | None:
        """The target, shape (3,), m in the world, writable; None before it is set."""
        return self._target_com

    def set_target(self, target_com: ArrayLike) -> None:
        """Set the target, shape (3,), m in the world; the task keeps a copy.

        Raises:
            ParameterError: Not three finite numbers.
        """
        self._target_com = arguments.vector(target_com, "target_com", 3).copy()

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Set the target to the centre of mass in a configuration."""
        check_configuration(configuration)
        self.set_target(configuration.get_center_of_mass())

    def compute_error(self, configuration: Configuration) -> Array:
        """Return the vector from the target to the centre of mass, shape (3,), m along the axes of the world."""
        if self._target_com is None:
            raise TargetNotSet(self)
        return configuration.get_center_of_mass() - self._target_com

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Return the Jacobian of the centre of mass, shape (3, nv), m per rad or m, along the axes of the world."""
        if self._target_com is None:
            raise TargetNotSet(self)
        return configuration.get_center_of_mass_jacobian()
