"""Rules that all arms share: finite, converged, within reach; trace and report."""

from __future__ import annotations

import math

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.layout import (
    ITERATIONS,
    JOINTS,
    MASK,
    ORIENTATION,
    ORIENTATION_ERROR,
    POSITION,
    POSITION_ERROR,
    ROOT_WEIGHT,
    STALL,
    STATUS,
)


def half_square(e: Array) -> float:
    """Return E = ½ eᵀe."""
    total = 0.0
    for row in range(6):
        total += e[row] * e[row]
    return 0.5 * total


def is_finite(A: Array, e: Array) -> bool:
    """Return whether all entries of the model, and their squares, are finite."""
    a, b, c, total = 0.0, 0.0, 0.0, half_square(e)
    for i in range(A.shape[1]):  # three sums, of which none waits for the other
        a += A[0, i] * A[0, i] + A[3, i] * A[3, i]
        b += A[1, i] * A[1, i] + A[4, i] * A[4, i]
        c += A[2, i] * A[2, i] + A[5, i] * A[5, i]
    return math.isfinite(total + a + b + c)


def add_step(q: Array, step: Array, ahead: Array) -> bool:
    """Compute q + step; return whether the step is too small to matter."""
    longest, size = 0.0, 1.0
    for i in range(q.shape[0]):
        ahead[i] = q[i] + step[i]
        longest = max(longest, abs(step[i]))
        size = max(size, abs(q[i]))
    return longest <= STALL * size


def has_finite_sum(q: Array) -> bool:
    """Return whether all entries are finite."""
    total = 0.0
    for i in range(q.shape[0]):
        total += q[i]
    return math.isfinite(total)


def is_converged(V: Array, settings: Array) -> bool:
    """Return whether |ω| and |v|, of the components with a weight above zero, are within their tolerances."""
    angle, distance = 0.0, 0.0
    for row in range(3):
        angle += settings[MASK + row] * V[row] * V[row]
        distance += settings[MASK + row + 3] * V[row + 3] * V[row + 3]
    return bool((angle <= settings[ORIENTATION] ** 2) & (distance <= settings[POSITION] ** 2))


def weighted_error(V: Array, settings: Array) -> float:
    """Return ½ VᵀWV of a body twist."""
    total = 0.0
    for row in range(6):
        total += (settings[ROOT_WEIGHT + row] * V[row]) ** 2
    return 0.5 * total


def is_within_reach(targets: Array, top: int, numbers: Array, at: int, tolerance: float) -> bool:
    """Return whether a target, the rows from `top`, lies in the ball (radius, center) that an array has at a place."""
    x, y, z = targets[top, 3], targets[top + 1, 3], targets[top + 2, 3]
    x, y, z = x - numbers[at + 1], y - numbers[at + 2], z - numbers[at + 3]
    return bool(math.sqrt(x * x + y * y + z * z) <= numbers[at] + tolerance)


def record_iterate(trace: Array, row: int, q: Array, V: Array, damping: float, accepted: bool) -> None:
    """Write one row of the trace."""
    n = q.shape[0]
    for i in range(n):
        trace[row, i] = q[i]
    for i in range(6):
        trace[row, n + i] = V[i]
    trace[row, n + 6] = damping
    trace[row, n + 7] = 1.0 if accepted else 0.0


def write_report(report: Array, status: int, iterations: int, q: Array, start: Array, V: Array) -> None:
    """Write a report except its number of restarts."""
    report[STATUS], report[ITERATIONS] = status, iterations
    report[ORIENTATION_ERROR] = math.sqrt(V[0] * V[0] + V[1] * V[1] + V[2] * V[2])
    report[POSITION_ERROR] = math.sqrt(V[3] * V[3] + V[4] * V[4] + V[5] * V[5])
    n = q.shape[0]
    for i in range(n):
        report[JOINTS + i] = q[i]
        report[JOINTS + n + i] = start[i]


def distance_between(first: Array, second: Array) -> float:
    """Return |first - second|."""
    total = 0.0
    for i in range(first.shape[0]):
        total += (first[i] - second[i]) ** 2
    return math.sqrt(total)


def longest_move(first: Array, second: Array) -> float:
    """Return the largest |first - second| of a joint."""
    longest = 0.0
    for i in range(first.shape[0]):
        longest = max(longest, abs(first[i] - second[i]))
    return longest


def copy(source: Array, into: Array) -> None:
    """Copy one vector into another."""
    for i in range(source.shape[0]):
        into[i] = source[i]


def fill(vector: Array, value: float) -> None:
    """Set all entries to a value."""
    for i in range(vector.shape[0]):
        vector[i] = value
