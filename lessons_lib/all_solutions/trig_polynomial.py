"""Zeros of a trigonometric polynomial a₀ + Σ aₖ cos kθ + bₖ sin kθ with coefficients a₀, a₁, b₁, a₂, b₂ and so on."""
# `find_zeros` may miss a close pair. `count_simple_zeros` proves their number by arcs of the circle on each of which
# the value or the slope cannot be zero.

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.all_solutions.closed_form import REVOLUTION
from lessons_lib.arrays import Array
from lessons_lib.certificates.error_bounds import INFLATION, U

if TYPE_CHECKING:
    from lessons_lib.certificates.angle_code import SINE_COSINE_ERROR, sine_cosine_bounded

LARGEST_ARC = 0.2  # half width, rad
UNKNOWN = -1  # not a number of zeros, and not an index
NEAR = 0.05  # distance from the circle of a complex zero that is a candidate as well
MAX_BISECTIONS = 8  # of a cell in which the function may have several extrema
STEPS, CONVERGED = 60, 4e-16  # largest number of steps to a zero; last step, as a fraction of a revolution


def write_coefficients(values: Array, samples: Array, fourier: Array) -> float:
    """Write the Fourier coefficients of a function sampled at equal angles; return the largest one."""
    count, largest = fourier.shape[0], 0.0
    for k in range(count):
        fourier[k] = 0.0
    for i in range(count):
        for k in range(count):
            fourier[k] += samples[i, k] * values[i]
    for k in range(count):
        fourier[k] *= (2.0 if k > 0 else 1.0) / count
        largest = max(largest, abs(fourier[k]))
    return largest


