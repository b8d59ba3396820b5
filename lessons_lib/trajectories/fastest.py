"""The fastest way along a path whose limits are known, piece by piece: once backward, once forward.

ṡ² goes evenly along a piece, from x to y. Each row (p, r) of the piece demands −1 ≤ p x + r y ≤ 1. The pairs that are
allowed are a convex set, and (0, 0) is in it: so what is allowed at a place, such that the arm can still stop, is all
from zero to a largest x.
"""

from __future__ import annotations

import math

from lessons_lib.arrays import Array

SHRUNK = 1.0 - 1e-12
"""A largest x is taken a little smaller: then there is a y with room to spare for rounding."""

NOTHING = 1e-15
"""A row on which y has less influence than this bounds x alone."""


def fastest(rows: Array, most: Array, squares: Array) -> None:
    """Write the largest ṡ² from which the arm can stop, and ṡ² of the fastest way.

    Args:
        rows: Shape (m, k, 2): k rows for each of the m pieces.
        most: Shape (m + 1,); receives the largest of each place, which ends in zero.
        squares: Shape (m + 1,); receives the fastest way, from rest to rest.
    """
    pieces = rows.shape[0]
    most[pieces] = 0.0
    for i in range(pieces - 1, -1, -1):
        most[i] = SHRUNK * largest_begin(rows[i], most[i + 1])
    squares[0] = 0.0
    for i in range(pieces):
        squares[i + 1] = largest_end(rows[i], squares[i], most[i + 1])


def largest_begin(rows: Array, after: float) -> float:
    """Return the largest x that the rows allow with some y in [0, after].

    Newton's method from above: at x, the lowest of all upper bounds of y and the highest of all lower ones are two
    lines. Where they leave no room they cross at a smaller x, which is tried next. There are finitely many lines.
    """
    x = math.inf
    for k in range(rows.shape[0]):
        p, r = rows[k, 0], rows[k, 1]
        if p < 0.0:
            p, r = -p, -r
        if p > 0.0:
            x = min(x, (1.0 + max(0.0, -r * after)) / p)
    while True:
        top, top_slope, bottom, bottom_slope = after, 0.0, 0.0, 0.0
        for k in range(rows.shape[0]):
            p, r = rows[k, 0], rows[k, 1]
            if r < 0.0:
                p, r = -p, -r
            if r * after > NOTHING:
                upper, lower = (1.0 - p * x) / r, (-1.0 - p * x) / r
                if upper < top:
                    top, top_slope = upper, -p / r
                if lower > bottom:
                    bottom, bottom_slope = lower, -p / r
        if bottom <= top or bottom_slope <= top_slope:
            return x
        nearer = x - (bottom - top) / (bottom_slope - top_slope)
        if not 0.0 < nearer < x:
            return max(0.0, min(nearer, x))
        x = nearer


def largest_end(rows: Array, x: float, after: float) -> float:
    """Return the largest y in [0, after] that the rows allow with x."""
    y = after
    for k in range(rows.shape[0]):
        p, r = rows[k, 0], rows[k, 1]
        if r < 0.0:
            p, r = -p, -r
        if r * after > NOTHING:
            y = min(y, (1.0 - p * x) / r)
    return max(y, 0.0)
