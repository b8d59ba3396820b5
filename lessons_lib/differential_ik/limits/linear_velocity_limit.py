"""Keep linear combinations of the rates within bounds."""

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.limits.limit import Limit, check_robot
from lessons_lib.errors import LimitsError
from lessons_lib.robots import Tree
from lessons_lib.robots.arguments import check_tree


class LinearVelocityLimit(Limit):
    """Keep lower ≤ A v ≤ upper: a bound on the difference of two joints, or joints coupled by a belt.

    Attributes:
        model: The robot.
        A: Shape (k, nv), read-only.
        lower: Shape (k,), in the units of A v, −inf for none, read-only.
        upper: Shape (k,), inf for none, read-only; equal to lower to fix A v.
    """

    def __init__(
        self,
        model: Tree,
        A: ArrayLike,  # noqa: N803
        lower: ArrayLike,
        upper: ArrayLike,
    ) -> None:
        """Set the robot, the rows and their bounds: one number for all rows, or one for each.

        Raises:
            LimitsError: A is not finite or does not have nv columns, or the bounds have another size or cross.
        """
        check_tree(model)
        self.model = model
        self.A = floats(A, "A must be a matrix of numbers", LimitsError)
        if self.A.ndim != 2 or self.A.shape[1] != model.nv or not np.isfinite(self.A).all():
            raise LimitsError(f"A must be finite and have shape (k, {model.nv}), got shape {self.A.shape}")
        self.lower = arguments.each(lower, "lower", len(self.A), LimitsError)
        self.upper = arguments.each(upper, "upper", len(self.A), LimitsError)
        if not (self.lower <= self.upper).all():
            raise LimitsError(f"lower must not exceed upper, got {self.lower.tolist()} and {self.upper.tolist()}")
        self.A.setflags(write=False)

    def compute_qp_inequalities(self, configuration: Configuration, dt: float) -> tuple[Array, Array] | None:
        """Return (G, h) of the finite bounds, or None if there are none."""
        check_robot(self, configuration)
        above, below = np.isfinite(self.upper), np.isfinite(self.lower)
        if not (above.any() or below.any()):
            return None
        G = np.vstack([self.A[above], -self.A[below]])
        return G, dt * np.concatenate([self.upper[above], -self.lower[below]])
