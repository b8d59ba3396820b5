"""Zeros of a trigonometric polynomial a₀ + Σ aₖ cos kθ + bₖ sin kθ with coefficients a₀, a₁, b₁, a₂, b₂ and so on.

`write_zeros` searches for them and may miss a close pair. `count_simple_zeros` proves their number: it cuts the circle
into arcs on each of which the value or the slope cannot be zero.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.all_solutions.closed_form import TURN
from lessons_lib.arrays import Array
from lessons_lib.certificates.error_bounds import INFLATION, U

if TYPE_CHECKING:
    from lessons_lib.certificates.angle_code import ANGLES, sine_cosine_bounded

LARGEST_ARC = 0.2  # largest half width of an arc, rad
UNKNOWN = -1  # not a number of zeros, and not an index
NEAR = 0.05  # distance from the circle of a complex zero that becomes a candidate as well
HALVED = 8  # largest number of bisections of a cell in which the function may turn more than once
STEPS, SETTLED = 60, 4e-16  # largest number of steps to a zero; fraction of a revolution at which they end


def write_coefficients(values: Array, around: Array, fourier: Array) -> float:
    """Write the Fourier coefficients of a function sampled at equal angles; return the largest one."""
    count, largest = fourier.shape[0], 0.0
    for k in range(count):
        fourier[k] = 0.0
    for i in range(count):
        for k in range(count):
            fourier[k] += around[i, k] * values[i]
    for k in range(count):
        fourier[k] *= (2.0 if k > 0 else 1.0) / count
        largest = max(largest, abs(fourier[k]))
    return largest


def write_derivative(fourier: Array, slope: Array) -> None:
    """Write the Fourier coefficients of the derivative."""
    slope[0] = 0.0
    for k in range(1, fourier.shape[0] // 2 + 1):
        slope[2 * k - 1], slope[2 * k] = k * fourier[2 * k], -k * fourier[2 * k - 1]


def evaluate_with_derivative(fourier: Array, angle: float) -> tuple[float, float]:
    """Return value and derivative at an angle."""
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
        if abs(after - x) <= SETTLED * TURN:
            return after
        x = after
    return x


def is_resolved(below: float, fall: float, above: float, rise: float) -> bool:
    """Return whether a function has no more turns in a cell than its signs and slopes show."""
    # Beside a triple zero the slope at one end is three times the chord; a monotonic function has less. About an
    # extremum the function is taken for a parabola, whose chord is the mean of both slopes. Slopes are times the cell's
    # width.
    chord = above - below
    if (below < 0.0) == (above < 0.0) and (fall < 0.0) != (rise < 0.0):
        is_hill = (fall < 0.0) == (below < 0.0)  # it turns away from zero
        return is_hill or abs(chord - 0.5 * (fall + rise)) <= 0.2 * (abs(fall) + abs(rise))
    return min(fall * chord, rise * chord) >= 0.0 and max(abs(fall), abs(rise)) <= 2.2 * abs(chord)


def find_zeros(fourier: Array, slope: Array, around: Array, angles: Array) -> int:
    """Write the zeros, a close pair included, as angles; return how many."""
    count, first, places = 0, fourier.shape[0], around.shape[0] - fourier.shape[0]
    narrow = 1.5 * TURN / places / 2**HALVED
    seen, cells = np.empty((places, 2)), np.empty((HALVED + 1, 6))
    for i in range(places):
        value, steep = 0.0, 0.0
        for k in range(fourier.shape[0]):
            value += around[first + i, k] * fourier[k]
            steep += around[first + i, k] * slope[k]
        seen[i, 0], seen[i, 1] = value, steep
    for i in range(places):
        j, deep = (i + 1 if i + 1 < places else 0), 0
        cells[0, 0], cells[0, 1], cells[0, 2] = TURN * i / places, seen[i, 0], seen[i, 1]
        cells[0, 3], cells[0, 4], cells[0, 5] = TURN * (i + 1) / places, seen[j, 0], seen[j, 1]
        while deep >= 0:
            cell = cells[deep]
            low, high, width = cell[0], cell[3], cell[3] - cell[0]
            if width > narrow and not is_resolved(cell[1], cell[2] * width, cell[4], cell[5] * width):
                middle = 0.5 * (low + high)
                value, steep = evaluate_with_derivative(fourier, middle)
                for k in range(3):
                    cells[deep + 1, k] = cells[deep, k]
                cells[deep, 0], cells[deep, 1], cells[deep, 2] = middle, value, steep
                deep += 1
                cells[deep, 3], cells[deep, 4], cells[deep, 5] = middle, value, steep
            else:
                count = find_zeros_in_cell(fourier, slope, cells[deep], angles, count)
                deep -= 1
    return count


def find_zeros_in_cell(fourier: Array, slope: Array, cell: Array, angles: Array, count: int) -> int:
    """Add the zeros in a cell, given with values and slopes; return how many there are then."""
    low, high, most = cell[0], cell[3], angles.shape[0] - count
    below = cell[1] < 0.0
    if below != (cell[4] < 0.0):
        if most > 0:
            angles[count] = find_zero_between(fourier, low, high, below)
            return count + 1
    elif (cell[2] > 0.0) == below and (cell[5] > 0.0) != below and most > 1:
        turn = find_zero_between(slope, low, high, not below)
        value = evaluate_with_derivative(fourier, turn)[0]
        if (value < 0.0) != below:
            angles[count] = find_zero_between(fourier, low, turn, below)
            angles[count + 1] = find_zero_between(fourier, turn, high, not below)
            return count + 2
        if abs(value) <= 0.5 * NEAR * NEAR * abs(evaluate_with_derivative(slope, turn)[1]):
            angles[count] = turn
            return count + 1
    return count


def count_simple_zeros(fourier: Array, error: float, looks: int) -> int:
    """Return the number of zeros, all of them simple, or UNKNOWN."""
    # `error` bounds the error of each Fourier coefficient, `looks` the number of arcs.
    degree, sizes, errors = fourier.shape[0] // 2, np.zeros(4), np.zeros(3)
    for k in range(degree + 1):
        size = abs(fourier[0]) + error if k == 0 else abs(fourier[2 * k - 1]) + abs(fourier[2 * k]) + 2.0 * error
        by = 1.0
        for n in range(4):
            sizes[n] += by * size * INFLATION
            if n < 3:
                rounded = (k * (2.0 * ANGLES + 4.0 * U) + 32.0 * U) * size
                errors[n] += by * ((2.0 if k > 0 else 1.0) * error + rounded) * INFLATION
            by *= k
    x, half, first, last, count = 0.0, 0.05, 0.0, 0.0, 0
    for _ in range(looks):
        if x >= TURN + 1e-15:
            return UNKNOWN if last == 0.0 else count + (1 if first != last else 0)
        c, s = sine_cosine_bounded(x + half)[1], sine_cosine_bounded(x + half)[0]
        u, v, f, slope, bend = 1.0, 0.0, fourier[0], 0.0, 0.0
        for k in range(1, degree + 1):
            u, v = u * c - v * s, u * s + v * c
            a, b = fourier[2 * k - 1], fourier[2 * k]
            f += a * u + b * v
            slope += k * (b * u - a * v)
            bend -= k * k * (a * u + b * v)
        room = half * INFLATION + 4e-15
        most = errors[0] + room * (abs(slope) + errors[1] + 0.5 * room * sizes[2])
        most_slope = errors[1] + room * (abs(bend) + errors[2] + 0.5 * room * sizes[3])
        if abs(f) > most * INFLATION:
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
