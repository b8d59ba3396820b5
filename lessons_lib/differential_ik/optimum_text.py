"""The step as compiled code: the least of ½ ΔqᵀH Δq + cᵀΔq in a box, proven by its slopes, or the word that it was not.

H is factored with its largest pivots first. Where the pivots end with a clear drop, what lies behind it is no cost but
damping and rounding: there the shortest step is the least one. Without a clear drop nothing is decided here.
kernels.py joins this text to the others; tests/differential_ik/test_exact_step.py holds its answers to those of
`exact_step.py`.
"""

from typing import Any

import numba
import numpy as np

OPEN, FREE, WALLED, SHORT = 0, 1, 2, 3
"""Nothing is decided; the least step lies in the box; it lies outside of it; so does the shortest of many."""

FULL = 1e-9
"""The smallest pivot, beside the largest, of an H that is regular: its inverse is right to seven digits then."""

DROP = 1e-4
"""The smallest pivot before a drop, and NOTHING the largest after it: damping changes the step by their ratio at most."""

NOTHING = 1e-11
NOISE = 1e-13
"""A slope below this part of the terms that it is summed of may be rounding: no more than a few hundred are summed."""

KEPT = 1e-10
"""By which part of its terms and its bound a row may be off; `EXACT` for equalities and slopes."""

EXACT = 1e-12


@numba.njit(cache=True, nogil=True, error_model="numpy")
def factor(S: Any, order: Any) -> int:
    """Write the Cholesky factor L of a matrix into its lower half, rows in `order`, and return its rank, or −1.

    The rank is that of the pivots before a clear drop; −1 where there is none, or where S holds NaN.
    """
    n = S.shape[0]
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
        if not pivot >= FULL * largest:
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


@numba.njit(cache=True, nogil=True, error_model="numpy")
def lengthen(L: Any, rank: int, w: Any, x: Any) -> None:
    """Write the shortest x of Lᵀx = w, which is L(LᵀL)⁻¹w; L has as many rows as x, and `rank` columns."""
    n = x.size
    S = np.empty((rank, rank))
    for a in range(rank):
        for b in range(a + 1):
            entry = 0.0
            for i in range(a, n):
                entry += L[i, a] * L[i, b]
            for k in range(b):
                entry -= S[a, k] * S[b, k]
            S[a, b] = np.sqrt(entry) if a == b else entry / S[b, b]
    for a in range(rank):
        for k in range(a):
            w[a] -= S[a, k] * w[k]
        w[a] /= S[a, a]
    for a in range(rank - 1, -1, -1):
        for k in range(a + 1, rank):
            w[a] -= S[k, a] * w[k]
        w[a] /= S[a, a]
    for i in range(n):
        x[i] = 0.0
        for a in range(min(i + 1, rank)):
            x[i] += L[i, a] * w[a]


@numba.njit(cache=True, nogil=True, error_model="numpy")
def least(H: Any, c: Any, free: Any, count: int, x: Any) -> int:
    """Move the first `count` coordinates that `free` names to the least value, the others held, and return the rank.

    Of several least values it is the shortest; −1 where it is not certain which one that is.
    """
    n = c.size
    if count == 0:
        return 0
    S, order, slope = np.empty((count, count)), np.arange(count), np.empty(count)
    for a in range(count):
        slope[a] = c[free[a]]
        x[free[a]] = 0.0
        for b in range(a + 1):
            S[a, b] = H[free[a], free[b]]
    for a in range(count):
        for j in range(n):
            slope[a] += H[free[a], j] * x[j]
    rank = factor(S, order)
    if rank < 0:
        return -1
    w = np.empty(rank)
    for a in range(rank):
        w[a] = -slope[order[a]]
        for k in range(a):
            w[a] -= S[a, k] * w[k]
        w[a] /= S[a, a]
    y = np.empty(count)
    if rank < count:
        lengthen(S, rank, w, y)
    else:
        for a in range(count - 1, -1, -1):
            for k in range(a + 1, count):
                w[a] -= S[k, a] * w[k]
            w[a] /= S[a, a]
            y[a] = w[a]
    for a in range(count):
        x[free[order[a]]] = y[a]
    return rank


@numba.njit(cache=True, nogil=True, error_model="numpy")
def slope_at(H: Any, c: Any, x: Any, i: int) -> Any:
    """Return (H x + c)ᵢ and the size of the terms that it is summed of."""
    slope, size = c[i], abs(c[i])
    for j in range(x.size):
        term = H[i, j] * x[j]
        slope += term
        size += abs(term)
    return slope, size


