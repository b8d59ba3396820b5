"""The step as compiled code: the minimum of ½ ΔqᵀH Δq + cᵀΔq in a box, proven by its gradient, or UNDECIDED.

H is factored with its largest pivots first. Where the pivots end with a clear drop, what lies behind it is no cost but
damping and rounding: there the shortest step is the minimum. Without a clear drop nothing is decided here.
tests/differential_ik/test_least_step.py compares its answers with those of `exact_step.py`.
"""

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.plain_files import compiled

UNDECIDED, LEAST, OUTSIDE, SHORTEST, SHORTEST_OUTSIDE = 0, 1, 2, 3, 4
"""The status that `minimize_on_bounds` returns; it says what each means."""

FULL = 1e-9
"""The smallest pivot, beside the largest, of an H that is regular: its inverse is right to seven digits then."""

FAINT = 1e-8
"""A damping below this part of the largest pivot is no better than rounding in a Jacobian, where nothing else costs."""

DROP = 1e-4
"""The smallest pivot before a drop, and NOTHING the largest after it: damping changes the step by no more than both."""

NOTHING = 1e-11
RIGHT = 1e-6
"""What rounding in a slope may change of the step, of its largest coordinate; EPSILON is it, of the slope's terms."""

EPSILON = 4e-16
NOISE = 1e-13
"""A slope below this part of the terms that it is summed of may be rounding: no more than a few hundred are summed."""

ROW_TOLERANCE = 1e-10
"""By which part of its terms and its bound a row may be off; `EQUALITY_TOLERANCE` for equalities and slopes."""

EQUALITY_TOLERANCE = 1e-12
LONGEST = 1e6
"""A coordinate beyond this, of a problem in numbers about one, comes from dividing by rounding."""

ROUNDING = 4e-15
"""What an equality may be off beside that, of its row times the largest coordinate: the sum of some roundings."""


@compiled
def factor(S: Array, order: Integers, damping: float) -> int:
    """Write the Cholesky factor L of a matrix into its lower half, rows in `order`, and return its rank, or −1.

    The rank is that of the pivots before a clear drop; −1 where there is none, or where S holds NaN.
    """
    n: int = S.shape[0]
    largest = 0.0
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if S[i, i] > S[best, best]:
                best = i
        pivot = S[best, best]
        if k == 0:
            largest = pivot
            if not 0.0 < largest < np.inf:
                return -1
        if not pivot >= FULL * largest or (pivot <= 2.0 * damping and damping < FAINT * largest):
            return k if pivot <= NOTHING * largest and S[k - 1, k - 1] ** 2 >= DROP * largest else -1
        if best != k:
            order[k], order[best] = order[best], order[k]
            for j in range(k):
                S[k, j], S[best, j] = S[best, j], S[k, j]
            for i in range(k + 1, best):  # the lower half alone is kept up
                S[i, k], S[best, i] = S[best, i], S[i, k]
            for i in range(best + 1, n):
                S[i, k], S[i, best] = S[i, best], S[i, k]
            S[best, best] = S[k, k]
        root = np.sqrt(pivot)
        S[k, k] = root
        for i in range(k + 1, n):
            S[i, k] /= root
        for i in range(k + 1, n):
            for j in range(k + 1, i + 1):
                S[i, j] -= S[i, k] * S[j, k]
    return n


@compiled
def solve_factored(L: Array, order: Integers, rank: int, slope: Array, y: Array) -> None:
    """Write the shortest y with L Lᵀ y = −slope, rows of L in `order`; L has as many rows as y, and `rank` columns."""
    n = y.size
    regular = rank == n
    S, w = L if regular else np.empty((rank, rank)), np.empty(rank)
    for a in range(rank):  # L w = −slope, and where L is not square S Sᵀ = LᵀL, S w₂ = w
        w[a] = -slope[order[a]]
        for k in range(a):
            w[a] -= L[a, k] * w[k]
        w[a] /= L[a, a]
    for a in range(0 if regular else rank):
        for b in range(a + 1):
            entry = 0.0
            for i in range(a, n):
                entry += L[i, a] * L[i, b]
            for k in range(b):
                entry -= S[a, k] * S[b, k]
            S[a, b] = np.sqrt(entry) if a == b else entry / S[b, b]
        for k in range(a):
            w[a] -= S[a, k] * w[k]
        w[a] /= S[a, a]
    for a in range(rank - 1, -1, -1):  # Lᵀy = w, or Sᵀw₃ = w₂ and y = L w₃
        for k in range(a + 1, rank):
            w[a] -= S[k, a] * w[k]
        w[a] /= S[a, a]
    for i in range(n):
        y[order[i]] = w[i] if regular else 0.0
        for a in range(0 if regular else min(i + 1, rank)):
            y[order[i]] += L[i, a] * w[a]


