"""One step of differential inverse kinematics: the velocity that suits all tasks best."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lessons_lib.differential_ik import kernels
from lessons_lib.differential_ik.barrier import Barrier
from lessons_lib.differential_ik.build_ik import Step
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import NoSolutionFound, UnknownSolver
from lessons_lib.differential_ik.exact_step import Allowed, exact_step, prove_feasible
from lessons_lib.differential_ik.feasible_set import Empty
from lessons_lib.differential_ik.limit import Limit
from lessons_lib.differential_ik.task import Task
from lessons_lib.differential_ik.working_set import Endless

if TYPE_CHECKING:
    import qpsolvers

Array = NDArray[np.float64]

EQUALITY = 5
"""DAQP's code for a row that holds with equality."""

LEAST, BEYOND = 1, 2
"""Words of the compiled `settle`: its step is the least one; it would be, but it lies outside of the box."""

LOOSE, TINY = 1e-3, 1e-6
"""By how much a solver that was named may be off, of a row's terms and absolutely: iterative ones stop early."""

SOFT = 1e-7
"""What is added to an H about one whose least step is not certain: DAQP finds the walls then, though not the step."""


def solve_ik(
    configuration: Configuration,
    tasks: Iterable[Task],
    dt: float,
    solver: str = "daqp",
    damping: float = 1e-12,
    limits: Iterable[Limit] | None = None,
    barriers: Iterable[Barrier] | None = None,
    constraints: Iterable[Task] | None = None,
    safety_break: bool = True,
    **kwargs: Any,
) -> Array:
    """Return the velocity that the tasks ask for, shape (nv,), in the tangent space of q.

    With "daqp" and no further keyword the answer is proven before it is returned: a step within the limits by its
    slopes, else DAQP's walls, with limits of single rates as a box and all numbers about one. What cannot be proven so,
    as where a redundant robot leaves H singular but for the damping, is solved by orthogonal factors instead
    (`exact_step.py`). With keywords or another name the solver is called through qpsolvers, for the same problem, and
    its answer is looked at for constraints that it misses.

    Args:
        configuration: Where the robot is.
        tasks: What it should do, as well as all of it can be done.
        dt: Duration of the step, s.
        solver: Name of a solver of quadratic programs, one of `qpsolvers.available_solvers`.
        damping: What any motion costs, [cost]² per squared unit of Δq. Of several steps that suit the tasks as well as
            can be, any damping chooses the shortest; so does 0 here, though solvers by name may take another one.
        limits: What it may never do; those of the configuration and of the velocity if left out, none if empty.
        barriers: What it may not come too near to.
        constraints: Tasks to be done exactly.
        safety_break: Whether a joint outside its limits is an error, or only logged.
        **kwargs: Forwarded to the solver.

    Returns:
        v = Δq/dt, rad/s or m/s; of a floating base its twist (ω, v) in its own frame.

    Raises:
        NotWithinConfigurationLimits: A joint is outside its limits, and safety_break is set.
        NoSolutionFound: Limits, barriers and constraints were shown to contradict each other, nothing costs in a
            direction that nothing bounds, or the solver gave up; its `reason` says which.
        UnknownSolver: No solver of that name is installed.
        ParameterError: dt is not above zero, damping is negative, or something is of another kind.
        TargetNotSet: A task has no target.
        FrameNotFound: A task or barrier names a frame that the robot does not have.
    """
    step = Step.read(configuration, tasks, dt, damping, limits, barriers, constraints)
    configuration.check_limits(safety_break=safety_break)
    if solver == "daqp" and not kwargs:
        return _solve_directly(step) / step.dt
    return _solve_by_name(step, solver, kwargs) / step.dt


def _solve_directly(step: Step) -> Array:
    """Return Δq: the free step where it is allowed, else DAQP's where that is proven, else that of `exact_step`.

    Raises:
        NoSolutionFound: There is none, or none was found.
    """
    x: Array
    (H, c), allowed, compiled = step.objective(), Allowed.read(step), kernels.module()
    n, lower, upper, near_costs = len(c), allowed.lower, allowed.upper, step.costs_are_near()
    room = np.empty((n + 4, n))
    x, no_walls = room[n + 3], _no_rows(n)[2]
    word = compiled.settle(H, c, step.damping, near_costs, lower, upper, no_walls, x)
    if word == LEAST and allowed.A is None and allowed.keeps_rows(x):
        return x
    regular = word in (LEAST, BEYOND)
    unit = compiled.scale(H, c, 0.0 if regular else SOFT, lower, upper, room)
    near, multipliers, proven = _ask_daqp(room, unit, allowed, regular)
    if multipliers is not None and allowed.A is None and not multipliers[n:].any():
        word = compiled.settle(H, c, step.damping, near_costs, lower, upper, multipliers, x)
        if word == LEAST and allowed.keeps_rows(x):
            return x
    if proven and near is not None:
        return np.clip(near, lower, upper)
    try:
        best = exact_step(allowed, near, multipliers)
    except (Empty, Endless) as cause:
        raise no_solution(step.problem(), str(cause)) from None
    except (ArithmeticError, np.linalg.LinAlgError):
        best = None
    if best is None:
        raise no_solution(step.problem(), "rounding kept it from being found")
    return best