@numba.njit(cache=True, nogil=True, error_model="numpy")
def free_step(H: Any, c: Any, damping: float, lower: Any, upper: Any, x: Any) -> int:
    """Write the least x without the box, the shortest if there are many, and return where it lies; OPEN if uncertain."""
    n = c.size
    rank = least(H, c, np.arange(n), n, x)
    if rank < 0:
        return OPEN
    for i in range(n):
        if not np.isfinite(x[i]):
            return OPEN
    if rank < n:  # is there no slope where there is no cost?
        for i in range(n):
            slope, size = slope_at(H, c, x, i)
            if not abs(slope) <= NOISE * size + 2.0 * damping * abs(x[i]):
                return OPEN
    for i in range(n):
        if not lower[i] <= x[i] <= upper[i]:
            return WALLED if rank == n else SHORT
    return FREE


@numba.njit(cache=True, nogil=True, error_model="numpy")
def scaled(H: Any, c: Any, lower: Any, upper: Any, x: Any, regular: float, P: Any, q: Any, low: Any, high: Any) -> float:
    """Write a box problem whose numbers are about one, `regular` added to its diagonal, and return the unit of its x."""
    n = c.size
    unit, largest = 0.0, 0.0
    for i in range(n):
        largest = max(largest, H[i, i])
        inside = min(max(x[i], lower[i]), upper[i])
        if np.isfinite(inside):
            unit = max(unit, abs(inside))
    if not (0.0 < unit < np.inf):
        unit = 1.0
    if not (0.0 < largest < np.inf):
        largest = 1.0
    for i in range(n):
        q[i] = c[i] / largest / unit
        low[i], high[i] = lower[i] / unit, upper[i] / unit
        for j in range(n):
            P[i, j] = H[i, j] / largest
        P[i, i] += regular
    return unit


@numba.njit(cache=True, nogil=True, error_model="numpy")
def settle(H: Any, c: Any, damping: float, lower: Any, upper: Any, multipliers: Any, x: Any) -> bool:
    """Write the least x that lies on the walls which have multipliers, and return whether it is proven the least.

    It is, if it lies in the box, and each of these walls pushes: its slope leads out of the box, beyond rounding.
    """
    n = c.size
    free = np.empty(n, dtype=np.int64)
    count = 0
    for i in range(n):
        if multipliers[i] > 0.0:
            x[i] = upper[i]
        elif multipliers[i] < 0.0:
            x[i] = lower[i]
        else:
            free[count] = i
            count += 1
    rank = least(H, c, free, count, x)
    if rank < 0:
        return False
    for i in range(n):
        if not lower[i] <= x[i] <= upper[i]:
            return False
    for i in range(n):
        slope, size = slope_at(H, c, x, i)
        if multipliers[i] > 0.0:
            if not -slope > NOISE * size:
                return False
        elif multipliers[i] < 0.0:
            if not slope > NOISE * size:
                return False
        elif rank < count and not abs(slope) <= NOISE * size + 2.0 * damping * abs(x[i]):
            return False
    return True


@numba.njit(cache=True, nogil=True, error_model="numpy")
def is_least(H: Any, c: Any, rows: Any, lower: Any, upper: Any, equalities: int, multipliers: Any, x: Any) -> bool:
    """Return whether x is least in the box and for the rows, by its slopes; the last rows are equalities.

    Bounds and multipliers are those of the box first, then those of the rows.
    """
    n, m = c.size, rows.shape[0]
    slopes, sizes = np.empty(n), np.empty(n)
    for i in range(n):
        slopes[i], sizes[i] = slope_at(H, c, x, i)
        slopes[i] += multipliers[i]
        sizes[i] += abs(multipliers[i])
        if not is_kept(x[i], abs(x[i]), lower[i], upper[i], multipliers[i]):
            return False
    for k in range(m):
        value, size, price = 0.0, 0.0, multipliers[n + k]
        for i in range(n):
            term = rows[k, i] * x[i]
            value += term
            size += abs(term)
            slopes[i] += rows[k, i] * price
            sizes[i] += abs(rows[k, i] * price)
        bound = upper[n + k]
        if k >= m - equalities:
            if not abs(value - bound) <= EXACT * (size + abs(bound)):
                return False
        elif not is_kept(value, size, -np.inf, bound, price):
            return False
    for i in range(n):
        if not abs(slopes[i]) <= EXACT * sizes[i]:
            return False
    return True


@numba.njit(cache=True, nogil=True, error_model="numpy")
def is_kept(value: float, size: float, lower: float, upper: float, multiplier: float) -> bool:
    """Return whether a value is within its bounds, and at the one that its multiplier names."""
    if not lower - KEPT * (size + abs(lower)) <= value <= upper + KEPT * (size + abs(upper)):
        return False
    if multiplier > 0.0:
        return value >= upper - KEPT * (size + abs(upper))
    if multiplier < 0.0:
        return value <= lower + KEPT * (size + abs(lower))
    return True
