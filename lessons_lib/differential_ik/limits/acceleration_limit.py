"""Bound the acceleration of the joints so that they can stop before their limits."""

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import arguments
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.limits.configuration_limit import joint_ranges
from lessons_lib.differential_ik.limits.limit import RateLimit
from lessons_lib.differential_ik.limits.velocity_limit import limited_rates, read_rates
from lessons_lib.robots import Tree
from lessons_lib.robots.arguments import check_tree


class AccelerationLimit(RateLimit):
    """Keep |a| below a bound, and |v| below the speed from which the joint can brake before its limit.

    The second bound holds in continuous time. With steps of dt a joint at this bound would have to brake harder than
    a_max by a_max² dt²/2v, so that the two bounds contradict each other and `NoSolutionFound` is raised. (Pink fails as
    well with long steps; with short ones its solver's tolerance of 1e-6 rad per step hides it.) A target within the
    limits, or a velocity limit, keeps a joint away from this bound.

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
        bounds = read_rates(acceleration_limit, model)
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
