"""Curves of solutions with a free joint: the joint, its intervals, and the configuration for each value."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.all_solutions import interval_search
from lessons_lib.all_solutions.interval import rebind_math
from lessons_lib.all_solutions.interval_search import GOLDEN, MAX_SAMPLES, find_interval_ends
from lessons_lib.arrays import Array, floats, is_real
from lessons_lib.errors import ConfigurationError
from lessons_lib.robots.joint_limits import LIMIT_TOLERANCE

NEAREST_SAMPLES, NEAREST_WIDTH = 25, 4e-15  # of a golden-section search
UNLIMITED = np.tile([-np.inf, np.inf], (6, 1))  # infinite limits of six joints
Chart = Callable[[float], "Array | None"]


@dataclass(frozen=True, eq=False)
class Family:
    """A curve of solutions with one free joint.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.panda(), [0, -0.3, 0, -2.2, 0, 2.0, 0.8]
    >>> family = pose_ik.all_solutions(arm, arm.forward_kinematics(q)).families[0]
    >>> family.joint, family.at(0.5)[6].item()
    (6, 0.5)

    Attributes:
        joint: The free joint, 0 for the first.
        intervals: Closed intervals (from, to) of that joint, rad, within [−π, π] or its limits, to rounding; at a
            boundary of reach, intervals below some 1e-6 rad are reported with that width.
        names: The branch, in words.
        chart: Function from the free joint's value to the configuration, or None.
    """

    joint: int
    intervals: tuple[tuple[float, float], ...]
    names: tuple[str, ...]
    chart: Chart

    def at(self, value: float) -> Array:
        """Return the solution with the free joint at a value, shape (n,), rad.

        A value that rounding puts outside an interval is moved to its end; see `LIMIT_TOLERANCE`.

        Raises:
            ConfigurationError: The value lies outside the intervals.
        """
        q = None
        if is_real(value) and np.isfinite(value):
            inside = min((float(np.clip(value, *ends)) for ends in self.intervals), key=lambda x: abs(x - value))
            q = self.chart(inside if abs(inside - value) <= LIMIT_TOLERANCE else float(value))
        if q is None:
            where = ", ".join(f"[{low:.4f}, {high:.4f}]" for low, high in self.intervals)
            raise ConfigurationError(f"joint {self.joint + 1} has no solution at {value!r} rad, only in {where}")
        return q

    def nearest(self, q: ArrayLike) -> Array:
        """Return the solution of the family nearest to a configuration, up to revolutions.

        Args:
            q: Configuration, shape (n,), rad.

        Raises:
            ConfigurationError: q has another shape or is not finite.
        """
        near = floats(q, "q must be numbers", ConfigurationError)
        if not np.isfinite(near).all():
            raise ConfigurationError(f"q must be finite, got {q!r}")

        def far(value: float) -> float:
            there = self.chart(value)
            if there is not None and there.shape != near.shape:
                raise ConfigurationError(f"q must have shape {there.shape}, got {near.shape}")
            return np.inf if there is None else angular_distance(there, near)

        values = [(float(v), ends) for ends in self.intervals for v in np.linspace(*ends, NEAREST_SAMPLES)]
        middle, (low, high) = min(values, key=lambda value: far(value[0]))
        width = (high - low) / (NEAREST_SAMPLES - 1)
        left, right = max(low, middle - width), min(high, middle + width)
        first, second = right - GOLDEN * (right - left), left + GOLDEN * (right - left)
        at_first, at_second = far(first), far(second)
        while right - left > NEAREST_WIDTH:
            if at_first < at_second:
                right, second, at_second = second, first, at_first
                first = right - GOLDEN * (right - left)
                at_first = far(first)
            else:
                left, first, at_first = first, second, at_second
                second = left + GOLDEN * (right - left)
                at_second = far(second)
        ends = [left, right, middle, 0.5 * (left + right)]
        return self.at(min(ends, key=far))

    def __repr__(self) -> str:
        where = " and ".join(f"[{low:.4g}, {high:.4g}]" for low, high in self.intervals)
        return f"Family(joint {self.joint + 1} free in {where}; {', '.join(self.names)})"


def angular_distance(a: Array, b: Array) -> float:
    """Return the distance of two configurations modulo revolutions, rad."""
    return float(np.linalg.norm(wrap_angles(a - b)))


def wrap_angles(angles: Array) -> Array:
    """Return angles wrapped into [−π, π), rad."""
    return np.remainder(angles + np.pi, 2 * np.pi) - np.pi


def limit_margins(q: Array, limits: Array) -> Array:
    """Return the smallest margin of each configuration (k, n) to the limits modulo revolutions, rad, at most π."""
    half = 0.5 * np.diff(limits).ravel()
    middle = np.where(np.isfinite(half), 0.5 * limits.sum(axis=1, where=np.isfinite(limits)), 0.0)
    margins: Array = (np.minimum(half, np.pi) - np.abs(wrap_angles(q - middle))).min(axis=1)
    return margins


def is_at_limit(q: Array, limits: Array, rounding: Array | float) -> bool:
    """Return whether any of the configurations (k, n) is at a limit of a joint with less than one revolution."""
    bound = np.flatnonzero(np.diff(limits).ravel() < 2 * np.pi)
    return bool(len(bound)) and bool((np.abs(limit_margins(q[:, bound], limits[bound])) <= rounding).any())


def find_intervals(margin: Callable[[float], float], low: float, high: float) -> tuple[tuple[float, float], ...]:
    """Return the closed intervals where a continuous margin, in Python, is not negative; see interval_search.py."""
    ends = np.empty(MAX_SAMPLES)
    with np.errstate(all="ignore"):
        return pair_ends(ends, _find_in_python()(margin, low, high, ends))


def pair_ends(ends: Array, count: int) -> tuple[tuple[float, float], ...]:
    edges = ends[:count].tolist()
    return tuple(zip(edges[::2], edges[1::2], strict=True))


@cache
def _find_in_python() -> Callable[..., int]:
    return rebind_math(math, find_interval_ends, interval_search, margin_at=lambda margin, value: margin(float(value)))
