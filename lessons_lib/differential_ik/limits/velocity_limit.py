"""Keep the joints below their greatest speed."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.arrays import Array, Integers, floats
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import kernels
from lessons_lib.differential_ik.compiled_forms import stands_for
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.limits.limit import check_robot
from lessons_lib.differential_ik.limits.rate_limit import UNLIMITED, RateLimit
from lessons_lib.errors import LimitsError
from lessons_lib.robots import Tree


class VelocityLimit(RateLimit):
    """Keep |v| below a bound for each joint rate.

    Attributes:
        velocity_limit: The bounds, shape (nv,), rad/s or m/s, read-only. As in Pink a bound of zero means that there is
            none, since many URDFs write zero for "not known".
        largest: The bounds of the limited rates alone, shape (k,).
    """

    def __init__(self, model: Tree, velocity_limit: ArrayLike | None = None) -> None:
        """Take the robot and the bounds, the URDF's if left out.

        Raises:
            LimitsError: Not nv numbers, NaN, or negative.
        """
        self.velocity_limit = read_rates(model.velocity_limits if velocity_limit is None else velocity_limit, model)
        super().__init__(model, limited_rates(self.velocity_limit, model))
        self.largest = self.velocity_limit[self.indices]

    def compute_bounds(self, configuration: Configuration, dt: float) -> tuple[Array, Array]:
        """Return −dt·v_max and dt·v_max of the limited rates, rad or m."""
        furthest = dt * self.largest
        return -furthest, furthest

    @stands_for("compute_bounds", "compute_qp_inequalities")
    def narrow_box(self, configuration: Configuration, dt: float, lower: Array, upper: Array) -> bool:
        """Narrow the box to `compute_bounds`, in one compiled call.

        Raises:
            ParameterError: The configuration is another robot's.
        """
        check_robot(self, configuration)
        kernels.module().narrow_to_speed(self.indices, self.largest, dt, lower, upper)
        return True


def read_rates(values: ArrayLike, model: Tree) -> Array:
    """Return one bound for each coordinate of the tangent, shape (nv,), inf where there is none, read-only.

    Raises:
        LimitsError: Not nv numbers, NaN, or negative.
    """
    array = floats(values, f"the limits of {model.name} must be {model.nv} numbers", LimitsError)
    if array.shape != (model.nv,):
        raise LimitsError(f"the limits of {model.name} must have shape ({model.nv},), got {array.shape}")
    if not (array >= 0.0).all():
        raise LimitsError(f"the limits of {model.name} must be at least 0 (inf for none), got {array.tolist()}")
    array.setflags(write=False)
    return array


def limited_rates(bounds: Array, model: Tree) -> NDArray[np.bool_]:
    """Return for which coordinates of the tangent a bound counts: of a free joint for all six, or for none."""
    limited: NDArray[np.bool_] = (bounds < UNLIMITED) & (bounds > 1e-10)
    for start in np.unique(model.q_of_v[model.q_of_v < 0]):
        rates = model.q_of_v == start
        limited[rates] = limited[rates].all()
    return limited


@compiled
def narrow_to_speed(indices: Integers, largest: Array, dt: float, lower: Array, upper: Array) -> None:
    """Narrow the box to what the largest speeds allow in dt."""
    for k in range(indices.size):
        i = indices[k]
        lower[i] = max(lower[i], -dt * largest[k])
        upper[i] = min(upper[i], dt * largest[k])
