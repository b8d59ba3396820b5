"""Proven bounds on position, speed and acceleration of each joint at all times, not only at samples."""
# On a piece of a motion q̈ is a quadratic polynomial of s. It is cut at its extremum and its zeros, and the Bernstein
# coefficients of each part bound it, also if the cuts are rounded. If they have one sign, the speed is monotone and its
# values at the ends bound it; a remainder of the other sign, due to rounding, is added times the duration. Rounding
# errors are bounded as in Higham, Accuracy and Stability of Numerical Algorithms (2002), ch. 3, and added.

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, ReadOnly
from lessons_lib.certificates.error_bounds import U
from lessons_lib.lazy import cached_property

ROUNDING = 128 * U
"""This times the sum of the absolute terms of a polynomial exceeds its rounding error, here and in `Trajectory.at`."""


@dataclass(frozen=True, eq=False, repr=False)
class Certificate(ReadOnly):
    """Bounds that no joint of a motion exceeds, rounded outward; all arrays have shape (n,) and are read-only.

    >>> from lessons_lib import robots, trajectories
    >>> arm = robots.planar_2r().with_limits(velocity=1.0, acceleration=2.0)
    >>> trajectories.retime([[0, 0], [0.3, 0.5]], arm).certificate.holds
    True

    Attributes:
        lowest: Lower bound on each joint's position, rad or m.
        highest: Upper bound on each joint's position, rad or m.
        speeds: Upper bound on |q̇|, rad/s or m/s; the motion reaches it to about 1e-13 of its value, or better.
        accelerations: Upper bound on |q̈|, rad/s² or m/s².
        velocity_limits: The velocity limits of the motion, rad/s or m/s.
        acceleration_limits: The acceleration limits of the motion, rad/s² or m/s².
    """

    lowest: Array
    highest: Array
    speeds: Array
    accelerations: Array
    velocity_limits: Array
    acceleration_limits: Array

    @property
    def excess(self) -> float:
        """Factor by which the motion must be slowed down to keep all limits; at most 1 if it keeps them."""
        fastest = float(np.max(self.speeds / self.velocity_limits))
        return max(fastest, float(np.sqrt(np.max(self.accelerations / self.acceleration_limits))))

    @property
    def holds(self) -> bool:
        """Whether it is proven that every joint keeps its limits of speed and acceleration at all times.

        False means that a bound exceeds its limit, possibly by rounding alone.
        """
        slow = bool((self.speeds <= self.velocity_limits).all())
        return slow and bool((self.accelerations <= self.acceleration_limits).all())


@dataclass(frozen=True, eq=False)
class DerivativeBounds:
    """Bernstein coefficients of q′, shape (3, m, n), and q″, (2, m, n), on m pieces; rounding bounds; piece lengths."""

    first: Array
    second: Array
    first_error: Array
    second_error: Array
    steps: Array


def derivative_bounds(spline: Any, grid: Array) -> DerivativeBounds:
    """Bound the derivatives of a cubic spline on an ascending grid, shape (m + 1,), that includes its knots."""
    segment = np.searchsorted(spline.x, grid[:-1], side="right") - 1
    c, begin = spline.c[:, segment], (grid[:-1] - spline.x[segment])[:, None]
    end, steps = (grid[1:] - spline.x[segment])[:, None], np.diff(grid)
    first_begin, first_end = ((3.0 * c[0] * z + 2.0 * c[1]) * z + c[2] for z in (begin, end))
    second = np.stack([6.0 * c[0] * z + 2.0 * c[1] for z in (begin, end)])
    first = np.stack([first_begin, first_begin + 0.5 * steps[:, None] * second[0], first_end])
    size = np.abs(c)
    second_error = ROUNDING * (6.0 * size[0] * end + 2.0 * size[1])
    first_error = ROUNDING * (3.0 * size[0] * end**2 + 2.0 * size[1] * end + size[2])
    return DerivativeBounds(first, second, first_error, second_error, steps)


