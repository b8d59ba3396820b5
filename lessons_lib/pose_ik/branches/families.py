"""Where a joint is free: a curve of answers, told by its joint, the intervals that it may be in, and a chart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import ConfigurationError

SAMPLES = 96
"""Values of the free joint that are looked at, to find the intervals in which there is an answer."""

NEAR, GOLDEN = 25, 0.5 * (5.0**0.5 - 1.0)

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
        """Return the answer of the curve that is nearest to a configuration, whole turns left out.

        The nearest of NEAR samples of each interval, and from there by golden sections, to 1e-9 rad of the free joint.
        """

        def far(value: float) -> float:
            there = self.chart(value)
            return np.inf if there is None else turn_distance(there, q)

        samples = [(far(float(v)), float(v), ends) for ends in self.intervals for v in np.linspace(*ends, NEAR)]
        _, middle, (low, high) = min(samples, key=lambda part: part[0])
        width = (high - low) / (NEAR - 1)
        left, right = max(low, middle - width), min(high, middle + width)
        while right - left > 1e-9:
            first, second = right - GOLDEN * (right - left), left + GOLDEN * (right - left)
            left, right = (left, second) if far(first) < far(second) else (first, right)
        ends = [left, right, middle, 0.5 * (left + right)]
        return self.at(min(ends, key=far))

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
