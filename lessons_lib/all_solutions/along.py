"""Numbers along a slice of a joint's range: plain text, of which an enclosure of every answer on the slice is made.

A number is a triple (a, b, r) and stands for a + b ε, give or take r, where the joint is ε times half the slice's
width from its middle. In r is what grows with the square of the width, and all rounding: a slice half as wide is four
times as well known. Every operation encloses: what exact operands make of each other is in what it returns.

A sum or a product of doubles is off by at most E/2 of its size; E is counted, and WIDER makes good for the rounding of
r itself. ANY holds every number that an answer can meet: cosines and sines, and lengths of the arm. It is what is left
of 1/x where x may be zero.

Source: Comba and Stolfi, Affine arithmetic and its applications to computer graphics (1993).
"""

from __future__ import annotations

import math

from lessons_lib.arrays import Array, Integers
from lessons_lib.robots.triples import Vector

E, WIDER, TINY = 2.0**-52, 1.0 + 2.0**-46, 1e-290

ANY = 1e30

TOTAL, TIMES, OPPOSITE, INVERSE, ROOT, SIZE = 0, 1, 2, 3, 4, 5
"""The operations, of which a straight line is made."""


def follow(steps: Integers, X: Array) -> None:
    """Write what a straight line makes of its first numbers; see `traced.Line`.

    Args:
        steps: Shape (m, 4).
        X: The numbers, shape (n, 3).
    """
    for i in range(steps.shape[0]):
        word, to = steps[i, 0], steps[i, 1]
        x, y = number(X, steps[i, 2]), number(X, steps[i, 3])
        if word == TIMES:
            x = times(x, y)
        elif word == TOTAL:
            x = total(x, y)
        elif word == OPPOSITE:
            x = opposite(x)
        elif word == INVERSE:
            x = inverse(x)
        elif word == ROOT:
            x = root(x)
        else:
            x = size(x)
        X[to, 0], X[to, 1], X[to, 2] = x


def number(X: Array, i: int) -> Vector:
    """Return a row."""
    return X[i, 0], X[i, 1], X[i, 2]


def capped(a: float, b: float, r: float) -> Vector:
    """Return a number, or where it is not known at all, any."""
    if abs(a) + abs(b) + r <= ANY:
        return a, b, r
    return 0.0, 0.0, ANY


def total(x: Vector, y: Vector) -> Vector:
    """Return x + y."""
    a, b = x[0] + y[0], x[1] + y[1]
    return capped(a, b, (x[2] + y[2] + E * (abs(a) + abs(b))) * WIDER + TINY)


def opposite(x: Vector) -> Vector:
    """Return −x."""
    return -x[0], -x[1], x[2]


def times(x: Vector, y: Vector) -> Vector:
    """Return x y: ε² is ½, give or take ½."""
    first, second, third, half = x[0] * y[0], x[0] * y[1], x[1] * y[0], 0.5 * x[1] * y[1]
    rounded = E * (2.0 * abs(first) + 2.0 * abs(half) + 2.0 * abs(second) + 2.0 * abs(third))
    spread = (abs(x[0]) + abs(x[1])) * y[2] + (abs(y[0]) + abs(y[1])) * x[2] + x[2] * y[2]
    return capped(first + half, second + third, (spread + abs(half) + rounded) * WIDER + TINY)


def lowest(x: Vector) -> float:
    """Return a bound from below."""
    return x[0] - (abs(x[1]) + x[2] + 2.0 * E * abs(x[0])) * WIDER


def highest(x: Vector) -> float:
    """Return a bound from above."""
    return x[0] + (abs(x[1]) + x[2] + 2.0 * E * abs(x[0])) * WIDER


def on_line(x: Vector, slope: float, least: float, most: float) -> Vector:
    """Return slope · x plus what is between two numbers, each off by at most 8 E of the larger."""
    middle, part = 0.5 * (least + most), slope * x[0]
    spread = abs(slope) * x[2] + 0.5 * (most - least) + 10.0 * E * (abs(least) + abs(most))
    a, b = part + middle, slope * x[1]
    return capped(a, b, (spread + 2.0 * E * (abs(part) + abs(b))) * WIDER + TINY)


def inverse(x: Vector) -> Vector:
    """Return 1/x: beside a line of slope −κ, 1/x + κ x is at least 2 √κ, and largest at an end."""
    low, high = lowest(x), highest(x)
    if low <= 0.0 and high >= 0.0:
        return 0.0, 0.0, ANY
    if high < 0.0:
        return opposite(inverse_above(opposite(x), -high, -low))
    return inverse_above(x, low, high)


def inverse_above(x: Vector, low: float, high: float) -> Vector:
    """Return 1/x for 0 < low ≤ x ≤ high."""
    if low * high < TINY:
        return 0.0, 0.0, ANY
    steep = 1.0 / (low * high)
    most = max(1.0 / low + steep * low, 1.0 / high + steep * high)
    return on_line(x, -steep, 2.0 * math.sqrt(steep), most)


def root(x: Vector) -> Vector:
    """Return √x of what is not below zero: over a chord of slope κ, √x − κ x is least at an end, at most 1/(4 κ)."""
    low, high = max(lowest(x), 0.0), highest(x)
    if high <= TINY:
        return 0.0, 0.0, math.sqrt(TINY) * WIDER
    if low <= 0.0:
        half = 0.5 * math.sqrt(high)
        return half, 0.0, half * WIDER
    slope = 1.0 / (math.sqrt(low) + math.sqrt(high))
    least = min(math.sqrt(low) - slope * low, math.sqrt(high) - slope * high)
    return on_line(x, slope, least, 0.25 / slope)


def size(x: Vector) -> Vector:
    """Return |x|."""
    low, high = lowest(x), highest(x)
    if low >= 0.0:
        return x
    if high <= 0.0:
        return opposite(x)
    half = 0.5 * max(-low, high)
    return half, 0.0, half * WIDER
