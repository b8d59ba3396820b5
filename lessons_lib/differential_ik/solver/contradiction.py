"""The smallest infeasible subset: which limits, barriers and constraints contradict each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations

from lessons_lib.differential_ik.barriers.barrier import Barrier
from lessons_lib.differential_ik.limits.limit import Limit
from lessons_lib.differential_ik.quadratic_program import Step
from lessons_lib.differential_ik.solver.exact_step import Allowed, prove_feasible
from lessons_lib.differential_ik.solver.feasible_set import Infeasible
from lessons_lib.differential_ik.tasks.task import Task

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
