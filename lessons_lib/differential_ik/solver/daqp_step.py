"""Solve the quadratic program of a step by DAQP, and refine the solution if H is too ill-conditioned."""
# Source: Arnström, Bemporad and Axehill, A dual active-set solver for embedded quadratic programming (2022).

from __future__ import annotations

import daqp
import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.plain_files import compiled
from lessons_lib.differential_ik import kernels
from lessons_lib.differential_ik.solver.feasibility import ReducedRows, reduce_rows, satisfy_equalities, tighten
from lessons_lib.differential_ik.solver.problem import FeasibleRegion, Step, no_bounds
from lessons_lib.differential_ik.solver.refinement import LeastSquares, refine

OPTIMAL = 1
"""Exit flag of DAQP."""

AT_UPPER, AT_LOWER = 1, 3
"""DAQP's codes of inequalities that are likely to be active."""

SETTINGS = {"primal_tol": 1e-12, "dual_tol": 1e-12, "eps_prox": 0.0}
"""Settings of DAQP for a problem scaled to about one, without regularization: `scale` adds TIKHONOV to a singular H."""

TIKHONOV = 1e-8
"""Term added to the diagonal of a singular H whose largest entry is one, to find the active bounds."""

UNCLEAR, DEFICIENT, REGULAR = 0, 1, 2
"""Kinds of H by its pivots: undecided due to rounding, several minima, one minimum."""

MIN_PIVOT = 1e-9
"""Smallest relative pivot of a regular H, whose inverse is then accurate to seven digits."""

SMALL_DAMPING = 1e-8
"""Relative to the largest pivot, damping below which the only cost in a direction may be rounding of a Jacobian."""

LAST_PIVOT, ZERO_PIVOT = 1e-4, 1e-11
"""Smallest last relative pivot of a rank-deficient H before the drop, and largest first one after it."""

SLOPE_NOISE, EPSILON = 1e-13, 4e-16
"""Relative size of a slope, to its terms, that may be rounding: for a deficient H, and for any H."""

MAX_CHANGE = 1e-6
"""Largest relative change of the step due to rounding of a slope."""

MIN_COST_RATIO = 1e-4
"""Smallest ratio of costs at which rounding of H, which contains their squares, does not hide the cheaper task."""


@compiled
def factor(S: Array, order: Integers, damping: float) -> int:
    """Write the pivoted Cholesky factor of S into its lower half; return the rank, or −1 if it depends on rounding."""
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
        # the rank is clear if all pivots are above rounding, or if they drop at the end
        if not pivot >= MIN_PIVOT * largest or (pivot <= 2.0 * damping and damping < SMALL_DAMPING * largest):
            return k if pivot <= ZERO_PIVOT * largest and S[k - 1, k - 1] ** 2 >= LAST_PIVOT * largest else -1
        if best != k:
            order[k], order[best] = order[best], order[k]
            for j in range(k):
                S[k, j], S[best, j] = S[best, j], S[k, j]
            for i in range(k + 1, best):  # only the lower half is updated
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
    """Write the shortest y with L Lᵀ y = −slope; L has `rank` columns, and rows in `order`."""
    n = y.size
    regular = rank == n
    S, w = L if regular else np.empty((rank, rank)), np.empty(rank)
    for a in range(rank):  # L w = −slope, and if L is not square, S Sᵀ = LᵀL and S w₂ = w
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
    H: Array, c: Array, damping: float, lower: Array, upper: Array, multipliers: Array, x: Array
) -> int:
    """Write the shortest minimizer on the bounds with nonzero multipliers; return REGULAR, DEFICIENT or UNCLEAR."""
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
    if rank < 0:
        return UNCLEAR
    solve_factored(S, order, rank, slopes, y)
    for a in range(count):
        x[free[a]] = y[a]
    largest, longest = 0.0, 0.0
    for i in range(n):
        slope, size = c[i], abs(c[i])
        for j in range(n):
            slope += H[i, j] * x[j]
            size += abs(H[i, j] * x[j])
        longest = max(longest, abs(x[i]))
        if multipliers[i] == 0.0:
            largest = max(largest, size)
            if not (rank == count or abs(slope) <= SLOPE_NOISE * size + 2.0 * damping * abs(x[i])):
                return UNCLEAR
    if rank > 0 and not EPSILON * largest <= MAX_CHANGE * S[rank - 1, rank - 1] ** 2 * longest:
        return UNCLEAR
    return REGULAR if rank == count else DEFICIENT


@compiled
def scale(
    H: Array, c: Array, shift: float, lower: Array, upper: Array, free: Array, kinds: Integers, work: Array
) -> float:
    """Write H + shift·I, c and the bounds, scaled to about one, into work; return the unit of the scaled x."""
    n = c.size
    unit, largest = 0.0, 0.0  # the longest step along −c in the box; the largest diagonal entry, which becomes one
    for i in range(n):
        largest = max(largest, H[i, i])
    if not (0.0 < largest < np.inf):
        largest = 1.0
    for i in range(n):
        unit = max(unit, abs(min(max(-c[i] / largest, lower[i]), upper[i])))
        kinds[i] = AT_UPPER if free[i] > upper[i] else AT_LOWER if free[i] < lower[i] else 0
    if not (1e-150 < unit < np.inf):
        unit = 1.0
    for i in range(n):
        work[n, i] = c[i] / largest / unit
        work[n + 1, i], work[n + 2, i] = lower[i] / unit, upper[i] / unit
        for j in range(n):
            work[i, j] = H[i, j] / largest
        work[i, i] += shift
    return unit


