"""Compiled loops of `retime`: the fastest motion along a path whose limits are known piece by piece.

ṡ² changes linearly along a piece, from x to y. Each row (p, r) of the piece demands |p x + r y| ≤ 1. The allowed pairs
are a convex set, so the x from which the arm can still reach the end as asked form an interval (Pham & Pham, 2018).
"""

from __future__ import annotations

import math

from lessons_lib.arrays import Array

SHRUNK = 1.0 - 1e-12
"""Both ends of an interval are moved inward by this factor, so that rounding leaves some y for every x of it."""

NO_INFLUENCE = 1e-15
"""A row on which y has less influence than this bounds x alone."""

NONE = -1.0
"""Returned in place of ṡ² if no value is allowed."""


def controllable(rows: Array, least: Array, most: Array) -> bool:
    """Fill the interval of ṡ² at each place from which the end can be reached as given; False if one is empty."""
    for i in range(rows.shape[0] - 1, -1, -1):
        lower, upper = least[i + 1], most[i + 1]
        most[i] = SHRUNK * edge(rows[i], lower, upper, highest(rows[i], upper), -1.0)
        least[i] = 0.0 if lower == 0.0 else edge(rows[i], lower, upper, 0.0, 1.0) / SHRUNK
        if least[i] > most[i]:
            if most[i] < 0.0 or least[i] < 0.0 or least[i] * SHRUNK > most[i] / SHRUNK:
                return False
            least[i] = most[i]
        elif least[i] < 0.0:
            return False
    return True


def fastest(rows: Array, least: Array, most: Array, squares: Array) -> None:
    """Write ṡ² of the fastest motion from its first entry, which is given, within the intervals of `controllable`."""
    for i in range(rows.shape[0]):
        squares[i + 1] = largest_end(rows[i], squares[i], least[i + 1], most[i + 1])


def largest_end(rows: Array, x: float, lower: float, upper: float) -> float:
    """Return the largest y in [lower, upper] that the rows allow with x."""
    y = upper
    for k in range(rows.shape[0]):
        p, r = rows[k, 0], rows[k, 1]
        if r < 0.0:
            p, r = -p, -r
        if r * upper > NO_INFLUENCE:
            y = min(y, (1.0 - p * x) / r)
    return max(y, lower)


def highest(rows: Array, upper: float) -> float:
    """Return a bound on the x that each row allows by itself with some y in [0, upper]."""
    x = math.inf
    for k in range(rows.shape[0]):
        p, r = rows[k, 0], rows[k, 1]
        if p < 0.0:
            p, r = -p, -r
        if p > 0.0:
            x = min(x, (1.0 + max(0.0, -r * upper)) / p)
    return x


def edge(rows: Array, lower: float, upper: float, x: float, direction: float) -> float:
    """Return the first x in a direction, from outside or the edge, with some allowed y in [lower, upper], or NONE."""
    while True:  # Newton's method on the highest lower and lowest upper bound of y, of finitely many lines
        top, top_slope, bottom, bottom_slope = upper, 0.0, lower, 0.0
        for k in range(rows.shape[0]):
            p, r = rows[k, 0], rows[k, 1]
            if r < 0.0:
                p, r = -p, -r
            if r * upper > NO_INFLUENCE:
                above, below = (1.0 - p * x) / r, (-1.0 - p * x) / r
                if above < top:
                    top, top_slope = above, -p / r
                if below > bottom:
                    bottom, bottom_slope = below, -p / r
        if bottom <= top:
            return x
        widening = direction * (top_slope - bottom_slope)
        if widening <= 0.0:
            return x if lower == 0.0 else NONE
        nearer = x + direction * (bottom - top) / widening
        if direction * (nearer - x) <= 0.0:
            return x
        if nearer < 0.0:
            return 0.0 if lower == 0.0 else NONE
        x = nearer
