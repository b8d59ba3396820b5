"""How far, how fast and how hard each joint moves at most, at any time and not only at samples: bounds that are proven.

On a piece of a motion q̈ is a polynomial of degree two in the place. It is cut where it is extreme and where it is zero.
On each part it is then bounded by its Bernstein coefficients, whatever rounding did to the cuts. Where none of them is
negative the speed only grows, so that its ends bound it; what rounding leaves of another sign is added, times the time.
Each value comes with a bound of its own rounding (`ROUNDING`), and that is added as well.

Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), ch. 3, for the bounds on rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, ReadOnly

ROUNDING = 64 * float(np.finfo(np.float64).eps)
"""Over the sum of the absolute terms of a polynomial: more than its rounding here, and where a motion is evaluated."""


@dataclass(frozen=True, eq=False, repr=False)
class Certificate(ReadOnly):
    """What no joint of a motion ever exceeds, each bound rounded outward; all arrays of shape (n,), read-only.

    Attributes:
        lowest: No joint is ever below, rad or m.
        highest: No joint is ever above, rad or m.
        speeds: |q̇| is never above, rad/s or m/s; what is reached lies some 1e-13 of it below, or less.
        accelerations: The same for |q̈|, rad/s² or m/s².
        velocity_limits: What was asked for, rad/s or m/s.
        acceleration_limits: What was asked for, rad/s² or m/s².
    """

    lowest: Array
    highest: Array
    speeds: Array
    accelerations: Array
    velocity_limits: Array
    acceleration_limits: Array

    @property
    def excess(self) -> float:
        """How many times as long the motion has to take, so that no limit is passed; at most 1 where none is."""
        fast = float(np.max(self.speeds / self.velocity_limits))
        return max(fast, float(np.sqrt(np.max(self.accelerations / self.acceleration_limits))))

    @property
    def holds(self) -> bool:
        """Whether every joint keeps its limits of speed and acceleration at all times: this is proven where it is true.

        False says that a bound is above its limit, by more than rounding or by that alone.
        """
        slow = bool((self.speeds <= self.velocity_limits).all())
        return slow and bool((self.accelerations <= self.acceleration_limits).all())


@dataclass(frozen=True, eq=False)
class Slopes:
    """q′ on each of m pieces of a curve, a quadratic for each of n joints.

    Attributes:
        first: Bernstein coefficients of q′, shape (m, n, 3).
        second: Those of q″, shape (m, n, 2).
        first_error: Bound on the rounding of the first, shape (m, n).
        second_error: The same for the second.
        steps: Length of each piece, shape (m,).
    """

    first: Array
    second: Array
    first_error: Array
    second_error: Array
    steps: Array


def slopes(spline: Any, places: Array) -> Slopes:
    """Return q′ between places, shape (m + 1,), rising, with all knots of the cubic spline among them."""
    segment = np.searchsorted(spline.x, places[:-1], side="right") - 1
    c, begin = spline.c[:, segment], (places[:-1] - spline.x[segment])[:, None]
    end, steps = (places[1:] - spline.x[segment])[:, None], np.diff(places)
    first = [(3.0 * c[0] * z + 2.0 * c[1]) * z + c[2] for z in (begin, end)]
    second = [6.0 * c[0] * z + 2.0 * c[1] for z in (begin, end)]
    middle = first[0] + 0.5 * steps[:, None] * second[0]
    size = np.abs(c)
    second_error = ROUNDING * (6.0 * size[0] * end + 2.0 * size[1])
    first_error = ROUNDING * (3.0 * size[0] * end**2 + 2.0 * size[1] * end + size[2])
    stacked = np.stack([first[0], middle, first[1]], axis=-1), np.stack(second, axis=-1)
    return Slopes(*stacked, first_error, second_error, steps)


def certify(spline: Any, places: Array, speeds: Array, velocity: Array, acceleration: Array) -> Certificate:
    """Return the certificate of a motion along a spline that passes the places at these speeds ṡ.

    Args:
        spline: A cubic spline of SciPy, q(s).
        places: Shape (m + 1,), all knots among them; between two of them s̈ is constant.
        speeds: ṡ at each, 1/s, shape (m + 1,).
        velocity: The limits that shall hold, shape (n,).
        acceleration: The same for accelerations.
    """
    of, squares = slopes(spline, places), speeds**2
    begin, end, largest = squares[:-1, None], squares[1:, None], np.maximum(speeds[:-1], speeds[1:])[:, None]
    push = (np.diff(speeds) * (speeds[:-1] + speeds[1:]) / (2.0 * of.steps))[:, None]  # s̈
    hard = of.first * push[..., None]
    hard[..., 0] += of.second[..., 0] * begin
    hard[..., 1] += 0.5 * (of.second[..., 0] * end + of.second[..., 1] * begin)
    hard[..., 2] += of.second[..., 1] * end
    error = np.abs(push) * (of.first_error + of.steps[:, None] * of.second_error) + 2.0 * of.second_error * largest**2
    cuts = cuts_of(hard)
    parts = blossoms(hard, cuts)
    accelerations = _outward(np.abs(parts).max(axis=(-1, -2)) + error)
    at_cuts = value(of.first, cuts) * np.sqrt((1.0 - cuts) * begin[..., None] + cuts * end[..., None])
    lasts = (2.0 * of.steps / (speeds[:-1] + speeds[1:]))[:, None]
    blur = 2.0 * of.first_error * largest + (leak(parts) + error) * lasts
    fast = _outward(np.abs(at_cuts).max(axis=-1) + blur)
    lowest, highest = ranges(spline)
    return Certificate(
        lowest.min(axis=0), highest.max(axis=0), fast, accelerations, velocity.copy(), acceleration.copy()
    )


def ranges(spline: Any) -> tuple[Array, Array]:
    """Return bounds from below and above of each joint between each two knots, two of shape (m − 1, n)."""
    of, c = slopes(spline, spline.x), spline.c
    cuts = cuts_of(of.first)
    z = cuts * of.steps[:, None, None]
    q = ((c[0][..., None] * z + c[1][..., None]) * z + c[2][..., None]) * z + c[3][..., None]
    long = of.steps[:, None]
    size = ((np.abs(c[0]) * long + np.abs(c[1])) * long + np.abs(c[2])) * long + np.abs(c[3])
    blur = ROUNDING * size + (leak(blossoms(of.first, cuts)) + of.first_error) * long
    return q.min(axis=-1) - blur, q.max(axis=-1) + blur


def cuts_of(coefficients: Array) -> Array:
    """Return where quadratics are extreme or zero, in [0, 1], with 0 and 1: shape (…, 5), rising.

    Args:
        coefficients: Bernstein coefficients, shape (…, 3).
    """
    b_0, b_1, b_2 = np.moveaxis(coefficients, -1, 0)
    fall, bend = b_0 - b_1, b_0 - 2.0 * b_1 + b_2
    root = fall + np.copysign(np.sqrt(np.maximum(b_1**2 - b_0 * b_2, 0.0)), fall)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = np.stack([np.zeros_like(fall), fall / bend, root / bend, b_0 / root, np.ones_like(fall)], axis=-1)
    return np.sort(np.clip(np.nan_to_num(found), 0.0, 1.0), axis=-1)


def blossoms(coefficients: Array, cuts: Array) -> Array:
    """Return the Bernstein coefficients of quadratics between their cuts, shape (…, 4, 3).

    Source: Ramshaw, Blossoming (1987): a coefficient is the polar form at the ends of the part.
    """
    ends = cuts[..., :-1, None], cuts[..., 1:, None]
    s, t = np.concatenate([ends[0], ends[0], ends[1]], axis=-1), np.concatenate([ends[0], ends[1], ends[1]], axis=-1)
    b_0, b_1, b_2 = (part[..., None, None] for part in np.moveaxis(coefficients, -1, 0))
    polar: Array = (1.0 - s) * ((1.0 - t) * b_0 + t * b_1) + s * ((1.0 - t) * b_1 + t * b_2)
    return polar


def value(coefficients: Array, at: Array) -> Array:
    """Return quadratics, shape (…, 3), at places in [0, 1], shape (…, k)."""
    b_0, b_1, b_2 = (part[..., None] for part in np.moveaxis(coefficients, -1, 0))
    found: Array = (1.0 - at) * ((1.0 - at) * b_0 + at * b_1) + at * ((1.0 - at) * b_1 + at * b_2)
    return found


def leak(parts: Array) -> Array:
    """Return how far a quadratic can be of both signs on one part: what rounding has done to its cuts; shape (…)."""
    both: Array = np.minimum(np.maximum(parts, 0.0).max(axis=-1), np.maximum(-parts, 0.0).max(axis=-1)).max(axis=-1)
    return both


def _outward(pieces: Array) -> Array:
    largest: Array = pieces.max(axis=0) * (1.0 + ROUNDING)
    return largest