@compiled
def unscale(x: Array, unit: float, multipliers: Array, lower: Array, upper: Array) -> None:
    """Multiply x by its unit, in place, and set coordinates with multipliers exactly to their bounds."""
    for i in range(x.size):
        if multipliers[i] == 0.0:
            x[i] = min(max(unit * x[i], lower[i]), upper[i])
        else:
            x[i] = upper[i] if multipliers[i] > 0.0 else lower[i]


def least_step(step: Step) -> Array:
    """Return the shortest optimal step; raise Infeasible, Unbounded, or ArithmeticError if rounding prevents one."""
    H, c = step.objective()
    region, reduced = FeasibleRegion.of(step), None
    if region.A is not None:  # x = offset + basis y
        reduced = offset, basis = satisfy_equalities(region)
        H, c = np.ascontiguousarray(basis.T @ H @ basis), basis.T @ (c + H @ offset)
    y, kind = _solve_free(H, c, step)
    x = y if reduced is None else offset + basis @ y
    if kind != UNCLEAR and region.keeps_inequalities(x):
        return x
    lower, upper = tighten(region)
    best: Array | None = None
    if reduced is None and kind != UNCLEAR:
        G, h = region.G, region.h
        rows = None if G is None or h is None else (G, np.full(len(h), -np.inf), h)
        best = _solve_bounded(H, c, step.damping, kind, y, lower, upper, rows)
        if best is not None:
            return best
    elif reduced is not None and kind == REGULAR and y.size > 0:
        G, h, _, _ = region.rows()
        at = np.concatenate([offset, G @ offset])
        low, high = np.concatenate([lower, np.full(len(h), -np.inf)]) - at, np.concatenate([upper, h]) - at
        below, above, _ = no_bounds(y.size)
        best = _solve_bounded(H, c, step.damping, kind, y, below, above, (np.vstack([basis, G @ basis]), low, high))
    if reduced is None:
        offset, basis = np.zeros(len(c)), np.eye(len(c))
    if best is None:
        best = _solve_refined(H, c, step, reduce_rows(region, offset, basis))
    return np.minimum(np.maximum(offset + basis @ best, lower), upper)


def _solve_free(H: Array, c: Array, step: Step) -> tuple[Array, int]:  # noqa: N803
    """Return the unconstrained minimizer, and REGULAR, DEFICIENT or UNCLEAR."""
    n = len(c)
    x, (below, above, none) = np.empty(n), no_bounds(n)
    kind: int = kernels.module().minimize_on_bounds(H, c, step.damping, below, above, none, x)
    return x, UNCLEAR if kind == DEFICIENT and not _costs_are_near(step) else kind


def _solve_bounded(
    H: Array,  # noqa: N803
    c: Array,
    damping: float,
    kind: int,
    free: Array,
    lower: Array,
    upper: Array,
    rows: tuple[Array, Array, Array] | None,
) -> Array | None:
    """Return the minimizer in the box with low ≤ C x ≤ high, for rows (C, low, high), or None if it is unclear."""
    n, module = len(c), kernels.module()
    work, kinds = np.empty((n + 3, n)), np.zeros(n if rows is None else n + len(rows[0]), dtype=np.int64)
    unit = module.scale(H, c, 0.0 if kind == REGULAR else TIKHONOV, lower, upper, free, kinds, work)
    C, low, high = np.empty((0, n)), work[n + 1], work[n + 2]
    if rows is not None:
        C, low, high = rows[0], np.concatenate([low, rows[1] / unit]), np.concatenate([high, rows[2] / unit])
    x: Array
    x, _, flag, info = daqp.solve(work[:n], work[n], C, high, low, kinds.astype(np.intc), **SETTINGS)
    multipliers: Array = info["lam"]
    if flag != OPTIMAL:
        return None
    if kind == REGULAR:
        module.unscale(x, unit, multipliers, lower, upper)
        return x
    if multipliers[n:].any() or module.minimize_on_bounds(H, c, damping, lower, upper, multipliers, x) == UNCLEAR:
        return None
    inside: bool = module.is_within(x, lower, upper, 0.0)
    return x if inside and (rows is None or bool((rows[0] @ x <= rows[2]).all())) else None


def _costs_are_near(step: Step) -> bool:
    """Return whether no cost is so small compared to another that rounding of H may hide it."""
    least, most = float("inf"), 0.0
    for task in step.tasks:
        low, high = task.cost_range
        least, most = min(least, low), max(most, high)
        if not task.is_least_squares:
            return False
    return least > MIN_COST_RATIO * most and not any(barrier.safe_displacement_gain for barrier in step.barriers)


def _solve_refined(H: Array, c: Array, step: Step, reduced: ReducedRows) -> Array:  # noqa: N803
    """Return the minimizer y with C y ≤ d, refined from DAQP's solution for a regularized H."""
    n, C, d = len(c), reduced.C, reduced.d
    if n == 0:
        return np.zeros(0)
    work, kinds, (below, above, none) = np.empty((n + 3, n)), np.zeros(n, dtype=np.int64), no_bounds(n)
    unit = kernels.module().scale(H, c, TIKHONOV, below, above, none, kinds, work)
    low, sense = np.full(len(d), -np.inf), np.zeros(len(d), dtype=np.intc)
    y, _, flag, info = daqp.solve(work[:n], work[n], C, d / unit, low, sense, **SETTINGS)
    if flag == OPTIMAL:
        y, active = unit * y, np.flatnonzero(info["lam"] > 0.0).tolist()
    else:
        y, active = reduced.feasible_point(), []
    return refine(LeastSquares.of(step).restrict(reduced.offset, reduced.basis), C, d, y, active)
