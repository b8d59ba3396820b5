"""The least of ½ xᵀHx + cᵀx in a box and on rows, by the dual method of Goldfarb and Idnani.

It starts from the least on the equalities alone. A bound that is broken joins those that are held, and one whose
multiplier would turn negative on the way is let go; each time a linear system says where to go. A page of the book runs
the same text, printed as JavaScript.

Source: Goldfarb and Idnani, A numerically stable dual method for solving strictly convex quadratic programs (1983).
"""

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.plain_files import compiled

BROKEN = 1e-12
"""A bound that is missed by less, beside it and its terms, is missed by rounding."""

DEPENDENT = 1e-11
"""Squared part of a bound's normal, in the measure of H: with less of its own it follows from those that are held."""

ZERO = 1e-14
"""A pivot below this part of the largest entry is rounding."""

MOST = 40
"""Changes of what is held, for each bound and coordinate: usually there are fewer than coordinates."""

ENDLESS = 1e300
"""Longer than any way: nothing stops it."""


@compiled
def eliminate(work: Array, size: int, pivoting: bool) -> bool:
    """Write the last column of a symmetric system, its right side, as the solution; return whether it has one.

    A system without rows is definite: it needs no pivots, and half of it says all.
    """
    largest = 0.0
    for a in range(size):
        for b in range(a, size):
            largest = max(largest, abs(work[a, b]))
    for k in range(size):
        if pivoting:
            pivot = k
            for a in range(k + 1, size):
                if abs(work[a, k]) > abs(work[pivot, k]):
                    pivot = a
            for b in range(k, size + 1):
                work[k, b], work[pivot, b] = work[pivot, b], work[k, b]
        if not abs(work[k, k]) > ZERO * largest:
            return False
        for a in range(k + 1, size):
            part = (work[a, k] if pivoting else work[k, a]) / work[k, k]
            if part != 0.0:
                for b in range(k + 1 if pivoting else a, size + 1):
                    work[a, b] -= part * work[k, b]
    for j in range(size):
        a = size - 1 - j
        for b in range(a + 1, size):
            work[a, size] -= work[a, b] * work[b, size]
        work[a, size] /= work[a, a]
    return True


@compiled
def solve_on_held(
    H: Array,
    rows: Array,
    soft: float,
    held: Integers,
    right: Array,
    values: Array,
    work: Array,
    x: Array,
    multipliers: Array,
) -> bool:
    """Write x and the multipliers y of what is held, H x + Nᵀy = right, N x = values; return whether there is one x.

    For rows it is N x − soft y = values.

    Args:
        H: Shape (n, n).
        rows: Normals beside those of the box, shape (m, n).
        soft: By how much a row may be missed, for each unit of its multiplier.
        held: 1 or −1 for a coordinate that is at its upper or lower bound, then 1 for a row that is held; else 0.
        right: Shape (n,).
        values: Of the coordinates and of the rows that are held, shape (n + m,).
        work: Shape (n + m, n + m + 1), overwritten.
        x: Where the coordinates are written.
        multipliers: Where those of coordinates and rows are written, shape (n + m,); zero for what is not held.
    """
    n, m, size = H.shape[0], rows.shape[0], 0
    places = np.empty(n + m, dtype=np.int64)  # of the unknowns: free coordinates, then multipliers of rows
    for i in range(n):
        x[i] = values[i] if held[i] != 0 else 0.0
        if held[i] == 0:
            places[size] = i
            size += 1
    free = size
    for k in range(m):
        if held[n + k] != 0:
            places[size] = k
            size += 1
    for a in range(size):
        p = places[a]
        rest = right[p] if a < free else values[n + p]
        for i in range(n):
            if held[i] != 0:
                rest -= (H[p, i] if a < free else rows[p, i]) * x[i]
        work[a, size] = rest
        for b in range(size):
            o = places[b]
            if a < free:
                work[a, b] = H[p, o] if b < free else rows[o, p]
            else:
                work[a, b] = rows[p, o] if b < free else 0.0
        if a >= free:
            work[a, a] = -soft
    if not eliminate(work, size, size > free):
        return False
    for i in range(n + m):
        multipliers[i] = 0.0
    for a in range(size):
        if a < free:
            x[places[a]] = work[a, size]
        else:
            multipliers[n + places[a]] = work[a, size]
    for i in range(n):
        if held[i] != 0:
            slope = right[i]
            for j in range(n):
                slope -= H[i, j] * x[j]
            for k in range(m):
                slope -= rows[k, i] * multipliers[n + k]
            multipliers[i] = slope * held[i]
    return True


@compiled
def least_on_held(
    H: Array,
    c: Array,
    lower: Array,
    upper: Array,
    rows: Array,
    soft: float,
    held: Integers,
    right: Array,
    values: Array,
    work: Array,
    x: Array,
    multipliers: Array,
) -> bool:
    """Write the least x on what is held, and its multipliers; see `solve_on_held`."""
    for i in range(held.shape[0]):
        values[i] = lower[i] if held[i] < 0 else upper[i]
    for i in range(c.shape[0]):
        right[i] = -c[i]
    return solve_on_held(H, rows, soft, held, right, values, work, x, multipliers)


