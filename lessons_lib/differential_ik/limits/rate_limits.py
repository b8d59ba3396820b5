"""Limits of single rates: configuration, velocity and acceleration of the joints."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.arrays import Array, Integers, floats
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import arguments, kernels
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.kernels import equivalent_to
from lessons_lib.differential_ik.limits.limit import UNLIMITED, RateLimit, check_robot
from lessons_lib.errors import LimitsError
from lessons_lib.robots import Tree
from lessons_lib.robots.arguments import check_tree


class ConfigurationLimit(RateLimit):
    """Keep q within its limits: a step covers at most a given fraction of the distance to a bound.

    A range of zero width fixes its joint, as in `pose_ik`; Pink ignores it. From a configuration within the limits the
    step stays within them. From outside, the limit requires a step back that a velocity limit may forbid; then there is
    no solution.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> G, h = dik.ConfigurationLimit(at.model).compute_qp_inequalities(at, 0.01)
    >>> G.shape, h.shape
    ((12, 6), (12,))

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


class VelocityLimit(RateLimit):
    """Keep each joint rate within bounds: |v| below one, or v between two.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> G, h = dik.VelocityLimit(at.model, [0.5] * 6).compute_qp_inequalities(at, 0.01)
    >>> h.round(6).tolist()[:2]  # rad in a step
    [0.005, 0.005]

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
        words = f"velocity_limit of {model.name} must be {model.nv} numbers"
        bounds = model.velocity_limits if velocity_limit is None else floats(velocity_limit, words, LimitsError)
        if bounds.ndim == 2:
            self.velocity_limit = _read_lower_and_upper(bounds, model)
            bounded: NDArray[np.bool_] = np.isfinite(self.velocity_limit[0]) | np.isfinite(self.velocity_limit[1])
            super().__init__(model, bounded)
            self.smallest, self.largest = (row[self.indices] for row in self.velocity_limit)
        else:
            self.velocity_limit = read_rates(bounds, model, "velocity_limit")
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


def read_rates(values: ArrayLike, model: Tree, name: str) -> Array:
    """Return one bound for each tangent coordinate, shape (nv,), inf for none, read-only; LimitsError if invalid."""
    array = floats(values, f"{name} of {model.name} must be {model.nv} numbers", LimitsError)
    if array.shape != (model.nv,):
        same = f"; for the same of all joints use numpy.full({model.nv}, {array:g})" if array.ndim == 0 else ""
        raise LimitsError(
            f"{name} of {model.name} must have shape ({model.nv},), one for each rate, got {array.shape}{same}"
        )
    if not (array >= 0.0).all():
        raise LimitsError(f"{name} of {model.name} must be at least 0 (inf for none), got {array.tolist()}")
    array.setflags(write=False)
    return array


def _read_lower_and_upper(values: ArrayLike, model: Tree) -> Array:
    """Return a lower and an upper bound for each tangent coordinate, shape (2, nv), read-only."""
    array = floats(values, f"the limits of {model.name} must be two rows of {model.nv} numbers", LimitsError)
    if array.shape != (2, model.nv):
        raise LimitsError(f"two limits for each rate of {model.name} have shape (2, {model.nv}), got {array.shape}")
    if not (array[0] <= array[1]).all():
        raise LimitsError(f"lower limits must not exceed upper ones, got {array.tolist()}")
    array.setflags(write=False)
    return array


def limited_rates(bounds: Array, model: Tree) -> NDArray[np.bool_]:
    """Return a mask of the rates with a finite bound above zero: of a free joint all six or none."""
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


class AccelerationLimit(RateLimit):
    """Keep |a| below a bound, and |v| below the speed from which the joint can brake before its limit.

    The second bound holds in continuous time. With steps of dt a joint at this bound would have to brake harder than
    a_max by a_max² dt²/2v, so that the two bounds contradict each other and `NoSolutionFound` is raised. (Pink fails as
    well with long steps; with short ones its solver's tolerance of 1e-6 rad per step hides it.) A target within the
    limits, or a velocity limit, keeps a joint away from this bound.

    >>> from lessons_lib import differential_ik as dik, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> dik.AccelerationLimit(at.model, [2.0] * 6).a_max.tolist()
    [2.0, 2.0, 2.0, 2.0, 2.0, 2.0]

    Attributes:
        a_max: The bounds of the limited rates, shape (k,), rad/s² or m/s², read-only.
        Delta_q_prev: The last step in these coordinates, shape (k,), rad or m; initially zero.

    Source: Flacco, De Luca and Khatib, Control of redundant robots under hard joint constraints (2015); Del Prete,
    Joint position and velocity bounds in discrete-time acceleration/torque control (2018).
    """

    def __init__(self, model: Tree, acceleration_limit: ArrayLike) -> None:
        """Set the robot and a bound for each rate, shape (nv,), inf for none.

        Raises:
            LimitsError: Not nv numbers, NaN, or negative.
        """
        check_tree(model)
        bounds = read_rates(acceleration_limit, model, "acceleration_limit")
        super().__init__(model, limited_rates(bounds, model))
        self.a_max = bounds[self.indices]
        self.a_max.setflags(write=False)
        self.Delta_q_prev = np.zeros(self.indices.size)
        self._coordinates = np.maximum(model.q_of_v[self.indices], 0)
        self._lower, self._upper = (bounds[self.indices] for bounds in joint_ranges(model))

    def set_last_integration(self, v_prev: ArrayLike, dt: float) -> None:
        """Set the velocity of the last step, shape (nv,), and its duration, s.

        Raises:
            ParameterError: Not nv finite numbers, or dt is not above zero.
        """
        velocity = arguments.vector(v_prev, "v_prev", self.model.nv)
        self.Delta_q_prev = velocity[self.indices] * arguments.time_step(dt)

    def compute_bounds(self, configuration: Configuration, dt: float) -> tuple[Array, Array]:
        """Return the tighter of two bounds on each side, rad or m.

        Δq stays within a_max dt² of the last step, and below dt √(2 a_max d) with d the distance to the limit. Beyond a
        limit d is zero; in Pink the root is NaN there.
        """
        q = configuration.q[self._coordinates]
        change = self.a_max * dt * dt
        braking = [dt * np.sqrt(2.0 * self.a_max * np.maximum(d, 0.0)) for d in (q - self._lower, self._upper - q)]
        lower = np.maximum(self.Delta_q_prev - change, -braking[0])
        return lower, np.minimum(self.Delta_q_prev + change, braking[1])