@dataclass(frozen=True, eq=False)
class Curve:
    """A cubic spline q(s) of SciPy and a grid that includes its knots."""

    spline: Any
    grid: Array

    @cached_property
    def derivatives(self) -> DerivativeBounds:
        return derivative_bounds(self.spline, self.grid)

    @cached_property
    def ranges(self) -> tuple[Array, Array]:
        """Lower and upper bounds of each joint between adjacent knots, two arrays of shape (k − 1, n)."""
        bounds, c = derivative_bounds(self.spline, self.spline.x), self.spline.c
        cuts = find_cuts(bounds.first)
        z = cuts * bounds.steps[:, None]
        q = ((c[0] * z + c[1]) * z + c[2]) * z + c[3]
        h = bounds.steps[:, None]
        size = ((np.abs(c[0]) * h + np.abs(c[1])) * h + np.abs(c[2])) * h + np.abs(c[3])
        error = (
            ROUNDING * size + (sign_change_bound(bernstein_subdivision(bounds.first, cuts)) + bounds.first_error) * h
        )
        return q.min(axis=0) - error, q.max(axis=0) + error


def certify(curve: Curve, speeds: Array, velocity: Array, acceleration: Array) -> Certificate:
    """Certify a motion along a curve with speeds ṡ [1/s] at the grid points and constant s̈ between them."""
    bounds, squares = curve.derivatives, speeds**2
    begin, end, largest = squares[:-1, None], squares[1:, None], np.maximum(speeds[:-1], speeds[1:])[:, None]
    s_dd = (np.diff(speeds) * (speeds[:-1] + speeds[1:]) / (2.0 * bounds.steps))[:, None]
    q_dd = bounds.first * s_dd
    q_dd[0] += bounds.second[0] * begin
    q_dd[1] += 0.5 * (bounds.second[0] * end + bounds.second[1] * begin)
    q_dd[2] += bounds.second[1] * end
    error = (
        np.abs(s_dd) * (bounds.first_error + bounds.steps[:, None] * bounds.second_error)
        + 2.0 * bounds.second_error * largest**2
    )
    cuts = find_cuts(q_dd)
    parts = bernstein_subdivision(q_dd, cuts)
    accelerations = _outward(np.abs(parts).max(axis=(0, 1)) + error)
    at_cuts = evaluate(bounds.first, cuts) * np.sqrt((1.0 - cuts) * begin + cuts * end)
    durations = (2.0 * bounds.steps / (speeds[:-1] + speeds[1:]))[:, None]
    speed_error = 2.0 * bounds.first_error * largest + (sign_change_bound(parts) + error) * durations
    fastest = _outward(np.abs(at_cuts).max(axis=0) + speed_error)
    lowest, highest = curve.ranges
    return Certificate(
        lowest.min(axis=0), highest.max(axis=0), fastest, accelerations, velocity.copy(), acceleration.copy()
    )


def find_cuts(coefficients: Array) -> Array:
    """Return 0, 1 and the extremum and zeros in [0, 1] of quadratics in Bernstein form, (3, …); ascending, (5, …)."""
    b_0, b_1, b_2 = coefficients
    fall, bend = b_0 - b_1, b_0 - 2.0 * b_1 + b_2
    root = fall + np.copysign(np.sqrt(np.maximum(b_1**2 - b_0 * b_2, 0.0)), fall)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        cuts = np.stack([np.zeros_like(fall), fall / bend, root / bend, b_0 / root, np.ones_like(fall)])
    return np.sort(np.clip(np.nan_to_num(cuts), 0.0, 1.0), axis=0)


def bernstein_subdivision(coefficients: Array, cuts: Array) -> Array:
    """Return the Bernstein coefficients of quadratics between cuts, (3, 4, …), by blossoming (Ramshaw, 1987)."""
    begin, end = cuts[:-1], cuts[1:]
    s, t = np.stack([begin, begin, end]), np.stack([begin, end, end])
    b_0, b_1, b_2 = coefficients
    polar: Array = (1.0 - s) * ((1.0 - t) * b_0 + t * b_1) + s * ((1.0 - t) * b_1 + t * b_2)
    return polar


def evaluate(coefficients: Array, at: Array) -> Array:
    """Evaluate quadratics in Bernstein form, shape (3, …), at points in [0, 1], shape (k, …)."""
    b_0, b_1, b_2 = coefficients
    values: Array = (1.0 - at) * ((1.0 - at) * b_0 + at * b_1) + at * ((1.0 - at) * b_1 + at * b_2)
    return values


def sign_change_bound(parts: Array) -> Array:
    """Bound by how much quadratics change sign within a part, because the cuts are rounded; shape (…)."""
    both: Array = np.maximum(np.minimum(parts.max(axis=0), -parts.min(axis=0)), 0.0).max(axis=0)
    return both


def _outward(pieces: Array) -> Array:
    largest: Array = pieces.max(axis=0) * (1.0 + ROUNDING)
    return largest
