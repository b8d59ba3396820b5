"""Solve a small strictly convex quadratic program on a page: bounds on the step, and rows, some of them equalities."""
# Printed as JavaScript for the figures with least-squares tasks; `solve_ik` uses DAQP instead. Hand-written because a
# derived formula has a fixed size. Source: Goldfarb and Idnani, A numerically stable dual method for solving strictly
# convex quadratic programs (1983).

import numpy as np

from lessons_lib.arrays import Array, Integers

SINGULAR = 1e-12
"""Smaller relative violations of a bound are rounding errors."""

DEPENDENT = 1e-11
"""The relative squared part of a normal, in the H metric, below which that normal depends on the active ones."""

ZERO = 1e-14
"""The relative size below which a pivot is a rounding error."""

MOST = 40
"""The maximum number of changes of the active set per bound and coordinate; usually, one per coordinate suffices."""

ENDLESS = 1e300
"""A step length larger than any that occurs: no constraint blocks the step."""


def eliminate(work: Array, size: int, pivoting: bool) -> bool:
    """Replace the last column of a symmetric system by its solution; return whether there is one."""
    # a definite system needs no pivoting, and only its upper half is used
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


def solve_active(
    H: Array,
    rows: Array,
    active: Integers,
    right: Array,
    values: Array,
    work: Array,
    x: Array,
    multipliers: Array,
) -> bool:
    """Solve H x + Nᵀy = right, N x = values for the active normals N; return whether the solution is unique."""
    # `active` is 1 or −1 for a coordinate at its upper or lower bound, then 1 for an active row; else 0. `rows` are the
    # normals besides those of the box, (m, n). `multipliers`, (n + m,), is the output y, zero for what is not active.
    # `work` is scratch, (n + m, n + m + 1).
    n, m, size = H.shape[0], rows.shape[0], 0
    places = np.empty(n + m, dtype=np.int64)  # of the unknowns: free coordinates, then multipliers of rows
    for i in range(n):
        x[i] = values[i] if active[i] != 0 else 0.0
        if active[i] == 0:
            places[size] = i
            size += 1
    free = size
    for k in range(m):
        if active[n + k] != 0:
            places[size] = k
            size += 1
    for a in range(size):
        p = places[a]
        rest = right[p] if a < free else values[n + p]
        for i in range(n):
            if active[i] != 0:
                rest -= (H[p, i] if a < free else rows[p, i]) * x[i]
        work[a, size] = rest
        for b in range(size):
            o = places[b]
            if a < free:
                work[a, b] = H[p, o] if b < free else rows[o, p]
            else:
                work[a, b] = rows[p, o] if b < free else 0.0
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
        if active[i] != 0:
            slope = right[i]
            for j in range(n):
                slope -= H[i, j] * x[j]
            for k in range(m):
                slope -= rows[k, i] * multipliers[n + k]
            multipliers[i] = slope * active[i]
    return True


def minimize_active(
    H: Array,
    c: Array,
    lower: Array,
    upper: Array,
    rows: Array,
    active: Integers,
    right: Array,
    values: Array,
    work: Array,
    x: Array,
    multipliers: Array,
) -> bool:
    """Write the minimum on the active constraints and its multipliers; see `solve_active`."""
    for i in range(active.shape[0]):
        values[i] = lower[i] if active[i] < 0 else upper[i]
    for i in range(c.shape[0]):
        right[i] = -c[i]
    return solve_active(H, rows, active, right, values, work, x, multipliers)


def most_violated(x: Array, lower: Array, upper: Array, rows: Array, inequalities: int, active: Integers) -> int:
    """Return the most violated constraint: 1 + i for an upper bound of coordinate or row i, −1 − i for a lower one."""
    # rows come after the coordinates; 0 means none
    n, worst, most = x.shape[0], 0, 0.0
    for i in range(n + inequalities):
        if active[i] == 0:
            value, size = 0.0, 0.0
            if i < n:
                value = x[i]
                size = abs(value)
            else:
                for j in range(n):
                    term = rows[i - n, j] * x[j]
                    value += term
                    size += abs(term)
            over = value - upper[i] - SINGULAR * (size + abs(upper[i]))
            if over > most:
                worst, most = 1 + i, over
            if i < n:
                under = lower[i] - value - SINGULAR * (size + abs(lower[i]))
                if under > most:
                    worst, most = -1 - i, under
    return worst


def bounded_least_squares(
    H: Array, c: Array, lower: Array, upper: Array, rows: Array, equalities: int, x: Array, multipliers: Array
) -> bool:
    """Minimise ½ xᵀHx + cᵀx within bounds and rows by the dual method; return whether there is one solution."""
    # `upper`, (n + m,), are the bounds of x and then of the rows, `lower`, (n,), those of x. The last rows are
    # equalities. `multipliers`, (n + m,), are those of the box, above zero at an upper bound and below it at a lower
    # one, then of the rows.
    n, m = c.shape[0], rows.shape[0]
    active, values = np.zeros(n + m, dtype=np.int64), np.empty(n + m)
    rates, way, right, work = np.empty(n + m), np.empty(n), np.empty(n), np.empty((n + m, n + m + 1))
    size = 0.0
    for i in range(n):
        size += H[i, i]
    for k in range(m - equalities, m):
        active[n + k] = 1
    if not minimize_active(H, c, lower, upper, rows, active, right, values, work, x, multipliers):
        return False
    likely = equalities == 0  # first guess: the bounds that this x violates, except those with a wrong sign
    for i in range(n):
        if likely and not lower[i] <= x[i] <= upper[i]:
            active[i] = 1 if x[i] > upper[i] else -1
    while likely:
        if not minimize_active(H, c, lower, upper, rows, active, right, values, work, x, multipliers):
            return False
        likely = False
        for i in range(n):
            if active[i] != 0 and multipliers[i] < 0.0:
                active[i], likely = 0, True
    fresh = True  # x is computed from the active set, not as a sum of steps
    for _ in range(MOST * (n + m) + 1):
        violated = most_violated(x, lower, upper, rows, m - equalities, active)
        if violated == 0 and fresh:
            for i in range(n):
                multipliers[i] *= active[i]
            return True
        if violated == 0:
            if not minimize_active(H, c, lower, upper, rows, active, right, values, work, x, multipliers):
                return False
            fresh = True
            continue
        side, which = (1 if violated > 0 else -1), abs(violated) - 1
        own, arrived, fresh = 0.0, False, False
        while not arrived:
            for i in range(n):
                right[i] = -rows[which - n, i] if which >= n else 0.0
            if which < n:
                right[which] = -1.0 * side
            for i in range(n + m):
                values[i] = 0.0
            if not solve_active(H, rows, active, right, values, work, way, rates):
                return False
            slope, excess = 0.0, 0.0
            for i in range(n):
                slope -= right[i] * way[i]
                excess -= right[i] * x[i]
            excess -= upper[which] if side > 0 else -lower[which]
            whole = excess / -slope if -slope * size > DEPENDENT else ENDLESS
            first, part = -1, whole
            for i in range(n + m - equalities):
                if active[i] != 0 and rates[i] < 0.0 and multipliers[i] / -rates[i] < part:
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
                active[first] = 0
                multipliers[first] = 0.0
        active[which] = side
        multipliers[which] = own
    return False
