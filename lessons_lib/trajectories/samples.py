"""A motion in samples: what other programs read."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path as File
from typing import IO, Any, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, is_real
from lessons_lib.errors import ParameterError
from lessons_lib.paths import output_file, written
from lessons_lib.robots import Chain

RATE = 100.0
"""Samples a second of what is written, Hz."""


class Sampled(Protocol):
    """A motion of an arm, from time 0 to its duration: made into samples, a table, a message."""

    chain: Chain

    @property
    def duration(self) -> float:
        """How long it takes, s."""

    def at(self, times: ArrayLike) -> tuple[Array, Array, Array]:
        """Return q, q̇ and q̈ at a time [s], shapes (n,), or at k times, shapes (k, n); it rests before and after."""

    def sampled(self, rate: float = RATE) -> tuple[Array, Array, Array, Array]:
        """Return times, q, q̇ and q̈ at a rate [Hz], from 0 to the end, which is the last: (k,) and three of (k, n).

        Raises:
            ParameterError: The rate is not positive and finite.
        """
        times = even_times(self.duration, rate)
        return times, *self.at(times)

    def to_csv(self, file: str | File | IO[str], rate: float = RATE) -> None:
        """Write a row a sample: the time, then q, q̇ and q̈ of each joint; the first row names them with their units.

        Args:
            file: Name of a file, or one that is open for writing text.
            rate: Samples a second, Hz.

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


MOST_SAMPLES = 10_000_000
"""Samples of one motion: of seven joints they take 1.8 GB."""


def even_times(duration: float, rate: float) -> Array:
    """Return times at a rate [Hz], from 0 to the end, which is the last, shape (k,), s.

    Raises:
        ParameterError: The rate is not positive and finite.
    """
    if not is_real(rate) or not 0.0 < rate < np.inf:
        raise ParameterError(f"rate is {rate!r}; it is positive and finite, in Hz")
    if duration * rate > MOST_SAMPLES:
        raise ParameterError(f"rate is {rate!r} Hz; over {duration:g} s it makes more than {MOST_SAMPLES:,} samples")
    even = np.arange(int(np.ceil(duration * rate * (1.0 - 1e-12)))) / rate
    return np.append(even, duration)


_COLUMNS = (("", ""), ("velocity of ", "/s"), ("acceleration of ", "/s²"))


@contextmanager
def _open(file: str | File | IO[str]) -> Iterator[IO[str]]:
    if hasattr(file, "write"):
        yield cast(IO[str], file)
        return
    with written(output_file(file)) as path, path.open("w", encoding="utf8", newline="") as opened:
        yield opened
