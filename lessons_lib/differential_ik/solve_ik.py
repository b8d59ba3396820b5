"""One step of differential inverse kinematics: the velocity that suits all tasks best."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lessons_lib.differential_ik.barrier import Barrier
from lessons_lib.differential_ik.build_ik import Step
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import NoSolutionFound, UnknownSolver
from lessons_lib.differential_ik.inequalities import box_and_rows
from lessons_lib.differential_ik.limit import Limit
from lessons_lib.differential_ik.task import Task

Array = NDArray[np.float64]

EQUALITY = 5
"""DAQP's code for a row that holds with equality."""


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

    With "daqp" and no further keyword the solver is called directly, and limits of single rates reach it as a box,
    which halves its work; else it is called through qpsolvers. The problem is the same.

    Args:
        configuration: Where the robot is.
        tasks: What it should do, as well as all of it can be done.
        dt: Duration of the step, s.
        solver: Name of a solver of quadratic programs, one of `qpsolvers.available_solvers`.
        damping: What any motion costs, [cost]² per unit of Δq: a little makes the solution unique.
        limits: What it may never do; those of the configuration and of the velocity if left out, none if empty.
        barriers: What it may not come too near to.
        constraints: Tasks to be done exactly.
        safety_break: Whether a joint outside its limits is an error, or only logged.
        **kwargs: Forwarded to the solver.

    Returns:
        v = Δq/dt, rad/s or m/s; of a floating base its twist (ω, v) in its own frame.

    Raises:
        NotWithinConfigurationLimits: A joint is outside its limits, and safety_break is set.
        NoSolutionFound: Limits, barriers and constraints contradict each other, or the solver gave up.
        UnknownSolver: No solver of that name is installed.
        ParameterError: dt is not above zero, damping is negative, or something is of another kind.
        TargetNotSet: A task has no target.
        FrameNotFound: A task or barrier names a frame that the robot does not have.
    """
    step = Step.read(configuration, tasks, dt, damping, limits, barriers, constraints)
    configuration.check_limits(safety_break=safety_break)
    if solver == "daqp" and not kwargs:
        displacement = _solve_directly(step)
        if displacement is not None:
            return displacement / step.dt
    return _solve_by_name(step, solver, kwargs) / step.dt


def _solve_directly(step: Step) -> Array | None:
    """Return Δq from DAQP, or None where it finds none."""
    H, c = step.objective()
    lower, upper, (G, h) = box_and_rows(step.configuration, step.limits, step.dt, step.barriers)
    A, b = step.equalities()
    rows, sense = _no_rows(len(c))
    if G is not None or A is not None:
        blocks = [(matrix, bound) for matrix, bound in ((G, h), (A, b)) if matrix is not None]
        rows = np.vstack([matrix for matrix, _ in blocks])
        upper = np.concatenate([upper, *(bound for _, bound in blocks)])
        lower = np.concatenate([lower, np.full(len(rows), -np.inf)])
        sense = np.zeros(len(upper), dtype=np.intc)
        if b is not None:
            sense[-len(b) :] = EQUALITY
    x, _, exit_flag, _ = _daqp().solve(H, c, rows, upper, lower, sense)
    return x if exit_flag > 0 and math.isfinite(float(x @ x)) else None  # it may call numbers optimal that are none


@lru_cache(maxsize=64)
def _no_rows(nv: int) -> tuple[Array, NDArray[np.intc]]:
    """Return a matrix without rows, and the kinds of the nv bounds."""
    return np.zeros((0, nv)), np.zeros(nv, dtype=np.intc)


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
        raise NoSolutionFound(problem, results)
    displacement: Array = results.x
    return displacement
