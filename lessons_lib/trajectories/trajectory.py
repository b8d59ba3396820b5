"""A path in time: where each joint is at any moment, how fast and how hard it moves, and what other programs read."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path as File
from typing import IO, Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, ReadOnly, floats
from lessons_lib.errors import ParameterError
from lessons_lib.lazy import cached_property
from lessons_lib.robots import Chain
from lessons_lib.trajectories.certificate import Certificate, certify

RATE = 100.0
"""Samples a second of what is written, Hz."""


def spline_through(knots: Array, q: Array) -> Any:
    """Return the natural cubic spline through configurations, two times differentiable: spline(s, order)."""
    from scipy.interpolate import CubicSpline

    return CubicSpline(knots, q, bc_type="natural")


@dataclass(frozen=True, eq=False)
class Trajectory(ReadOnly):
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

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        rows = (self.knots, self.configurations, self.places, self.speeds, self.times)
        for array in (*rows, self.velocity_limits, self.acceleration_limits):
            array.setflags(write=False)

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
        if not isinstance(factor, int | float | np.number) or not 0.0 < factor < np.inf:
            raise ParameterError(f"factor is {factor!r}; it is positive and finite")
        return replace(self, speeds=self.speeds / factor, times=self.times * factor)

    def at(self, times: ArrayLike) -> tuple[Array, Array, Array]:
        """Return q, q̇ and q̈ at a time [s], shapes (n,), or at k times, shapes (k, n); it rests before and after.

        Raises:
            ParameterError: The times are not finite, or have another shape.
        """
        t = floats(times, "times must be a number or numbers of shape (k,), in s", ParameterError)
        if t.ndim > 1 or not np.isfinite(t).all():
            raise ParameterError(f"times must be finite, a number or of shape (k,), got {t.tolist()}")
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

    def sampled(self, rate: float = RATE) -> tuple[Array, Array, Array, Array]:
        """Return times, q, q̇ and q̈ at a rate [Hz], from 0 to the end, which is the last: (k,) and three of (k, n).

        Raises:
            ParameterError: The rate is not positive and finite.
        """
        if not isinstance(rate, int | float | np.number) or not 0.0 < rate < np.inf:
            raise ParameterError(f"rate is {rate!r}; it is positive and finite, in Hz")
        even = np.arange(int(np.ceil(self.duration * rate * (1.0 - 1e-12)))) / rate
        times = np.append(even, self.duration)
        return times, *self.at(times)

    def to_csv(self, file: str | File | IO[str], rate: float = RATE) -> None:
        """Write a row a sample: the time, then q, q̇ and q̈ of each joint; the first row names them with their units.

        Args:
            file: Name of a file, or one that is open for writing text.
            rate: Samples a second, Hz.

        Raises:
            ParameterError: The rate is not positive and finite.
        """
        samples = self.sampled(rate)
        named = list(zip(self.chain.joint_names, self.chain.joint_units, strict=True))
        titles = [f"{what}{name} [{unit}{per}]" for what, per in _COLUMNS for name, unit in named]
        with _open(file) as out:
            rows = csv.writer(out, lineterminator="\n")
            rows.writerow(["time [s]", *titles])
            rows.writerows([repr(float(x)) for x in row] for row in np.column_stack(samples))

    def to_message(self, rate: float = RATE) -> dict[str, Any]:
        """Return the samples as a dictionary in the shape of ROS's `trajectory_msgs/JointTrajectory`.

        Args:
            rate: Samples a second, Hz.

        Raises:
            ParameterError: The rate is not positive and finite.
        """
        points = []
        for t, q, v, a in zip(*self.sampled(rate), strict=True):
            nanoseconds = round(float(t) * 1e9)
            since = {"sec": nanoseconds // 1_000_000_000, "nanosec": nanoseconds % 1_000_000_000}
            points.append(
                {
                    "positions": q.tolist(),
                    "velocities": v.tolist(),
                    "accelerations": a.tolist(),
                    "time_from_start": since,
                }
            )
        return {"joint_names": list(self.chain.joint_names), "points": points}


_COLUMNS = (("", ""), ("velocity of ", "/s"), ("acceleration of ", "/s²"))


@contextmanager
def _open(file: str | File | IO[str]) -> Iterator[IO[str]]:
    if isinstance(file, str | File):
        with File(file).open("w", encoding="utf8", newline="") as opened:
            yield opened
    else:
        yield file