@compiled
def minimize_on_bounds(
    H: Array, c: Array, damping: float, certain: bool, lower: Array, upper: Array, multipliers: Array, x: Array
) -> int:
    """Write the minimum x on the bounds which have multipliers, the shortest of several, and return its status.

    LEAST: it lies in the box, and each of these bounds is active beyond rounding, its multiplier has the right sign; so
    it is the minimum of all. OUTSIDE: it lies outside of the box. SHORTEST and SHORTEST_OUTSIDE say the same of the
    shortest of several minima, and UNDECIDED that nothing is sure. Several minima are believed in where it is `certain`
    that nothing but damping costs so little.
    """
    n, count = c.size, 0
    free = np.empty(n, dtype=np.int64)
    for i in range(n):
        x[i] = upper[i] if multipliers[i] > 0.0 else lower[i]
        if multipliers[i] == 0.0:
            x[i] = 0.0
            free[count] = i
            count += 1
    S, order, slopes, y = np.empty((count, count)), np.arange(count), np.empty(count), np.empty(count)
    for a in range(count):
        slopes[a] = c[free[a]]
        for j in range(n):
            slopes[a] += H[free[a], j] * x[j]
        for b in range(a + 1):
            S[a, b] = H[free[a], free[b]]
    rank = factor(S, order, damping) if count > 0 else 0
    if rank < 0 or (rank < count and not certain):
        return UNDECIDED
    solve_factored(S, order, rank, slopes, y)
    for a in range(count):
        x[free[a]] = y[a]
    inside, largest, longest = True, 0.0, 0.0
    for i in range(n):
        slope, size = c[i], abs(c[i])
        for j in range(n):
            term = H[i, j] * x[j]
            slope += term
            size += abs(term)
        if multipliers[i] != 0.0:
            sure = (-slope if multipliers[i] > 0.0 else slope) > NOISE * size
        else:
            sure = rank == count or abs(slope) <= NOISE * size + 2.0 * damping * abs(x[i])
        if not (sure and np.isfinite(size)):
            return UNDECIDED
        if multipliers[i] == 0.0:
            largest = max(largest, size)
        longest = max(longest, abs(x[i]))
        inside = inside and lower[i] <= x[i] <= upper[i]
    if rank > 0 and not EPSILON * largest <= RIGHT * S[rank - 1, rank - 1] ** 2 * longest:
        return UNDECIDED
    if rank == count:
        return LEAST if inside else OUTSIDE
    return SHORTEST if inside else SHORTEST_OUTSIDE


@compiled
def scale(H: Array, c: Array, soft: float, lower: Array, upper: Array, work: Array) -> float:
    """Write a box problem in numbers about one, and return the unit of its x.

    Args:
        H: Of the objective, shape (n, n).
        c: Of the objective.
        soft: What is added to the diagonal of the scaled H.
        lower: Of the box.
        upper: Of the box.
        work: Shape (n + 4, n): the scaled H, its c, lower and upper; in the last row an x that is about as long.
    """
    n = c.size
    unit, largest = 0.0, 0.0
    for i in range(n):
        largest = max(largest, H[i, i])
        inside = min(max(work[n + 3, i], lower[i]), upper[i])
        if np.isfinite(inside):
            unit = max(unit, abs(inside))
    if not (1e-150 < unit < np.inf):
        unit = 1.0
    if not (0.0 < largest < np.inf):
        largest = 1.0
    for i in range(n):
        work[n, i] = c[i] / largest / unit
        work[n + 1, i], work[n + 2, i] = lower[i] / unit, upper[i] / unit
        for j in range(n):
            work[i, j] = H[i, j] / largest
        work[i, i] += soft
    return unit


@compiled
def is_within_bounds(value: float, size: float, lower: float, upper: float, multiplier: float) -> bool:
    """Return whether a value is within its bounds, and at the one that its multiplier names."""
    if not lower - ROW_TOLERANCE * (size + abs(lower)) <= value <= upper + ROW_TOLERANCE * (size + abs(upper)):
        return False
    if multiplier > 0.0:
        return value >= upper - ROW_TOLERANCE * (size + abs(upper))
    if multiplier < 0.0:
        return value <= lower + ROW_TOLERANCE * (size + abs(lower))
    return True


@compiled
def is_minimum(
    H: Array, c: Array, rows: Array, lower: Array, upper: Array, equalities: int, multipliers: Array, x: Array
) -> bool:
    """Return whether x is least in the box and for the rows, by its slopes; the last rows are equalities.

    Bounds and multipliers are those of the box first, then those of the rows.
    """
    n, m = c.size, rows.shape[0]
    slopes, sizes, longest, S = np.empty(n), np.empty(n), 0.0, H.copy()
    if factor(S, np.arange(n), 0.0) < n:
        return False
    for i in range(n):
        slopes[i], sizes[i] = c[i] + multipliers[i], abs(c[i]) + abs(multipliers[i])
        for j in range(n):
            slopes[i] += H[i, j] * x[j]
            sizes[i] += abs(H[i, j] * x[j])
        longest = max(longest, abs(x[i]))
        if not is_within_bounds(x[i], abs(x[i]), lower[i], upper[i], multipliers[i]):
            return False
    if not longest <= LONGEST:
        return False
    for k in range(m):
        value, size, reach, multiplier = 0.0, 0.0, 0.0, multipliers[n + k]
        for i in range(n):
            term = rows[k, i] * x[i]
            value += term
            size += abs(term)
            reach += abs(rows[k, i])
            slopes[i] += rows[k, i] * multiplier
            sizes[i] += abs(rows[k, i] * multiplier)
        bound = upper[n + k]
        if k >= m - equalities:
            if not abs(value - bound) <= EQUALITY_TOLERANCE * (size + abs(bound)) + ROUNDING * reach * longest:
                return False
        elif not is_within_bounds(value, size, -np.inf, bound, multiplier):
            return False
    off = 0.0
    for i in range(n):
        off = max(off, abs(slopes[i]) + EPSILON * sizes[i])
    right: bool = off <= RIGHT * S[n - 1, n - 1] ** 2 * longest
    return right
