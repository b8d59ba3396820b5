"""Affine arithmetic on a slice of a joint's range, and the search for slices without solutions."""
# A number (a, b, r) is a + b ε ± r, where ε ∈ [−1, 1] is the joint's position in the slice. Each radius r bounds the
# rounding as well. Source: Comba and Stolfi, Affine arithmetic and its applications to computer graphics (1993).

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.certificates.error_bounds import INFLATION, UNDERFLOW, U
from lessons_lib.robots.vec3 import Vector

if TYPE_CHECKING:
    from lessons_lib.certificates.angle_code import SINE_COSINE_ERROR, sine_cosine_bounded


EPSILON = 2.0 * U  # spacing of doubles next to 1
UNBOUNDED = 1e30  # a radius that encloses every number of a solution

ADD, MULTIPLY, NEGATE, INVERT, SQUARE_ROOT, ABSOLUTE = 0, 1, 2, 3, 4, 5  # operations of a straight-line program


def run_program(steps: Integers, X: Array) -> None:
    """Run a straight-line program (m, 4) on its values (n, 3); see `slices.StraightLineProgram`."""
    for i in range(steps.shape[0]):
        operation, result = steps[i, 0], steps[i, 1]
        x, y = read_row(X, steps[i, 2]), read_row(X, steps[i, 3])
        if operation == MULTIPLY:
            x = multiply(x, y)
        elif operation == ADD:
            x = add(x, y)
        elif operation == NEGATE:
            x = negate(x)
        elif operation == INVERT:
            x = inverse(x)
        elif operation == SQUARE_ROOT:
            x = square_root(x)
        else:
            x = absolute(x)
        X[result, 0], X[result, 1], X[result, 2] = x


def read_row(X: Array, i: int) -> Vector:
    return X[i, 0], X[i, 1], X[i, 2]


def bound_size(a: float, b: float, r: float) -> Vector:
    """Return a number, with radius UNBOUNDED if it is too large."""
    if abs(a) + abs(b) + r <= UNBOUNDED:
        return a, b, r
    return 0.0, 0.0, UNBOUNDED


def add(x: Vector, y: Vector) -> Vector:
    a, b = x[0] + y[0], x[1] + y[1]
    return bound_size(a, b, (x[2] + y[2] + EPSILON * (abs(a) + abs(b))) * INFLATION + UNDERFLOW)


def negate(x: Vector) -> Vector:
    return -x[0], -x[1], x[2]


def multiply(x: Vector, y: Vector) -> Vector:
    """Return x y: ε² is ½ ± ½."""
    first, second, third, half = x[0] * y[0], x[0] * y[1], x[1] * y[0], 0.5 * x[1] * y[1]
    rounded = EPSILON * (2.0 * abs(first) + 2.0 * abs(half) + 2.0 * abs(second) + 2.0 * abs(third))
    spread = (abs(x[0]) + abs(x[1])) * y[2] + (abs(y[0]) + abs(y[1])) * x[2] + x[2] * y[2]
    return bound_size(first + half, second + third, (spread + abs(half) + rounded) * INFLATION + UNDERFLOW)


def lower_bound(x: Vector) -> float:
    return x[0] - (abs(x[1]) + x[2] + 2.0 * EPSILON * abs(x[0])) * INFLATION


def upper_bound(x: Vector) -> float:
    return x[0] + (abs(x[1]) + x[2] + 2.0 * EPSILON * abs(x[0])) * INFLATION


def enclose_near_line(x: Vector, slope: float, least: float, most: float) -> Vector:
    """Return slope · x plus a number between two bounds, each wrong by at most 8 EPSILON of the larger."""
    middle, part = 0.5 * (least + most), slope * x[0]
    spread = abs(slope) * x[2] + 0.5 * (most - least) + 10.0 * EPSILON * (abs(least) + abs(most))
    a, b = part + middle, slope * x[1]
    return bound_size(a, b, (spread + 2.0 * EPSILON * (abs(part) + abs(b))) * INFLATION + UNDERFLOW)


def inverse(x: Vector) -> Vector:
    """Return 1/x: 1/x + κ x is at least 2 √κ, and largest at an end of the interval."""
    low, high = lower_bound(x), upper_bound(x)
    if low <= 0.0 and high >= 0.0:
        return 0.0, 0.0, UNBOUNDED
    if high < 0.0:
        return negate(invert_positive(negate(x), -high, -low))
    return invert_positive(x, low, high)


