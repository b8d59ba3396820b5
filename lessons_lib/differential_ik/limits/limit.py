"""What every limit is: rows G and bounds h with G Δq ≤ h."""

import abc
from typing import Any

from lessons_lib.arrays import Array
from lessons_lib.differential_ik.compiled_forms import choose_form
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.errors import ParameterError


class Limit(abc.ABC):
    """Something that a step may never do. A limit of one's own derives from this class."""

    @abc.abstractmethod
    def compute_qp_inequalities(self, configuration: Configuration, dt: float) -> tuple[Array, Array] | None:
        """Return (G, h) of G Δq ≤ h, shapes (k, nv) and (k,), or None where nothing is limited.

        Args:
            configuration: Where the robot is.
            dt: Duration of the step, s.
        """

    def narrow_box(self, configuration: Configuration, dt: float, lower: Array, upper: Array) -> bool:
        """Narrow lower ≤ Δq ≤ upper in place where a box says all of this limit, and return whether it does.

        A box costs a solver nothing, rows do. A limit of one's own has rows.
        """
        return False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Take the compiled form that says what the class says; see `compiled_forms`."""
        super().__init_subclass__(**kwargs)
        choose_form(cls, "narrow_box", Limit.narrow_box)


def check_robot(limit: Any, configuration: Configuration) -> None:
    """Refuse the configuration of another robot than a limit's.

    Raises:
        ParameterError: It is another robot's.
    """
    if configuration.model is not limit.model:
        raise ParameterError(
            f"{type(limit).__name__} was made for {limit.model.name!r}, the configuration is of "
            f"{configuration.model.name!r}; make the limit from configuration.model"
        )
