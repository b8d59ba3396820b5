"""Proven bounds on position, speed and acceleration of each joint at all times, not only at samples.

On a piece of a motion q̈ is a quadratic of the place. It is cut at its extremum and its zeros, and each part is bounded
by its Bernstein coefficients, wherever rounding put the cuts. If they have one sign, the speed is monotone, so that
the ends bound it; what rounding leaves of the other sign is added, times the duration. Rounding errors are bounded as
in Higham, Accuracy and Stability of Numerical Algorithms (2002), ch. 3, and added.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, ReadOnly
from lessons_lib.certificates.error_bounds import U
from lessons_lib.lazy import cached_property

ROUNDING = 128 * U
"""Times the sum of the absolute terms of a polynomial: exceeds its rounding here, and where a motion is evaluated."""


@dataclass(frozen=True, eq=False, repr=False)
class Certificate(ReadOnly):
    """Bounds that no joint of a motion ever exceeds, each rounded outward; all arrays have shape (n,), read-only.

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
        """Factor by which the motion has to be slowed down to keep all limits; at most 1 if it keeps them."""
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
    """Bernstein coefficients of q′, shape (3, m, n), and q″, shape (2, m, n), on m pieces of a curve of n joints.

    The errors, shape (m, n), bound their rounding; `steps` are the lengths of the pieces, shape (m,).
    """

    first: Array
    second: Array
    first_error: Array
    second_error: Array
    steps: Array


def derivative_bounds(spline: Any, places: Array) -> DerivativeBounds:
    """Return the derivatives between rising places, shape (m + 1,), with all knots of the cubic spline among them."""
    segment = np.searchsorted(spline.x, places[:-1], side="right") - 1
    c, begin = spline.c[:, segment], (places[:-1] - spline.x[segment])[:, None]
    end, steps = (places[1:] - spline.x[segment])[:, None], np.diff(places)
    first_begin, first_end = ((3.0 * c[0] * z + 2.0 * c[1]) * z + c[2] for z in (begin, end))
    second = np.stack([6.0 * c[0] * z + 2.0 * c[1] for z in (begin, end)])
    first = np.stack([first_begin, first_begin + 0.5 * steps[:, None] * second[0], first_end])
    size = np.abs(c)
    second_error = ROUNDING * (6.0 * size[0] * end + 2.0 * size[1])
    first_error = ROUNDING * (3.0 * size[0] * end**2 + 2.0 * size[1] * end + size[2])
    return DerivativeBounds(first, second, first_error, second_error, steps)


@dataclass(frozen=True, eq=False)
class Curve:
    """A cubic spline q(s) of SciPy, cut at places with all its knots among them."""

    spline: Any
    places: Array

    @cached_property
    def derivatives(self) -> DerivativeBounds:
        """Derivatives on each piece."""
        return derivative_bounds(self.spline, self.places)

    @cached_property
    def ranges(self) -> tuple[Array, Array]:
        """Lower and upper bounds of each joint between each two knots, two arrays of shape (k − 1, n)."""
        of, c = derivative_bounds(self.spline, self.spline.x), self.spline.c
        cuts = cuts_of(of.first)
        z = cuts * of.steps[:, None]
        q = ((c[0] * z + c[1]) * z + c[2]) * z + c[3]
        long = of.steps[:, None]
        size = ((np.abs(c[0]) * long + np.abs(c[1])) * long + np.abs(c[2])) * long + np.abs(c[3])
        error = ROUNDING * size + (sign_change_bound(bernstein_subdivision(of.first, cuts)) + of.first_error) * long
        return q.min(axis=0) - error, q.max(axis=0) + error


def certify(curve: Curve, speeds: Array, velocity: Array, acceleration: Array) -> Certificate:
    """Return the certificate of a motion along a curve with speeds ṡ [1/s] at its places and constant s̈ between two."""
    of, squares = curve.derivatives, speeds**2
    begin, end, largest = squares[:-1, None], squares[1:, None], np.maximum(speeds[:-1], speeds[1:])[:, None]
    push = (np.diff(speeds) * (speeds[:-1] + speeds[1:]) / (2.0 * of.steps))[:, None]  # s̈
    q_dd = of.first * push
    q_dd[0] += of.second[0] * begin
    q_dd[1] += 0.5 * (of.second[0] * end + of.second[1] * begin)
    q_dd[2] += of.second[1] * end
    error = np.abs(push) * (of.first_error + of.steps[:, None] * of.second_error) + 2.0 * of.second_error * largest**2
    cuts = cuts_of(q_dd)
    parts = bernstein_subdivision(q_dd, cuts)
    accelerations = _outward(np.abs(parts).max(axis=(0, 1)) + error)
    at_cuts = evaluate(of.first, cuts) * np.sqrt((1.0 - cuts) * begin + cuts * end)
    durations = (2.0 * of.steps / (speeds[:-1] + speeds[1:]))[:, None]
    speed_error = 2.0 * of.first_error * largest + (sign_change_bound(parts) + error) * durations
    fastest = _outward(np.abs(at_cuts).max(axis=0) + speed_error)
    lowest, highest = curve.ranges
    return Certificate(
        lowest.min(axis=0), highest.max(axis=0), fastest, accelerations, velocity.copy(), acceleration.copy()
    )


def cuts_of(coefficients: Array) -> Array:
    """Return 0, 1 and the extremum and zeros in [0, 1] of quadratics, (3, …) Bernstein coefficients; (5, …), rising."""
    b_0, b_1, b_2 = coefficients
    fall, bend = b_0 - b_1, b_0 - 2.0 * b_1 + b_2
    root = fall + np.copysign(np.sqrt(np.maximum(b_1**2 - b_0 * b_2, 0.0)), fall)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = np.stack([np.zeros_like(fall), fall / bend, root / bend, b_0 / root, np.ones_like(fall)])
    return np.sort(np.clip(np.nan_to_num(found), 0.0, 1.0), axis=0)


def bernstein_subdivision(coefficients: Array, cuts: Array) -> Array:
    """Return the Bernstein coefficients of quadratics between their cuts, shape (3, 4, …), by blossoming.

    Source: Ramshaw, Blossoming (1987): a coefficient is the polar form at the ends of the part.
    """
    begin, end = cuts[:-1], cuts[1:]
    s, t = np.stack([begin, begin, end]), np.stack([begin, end, end])
    b_0, b_1, b_2 = coefficients
    polar: Array = (1.0 - s) * ((1.0 - t) * b_0 + t * b_1) + s * ((1.0 - t) * b_1 + t * b_2)
    return polar


def evaluate(coefficients: Array, at: Array) -> Array:
    """Return quadratics, shape (3, …), at places in [0, 1], shape (k, …)."""
    b_0, b_1, b_2 = coefficients
    found: Array = (1.0 - at) * ((1.0 - at) * b_0 + at * b_1) + at * ((1.0 - at) * b_1 + at * b_2)
    return found


def sign_change_bound(parts: Array) -> Array:
    """Return how far a quadratic can go to both sides of zero on one part because its cuts are rounded, shape (…)."""
    both: Array = np.maximum(np.minimum(parts.max(axis=0), -parts.min(axis=0)), 0.0).max(axis=0)
    return both


def _outward(pieces: Array) -> Array:
    largest: Array = pieces.max(axis=0) * (1.0 + ROUNDING)
    return largest
