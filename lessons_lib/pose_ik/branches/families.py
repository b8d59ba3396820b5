"""Where a joint is free: a curve of answers, told by its joint, the intervals that it may be in, and a chart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import ConfigurationError

SAMPLES = 96
"""Values of the free joint that are looked at, to find the intervals in which there is an answer."""

HALVINGS = 45
"""Of an interval between two of them, to find where it ends."""

Chart = Callable[[float], "Array | None"]


@dataclass(frozen=True, eq=False)
class Family:
    """Answers that make a curve, because one joint is free.

    Attributes:
        joint: Which one, 0 for the first.
        intervals: Where that joint may be, closed, (from, to) in rad within [−π, π] or within its limits; to rounding.
        names: The branch, in words.
        chart: What `at` asks.
    """

    joint: int
    intervals: tuple[tuple[float, float], ...]
    names: tuple[str, ...]
    chart: Chart

    def at(self, value: float) -> Array:
        """Return the answer with the free joint at a value, shape (n,), rad.

        Raises:
            ConfigurationError: There is none: the value lies outside the intervals.
        """
        q = self.chart(float(value)) if np.isfinite(value) else None
        if q is None:
            where = ", ".join(f"[{low:.4f}, {high:.4f}]" for low, high in self.intervals)
            raise ConfigurationError(f"joint {self.joint + 1} at {value!r} rad has no answer; it is free in {where}")
        return q

    def nearest(self, q: Array) -> Array:
        """Return the answer of the curve that is nearest to a configuration, to 1e-10 rad of its free joint."""
        best, far = self.at(self.intervals[0][0]), np.inf
        for low, high in self.intervals:
            values, width = np.linspace(low, high, SAMPLES), high - low
            while True:
                found = [(turn_distance(one, q), v, one) for v in values if (one := self.chart(float(v))) is not None]
                if not found:
                    break
                distance, value, one = min(found, key=lambda part: part[0])
                if distance < far:
                    best, far = one, distance
                width *= 3.0 / SAMPLES
                if width < 1e-10:
                    break
                values = np.linspace(max(low, value - width), min(high, value + width), SAMPLES)
        return best

    def __repr__(self) -> str:
        """Return the joint and its intervals."""
        where = " and ".join(f"[{low:.4g}, {high:.4g}]" for low, high in self.intervals)
        return f"Family(joint {self.joint + 1} free in {where}; {', '.join(self.names)})"


def turn_distance(a: Array, b: Array) -> float:
    """Return how far two configurations are apart where whole turns count for nothing, rad."""
    return float(np.linalg.norm(np.remainder(a - b + np.pi, 2 * np.pi) - np.pi))


def intervals_of(exists: Callable[[float], bool], low: float, high: float) -> tuple[tuple[float, float], ...]:
    """Return where something exists, as closed intervals: looked for at SAMPLES places, their ends by halving."""
    values = np.linspace(low, high, SAMPLES + 1)
    there = [exists(float(value)) for value in values]
    found: list[tuple[float, float]] = []
    begin = values[0] if there[0] else None
    for left, right, before, after in zip(values, values[1:], there, there[1:], strict=False):
        if before != after:
            edge = _edge(exists, float(left), float(right), before)
            if after:
                begin = edge
            elif begin is not None:
                found.append((float(begin), edge))
                begin = None
    if begin is not None:
        found.append((float(begin), float(values[-1])))
    return tuple(found)


def _edge(exists: Callable[[float], bool], left: float, right: float, before: bool) -> float:
    """Return the last value at which something exists, between one where it does and one where it does not."""
    for _ in range(HALVINGS):
        middle = 0.5 * (left + right)
        if exists(middle) == before:
            left = middle
        else:
            right = middle
    return left if before else right
