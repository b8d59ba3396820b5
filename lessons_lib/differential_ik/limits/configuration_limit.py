"""Keep the joints within their ranges."""

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import arguments, kernels
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.implementations import equivalent_to
from lessons_lib.differential_ik.limits.limit import UNLIMITED, RateLimit, check_robot
from lessons_lib.robots import Tree
from lessons_lib.robots.arguments import check_tree


class ConfigurationLimit(RateLimit):
    """Keep q within its limits: a step covers at most a given fraction of the distance to a bound.

    A range of zero width fixes its joint, as in `pose_ik`; Pink ignores it. From a configuration within the limits the
    step stays within them. From outside, the limit requires a step back that a velocity limit may forbid; then there is
    no solution.

    Attributes:
        config_limit_gain: The fraction of the distance, in (0, 1].
        range_arrays: Indices of the limited joints in the tangent space and in q, and their lower and upper bounds,
            rad or m, ∓inf for none.
    """

    def __init__(self, model: Tree, config_limit_gain: float = 0.5) -> None:
        """Set the robot and the gain.

        Raises:
            ParameterError: The gain is not in (0, 1].
        """
        self.config_limit_gain = arguments.between(config_limit_gain, "config_limit_gain", 0.0, 1.0, above=True)
        check_tree(model)
        lower, upper = joint_ranges(model)
        super().__init__(model, np.isfinite(lower) | np.isfinite(upper))
        self.range_arrays = (self.indices, model.q_of_v[self.indices], lower[self.indices], upper[self.indices])

    def compute_bounds(self, configuration: Configuration, dt: float) -> tuple[Array, Array]:
        """Return gain·(q_min − q) and gain·(q_max − q) of the limited joints, rad or m, for any dt."""
        _, coordinates, lower, upper = self.range_arrays
        q = configuration.q[coordinates]
        return self.config_limit_gain * (lower - q), self.config_limit_gain * (upper - q)

    @equivalent_to("compute_bounds", "compute_qp_inequalities")
    def narrow_box(self, configuration: Configuration, dt: float, lower: Array, upper: Array) -> bool:
        """Narrow the box to `compute_bounds`, in one compiled call."""
        check_robot(self, configuration)
        kernels.module().narrow_to_range(*self.range_arrays, self.config_limit_gain, configuration.q, lower, upper)
        return True


def joint_ranges(model: Tree) -> tuple[Array, Array]:
    """Return the lower and upper bound of the coordinate of each rate, ∓inf for none, each of shape (nv,)."""
    coordinate = np.maximum(model.q_of_v, 0)
    lower, upper = model.lower[coordinate], model.upper[coordinate]
    single = model.q_of_v >= 0
    lower = np.where(single & (lower > -UNLIMITED), lower, -np.inf)
    return lower, np.where(single & (upper < UNLIMITED), upper, np.inf)


@compiled
def narrow_to_range(
    indices: Integers, coordinates: Integers, low: Array, high: Array, gain: float, q: Array, lower: Array, upper: Array
) -> None:
    """Narrow the box to a fraction of the distance to the joint limits, low ≤ q[coordinates] ≤ high."""
    for k in range(indices.size):
        i, value = indices[k], q[coordinates[k]]
        lower[i] = max(lower[i], gain * (low[k] - value))
        upper[i] = min(upper[i], gain * (high[k] - value))