def invert_positive(x: Vector, low: float, high: float) -> Vector:
    if low * high < UNDERFLOW:
        return 0.0, 0.0, UNBOUNDED
    steep = 1.0 / (low * high)
    most = max(1.0 / low + steep * low, 1.0 / high + steep * high)
    return enclose_near_line(x, -steep, 2.0 * math.sqrt(steep), most)


def square_root(x: Vector) -> Vector:
    """Return √x: with the chord's slope κ, √x − κ x is least at an end, and at most 1/(4 κ)."""
    low, high = max(lower_bound(x), 0.0), upper_bound(x)
    if high <= UNDERFLOW:
        return 0.0, 0.0, math.sqrt(UNDERFLOW) * INFLATION
    if low <= 0.0:
        half = 0.5 * math.sqrt(high)
        return half, 0.0, half * INFLATION
    slope = 1.0 / (math.sqrt(low) + math.sqrt(high))
    least = min(math.sqrt(low) - slope * low, math.sqrt(high) - slope * high)
    return enclose_near_line(x, slope, least, 0.25 / slope)


def absolute(x: Vector) -> Vector:
    low, high = lower_bound(x), upper_bound(x)
    if low >= 0.0:
        return x
    if high <= 0.0:
        return negate(x)
    half = 0.5 * max(-low, high)
    return half, 0.0, half * INFLATION


MAX_DEPTH = 64  # of the bisection: more than a double has bits
MIN_WIDTH = 1e-7  # width of an undecided slice, rad, at which the search gives up


def exclude_slices(
    low: float,
    high: float,
    sign: float,
    steps: Integers,
    X: Array,
    angle_rows: Integers,
    radicand_rows: Integers,
    limit_rows: Array,
    budget: int,
) -> tuple[int, bool]:
    """Bisect slices until none has a solution within the limits; return their number, and whether this succeeded."""
    # The locked joint is between low and high, rad; the program (`slices.StraightLineProgram`) has the angle times
    # `sign`; `limit_rows` (6, 3) has cos m, sin m and cos h for the limits m ± h of each other angle.
    begins, ends = np.empty(MAX_DEPTH), np.empty(MAX_DEPTH)
    begins[0], ends[0] = low, high
    left, used = 1, 0
    while left > 0:
        if used >= budget:
            return used, False
        begin, end = begins[left - 1], ends[left - 1]
        left, used = left - 1, used + 1
        write_locked_angle(begin, end, sign, X)
        run_program(steps, X)
        if not all_excluded(X, angle_rows, radicand_rows, limit_rows):
            if left + 2 > MAX_DEPTH or end - begin < MIN_WIDTH:
                return used, False
            middle = 0.5 * (begin + end)
            begins[left], ends[left] = middle, end
            begins[left + 1], ends[left + 1] = begin, middle
            left += 2
    return used, True


def write_locked_angle(begin: float, end: float, sign: float, X: Array) -> None:
    """Write cosine and sine of the locked joint: cos h ε is 1 − h²/4 ± h²/4, and sin h ε is h ε ± h³/6."""
    middle = 0.5 * (begin + end)
    h = max(end - middle, middle - begin) * (1.0 + 4.0 * EPSILON)
    s, c = sine_cosine_bounded(sign * middle)
    part, third, rounded = 0.25 * h * h, h * h * h / 6.0, (SINE_COSINE_ERROR + 8.0 * EPSILON) * (1.0 + h) * (1.0 + h)
    X[0, 0], X[0, 1], X[0, 2] = c * (1.0 - part), -sign * s * h, abs(c) * part + abs(s) * third + rounded
    X[1, 0], X[1, 1], X[1, 2] = s * (1.0 - part), sign * c * h, abs(s) * part + abs(c) * third + rounded


def all_excluded(X: Array, angle_rows: Integers, radicand_rows: Integers, limit_rows: Array) -> bool:
    """Return whether each solution does not exist or has a joint outside its limits."""
    # A joint θ is outside the limits m ± h if cos(θ − m) < cos h.
    for i in range(angle_rows.shape[0]):
        outside = False
        for k in range(radicand_rows.shape[1]):
            outside = outside or upper_bound(read_row(X, radicand_rows[i, k])) < 0.0
        for j in range(6):
            along = multiply(read_row(X, angle_rows[i, 2 * j]), (limit_rows[j, 0], 0.0, EPSILON))
            across = multiply(read_row(X, angle_rows[i, 2 * j + 1]), (limit_rows[j, 1], 0.0, EPSILON))
            outside = outside or upper_bound(add(along, across)) < limit_rows[j, 2]
        if not outside:
            return False
    return True