def _ask_daqp(room: Array, unit: float, allowed: Allowed, regular: bool) -> tuple[Array | None, Array | None, bool]:
    """Return DAQP's Δq and multipliers, of the box first, or None where it finds none, and whether rows prove it least.

    It is asked for numbers about one, which `scale` wrote into the room, since its tolerances are absolute.
    """
    n = room.shape[1]
    P, q, low, high = room[:n], room[n], room[n + 1], room[n + 2]
    if allowed.G is None and allowed.A is None:
        rows, sense, _ = _no_rows(n)
        y, _, exit_flag, info = _daqp().solve(P, q, rows, high, low, sense)
        proven = False
    else:
        rows, bounds, equalities = _rows(allowed)
        high, low = np.concatenate([high, bounds / unit]), np.concatenate([low, np.full(len(rows), -np.inf)])
        sense = np.zeros(len(high), dtype=np.intc)
        sense[len(high) - equalities :] = EQUALITY
        y, _, exit_flag, info = _daqp().solve(P, q, rows, high, low, sense)
        proven = regular and kernels.module().is_least(P, q, rows, low, high, equalities, info["lam"], y)
    multipliers = info["lam"]
    if exit_flag <= 0 or not math.isfinite(float(y @ y)) or not math.isfinite(float(multipliers @ multipliers)):
        return None, None, False
    return y * unit, multipliers, proven


def _rows(allowed: Allowed) -> tuple[Array, Array, int]:
    """Return all rows and their bounds, those of the equalities last, and how many these are."""
    blocks = [(allowed.G, allowed.h), (allowed.A, allowed.b)]
    pairs = [(matrix, bound) for matrix, bound in blocks if matrix is not None and bound is not None]
    rows = np.vstack([matrix for matrix, _ in pairs])
    return rows, np.concatenate([bound for _, bound in pairs]), 0 if allowed.b is None else len(allowed.b)


@lru_cache(maxsize=64)
def _no_rows(nv: int) -> tuple[Array, NDArray[np.intc], Array]:
    """Return a matrix without rows, the kinds of the nv bounds, and their multipliers where none pushes."""
    return np.zeros((0, nv)), np.zeros(nv, dtype=np.intc), np.zeros(nv)


@lru_cache(maxsize=1)
def _daqp() -> ModuleType:
    return import_module("daqp")  # when first needed, as qpsolvers is


def _solve_by_name(step: Step, solver: str, options: dict[str, Any]) -> Array:
    """Return Δq from a solver of qpsolvers.

    Raises:
        UnknownSolver: No solver of that name is installed.
        NoSolutionFound: It found none.
    """
    import qpsolvers

    if solver not in qpsolvers.available_solvers:
        raise UnknownSolver(solver, qpsolvers.available_solvers)
    problem = step.problem()
    results = qpsolvers.solve_problem(problem, solver=solver, **options)
    if not results.found or results.x is None or not np.isfinite(results.x).all():
        raise NoSolutionFound(problem, results, _reason(step, f"the solver {solver!r} gave up"))
    missed = _missed(problem, results.x)
    if missed:
        raise NoSolutionFound(problem, results, _reason(step, f"the solver {solver!r} returned a step that {missed}"))
    displacement: Array = results.x
    return displacement


def _reason(step: Step, otherwise: str) -> str:
    """Return why there is no step, or, where there is one, what happened instead."""
    try:
        prove_feasible(Allowed.read(step))
    except Empty as cause:
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


def no_solution(problem: qpsolvers.Problem, reason: str) -> NoSolutionFound:
    """Return the error of a problem that no solver of qpsolvers was asked about."""
    import qpsolvers

    return NoSolutionFound(problem, qpsolvers.Solution(problem, found=False), reason)
