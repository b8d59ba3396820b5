"""Find a step within limits, barriers and constraints, or prove that there is none and name the cause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

import daqp
import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik.barriers import Barrier
from lessons_lib.differential_ik.limits.limit import Limit
from lessons_lib.differential_ik.solver.problem import FeasibleRegion, Step
from lessons_lib.differential_ik.tasks.task import Task

INDEPENDENT = 1e-3
"""Relative diagonal entry of a triangular factor above which the constraints are clearly independent."""

RANK = 1e-12
"""Relative singular value of the constraints that counts as rounding."""

TOLERANCE = 1e-9
"""Relative error of a bound, and relative difference between two constraints, that count as rounding."""

ROUNDING = 1e-12
"""Difference between two constraints, rad or m, that counts as rounding: poses are accurate to 1e-15."""

FAR_RATIO = 1e4
"""A row does not contribute to the violation if its slack exceeds this multiple of it."""

STEP_COST = 1e-9
"""Cost of a squared step relative to that of a squared violation."""

MAX_REPEATS = 6
"""Number of reductions of the violation; about STEP_COST of it remains after each."""

MAX_EXHAUSTIVE = 8
"""Largest number of sources of which all subsets are tried; of more, unnecessary ones are removed one by one."""

Source = Limit | Barrier | Task


class Infeasible(ValueError):
    """No step satisfies all rows; the message names rows that contradict each other."""


@dataclass(frozen=True)
class ReducedRows:
    """The steps offset + basis y with C y ≤ d, with rows of norm one; `names` returns the source of each row."""

    offset: Array
    basis: Array
    C: Array
    d: Array
    names: Callable[[], Sequence[str]]

    def feasible_point(self) -> Array:
        """Return a y with C y ≤ d, or raise Infeasible with a certificate."""
        # r = max(0, C y − d) ≠ 0 of least |r| is a certificate (Farkas): Cᵀr = 0, so the rows add up to 0 ≤ −|r|²
        y, before = np.zeros(self.C.shape[1]), None
        for _ in range(MAX_REPEATS + 1):  # each starts from the last result, in units of its violation
            slack = self.d - self.C @ y
            if (slack >= -TOLERANCE * np.abs(self.d) - 1e-15 * np.linalg.norm(y)).all():
                return y
            if before is not None:
                self._certify(*before)
            unit = float(-slack.min())
            near = np.minimum(slack / unit, FAR_RATIO)
            nearer = _least_violation(self.C, near)
            before = slack / unit, np.maximum(self.C @ nearer - near, 0.0)
            y = y + unit * nearer
        raise ArithmeticError("found neither a feasible step nor a proof that there is none")

    def _certify(self, d: Array, multipliers: Array) -> None:
        """Raise Infeasible if the multipliers are a certificate: the rows add up to ρ·y ≤ −gap with a small ρ."""
        chosen = np.flatnonzero(multipliers > 1e-9 * multipliers.max(initial=0.0))
        multipliers = multipliers[chosen]
        sums = self.C[chosen].T
        multipliers = np.maximum(multipliers - np.linalg.lstsq(sums, sums @ multipliers, rcond=1e-10)[0], 0.0)
        gap, left = -float(multipliers @ d[chosen]), float(np.linalg.norm(sums @ multipliers))
        if gap > FAR_RATIO * left:
            names = self.names()
            sources = sorted({names[i] for i in chosen[multipliers > 1e-6 * multipliers.max()]})
            whom = "each other" if len(sources) > 1 else "themselves"
            condition = "" if self.basis.shape[1] == len(self.offset) else ", given that the constraints hold"
            raise Infeasible(f"these contradict {whom}{condition}: {', '.join(sources)}")


def _least_violation(C: Array, d: Array) -> Array:  # noqa: N803
    """Return the y with the least |max(0, C y − d)|², the shortest of several."""
    m, n = C.shape
    H = np.diag(np.concatenate([np.full(n, STEP_COST), np.ones(m)]))
    rows, none = np.hstack([C, -np.eye(m)]), np.full(m, -np.inf)
    settings = {"primal_tol": 1e-12, "dual_tol": 1e-12, "eps_prox": 0.0}
    x, _, flag, _ = daqp.solve(H, np.zeros(n + m), rows, d, none, np.zeros(m, dtype=np.intc), **settings)
    if flag != 1:
        raise ArithmeticError("DAQP found no least violation")
    least: Array = x[:n]
    return least


def tighten(region: FeasibleRegion) -> tuple[Array, Array]:
    """Return the lower and upper bounds; two that cross due to rounding become their mean."""
    if not (region.lower > region.upper).any():
        return region.lower, region.upper
    gap = region.lower - region.upper
    sizes = np.maximum(np.abs(region.lower), np.abs(region.upper))
    i = int(np.argmax(gap - TOLERANCE * sizes))
    if gap[i] > TOLERANCE * sizes[i]:
        name = region.step.configuration.model.v_names[i]
        raise Infeasible(
            f"the limits contradict each other for {name!r}: its step must be at least {region.lower[i]:.6g} and at "
            f"most {region.upper[i]:.6g}, which is {gap[i]:.3g} less"
        )
    middle = 0.5 * (region.lower + region.upper)
    return np.where(gap > 0.0, middle, region.lower), np.where(gap > 0.0, middle, region.upper)


def reduce_rows(region: FeasibleRegion, offset: Array, basis: Array) -> ReducedRows:
    """Return the bounds and rows of y; raise Infeasible if the equalities violate a bound."""
    n, (G, h, _, _), (lower, upper) = len(offset), region.rows(), tighten(region)
    one = np.eye(n)
    rows, bounds = np.vstack([one, -one, G]), np.concatenate([upper, -lower, h])
    C, at = rows @ basis, rows @ offset
    d = bounds - at
    if (bounds == -np.inf).any():
        raise Infeasible(f"{region.names()[int(np.argmin(bounds))]} requires a step of at most −inf")
    lengths, full = np.linalg.norm(C, axis=1), np.linalg.norm(rows, axis=1)
    fixed = lengths <= RANK * n * full
    sizes = np.abs(rows) @ np.abs(offset)
    beyond = fixed & (d < -TOLERANCE * (sizes + np.where(np.isfinite(bounds), np.abs(bounds), 0.0)))
    if beyond.any():
        i = int(np.argmin(np.where(beyond, d, np.inf)))
        cause = f"the constraints require {at[i]:.3g} where" if sizes[i] > 0.0 else "no step helps where"
        unit = " (rad or m in a step)" if i < 2 * n else ""
        raise Infeasible(f"{cause} {region.names()[i]} allows at most {bounds[i]:.3g}{unit}")
    numbers = np.flatnonzero(~fixed & np.isfinite(bounds))
    C, d, lengths = C[numbers], d[numbers], lengths[numbers]
    return ReducedRows(
        offset, basis, C / lengths[:, None], d / lengths, lambda: [region.names()[i] for i in numbers.tolist()]
    )


def satisfy_equalities(region: FeasibleRegion) -> tuple[Array, Array]:
    """Return x and Z, where x + Z y are all solutions of A x = b; raise Infeasible if there are none."""
    _, _, A, b = region.rows()
    k, n = A.shape
    if k <= n:  # for clearly independent rows a QR factorization suffices, in half the time
        Q, R = np.linalg.qr(A.T, mode="complete")  # noqa: N806
        pivots = np.abs(R.diagonal())
        if pivots.min() > INDEPENDENT * pivots.max():
            return Q[:, :k] @ np.linalg.solve(R[:k].T, b), Q[:, k:]
    lengths = np.linalg.norm(A, axis=1)
    units = np.where(lengths > 0.0, lengths, 1.0)
    b = b / units
    U, s, Vt = np.linalg.svd(A / units[:, None], full_matrices=True)  # noqa: N806
    rank = int(np.count_nonzero(s > RANK * max(A.shape)))
    reached = U[:, :rank].T @ b
    misses = b - U[:, :rank] @ reached
    if np.any(np.abs(misses) > TOLERANCE * np.linalg.norm(b) + ROUNDING):
        worst = int(np.argmax(np.abs(misses)))
        raise Infeasible(
            f"no step meets all constraints: the nearest one misses row {worst + 1} of them, of "
            f"{region.names()[-len(b) :][worst]}, by {abs(misses[worst]) * units[worst]:.3g}"
        )
    return Vt[:rank].T @ (reached / s[:rank]), Vt[rank:].T.reshape(n, n - rank)


def require_feasible(step: Step) -> None:
    """Raise Infeasible if no step is feasible, or ArithmeticError if rounding prevents a decision."""
    region = FeasibleRegion.of(step)
    n = len(region.lower)
    offset, basis = (np.zeros(n), np.eye(n)) if region.A is None else satisfy_equalities(region)
    reduce_rows(region, offset, basis).feasible_point()


def find_contradiction(step: Step) -> tuple[Source, ...]:
    """Return a smallest infeasible set of sources; of more than MAX_EXHAUSTIVE, one without unnecessary members."""
    sources: list[Source] = [*step.limits, *step.barriers, *step.constraints]
    if _is_feasible(step, sources):
        return ()
    if len(sources) <= MAX_EXHAUSTIVE:
        sets = chain.from_iterable(combinations(sources, k + 1) for k in range(len(sources)))
        return next(tuple(some) for some in sets if not _is_feasible(step, some))
    needed = list(sources)
    for source in sources:
        fewer = [other for other in needed if other is not source]
        if not _is_feasible(step, fewer):
            needed = fewer
    return tuple(needed)


def _is_feasible(step: Step, sources: Sequence[Source]) -> bool:
    chosen = {id(source) for source in sources}
    limits = [limit for limit in step.limits if id(limit) in chosen]
    barriers = [barrier for barrier in step.barriers if id(barrier) in chosen]
    constraints = [task for task in step.constraints if id(task) in chosen]
    try:
        require_feasible(replace(step, limits=limits, barriers=barriers, constraints=constraints))
    except Infeasible:
        return False
    return True
