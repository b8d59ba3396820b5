"""Motions of an arm in time: sampling, export, and a curve that the arm passes at given times."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path as File
from typing import IO, Any, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, ReadOnly, floats, is_real
from lessons_lib.errors import ParameterError
from lessons_lib.extras import need
from lessons_lib.lazy import cached_property
from lessons_lib.paths import output_file, report_write_errors
from lessons_lib.robots import Chain
from lessons_lib.trajectories.certificate import Certificate, Curve, certify

RATE = 100.0
"""Default sampling rate of an export, Hz."""

MAX_SAMPLES = 10_000_000
"""Largest number of samples of one motion; with seven joints they take 1.8 GB."""

LIMITED_RATIO = 0.1
"""Up to this length, relative to the longer adjacent step, a step limits the derivative of the curve at its ends."""

_COLUMNS = (("", ""), ("velocity of ", "/s"), ("acceleration of ", "/s²"))


class Sampled(Protocol):
    """A motion of an arm from time 0 to its duration, with sampling and export."""

    chain: Chain

    @property
    def duration(self) -> float:
        """Duration of the motion, s."""

    def at(self, times: ArrayLike) -> tuple[Array, Array, Array]:
        """Return q, q̇ and q̈ at a time [s], shapes (n,), or at k times, shapes (k, n)."""

    def sampled(self, rate: float = RATE) -> tuple[Array, Array, Array, Array]:
        """Return sample times, q, q̇ and q̈ at a rate [Hz], shapes (k,) and three (k, n); the last sample is the end.

        >>> import numpy as np
        >>> from lessons_lib import robots, trajectories
        >>> rows = np.array([[0, 0], [0.3, 0.5], [0.6, 0.4]])  # rad
        >>> motion = trajectories.retime(rows, robots.planar_2r(), velocity=1.0, acceleration=2.0)
        >>> times, q, velocities, accelerations = motion.sampled(rate=100)
        >>> q.shape == velocities.shape == accelerations.shape
        True

        Raises:
            ParameterError: The rate is not positive and finite.
        """
        times = sample_times(self.duration, rate)
        return times, *self.at(times)

    def to_csv(self, file: str | File | IO[str], rate: float = RATE) -> None:
        """Write a CSV file: names and units in the first row, then time, q, q̇ and q̈ of each sample.

        Args:
            file: Name of the file, or a file that is open for writing text.
            rate: Sampling rate, Hz.

        Raises:
            ParameterError: The rate is not positive and finite, or the file cannot be written.
        """
        samples = self.sampled(rate)
        named = list(zip(self.chain.joint_names, self.chain.joint_units, strict=True))
        titles = [f"{what}{name} [{unit}{per}]" for what, per in _COLUMNS for name, unit in named]
        with _open(file) as out:
            rows = csv.writer(out, lineterminator="\n")
            rows.writerow(["time [s]", *titles])
            rows.writerows([repr(float(x)) for x in row] for row in np.column_stack(samples))

    def to_message(self, rate: float = RATE) -> dict[str, Any]:
        """Return the samples as a dictionary of the form of the ROS message `trajectory_msgs/JointTrajectory`.

        Args:
            rate: Sampling rate, Hz.

        Raises:
            ParameterError: The rate is not positive and finite.
        """
        points: list[dict[str, Any]] = []
        for t, q, v, a in zip(*self.sampled(rate), strict=True):
            seconds, nanoseconds = divmod(round(float(t) * 1e9), 1_000_000_000)
            state = {"positions": q.tolist(), "velocities": v.tolist(), "accelerations": a.tolist()}
            points.append(state | {"time_from_start": {"sec": seconds, "nanosec": nanoseconds}})
        return {"joint_names": list(self.chain.joint_names), "points": points}


@contextmanager
def _open(file: str | File | IO[str]) -> Iterator[IO[str]]:
    if hasattr(file, "write"):
        yield cast(IO[str], file)
        return
    with report_write_errors(output_file(file)) as path, path.open("w", encoding="utf8", newline="") as opened:
        yield opened


def sample_times(duration: float, rate: float) -> Array:
    """Return times [s] from 0 at a rate [Hz]; the last is the duration. Raise ParameterError for an invalid rate."""
    if not is_real(rate) or not 0.0 < rate < np.inf:
        raise ParameterError(f"rate must be positive and finite, in Hz, got {rate!r}")
    if duration * rate > MAX_SAMPLES:
        raise ParameterError(f"rate must give at most {MAX_SAMPLES:,} samples over {duration:g} s, got {rate!r} Hz")
    even = np.arange(int(np.ceil(duration * rate * (1.0 - 1e-12)))) / rate
    return np.append(even, duration)


def read_finite(value: ArrayLike, name: str = "s") -> Array:
    """Return a finite number or vector as float64, or raise ParameterError with `name`."""
    numbers = floats(value, f"{name} must be a number or numbers of shape (m,)", ParameterError)
    if numbers.ndim > 1:
        raise ParameterError(f"{name} must be a number or have shape (m,), got {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise ParameterError(f"{name} must be finite, got {numbers.tolist()}")
    return numbers


def step_lengths(q: Array) -> tuple[Array, Array]:
    """Return the length of each step and of the longer adjacent step, both of shape (m − 1,)."""
    steps = np.linalg.norm(np.diff(q, axis=0), axis=1)
    padded = np.concatenate([[0.0], steps, [0.0]])
    return steps, np.maximum(padded[:-2], padded[2:])


def fit_spline(knots: Array, q: Array) -> Any:
    """Return the natural cubic spline, with limited derivatives at both ends of short steps, so as not to overshoot."""
    # Fritsch & Carlson, Monotone piecewise cubic interpolation (1980); Hyman, Accurate monotonicity
    # preserving cubic interpolation (1983)
    need("motion", "trajectories.retime", "scipy")
    from scipy.interpolate import CubicHermiteSpline, CubicSpline

    spline = CubicSpline(knots, q, bc_type="natural")
    steps, adjacent = step_lengths(q)
    short = steps <= LIMITED_RATIO * adjacent
    if not short.any():
        return spline
    ratio = np.where(short, steps, 1.0) / np.where(short, adjacent, 1.0)
    ratio = np.minimum(ratio[:-1], ratio[1:])[:, None]
    slopes, rates = np.diff(q, axis=0) / np.diff(knots)[:, None], spline(knots, 1)
    # up to three times the smaller slope no joint reverses; up to a ratio of 0.02 it then overshoots by about the step
    smaller = np.minimum(np.abs(slopes[:-1]), np.abs(slopes[1:]))
    with np.errstate(divide="ignore"):
        growing = 5.0 * ratio / np.maximum(1.0 - ratio / LIMITED_RATIO, 0.0)  # infinite at LIMITED_RATIO
    most = np.where(ratio < LIMITED_RATIO, 3.0 * smaller + growing, np.inf)
    rates[1:-1] = np.clip(rates[1:-1], -most, most)
    rates[[0, -1]] = 1.5 * slopes[[0, -1]] - 0.5 * rates[[1, -2]]  # q″ = 0 at both ends
    return CubicHermiteSpline(knots, q, rates)


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(ReadOnly, Sampled):
    """A curve q(s) through m configurations and the times at which the arm passes k grid points s, made by `retime`.

    >>> from lessons_lib import robots, trajectories
    >>> arm = robots.planar_2r().with_limits(velocity=1.0, acceleration=2.0)
    >>> motion = trajectories.retime([[0, 0], [0.3, 0.5]], arm)
    >>> motion.at(motion.duration)[0].round(6).tolist()
    [0.3, 0.5]

    Attributes:
        chain: The arm.
        knots: s of each configuration, shape (m,), read-only.
        configurations: Configurations that the curve meets, shape (m, n), rad or m, read-only.
        places: Grid points s, ascending from the first knot to the last and including all knots, shape (k,), read-only.
        speeds: ṡ at each grid point, 1/s, shape (k,), read-only; s̈ is constant between two grid points.
        times: Time at each grid point, the first 0, shape (k,), s, read-only.
        velocity_limits: Velocity limits of the plan, shape (n,), rad/s or m/s, read-only.
        acceleration_limits: Acceleration limits of the plan, shape (n,), rad/s² or m/s², read-only.
    """

    chain: Chain
    knots: Array
    configurations: Array
    places: Array
    speeds: Array
    times: Array
    velocity_limits: Array
    acceleration_limits: Array

    @property
    def duration(self) -> float:
        """Duration of the motion, s."""
        return float(self.times[-1])

    @cached_property
    def _curve(self) -> Curve:
        return Curve(fit_spline(self.knots, self.configurations), self.places)

    @cached_property
    def certificate(self) -> Certificate:
        """Proven bounds on position, speed and acceleration of each joint at all times.

        They are computed from the arrays of this motion; a copy or a slowed motion computes its own.
        """
        return certify(self._curve, self.speeds, self.velocity_limits, self.acceleration_limits)

    def slowed(self, factor: float) -> Trajectory:
        """Return the motion slowed down: speeds are divided by `factor`, accelerations by its square.

        Raises:
            ParameterError: The factor is not positive and finite.
        """
        if not is_real(factor) or not 0.0 < factor < np.inf:
            raise ParameterError(f"factor must be positive and finite, got {factor!r}")
        slower = replace(self, speeds=self.speeds / factor, times=self.times * factor)
        vars(slower)["_curve"] = self._curve
        return slower

    def at(self, times: ArrayLike) -> tuple[Array, Array, Array]:
        """Return q, q̇ and q̈ at a time [s], shapes (n,), or at k times, shapes (k, n).

        Before the start and after the end, q is constant, and q̇ and q̈ are zero.

        Raises:
            ParameterError: The times are not finite, or have another shape.
        """
        t = read_finite(times, "times")
        moving = ((t >= 0.0) & (t <= self.duration))[..., None]
        piece = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 2)
        begin, both = self.speeds[piece], self.speeds[piece] + self.speeds[piece + 1]
        length = 2.0 * (self.places[piece + 1] - self.places[piece]) / both  # less rounding than in times
        s_dd = (self.speeds[piece + 1] - begin) / length
        elapsed = np.clip(t - self.times[piece], 0.0, length)
        ends = np.nextafter(self.places[1:], -np.inf)  # q″ jumps at a knot: stay on the piece
        ends[-1] = self.places[-1]
        s = np.minimum(self.places[piece] + elapsed * (begin + 0.5 * s_dd * elapsed), ends[piece])
        speed = begin + s_dd * elapsed
        q, first, second = (self._curve.spline(s, order) for order in range(3))
        v = np.where(moving, first * speed[..., None], 0.0)
        a = np.where(moving, first * s_dd[..., None] + second * (speed**2)[..., None], 0.0)
        return np.asarray(q), v, a
