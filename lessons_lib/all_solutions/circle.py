"""Where a function of an angle, a sum of waves, is zero: real zeros, and real parts of zeros beside the circle.

The waves are a₀ + Σ aₖ cos kθ + bₖ sin kθ, given as a₀, a₁, b₁, a₂, b₂, … `write_zeros` looks for the zeros, and may
overlook two that are close. `simple_zeros` counts them with proof, or says that it cannot: it cuts the circle into arcs
of which each has a value that cannot be zero, or a slope that cannot.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.all_solutions.every import TURN
from lessons_lib.arrays import Array
from lessons_lib.certificates.residual import WIDER, U

if TYPE_CHECKING:
    from lessons_lib.certificates.angle_code import ANGLES, sine_cosine_near

LARGEST_ARC = 0.2
"""Half of one, rad."""

UNKNOWN = -1
"""No number of zeros; no place among some answers."""

NEAR = 0.05
"""How far from the circle a zero may be, of which Newton's method decides whether it is an answer."""

HALVED = 8
"""How often a cell between two places is halved at most, where a function turns in it more often than it seems."""

STEPS, SETTLED = 60, 4e-16
"""Steps of a search for a zero, at most; the part of a turn at which it ends."""


def write_waves(values: Array, around: Array, waves: Array) -> float:
    """Write the waves of a function that is known at as many angles; return the size of the largest.

    Args:
        values: The function at these angles, which part the circle into equal parts.
        around: Of each of them, a row of 1, cos θ, sin θ, cos 2θ, …; more may follow.
        waves: For the waves.
    """
    count, largest = waves.shape[0], 0.0
    for k in range(count):
        waves[k] = 0.0
    for i in range(count):
        for k in range(count):
            waves[k] += around[i, k] * values[i]
    for k in range(count):
        waves[k] *= (2.0 if k > 0 else 1.0) / count
        largest = max(largest, abs(waves[k]))
    return largest


