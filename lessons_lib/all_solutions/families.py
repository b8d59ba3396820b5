"""Curves of solutions with a free joint: the joint, its intervals, and the configuration for each value."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats, is_real
from lessons_lib.errors import ConfigurationError
from lessons_lib.robots.joint_limits import LIMIT_TOLERANCE

SAMPLES = 48  # of the free joint's range
NEAREST_SAMPLES, NEAREST_WIDTH, GOLDEN = 25, 4e-15, 0.5 * (5.0**0.5 - 1.0)  # of a golden-section search

BISECTIONS, MIN_WIDTH = 45, 1e-9  # to the end of an interval; resolution of such an end, rad
END_OFFSETS = [4.0**-k for k in range(1, 9)]  # of further samples next to an end, relative to the distance of samples
GROWTH_FACTOR = 4.0  # bound on how far the margin may rise between two samples, relative to their variation
UNLIMITED = np.tile([-np.inf, np.inf], (6, 1))  # infinite limits of six joints
Sample = tuple[float, float]  # a value of the free joint, and the margin there
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
    """Return the closed intervals where a continuous margin is not negative, narrow ones and gaps included."""
    # SAMPLES samples, golden sections around extrema, then finer samples next to each end, where joints move fast. An
    # interval is missed if the margin has more than one extremum between two samples.
    samples = _add_extrema(margin, [(value, margin(value)) for value in np.linspace(low, high, SAMPLES + 1).tolist()])
    width = (high - low) / SAMPLES
    ends = [one for pair in pairwise(samples) if _has_boundary(*pair) for one in _find_boundary(margin, *pair)]
    beside = {end + side * width * part for end, _ in ends[::2] for side in (-1.0, 1.0) for part in END_OFFSETS}
    samples += [*ends, *((value, margin(value)) for value in beside if low < value < high)]
    samples = _add_extrema(margin, sorted(samples))
    edges = [_find_boundary(margin, *pair)[0][0] for pair in pairwise(samples) if _has_boundary(*pair)]
    edges = [low] * (samples[0][1] >= 0.0) + edges + [high] * (samples[-1][1] >= 0.0)
    return tuple(zip(edges[::2], edges[1::2], strict=True))


def _has_boundary(one: Sample, other: Sample) -> bool:
    return (one[1] >= 0.0) != (other[1] >= 0.0)


def _add_extrema(margin: Callable[[float], float], samples: list[Sample]) -> list[Sample]:
    """Return the samples and the extrema between them at which the margin may change its sign."""
    padded = [samples[0], *samples, samples[-1]]
    extended = list(samples)
    for before, (value, here), after in zip(padded, samples, padded[2:], strict=False):
        sign = 1.0 if here < 0.0 else -1.0
        if here != 0.0 and sign * here >= max(sign * before[1], sign * after[1]):
            extended.append(_refine_extremum(margin, sign, before, (value, here), after))
    return sorted(extended)


def _refine_extremum(
    margin: Callable[[float], float], sign: float, left: Sample, best: Sample, right: Sample
) -> Sample:
    """Maximize sign · margin between two samples by golden sections, while it can become positive."""
    while right[0] - left[0] > MIN_WIDTH and sign * best[1] <= 0.0:
        lowest = min(sign * left[1], sign * right[1])
        if sign * best[1] + GROWTH_FACTOR * (sign * best[1] - lowest) < 0.0:
            break
        far = right if right[0] - best[0] > best[0] - left[0] else left
        value = best[0] + (1.0 - GOLDEN) * (far[0] - best[0])
        tried = value, margin(value)
        if sign * tried[1] > sign * best[1]:
            left, best, right = (best, tried, right) if far is right else (left, tried, best)
        elif far is right:
            right = tried
        else:
            left = tried
    return best


def _find_boundary(margin: Callable[[float], float], first: Sample, second: Sample) -> tuple[Sample, Sample]:
    """Return the last sample with a solution and the first without, by alternating secant steps and bisections."""
    (inside, positive), (outside, negative) = (first, second) if first[1] >= 0.0 else (second, first)
    for step in range(2 * BISECTIONS):
        value = middle = 0.5 * (inside + outside)
        if middle in (inside, outside):
            break
        if step % 2 and math.isfinite(negative):
            value = inside + (outside - inside) * positive / (positive - negative)
            value = middle if value in (inside, outside) else value
        here = margin(value)
        if here >= 0.0:
            inside, positive = value, here
        else:
            outside, negative = value, here
    return (inside, positive), (outside, negative)
