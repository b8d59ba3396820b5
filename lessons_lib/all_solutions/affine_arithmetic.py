"""Affine arithmetic on a slice of a joint's range, and the search that excludes slices without solutions.

A number (a, b, r) is a + b ε ± r, where the joint is ε half widths from the middle of the slice. Every operation
encloses: U of its size and INFLATION cover rounding; ANY holds every number that a solution can have.
Source: Comba and Stolfi, Affine arithmetic and its applications to computer graphics (1993).
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.certificates.error_bounds import INFLATION, UNDERFLOW, U
from lessons_lib.robots.vec3 import Vector

if TYPE_CHECKING:
    from lessons_lib.certificates.angle_code import ANGLES, sine_cosine_bounded


E = 2.0 * U  # spacing of doubles next to 1
ANY = 1e30

ADD, MULTIPLY, NEGATE, INVERT, SQUARE_ROOT, ABSOLUTE = 0, 1, 2, 3, 4, 5  # operations of a straight-line program


def run_program(steps: Integers, X: Array) -> None:
    """Run a straight-line program (m, 4) on its numbers (n, 3); see `slices.StraightLineProgram`."""
    for i in range(steps.shape[0]):
        word, to = steps[i, 0], steps[i, 1]
        x, y = entry(X, steps[i, 2]), entry(X, steps[i, 3])
        if word == MULTIPLY:
            x = multiply(x, y)
        elif word == ADD:
            x = add(x, y)
        elif word == NEGATE:
            x = negate(x)
        elif word == INVERT:
            x = inverse(x)
        elif word == SQUARE_ROOT:
            x = square_root(x)
        else:
            x = absolute(x)
        X[to, 0], X[to, 1], X[to, 2] = x


def entry(X: Array, i: int) -> Vector:
    """Return a row."""
    return X[i, 0], X[i, 1], X[i, 2]


def capped(a: float, b: float, r: float) -> Vector:
    """Return a number, or ANY if it is not bounded."""
    if abs(a) + abs(b) + r <= ANY:
        return a, b, r
    return 0.0, 0.0, ANY


def add(x: Vector, y: Vector) -> Vector:
    """Return x + y."""
    a, b = x[0] + y[0], x[1] + y[1]
    return capped(a, b, (x[2] + y[2] + E * (abs(a) + abs(b))) * INFLATION + UNDERFLOW)


def negate(x: Vector) -> Vector:
    """Return −x."""
    return -x[0], -x[1], x[2]


def multiply(x: Vector, y: Vector) -> Vector:
    """Return x y: ε² is ½ ± ½."""
    first, second, third, half = x[0] * y[0], x[0] * y[1], x[1] * y[0], 0.5 * x[1] * y[1]
    rounded = E * (2.0 * abs(first) + 2.0 * abs(half) + 2.0 * abs(second) + 2.0 * abs(third))
    spread = (abs(x[0]) + abs(x[1])) * y[2] + (abs(y[0]) + abs(y[1])) * x[2] + x[2] * y[2]
    return capped(first + half, second + third, (spread + abs(half) + rounded) * INFLATION + UNDERFLOW)


def lower_bound(x: Vector) -> float:
    """Return a lower bound."""
    return x[0] - (abs(x[1]) + x[2] + 2.0 * E * abs(x[0])) * INFLATION


def upper_bound(x: Vector) -> float:
    """Return an upper bound."""
    return x[0] + (abs(x[1]) + x[2] + 2.0 * E * abs(x[0])) * INFLATION


def on_line(x: Vector, slope: float, least: float, most: float) -> Vector:
    """Return slope · x plus a number between two bounds, each off by at most 8 E of the larger."""
    middle, part = 0.5 * (least + most), slope * x[0]
    spread = abs(slope) * x[2] + 0.5 * (most - least) + 10.0 * E * (abs(least) + abs(most))
    a, b = part + middle, slope * x[1]
    return capped(a, b, (spread + 2.0 * E * (abs(part) + abs(b))) * INFLATION + UNDERFLOW)


def inverse(x: Vector) -> Vector:
    """Return 1/x: beside a line of slope −κ, 1/x + κ x is at least 2 √κ, and largest at an end."""
    low, high = lower_bound(x), upper_bound(x)
    if low <= 0.0 and high >= 0.0:
        return 0.0, 0.0, ANY
    if high < 0.0:
        return negate(inverse_above(negate(x), -high, -low))
    return inverse_above(x, low, high)


def inverse_above(x: Vector, low: float, high: float) -> Vector:
    """Return 1/x for 0 < low ≤ x ≤ high."""
    if low * high < UNDERFLOW:
        return 0.0, 0.0, ANY
    steep = 1.0 / (low * high)
    most = max(1.0 / low + steep * low, 1.0 / high + steep * high)
    return on_line(x, -steep, 2.0 * math.sqrt(steep), most)


def square_root(x: Vector) -> Vector:
    """Return √x: over a chord of slope κ, √x − κ x is least at an end, at most 1/(4 κ)."""
    low, high = max(lower_bound(x), 0.0), upper_bound(x)
    if high <= UNDERFLOW:
        return 0.0, 0.0, math.sqrt(UNDERFLOW) * INFLATION
    if low <= 0.0:
        half = 0.5 * math.sqrt(high)
        return half, 0.0, half * INFLATION
    slope = 1.0 / (math.sqrt(low) + math.sqrt(high))
    least = min(math.sqrt(low) - slope * low, math.sqrt(high) - slope * high)
    return on_line(x, slope, least, 0.25 / slope)


def absolute(x: Vector) -> Vector:
    """Return |x|."""
    low, high = lower_bound(x), upper_bound(x)
    if low >= 0.0:
        return x
    if high <= 0.0:
        return negate(x)
    half = 0.5 * max(-low, high)
    return half, 0.0, half * INFLATION


DEEP = 64  # largest number of waiting slices: more than a double has bits
NARROW = 1e-7  # width of an undecided slice, rad, that ends the search


def exclude_slices(
    low: float,
    high: float,
    sign: float,
    steps: Integers,
    X: Array,
    turns: Integers,
    roots: Integers,
    sides: Array,
    budget: int,
) -> tuple[int, bool]:
    """Bisect slices until all solutions on each are outside the limits; return how many, and whether all are."""
    # The locked joint is between low and high, rad; steps, X, turns, roots belong to `slices.StraightLineProgram`, with
    # the angle times `sign`; `sides` (6, 3) has cos m, sin m and cos h of limits m ± h of each other angle.
    begins, ends = np.empty(DEEP), np.empty(DEEP)
    begins[0], ends[0] = low, high
    left, used = 1, 0
    while left > 0:
        if used >= budget:
            return used, False
        begin, end = begins[left - 1], ends[left - 1]
        left, used = left - 1, used + 1
        write_locked_angle(begin, end, sign, X)
        run_program(steps, X)
        if not all_excluded(X, turns, roots, sides):
            if left + 2 > DEEP or end - begin < NARROW:
                return used, False
            middle = 0.5 * (begin + end)
            begins[left], ends[left] = middle, end
            begins[left + 1], ends[left + 1] = begin, middle
            left += 2
    return used, True


def write_locked_angle(begin: float, end: float, sign: float, X: Array) -> None:
    """Write cosine and sine of the joint: cos h ε is 1 − h²/4 ± h²/4, and sin h ε is h ε to h³/6."""
    middle = 0.5 * (begin + end)
    h = max(end - middle, middle - begin) * (1.0 + 4.0 * E)
    s, c = sine_cosine_bounded(sign * middle)
    part, third, rounded = 0.25 * h * h, h * h * h / 6.0, (ANGLES + 8.0 * E) * (1.0 + h) * (1.0 + h)
    X[0, 0], X[0, 1], X[0, 2] = c * (1.0 - part), -sign * s * h, abs(c) * part + abs(s) * third + rounded
    X[1, 0], X[1, 1], X[1, 2] = s * (1.0 - part), sign * c * h, abs(s) * part + abs(c) * third + rounded


def all_excluded(X: Array, turns: Integers, roots: Integers, sides: Array) -> bool:
    """Return whether each solution is impossible or has a joint outside its limits."""
    # A joint θ is outside the limits m ± h if cos(θ − m) < cos h.
    for i in range(turns.shape[0]):
        outside = False
        for k in range(roots.shape[1]):
            outside = outside or upper_bound(entry(X, roots[i, k])) < 0.0
        for j in range(6):
            along = multiply(entry(X, turns[i, 2 * j]), (sides[j, 0], 0.0, E))
            across = multiply(entry(X, turns[i, 2 * j + 1]), (sides[j, 1], 0.0, E))
            outside = outside or upper_bound(add(along, across)) < sides[j, 2]
        if not outside:
            return False
    return True