def write_derivative(fourier: Array, slope: Array) -> None:
    slope[0] = 0.0
    for k in range(1, fourier.shape[0] // 2 + 1):
        slope[2 * k - 1], slope[2 * k] = k * fourier[2 * k], -k * fourier[2 * k - 1]


def evaluate_with_derivative(fourier: Array, angle: float) -> tuple[float, float]:
    c, s = math.cos(angle), math.sin(angle)
    x, y, value, slope = 1.0, 0.0, fourier[0], 0.0
    for k in range(1, fourier.shape[0] // 2 + 1):
        x, y = x * c - y * s, x * s + y * c
        a, b = fourier[2 * k - 1], fourier[2 * k]
        value += a * x + b * y
        slope += k * (b * x - a * y)
    return value, slope


def find_zero_between(fourier: Array, low: float, high: float, rises: bool) -> float:
    """Return the zero between two angles of different sign, by Newton's method with bisection."""
    x = 0.5 * (low + high)
    for _ in range(STEPS):
        value, slope = evaluate_with_derivative(fourier, x)
        if (value < 0.0) == rises:
            low = x
        else:
            high = x
        after = x - value / slope if slope != 0.0 else low
        if not low < after < high:
            after = 0.5 * (low + high)
        if abs(after - x) <= CONVERGED * REVOLUTION:
            return after
        x = after
    return x


def is_resolved(below: float, fall: float, above: float, rise: float) -> bool:
    """Return whether signs and slopes at its ends show all zeros and extrema of a cell."""
    # Near a triple zero the slope at one end is three times the chord; a monotonic function has less. Around an
    # extremum the function is close to a parabola, whose chord is the mean of both slopes. Slopes are times the width.
    chord = above - below
    if (below < 0.0) == (above < 0.0) and (fall < 0.0) != (rise < 0.0):
        is_hill = (fall < 0.0) == (below < 0.0)  # the extremum is away from zero
        return is_hill or abs(chord - 0.5 * (fall + rise)) <= 0.2 * (abs(fall) + abs(rise))
    return min(fall * chord, rise * chord) >= 0.0 and max(abs(fall), abs(rise)) <= 2.2 * abs(chord)


def find_zeros(fourier: Array, slope: Array, samples: Array, angles: Array) -> int:
    """Write the angles of the zeros, close pairs included; return their number."""
    count, first, sample_count = 0, fourier.shape[0], samples.shape[0] - fourier.shape[0]
    narrow = 1.5 * REVOLUTION / sample_count / 2**MAX_BISECTIONS
    ends, cells = np.empty((sample_count, 2)), np.empty((MAX_BISECTIONS + 1, 6))
    for i in range(sample_count):
        value, steep = 0.0, 0.0
        for k in range(fourier.shape[0]):
            value += samples[first + i, k] * fourier[k]
            steep += samples[first + i, k] * slope[k]
        ends[i, 0], ends[i, 1] = value, steep
    for i in range(sample_count):
        j, depth = (i + 1 if i + 1 < sample_count else 0), 0
        cells[0, 0], cells[0, 1], cells[0, 2] = REVOLUTION * i / sample_count, ends[i, 0], ends[i, 1]
        cells[0, 3], cells[0, 4], cells[0, 5] = REVOLUTION * (i + 1) / sample_count, ends[j, 0], ends[j, 1]
        while depth >= 0:
            cell = cells[depth]
            low, high, width = cell[0], cell[3], cell[3] - cell[0]
            if width > narrow and not is_resolved(cell[1], cell[2] * width, cell[4], cell[5] * width):
                middle = 0.5 * (low + high)
                value, steep = evaluate_with_derivative(fourier, middle)
                for k in range(3):
                    cells[depth + 1, k] = cells[depth, k]
                cells[depth, 0], cells[depth, 1], cells[depth, 2] = middle, value, steep
                depth += 1
                cells[depth, 3], cells[depth, 4], cells[depth, 5] = middle, value, steep
            else:
                count = find_zeros_in_cell(fourier, slope, cells[depth], angles, count)
                depth -= 1
    return count


def find_zeros_in_cell(fourier: Array, slope: Array, cell: Array, angles: Array, count: int) -> int:
    """Add the zeros of a cell, by values and slopes at its ends; return the new number of zeros."""
    low, high, bound = cell[0], cell[3], angles.shape[0] - count
    below = cell[1] < 0.0
    if below != (cell[4] < 0.0):
        if bound > 0:
            angles[count] = find_zero_between(fourier, low, high, below)
            return count + 1
    elif (cell[2] > 0.0) == below and (cell[5] > 0.0) != below and bound > 1:
        extremum = find_zero_between(slope, low, high, not below)
        value = evaluate_with_derivative(fourier, extremum)[0]
        if (value < 0.0) != below:
            angles[count] = find_zero_between(fourier, low, extremum, below)
            angles[count + 1] = find_zero_between(fourier, extremum, high, not below)
            return count + 2
        if abs(value) <= 0.5 * NEAR * NEAR * abs(evaluate_with_derivative(slope, extremum)[1]):
            angles[count] = extremum
            return count + 1
    return count


def count_simple_zeros(fourier: Array, error: float, max_arcs: int) -> int:
    """Return the number of zeros if all are simple, or UNKNOWN."""
    # `error` bounds the error of each Fourier coefficient.
    degree, sizes, errors = fourier.shape[0] // 2, np.zeros(4), np.zeros(3)
    for k in range(degree + 1):
        size = abs(fourier[0]) + error if k == 0 else abs(fourier[2 * k - 1]) + abs(fourier[2 * k]) + 2.0 * error
        by = 1.0
        for n in range(4):
            sizes[n] += by * size * INFLATION
            if n < 3:
                rounded = (k * (2.0 * SINE_COSINE_ERROR + 4.0 * U) + 32.0 * U) * size
                errors[n] += by * ((2.0 if k > 0 else 1.0) * error + rounded) * INFLATION
            by *= k
    x, half, first, last, count = 0.0, 0.05, 0.0, 0.0, 0
    for _ in range(max_arcs):
        if x >= REVOLUTION + 1e-15:
            return UNKNOWN if last == 0.0 else count + (1 if first != last else 0)
        c, s = sine_cosine_bounded(x + half)[1], sine_cosine_bounded(x + half)[0]
        u, v, f, slope, bend = 1.0, 0.0, fourier[0], 0.0, 0.0
        for k in range(1, degree + 1):
            u, v = u * c - v * s, u * s + v * c
            a, b = fourier[2 * k - 1], fourier[2 * k]
            f += a * u + b * v
            slope += k * (b * u - a * v)
            bend -= k * k * (a * u + b * v)
        radius = half * INFLATION + 4e-15
        bound = errors[0] + radius * (abs(slope) + errors[1] + 0.5 * radius * sizes[2])
        most_slope = errors[1] + radius * (abs(bend) + errors[2] + 0.5 * radius * sizes[3])
        if abs(f) > bound * INFLATION:
            sign = 1.0 if f > 0.0 else -1.0
            if last == 0.0:
                first = sign
            elif sign != last:
                count += 1
            last = sign
        elif not abs(slope) > most_slope * INFLATION:
            half *= 0.5
            continue
        x += 2.0 * half
        half = min(2.0 * half, LARGEST_ARC)
    return UNKNOWN
