"""The step that is proven to be the least before it is returned: by its slopes where H allows, else by construction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, combinations
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import kernels
from lessons_lib.differential_ik.barriers.barrier import Barrier
from lessons_lib.differential_ik.errors import NoSolutionFound
from lessons_lib.differential_ik.limits.limit import Limit
from lessons_lib.differential_ik.quadratic_program import Step
from lessons_lib.differential_ik.solver.box_step import LEAST, OUTSIDE, SHORTEST
from lessons_lib.differential_ik.solver.exact_step import Allowed, exact_step, prove_feasible
from lessons_lib.differential_ik.solver.feasible_set import Infeasible
from lessons_lib.differential_ik.solver.least_squares import Unbounded
from lessons_lib.differential_ik.tasks.task import Task

if TYPE_CHECKING:
    import qpsolvers


REGULAR, FOUND = (LEAST, OUTSIDE), (LEAST, SHORTEST)
"""Where there is one minimum, in the box or not; where the step is a minimum, and in the box."""

SOFT = 1e-7
"""What is added to an H about one whose minimum is not certain: it is searched for what is active, not for the step."""


def proven_step(step: Step) -> Array:
    """Return Δq: the free step where it is allowed, else `least_step` where that is proven, else that of `exact_step`.

    Raises:
        NoSolutionFound: There is none, or none was found.
    """
    allowed = Allowed.read(step)
    try:
        best = _minimum(step, allowed)
    except (Infeasible, Unbounded) as cause:
        raise no_solution(step, str(cause)) from None
    except (ArithmeticError, np.linalg.LinAlgError):
        best = None
    if best is None:
        raise no_solution(step, "rounding kept it from being found")
    return best


def _minimum(step: Step, allowed: Allowed) -> Array | None:
    """Return the least Δq, or None where rounding kept it from being found.

    Raises:
        Infeasible: Limits, barriers and constraints contradict each other.
        Unbounded: The objective falls without end.
    """
    x: Array
    (H, c), compiled = step.objective(), kernels.module()
    n, lower, upper = len(c), allowed.lower, allowed.upper
    work = np.empty((n + 4, n))
    x, no_multipliers = work[n + 3], np.zeros(n)
    status = compiled.minimize_on_bounds(H, c, step.damping, True, lower, upper, no_multipliers, x)
    near_costs = status in REGULAR or step.costs_are_near()  # a question for those alone who have many least steps
    if status in FOUND and near_costs and allowed.A is None and allowed.keeps_rows(x):
        return x
    regular = status in REGULAR
    best = None if regular else _on_constraints(H, c, allowed, near_costs)
    if best is not None:
        return best
    unit = compiled.scale(H, c, 0.0 if regular else SOFT, lower, upper, work)
    guess, multipliers, proven = _on_bounds(work, unit, allowed, regular)
    if multipliers is not None and allowed.A is None and not multipliers[n:].any():
        certain = near_costs if not regular else False  # what is regular stays so on its bounds
        status = compiled.minimize_on_bounds(H, c, step.damping, certain, lower, upper, multipliers, x)
        if status in FOUND and allowed.keeps_rows(x):
            return x
    if proven and guess is not None:
        return np.clip(guess, lower, upper)
    return exact_step(allowed, guess, multipliers)


def _on_constraints(H: Array, c: Array, allowed: Allowed, near_costs: bool) -> Array | None:  # noqa: N803
    """Return the least Δq of those that meet the constraints, where that is certain and nothing else is in its way.

    Raises:
        Infeasible: None meets them.
    """
    if allowed.A is None:
        return None
    met = allowed.feasible_set(allowed.lower, allowed.upper)
    N, y = met.basis, np.empty(met.basis.shape[1])  # noqa: N806
    no_multipliers, far = np.zeros(len(y)), np.full(len(y), np.inf)
    given = (np.ascontiguousarray(N.T @ H @ N), N.T @ (c + H @ met.offset), allowed.step.damping, near_costs)
    if kernels.module().minimize_on_bounds(*given, -far, far, no_multipliers, y) not in FOUND:
        return None
    x: Array = met.offset + N @ y
    inside = bool((allowed.lower <= x).all() and (x <= allowed.upper).all())
    return x if inside and allowed.keeps_rows(x) else None


def _on_bounds(work: Array, unit: float, allowed: Allowed, regular: bool) -> tuple[Array | None, Array | None, bool]:
    """Return the Δq that `least_step` finds and its multipliers, of the box first, and whether rows prove it least.

    All numbers are about one, as `scale` wrote them into `work`. Both are None where none is found.
    """
    n, compiled = work.shape[1], kernels.module()
    P, q, low, high = work[:n], work[n], work[n + 1], work[n + 2]
    G, h, A, b = allowed.rows()
    rows, equalities, y = np.vstack([G, A]), len(b), np.empty(n)
    high, multipliers = np.concatenate([high, h / unit, b / unit]), np.empty(n + len(rows))
    if not compiled.least_step(P, q, low, high, rows, equalities, 0.0, y, multipliers):
        return None, None, False
    if not math.isfinite(float(y @ y)) or not math.isfinite(float(multipliers @ multipliers)):
        return None, None, False
    beside = allowed.G is not None or allowed.A is not None
    proven = beside and regular and compiled.is_minimum(P, q, rows, low, high, equalities, multipliers, y)
    return y * unit, multipliers, proven


def no_solution(step: Step, reason: str, results: qpsolvers.Solution | None = None) -> NoSolutionFound:
    """Return the error of a step that was not found; `results` are those of a solver of qpsolvers, if one was asked."""
    return NoSolutionFound(step.program(), results, reason, partial(contradiction, step))


Source = Limit | Barrier | Task

FEW = 8
"""Of so many every set is tried, the smallest first; of more, each is left out that is not needed."""


def contradiction(step: Step) -> tuple[Source, ...]:
    """Return a smallest set that no step keeps, of which any part can be kept; empty where all can be kept together.

    Of more than FEW a set is returned that none can be left out of, though there may be a smaller one.
    """
    sources: list[Source] = [*step.limits, *step.barriers, *step.constraints]
    if _can_be_kept(step, sources):
        return ()
    if len(sources) <= FEW:
        sets = chain.from_iterable(combinations(sources, k + 1) for k in range(len(sources)))
        return next(tuple(some) for some in sets if not _can_be_kept(step, some))
    needed = list(sources)
    for source in sources:
        fewer = [other for other in needed if other is not source]
        if not _can_be_kept(step, fewer):
            needed = fewer
    return tuple(needed)


def _can_be_kept(step: Step, sources: Sequence[Source]) -> bool:
    kept = {id(source) for source in sources}
    limits = [limit for limit in step.limits if id(limit) in kept]
    barriers = [barrier for barrier in step.barriers if id(barrier) in kept]
    constraints = [task for task in step.constraints if id(task) in kept]
    try:
        prove_feasible(Allowed.read(replace(step, limits=limits, barriers=barriers, constraints=constraints)))
    except Infeasible:
        return False
    return True
