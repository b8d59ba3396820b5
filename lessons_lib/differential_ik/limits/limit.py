"""The base classes of limits: rows G Δq ≤ h, and boxes of single rates."""

import abc
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import checks, kernels
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.kernels import equivalent_to, select_implementation
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.robots import Tree

UNLIMITED = 1e20
"""Smallest absolute value of a bound that means no bound, as in Pink."""


class Limit(abc.ABC):
    """A limit that every step keeps. Derive from this class to define a custom limit."""

    def __repr__(self) -> str:
        """Name the class and the frame, if there is one."""
        frame = getattr(self, "frame", None)
        return f"{type(self).__name__}({'' if frame is None else repr(frame)})"

    @abc.abstractmethod
    def compute_qp_inequalities(self, configuration: Configuration, dt: float) -> tuple[Array, Array] | None:
        """Return (G, h) of G Δq ≤ h, shapes (k, nv) and (k,), or None if nothing is limited.

        Args:
            configuration: Configuration of the robot.
            dt: Duration of the step, s.

        Raises:
            ParameterError: The configuration is another robot's.
        """

    def narrow_box(self, configuration: Configuration, dt: float, lower: Array, upper: Array) -> bool:
        """Narrow lower ≤ Δq ≤ upper in place if a box is equivalent to this limit, and return whether it is.

        A box is cheaper for a solver than rows.
        """
        return False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Select the implementation of `narrow_box` that is equivalent to the class."""
        super().__init_subclass__(**kwargs)
        select_implementation(cls, "narrow_box", Limit.narrow_box)
        suggest_arguments(cls)


def check_robot(limit: Any, configuration: Configuration) -> None:
    """Raise ParameterError if the configuration is of another robot than the limit."""
    if configuration.model is not limit.model:
        raise ParameterError(
            f"{type(limit).__name__} was made for {limit.model.name!r}, the configuration is of "
            f"{configuration.model.name!r}; make the limit from configuration.model"
        )


class RateLimit(Limit):
    """A box around the step: lower ≤ Δq[indices] ≤ upper; `indices` are tangent coordinates, ascending, read-only."""

    def __init__(self, model: Tree, limited: NDArray[np.bool_]) -> None:
        """Set the robot and which coordinates of its tangent space are limited."""
        self.model = model
        self.indices: Integers = np.flatnonzero(limited)
        self.indices.setflags(write=False)
        rows = np.eye(model.nv)[self.indices]
        self._rows = np.vstack([rows, -rows])
        self._rows.setflags(write=False)

    @abc.abstractmethod
    def compute_bounds(self, configuration: Configuration, dt: float) -> tuple[Array, Array]:
        """Return the lower and upper bound of the limited coordinates of Δq, each of shape (k,), rad or m."""

    def compute_qp_inequalities(self, configuration: Configuration, dt: float) -> tuple[Array, Array] | None:
        """Return (G, h), the upper bounds above the negated lower ones, without ∞, or None if nothing is limited."""
        check_robot(self, configuration)
        if self.indices.size == 0:
            return None
        lower, upper = self.compute_bounds(configuration, dt)
        h = np.concatenate([upper, -lower])
        bounded = h != np.inf
        return (self._rows, h) if bounded.all() else (self._rows[bounded], h[bounded])

    @equivalent_to("compute_qp_inequalities")
    def narrow_box(self, configuration: Configuration, dt: float, lower: Array, upper: Array) -> bool:
        """Narrow the box to `compute_bounds`, in compiled code."""
        check_robot(self, configuration)
        bounds = checks.read_bounds(self, configuration, dt)
        kernels.module().narrow(self.indices, *bounds, lower, upper)
        return True


@compiled
def narrow(indices: Integers, low: Array, high: Array, lower: Array, upper: Array) -> None:
    """Narrow the box lower ≤ Δq ≤ upper to that of a limit, low ≤ Δq[indices] ≤ high."""
    for k in range(indices.size):
        i = indices[k]
        lower[i] = max(lower[i], low[k])
        upper[i] = min(upper[i], high[k])
