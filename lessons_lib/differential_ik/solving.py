"""One step of differential inverse kinematics: the velocity that suits all tasks best."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik.barriers.barrier import Barrier
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import NoSolutionFound, UnknownSolver
from lessons_lib.differential_ik.limits.limit import Limit
from lessons_lib.differential_ik.quadratic_program import Step
from lessons_lib.differential_ik.solver.exact_step import Allowed, nearest_step, prove_feasible
from lessons_lib.differential_ik.solver.feasible_set import Infeasible
from lessons_lib.differential_ik.solver.proven_step import no_solution, proven_step
from lessons_lib.differential_ik.tasks.task import Task

if TYPE_CHECKING:
    import qpsolvers


LOOSE, TINY = 1e-3, 1e-6
"""By how much a solver that was named may be off, of a row's terms and absolutely: iterative ones stop early."""


def solve_ik(
    configuration: Configuration,
    tasks: Iterable[Task],
    dt: float,
    solver: str | None = None,
    damping: float = 1e-12,
    limits: Iterable[Limit] | None = None,
    barriers: Iterable[Barrier] | None = None,
    constraints: Iterable[Task] | None = None,
    safety_break: bool = True,
    nearest: bool = False,
    **kwargs: Any,
) -> Array:
    """Return the velocity that the tasks ask for, shape (nv,), in the tangent space of q.

    The answer is proven before it is returned: a step within the limits by its gradient, else one on the bounds that
    `solver/dual_step.py` finds active, with limits of single rates as a box, all numbers about one. What cannot be
    proven so, as where a redundant robot leaves H singular but for the damping, is solved by orthogonal factors instead
    (`solver/exact_step.py`). A solver that is named, or DAQP for keywords without a name, is called through qpsolvers,
    for the same problem, and its answer is checked for constraints that it misses.

    Args:
        configuration: Where the robot is.
        tasks: What it should do, as well as all of it can be done.
        dt: Duration of the step, s.
        solver: Name of another solver of quadratic programs, one of `qpsolvers.available_solvers`.
        damping: What any motion costs, [cost]² per squared unit of Δq. Of several steps that suit the tasks as well as
            can be, any damping chooses the shortest; so does 0 here, though solvers by name may take another one.
        limits: What it may never do; those of the configuration and of the velocity if left out, none if empty.
        barriers: What it may not come too near to.
        constraints: Tasks to be done exactly. Rows with a cost of zero are left out, in contrast to Pink, so a
            FrameTask with orientation_cost=0 holds the position alone; the size of a cost above zero does not matter.
        safety_break: Whether a joint outside its limits is an error, or only logged.
        nearest: Whether, where limits, barriers and constraints contradict each other, the step is returned that
            misses them least, in place of an error: bounds of single rates are kept (those that cross meet in their
            middle), and of the rest the sum of the squares of what is missed is least.
        **kwargs: Forwarded to the solver.

    Returns:
        v = Δq/dt, rad/s or m/s; of a floating base its twist (ω, v) in its own frame.

    Raises:
        NotWithinConfigurationLimits: A joint is outside its limits, and safety_break is set.
        NoSolutionFound: Limits, barriers and constraints were shown to contradict each other, nothing costs in a
            direction that nothing bounds, or the solver gave up; its `reason` says which, and its `contradiction` is a
            smallest set of those that contradict each other.
        UnknownSolver: No solver of that name is installed.
        MissingExtra: One was named, or given keywords, and qpsolvers is not installed.
        ParameterError: dt is not above zero, damping is negative, or something is of another kind.
        TargetNotSet: A task has no target.
        FrameNotFound: A task or barrier names a frame that the robot does not have.
    """
    step = Step.read(configuration, tasks, dt, damping, limits, barriers, constraints)
    configuration.check_limits(safety_break=safety_break)
    try:
        if solver is None and not kwargs:
            return proven_step(step) / step.dt
        return _solve_by_name(step, "daqp" if solver is None else solver, kwargs) / step.dt
    except NoSolutionFound as error:
        if not nearest or not error.contradiction:
            raise
    return nearest_step(step) / step.dt


def _solve_by_name(step: Step, solver: str, options: dict[str, Any]) -> Array:
    """Return Δq from a solver of qpsolvers.

    Raises:
        MissingExtra: qpsolvers is not installed.
        UnknownSolver: No solver of that name is installed.
        NoSolutionFound: It found none.
    """
    problem = step.program().problem("differential_ik.solve_ik with a solver by name")
    import qpsolvers

    if not isinstance(solver, str) or solver not in qpsolvers.available_solvers:
        raise UnknownSolver(solver, qpsolvers.available_solvers)
    results = qpsolvers.solve_problem(problem, solver=solver, **options)
    if not results.found or results.x is None or not np.isfinite(results.x).all():
        raise no_solution(step, _reason(step, f"the solver {solver!r} gave up"), results)
    missed = _missed(problem, results.x)
    if missed:
        raise no_solution(step, _reason(step, f"the solver {solver!r} returned a step that {missed}"), results)
    return results.x


def _reason(step: Step, otherwise: str) -> str:
    """Return why there is no step, or, where there is one, what happened instead."""
    try:
        prove_feasible(Allowed.read(step))
    except Infeasible as cause:
        return str(cause)
    return f"{otherwise}, though limits, barriers and constraints can be kept together"


def _missed(problem: qpsolvers.Problem, x: Array) -> str:
    """Return which rows a step misses by more than solvers by name may, in words; empty for none."""
    for matrix, bound, kind in ((problem.G, problem.h, "inequality"), (problem.A, problem.b, "equality")):
        if matrix is None or bound is None:
            continue
        off = matrix @ x - bound
        off = np.abs(off) if kind == "equality" else off
        sizes = np.abs(matrix) @ np.abs(x) + np.where(np.isfinite(bound), np.abs(bound), 0.0)
        if (off > LOOSE * sizes + TINY).any():
            row = int(np.argmax(off - LOOSE * sizes))
            return f"misses {kind} {row + 1} of {len(bound)} by {off[row]:.3g}"
    return ""