@compiled
def most_broken(x: Array, lower: Array, upper: Array, rows: Array, inequalities: int, held: Integers) -> int:
    """Return which bound is missed most: 1 + i for the upper one of coordinate or row i, −1 − i for a lower one, or 0.

    Rows come behind the coordinates.
    """
    n, worst, most = x.shape[0], 0, 0.0
    for i in range(n + inequalities):
        if held[i] == 0:
            value, size = 0.0, 0.0
            if i < n:
                value = x[i]
                size = abs(value)
            else:
                for j in range(n):
                    term = rows[i - n, j] * x[j]
                    value += term
                    size += abs(term)
            over = value - upper[i] - BROKEN * (size + abs(upper[i]))
            if over > most:
                worst, most = 1 + i, over
            if i < n:
                under = lower[i] - value - BROKEN * (size + abs(lower[i]))
                if under > most:
                    worst, most = -1 - i, under
    return worst


@compiled
def least_step(
    H: Array,
    c: Array,
    lower: Array,
    upper: Array,
    rows: Array,
    equalities: int,
    soft: float,
    x: Array,
    multipliers: Array,
) -> bool:
    """Write the least x and its multipliers; return whether there is one, and one alone.

    Where rows are soft, what they are missed by costs, too: ½ r²/soft for each.

    Args:
        H: Of the objective, positive definite, shape (n, n).
        c: Of the objective, shape (n,).
        lower: Of the box, shape (n,), −∞ for none.
        upper: Of the box, ∞ for none, and behind it what each row may be at most, shape (n + m,).
        rows: Shape (m, n); the last ones are equalities.
        equalities: How many of them.
        soft: Zero where the rows must be met.
        x: Where the answer is written, shape (n,).
        multipliers: Of the box, above zero at an upper bound and below it at a lower one, then of the rows; shape
            (n + m,).
    """
    n, m = c.shape[0], rows.shape[0]
    held, values = np.zeros(n + m, dtype=np.int64), np.empty(n + m)
    rates, way, right, work = np.empty(n + m), np.empty(n), np.empty(n), np.empty((n + m, n + m + 1))
    size = 0.0
    for i in range(n):
        size += H[i, i]
    for k in range(m - equalities, m):
        held[n + k] = 1
    if not least_on_held(H, c, lower, upper, rows, soft, held, right, values, work, x, multipliers):
        return False
    likely = equalities == 0  # to be held in the end: bounds that this x breaks, but for those with a wrong sign
    for i in range(n):
        if likely and not lower[i] <= x[i] <= upper[i]:
            held[i] = 1 if x[i] > upper[i] else -1
    while likely:
        if not least_on_held(H, c, lower, upper, rows, soft, held, right, values, work, x, multipliers):
            return False
        likely = False
        for i in range(n):
            if held[i] != 0 and multipliers[i] < 0.0:
                held[i], likely = 0, True
    fresh = True  # x was not come to by many ways, whose rounding adds up
    for _ in range(MOST * (n + m) + 1):
        broken = most_broken(x, lower, upper, rows, m - equalities, held)
        if broken == 0 and fresh:
            for i in range(n):
                multipliers[i] *= held[i]
            return True
        if broken == 0:
            if not least_on_held(H, c, lower, upper, rows, soft, held, right, values, work, x, multipliers):
                return False
            fresh = True
            continue
        side, which = (1 if broken > 0 else -1), abs(broken) - 1
        own, arrived, fresh = 0.0, False, False
        while not arrived:
            for i in range(n):
                right[i] = -rows[which - n, i] if which >= n else 0.0
            if which < n:
                right[which] = -1.0 * side
            for i in range(n + m):
                values[i] = 0.0
            if not solve_on_held(H, rows, soft, held, right, values, work, way, rates):
                return False
            slope, excess = 0.0, 0.0  # of what is missed, per unit of its multiplier
            for i in range(n):
                slope -= right[i] * way[i]
                excess -= right[i] * x[i]
            excess -= upper[which] if side > 0 else -lower[which]
            if which >= n:
                slope -= soft
                excess -= soft * own
            whole = excess / -slope if -slope * size > DEPENDENT else ENDLESS
            first, part = -1, whole
            for i in range(n + m - equalities):
                if held[i] != 0 and rates[i] < 0.0 and multipliers[i] / -rates[i] < part:
                    first, part = i, multipliers[i] / -rates[i]
            if not part < ENDLESS:
                return False
            own += part
            for i in range(n):
                x[i] += part * way[i]
            for i in range(n + m):
                multipliers[i] += part * rates[i]
            if first < 0:
                arrived = True
            else:
                held[first] = 0
                multipliers[first] = 0.0
        held[which] = side
        multipliers[which] = own
    return False