def write_slope(waves: Array, slope: Array) -> None:
    """Write the waves of the derivative."""
    slope[0] = 0.0
    for k in range(1, waves.shape[0] // 2 + 1):
        slope[2 * k - 1], slope[2 * k] = k * waves[2 * k], -k * waves[2 * k - 1]


def value_and_slope(waves: Array, angle: float) -> tuple[float, float]:
    """Return what a function of an angle is there, and its derivative."""
    c, s = math.cos(angle), math.sin(angle)
    x, y, value, slope = 1.0, 0.0, waves[0], 0.0
    for k in range(1, waves.shape[0] // 2 + 1):
        x, y = x * c - y * s, x * s + y * c
        a, b = waves[2 * k - 1], waves[2 * k]
        value += a * x + b * y
        slope += k * (b * x - a * y)
    return value, slope


def zero_between(waves: Array, low: float, high: float, rises: bool) -> float:
    """Return the zero of a function between two angles at which it has two signs: Newton's method, kept between."""
    x = 0.5 * (low + high)
    for _ in range(STEPS):
        value, slope = value_and_slope(waves, x)
        if (value < 0.0) == rises:
            low = x
        else:
            high = x
        after = x - value / slope if slope != 0.0 else low
        if not low < after < high:
            after = 0.5 * (low + high)
        if abs(after - x) <= SETTLED * TURN:
            return after
        x = after
    return x


def is_plain(below: float, fall: float, above: float, rise: float) -> bool:
    """Return whether a function turns no more often between two places than its signs there and those of its slope say.

    Beside a triple zero its slope at one end is three times the chord; what rises or falls all the way has less. And
    about an extremum it is taken for a parabola, whose chord is the mean of both slopes.

    Args:
        below: Value at the first place.
        fall: Slope there, times how far the places are apart.
        above: Value at the second.
        rise: Slope there.
    """
    chord = above - below
    if (below < 0.0) == (above < 0.0) and (fall < 0.0) != (rise < 0.0):
        is_hill = (fall < 0.0) == (below < 0.0)  # it turns away from zero
        return is_hill or abs(chord - 0.5 * (fall + rise)) <= 0.2 * (abs(fall) + abs(rise))
    return min(fall * chord, rise * chord) >= 0.0 and max(abs(fall), abs(rise)) <= 2.2 * abs(chord)


def write_zeros(waves: Array, slope: Array, around: Array, angles: Array) -> int:
    """Write the angles, and return how many; of two that lie closer than the places looked at, both.

    Args:
        waves: The function.
        slope: Its derivative.
        around: As in `write_waves`, with the angles behind those that are looked at.
        angles: For the angles, one for each zero of the plane.
    """
    count, first, places = 0, waves.shape[0], around.shape[0] - waves.shape[0]
    narrow = 1.5 * TURN / places / 2**HALVED
    seen, cells = np.empty((places, 2)), np.empty((HALVED + 1, 6))
    for i in range(places):
        value, steep = 0.0, 0.0
        for k in range(waves.shape[0]):
            value += around[first + i, k] * waves[k]
            steep += around[first + i, k] * slope[k]
        seen[i, 0], seen[i, 1] = value, steep
    for i in range(places):
        j, deep = (i + 1 if i + 1 < places else 0), 0
        cells[0, 0], cells[0, 1], cells[0, 2] = TURN * i / places, seen[i, 0], seen[i, 1]
        cells[0, 3], cells[0, 4], cells[0, 5] = TURN * (i + 1) / places, seen[j, 0], seen[j, 1]
        while deep >= 0:
            low, f, fall, high, g, rise = (
                cells[deep, 0],
                cells[deep, 1],
                cells[deep, 2],
                cells[deep, 3],
                cells[deep, 4],
                cells[deep, 5],
            )
            if high - low > narrow and not is_plain(f, fall * (high - low), g, rise * (high - low)):
                middle = 0.5 * (low + high)
                value, steep = value_and_slope(waves, middle)
                for k in range(3):
                    cells[deep + 1, k] = cells[deep, k]
                cells[deep, 0], cells[deep, 1], cells[deep, 2] = middle, value, steep
                deep += 1
                cells[deep, 3], cells[deep, 4], cells[deep, 5] = middle, value, steep
            else:
                count = write_zeros_between(waves, slope, cells[deep], angles, count)
                deep -= 1
    return count


def write_zeros_between(waves: Array, slope: Array, cell: Array, angles: Array, count: int) -> int:
    """Add the zeros between two places, given with value and slope, and return how many there are then."""
    low, high, most = cell[0], cell[3], angles.shape[0] - count
    below = cell[1] < 0.0
    if below != (cell[4] < 0.0):
        if most > 0:
            angles[count] = zero_between(waves, low, high, below)
            return count + 1
    elif (cell[2] > 0.0) == below and (cell[5] > 0.0) != below and most > 1:
        turn = zero_between(slope, low, high, not below)
        value = value_and_slope(waves, turn)[0]
        if (value < 0.0) != below:
            angles[count] = zero_between(waves, low, turn, below)
            angles[count + 1] = zero_between(waves, turn, high, not below)
            return count + 2
        if abs(value) <= 0.5 * NEAR * NEAR * abs(value_and_slope(slope, turn)[1]):
            angles[count] = turn
            return count + 1
    return count


def simple_zeros(waves: Array, error: float, looks: int) -> int:
    """Return how many zeros a sum of waves has, all of them simple, or UNKNOWN.

    Args:
        waves: The function.
        error: By how much each may be off.
        looks: Arcs that are tried, at most.
    """
    degree, sizes, errors = waves.shape[0] // 2, np.zeros(4), np.zeros(3)
    for k in range(degree + 1):
        size = abs(waves[0]) + error if k == 0 else abs(waves[2 * k - 1]) + abs(waves[2 * k]) + 2.0 * error
        by = 1.0
        for n in range(4):
            sizes[n] += by * size * WIDER
            if n < 3:
                errors[n] += (
                    by * ((2.0 if k > 0 else 1.0) * error + (k * (2.0 * ANGLES + 4.0 * U) + 32.0 * U) * size) * WIDER
                )
            by *= k
    x, half, first, last, count = 0.0, 0.05, 0.0, 0.0, 0
    for _ in range(looks):
        if x >= TURN + 1e-15:
            return UNKNOWN if last == 0.0 else count + (1 if first != last else 0)
        c, s = sine_cosine_near(x + half)[1], sine_cosine_near(x + half)[0]
        u, v, f, slope, bend = 1.0, 0.0, waves[0], 0.0, 0.0
        for k in range(1, degree + 1):
            u, v = u * c - v * s, u * s + v * c
            a, b = waves[2 * k - 1], waves[2 * k]
            f += a * u + b * v
            slope += k * (b * u - a * v)
            bend -= k * k * (a * u + b * v)
        room = half * WIDER + 4e-15
        most = errors[0] + room * (abs(slope) + errors[1] + 0.5 * room * sizes[2])
        most_slope = errors[1] + room * (abs(bend) + errors[2] + 0.5 * room * sizes[3])
        if abs(f) > most * WIDER:
            sign = 1.0 if f > 0.0 else -1.0
            if last == 0.0:
                first = sign
            elif sign != last:
                count += 1
            last = sign
        elif not abs(slope) > most_slope * WIDER:
            half *= 0.5
            continue
        x += 2.0 * half
        half = min(2.0 * half, LARGEST_ARC)
    return UNKNOWN
