"""Bound the speed of the joints."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.arrays import Array, Integers, floats
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import kernels
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.implementations import equivalent_to
from lessons_lib.differential_ik.limits.configuration_limit import ConfigurationLimit
from lessons_lib.differential_ik.limits.limit import UNLIMITED, RateLimit, check_robot
from lessons_lib.errors import LimitsError
from lessons_lib.robots import Tree
from lessons_lib.robots.arguments import check_tree


class VelocityLimit(RateLimit):
    """Keep each joint rate within bounds: |v| below one, or v between two.

    Attributes:
        velocity_limit: The bounds, shape (nv,), or rows (lower, upper), shape (2, nv), rad/s or m/s, read-only. As in
            Pink a single bound of zero means no bound, since many URDFs write zero for "unknown"; in two rows, zero
            forbids motion in that direction.
        smallest: Lower bounds of the limited rates, shape (k,).
        largest: Upper bounds of the limited rates, shape (k,).
    """

    def __init__(self, model: Tree, velocity_limit: ArrayLike | None = None) -> None:
        """Set the robot and the bounds, by default those of the URDF.

        Raises:
            LimitsError: Not nv numbers or two rows of them, NaN, negative, or a lower bound above the upper one.
        """
        check_tree(model)
        words = f"velocity_limit must be {model.nv} numbers"
        bounds = model.velocity_limits if velocity_limit is None else floats(velocity_limit, words, LimitsError)
        if bounds.ndim == 2:
            self.velocity_limit = _read_two(bounds, model)
            bounded: NDArray[np.bool_] = np.isfinite(self.velocity_limit[0]) | np.isfinite(self.velocity_limit[1])
            super().__init__(model, bounded)
            self.smallest, self.largest = (row[self.indices] for row in self.velocity_limit)
        else:
            self.velocity_limit = read_rates(bounds, model)
            super().__init__(model, limited_rates(self.velocity_limit, model))
            self.largest = self.velocity_limit[self.indices]
            self.smallest = np.negative(self.largest)

    def compute_bounds(self, configuration: Configuration, dt: float) -> tuple[Array, Array]:
        """Return the bounds of the limited rates times dt, rad or m."""
        return dt * self.smallest, dt * self.largest

    @equivalent_to("compute_bounds", "compute_qp_inequalities")
    def narrow_box(self, configuration: Configuration, dt: float, lower: Array, upper: Array) -> bool:
        """Narrow the box to `compute_bounds`, in one compiled call."""
        check_robot(self, configuration)
        kernels.module().narrow_to_speed(self.indices, self.smallest, self.largest, dt, lower, upper)
        return True


def read_rates(values: ArrayLike, model: Tree) -> Array:
    """Return one bound for each tangent coordinate, shape (nv,), inf for none, read-only; LimitsError if invalid."""
    array = floats(values, f"the limits of {model.name} must be {model.nv} numbers", LimitsError)
    if array.shape != (model.nv,):
        raise LimitsError(f"the limits of {model.name} must have shape ({model.nv},), got {array.shape}")
    if not (array >= 0.0).all():
        raise LimitsError(f"the limits of {model.name} must be at least 0 (inf for none), got {array.tolist()}")
    array.setflags(write=False)
    return array


def _read_two(values: ArrayLike, model: Tree) -> Array:
    """Return a lower and an upper bound for each tangent coordinate, shape (2, nv), read-only."""
    array = floats(values, f"the limits of {model.name} must be two rows of {model.nv} numbers", LimitsError)
    if array.shape != (2, model.nv):
        raise LimitsError(f"two limits for each rate of {model.name} have shape (2, {model.nv}), got {array.shape}")
    if not (array[0] <= array[1]).all():
        raise LimitsError(f"lower limits must not exceed upper ones, got {array.tolist()}")
    array.setflags(write=False)
    return array


def limited_rates(bounds: Array, model: Tree) -> NDArray[np.bool_]:
    """Return a mask of the limited tangent coordinates: of a free joint all six or none."""
    limited: NDArray[np.bool_] = (bounds < UNLIMITED) & (bounds > 1e-10)
    for start in np.unique(model.q_of_v[model.q_of_v < 0]):
        rates = model.q_of_v == start
        limited[rates] = limited[rates].all()
    return limited


def default_limits(model: Tree) -> tuple[ConfigurationLimit, VelocityLimit]:
    """Return the limits of a robot's configuration and velocity, made once and stored with the robot."""
    stored = vars(model)
    if "default_limits" not in stored:
        stored["default_limits"] = (ConfigurationLimit(model), VelocityLimit(model))
    limits: tuple[ConfigurationLimit, VelocityLimit] = stored["default_limits"]
    return limits


@compiled
def narrow_to_speed(indices: Integers, smallest: Array, largest: Array, dt: float, lower: Array, upper: Array) -> None:
    """Narrow the box to the smallest and the largest rates times dt."""
    for k in range(indices.size):
        i = indices[k]
        lower[i] = max(lower[i], dt * smallest[k])
        upper[i] = min(upper[i], dt * largest[k])
