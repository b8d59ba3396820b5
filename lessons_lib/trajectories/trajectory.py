"""A path in time: where each joint is at any moment, how fast and how hard it moves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, ReadOnly, is_real
from lessons_lib.errors import ParameterError
from lessons_lib.extras import need
from lessons_lib.lazy import cached_property
from lessons_lib.robots import Chain
from lessons_lib.trajectories.certificate import Certificate, certify
from lessons_lib.trajectories.interpolation import check_parts
from lessons_lib.trajectories.samples import Sampled


def spline_through(knots: Array, q: Array) -> Any:
    """Return the natural cubic spline through configurations, two times differentiable: spline(s, order).

    Raises:
        MissingExtra: SciPy is not installed.
    """
    need("motion", "trajectories.retime", "scipy")
    from scipy.interpolate import CubicSpline

    return CubicSpline(knots, q, bc_type="natural")


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(ReadOnly, Sampled):
    """A curve q(s) through m configurations, and the places s that the arm passes at k times; make one with `retime`.

    Attributes:
        chain: The arm.
        knots: Place of each configuration on the curve, shape (m,), read-only.
        configurations: The configurations, shape (m, n), rad or m, read-only.
        places: From the first knot to the last, rising, shape (k,), read-only.
        speeds: ṡ at each place, 1/s, shape (k,), read-only; from one to the next s̈ is constant.
        times: When the arm is there, from 0 on, shape (k,), s, read-only.
        velocity_limits: What it was made to keep, shape (n,), rad/s or m/s, read-only.
        acceleration_limits: The same for accelerations, rad/s² or m/s².
    """

    chain: Chain
    knots: Array
    configurations: Array
    places: Array
    speeds: Array
    times: Array
    velocity_limits: Array
    acceleration_limits: Array

    @classmethod
    def of(
        cls, chain: Chain, knots: Array, q: Array, places: Array, speeds: Array, velocity: Array, acceleration: Array
    ) -> Trajectory:
        """Return the trajectory that passes the places, with all knots among them, at these speeds."""
        lasts = 2.0 * np.diff(places) / (speeds[:-1] + speeds[1:])
        times = np.concatenate([[0.0], np.cumsum(lasts)])
        return cls(chain, knots, q, places, speeds, times, velocity, acceleration)

    @property
    def duration(self) -> float:
        """How long it takes, s."""
        return float(self.times[-1])

    @cached_property
    def _spline(self) -> Any:
        return spline_through(self.knots, self.configurations)

    @cached_property
    def certificate(self) -> Certificate:
        """Bounds on where, how fast and how hard each joint moves, at all times; whether the limits hold is proven.

        They are of this motion as its numbers stand here: of a copy, or of one that is slowed, they are found anew.
        """
        limits = self.velocity_limits, self.acceleration_limits
        return certify(self._spline, self.places, self.speeds, *limits)

    def slowed(self, factor: float) -> Trajectory:
        """Return the same motion, `factor` times as long: speeds are divided by it, and accelerations by its square.

        Raises:
            ParameterError: The factor is not positive and finite.
        """
        if not is_real(factor) or not 0.0 < factor < np.inf:
            raise ParameterError(f"factor is {factor!r}; it is positive and finite")
        return replace(self, speeds=self.speeds / factor, times=self.times * factor)

    def at(self, times: ArrayLike) -> tuple[Array, Array, Array]:
        """Return q, q̇ and q̈ at a time [s], shapes (n,), or at k times, shapes (k, n); it rests before and after.

        Raises:
            ParameterError: The times are not finite, or have another shape.
        """
        t = check_parts(times, "times")
        moving = ((t >= 0.0) & (t <= self.duration))[..., None]
        piece = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 2)
        begin, both = self.speeds[piece], self.speeds[piece] + self.speeds[piece + 1]
        length = 2.0 * (self.places[piece + 1] - self.places[piece]) / both  # the difference of times is rounded more
        u = (self.speeds[piece + 1] - begin) / length
        passed = np.clip(t - self.times[piece], 0.0, length)
        s, speed = self.places[piece] + passed * (begin + 0.5 * u * passed), begin + u * passed
        q, first, second = (self._spline(s, order) for order in range(3))
        v = np.where(moving, first * speed[..., None], 0.0)
        a = np.where(moving, first * u[..., None] + second * (speed**2)[..., None], 0.0)
        return np.asarray(q), v, a
