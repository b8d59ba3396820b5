"""Compiled loops of `retime`: reachability analysis for the fastest motion along a path (Pham & Pham, 2018)."""
# ṡ² changes linearly along a piece, from x to y. Each row (p, r) of the piece requires |p x + r y| ≤ 1. The allowed
# pairs form a convex set, so the values of x from which the arm can still reach the given end form an interval.

from __future__ import annotations

import math

from lessons_lib.arrays import Array

SHRUNK = 1.0 - 1e-12
"""Factor that moves both ends of an interval inward, so that some y remains for every x despite rounding."""

NEGLIGIBLE = 1e-15
"""If r y is below this, the row bounds x alone."""

NONE = -1.0
"""Value returned if no ṡ² is allowed."""


def compute_controllable_sets(rows: Array, least: Array, most: Array) -> bool:
    """Write the interval of ṡ² at each grid point from which the end can be reached; return False if one is empty."""
    for i in range(rows.shape[0] - 1, -1, -1):
        lower, upper = least[i + 1], most[i + 1]
        most[i] = SHRUNK * find_edge(rows[i], lower, upper, bound_start(rows[i], upper), -1.0)
        least[i] = 0.0 if lower == 0.0 else find_edge(rows[i], lower, upper, 0.0, 1.0) / SHRUNK
        if least[i] > most[i]:
            if most[i] < 0.0 or least[i] < 0.0 or least[i] * SHRUNK > most[i] / SHRUNK:
                return False
            least[i] = most[i]
        elif least[i] < 0.0:
            return False
    return True


def maximize_speeds(rows: Array, least: Array, most: Array, squares: Array) -> None:
    """Write ṡ² of the fastest motion within the controllable sets; the first entry is given."""
    for i in range(rows.shape[0]):
        squares[i + 1] = maximize_end(rows[i], squares[i], least[i + 1], most[i + 1])


def maximize_end(rows: Array, x: float, lower: float, upper: float) -> float:
    """Return the largest y in [lower, upper] that the rows allow with x."""
    y = upper
    for k in range(rows.shape[0]):
        p, r = rows[k, 0], rows[k, 1]
        if r < 0.0:
            p, r = -p, -r
        if r * upper > NEGLIGIBLE:
            y = min(y, (1.0 - p * x) / r)
    return max(y, lower)


def bound_start(rows: Array, upper: float) -> float:
    """Return an upper bound on x: each row alone allows it with some y in [0, upper]."""
    x = math.inf
    for k in range(rows.shape[0]):
        p, r = rows[k, 0], rows[k, 1]
        if p < 0.0:
            p, r = -p, -r
        if p > 0.0:
            x = min(x, (1.0 + max(0.0, -r * upper)) / p)
    return x


def find_edge(rows: Array, lower: float, upper: float, x: float, direction: float) -> float:
    """Return the first x, going from one outside in a direction, that allows some y in [lower, upper], or NONE."""
    while True:  # Newton's method on the gap between the bounds of y, which is piecewise linear in x
        top, top_slope, bottom, bottom_slope = upper, 0.0, lower, 0.0
        for k in range(rows.shape[0]):
            p, r = rows[k, 0], rows[k, 1]
            if r < 0.0:
                p, r = -p, -r
            if r * upper > NEGLIGIBLE:
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
