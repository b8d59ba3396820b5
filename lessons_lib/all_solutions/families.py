"""Where a joint is free: a curve of answers, told by its joint, the intervals that it may be in, and a chart."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lessons_lib.arrays import Array, is_real
from lessons_lib.errors import ConfigurationError
from lessons_lib.robots.joint_limits import LIMIT_TOLERANCE

SAMPLES = 48
"""Parts into which the range of the free joint is cut, to find the intervals in which there is an answer."""

NEAR, CLOSE, GOLDEN = 25, 4e-15, 0.5 * (5.0**0.5 - 1.0)

HALVINGS, NARROW = 45, 1e-9
"""Of an interval between two of them, to find where it ends; to what a place is known where an answer may end, rad."""

BESIDE = [4.0**-k for k in range(1, 9)]
"""Where it is looked again beside an end, in parts of SAMPLES."""

HOPE = 4.0
"""By how many times what it varies between two places the room may yet grow there."""

SMALLEST = float(np.finfo(float).tiny)
"""By how much an answer is missed at least, where it is."""

UNLIMITED = np.tile([-np.inf, np.inf], (6, 1))
"""Limits of six joints that have none."""

Place = tuple[float, float]
"""A value of the free joint, and the room there."""

Chart = Callable[[float], "Array | None"]


@dataclass(frozen=True, eq=False)
class Family:
    """Answers that make a curve, because one joint is free.

    Attributes:
        joint: Which one, 0 for the first.
        intervals: Where that joint may be, closed, (from, to) in rad within [−π, π] or within its limits; to rounding:
            at the edge of reach, one of less than some 1e-6 rad is told that wide.
        names: The branch, in words.
        chart: What `at` asks.
    """

    joint: int
    intervals: tuple[tuple[float, float], ...]
    names: tuple[str, ...]
    chart: Chart

    def at(self, value: float) -> Array:
        """Return the solution with the free joint at a value, shape (n,), rad.

        A value that rounding has put just outside an interval is moved to its end; see `LIMIT_TOLERANCE`.

        Raises:
            ConfigurationError: There is none: the value lies outside the intervals.
        """
        q = None
        if is_real(value) and np.isfinite(value):
            inside = min((float(np.clip(value, *ends)) for ends in self.intervals), key=lambda x: abs(x - value))
            q = self.chart(inside if abs(inside - value) <= LIMIT_TOLERANCE else float(value))
        if q is None:
            where = ", ".join(f"[{low:.4f}, {high:.4f}]" for low, high in self.intervals)
            raise ConfigurationError(f"joint {self.joint + 1} at {value!r} rad has no answer; it is free in {where}")
        return q

    def nearest(self, q: Array) -> Array:
        """Return the answer of the curve that is nearest to a configuration, whole turns left out.

        The nearest of NEAR samples of each interval, and from there by golden sections, to CLOSE rad of the free joint.
        """

        def far(value: float) -> float:
            there = self.chart(value)
            return np.inf if there is None else turn_distance(there, q)

        samples = [(far(float(v)), float(v), ends) for ends in self.intervals for v in np.linspace(*ends, NEAR)]
        _, middle, (low, high) = min(samples, key=lambda part: part[0])
        width = (high - low) / (NEAR - 1)
        left, right = max(low, middle - width), min(high, middle + width)
        while right - left > CLOSE:
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
    return float(np.linalg.norm(wrapped(a - b)))


def wrapped(angles: Array) -> Array:
    """Return angles without whole turns, in [−π, π), rad."""
    return np.remainder(angles + np.pi, 2 * np.pi) - np.pi


def inside(q: Array, limits: Array) -> Array:
    """Return how far some configurations, shape (k, n), are within limits, whole turns left out, rad, at most π."""
    half = 0.5 * np.diff(limits).ravel()
    middle = np.where(np.isfinite(half), 0.5 * limits.sum(axis=1, where=np.isfinite(limits)), 0.0)
    found: Array = (np.minimum(half, np.pi) - np.abs(wrapped(q - middle))).min(axis=1)
    return found


def at_a_limit(q: Array, limits: Array, rounding: Array | float) -> bool:
    """Return whether some configurations, shape (k, n), stand at a limit: joints that can turn all around have none."""
    bound = np.flatnonzero(np.diff(limits).ravel() < 2 * np.pi)
    return bool(len(bound)) and bool((np.abs(inside(q[:, bound], limits[bound])) <= rounding).any())


def intervals_of(room: Callable[[float], float], low: float, high: float) -> tuple[tuple[float, float], ...]:
    """Return where there is an answer, as closed intervals, also where they or the gaps between them are narrow.

    Looked for at SAMPLES places, and from there where `room` is largest and smallest; beside each end, where joints
    are fast, ever more closely once again. All are found where `room` turns once between two places; nothing is proven.

    Args:
        room: By how much there is an answer, or, below zero, by how much there is none; continuous.
        low: Least value of the free joint.
        high: Largest one.
    """
    places = _completed(room, [(float(value), room(float(value))) for value in np.linspace(low, high, SAMPLES + 1)])
    width = (high - low) / SAMPLES
    ends = [_edge(room, *pair) for pair in pairwise(places) if _differ(*pair)]
    beside = {end + side * width * part for end in ends for side in (-1.0, 1.0) for part in BESIDE}
    places += [(value, room(value)) for value in beside if low < value < high]
    places = _completed(room, sorted(places))
    edges = [_edge(room, *pair) for pair in pairwise(places) if _differ(*pair)]
    edges = [low] * (places[0][1] >= 0.0) + edges + [high] * (places[-1][1] >= 0.0)
    return tuple(zip(edges[::2], edges[1::2], strict=True))


def _differ(one: Place, other: Place) -> bool:
    """Return whether there is an answer at one of two places only."""
    return (one[1] >= 0.0) != (other[1] >= 0.0)


def _completed(room: Callable[[float], float], places: list[Place]) -> list[Place]:
    """Return the places, and those between them at which it may be that there is an answer, or none, after all."""
    padded = [places[0], *places, places[-1]]
    found = list(places)
    for before, (value, here), after in zip(padded, places, padded[2:], strict=False):
        sign = 1.0 if here < 0.0 else -1.0
        if here != 0.0 and sign * here >= max(sign * before[1], sign * after[1]):
            found.append(_turning(room, sign, before, (value, here), after))
    return sorted(found)


def _turning(room: Callable[[float], float], sign: float, left: Place, best: Place, right: Place) -> Place:
    """Return where sign · room is largest between two places, by golden sections, while it can come above zero."""
    while right[0] - left[0] > NARROW and sign * best[1] <= 0.0:
        lowest = min(sign * left[1], sign * right[1])
        if sign * best[1] + HOPE * (sign * best[1] - lowest) < 0.0:
            break
        far = right if right[0] - best[0] > best[0] - left[0] else left
        value = best[0] + (1.0 - GOLDEN) * (far[0] - best[0])
        tried = value, room(value)
        if sign * tried[1] > sign * best[1]:
            left, best, right = (best, tried, right) if far is right else (left, tried, best)
        elif far is right:
            right = tried
        else:
            left = tried
    return best


def _edge(room: Callable[[float], float], first: Place, second: Place) -> float:
    """Return the last value at which there is an answer: by straight lines, every other time by halving."""
    (inside, much), (outside, little) = (first, second) if first[1] >= 0.0 else (second, first)
    for step in range(2 * HALVINGS):
        middle = 0.5 * (inside + outside)
        if middle in (inside, outside):
            break
        line = inside + (outside - inside) * much / (much - little) if step % 2 and math.isfinite(little) else middle
        value = middle if line in (inside, outside) else line
        here = room(value)
        if here >= 0.0:
            inside, much = value, here
        else:
            outside, little = value, here
    return inside
