"""What the limits of single rates share: each bounds some coordinates of the step from below and above."""

import abc

import numpy as np
from numpy.typing import NDArray

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import checked, kernels
from lessons_lib.differential_ik.compiled_forms import stands_for
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.limits.limit import Limit, check_robot
from lessons_lib.robots import Tree

UNLIMITED = 1e20
"""A bound from here on means that there is none, as in Pink."""


class RateLimit(Limit):
    """A box around the step: lower ≤ Δq[indices] ≤ upper.

    Attributes:
        model: The robot.
        indices: Which coordinates of the tangent are limited, in their order, shape (k,), read-only.
    """

    def __init__(self, model: Tree, limited: NDArray[np.bool_]) -> None:
        """Take the robot, and for each coordinate of its tangent whether it is limited."""
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
        """Return (G, h), the upper bounds above the negated lower ones, ∞ left out, or None where nothing is limited.

        Raises:
            ParameterError: The configuration is another robot's.
        """
        check_robot(self, configuration)
        if self.indices.size == 0:
            return None
        lower, upper = self.compute_bounds(configuration, dt)
        h = np.concatenate([upper, -lower])
        bounded = h != np.inf
        return (self._rows, h) if bounded.all() else (self._rows[bounded], h[bounded])

    @stands_for("compute_qp_inequalities")
    def narrow_box(self, configuration: Configuration, dt: float, lower: Array, upper: Array) -> bool:
        """Narrow the box to `compute_bounds`, in compiled code; no rows are left.

        Raises:
            ParameterError: The configuration is another robot's, or the bounds have another shape or hold NaN.
        """
        check_robot(self, configuration)
        bounds = checked.bounds_of(self, configuration, dt)
        kernels.module().narrow(self.indices, *bounds, lower, upper)
        return True


@compiled
def narrow(indices: Integers, low: Array, high: Array, lower: Array, upper: Array) -> None:
    """Narrow the box lower ≤ Δq ≤ upper to that of a limit, low ≤ Δq[indices] ≤ high."""
    for k in range(indices.size):
        i = indices[k]
        lower[i] = max(lower[i], low[k])
        upper[i] = min(upper[i], high[k])
