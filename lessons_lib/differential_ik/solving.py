"""One step of differential inverse kinematics."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik.barriers import Barrier
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.errors import NoSolutionFound, UnknownSolver
from lessons_lib.differential_ik.limits.limit import Limit
from lessons_lib.differential_ik.solver.daqp_step import least_step
from lessons_lib.differential_ik.solver.feasibility import Infeasible, find_contradiction, require_feasible
from lessons_lib.differential_ik.solver.problem import Step
from lessons_lib.differential_ik.solver.refinement import Unbounded
from lessons_lib.differential_ik.tasks.task import Task
from lessons_lib.errors import UnknownArgument, near_matches

if TYPE_CHECKING:
    import qpsolvers


ROW_RTOL, ROW_ATOL = 1e-3, 1e-6
"""Relative and absolute error allowed in a row for named solvers, because iterative ones stop early."""


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
    **kwargs: Any,
) -> Array:
    """Solve for the velocity that fulfils the tasks best, shape (nv,), in the tangent space of q.

    DAQP solves the quadratic program of `build_ik`, with limits of single rates as bounds. If H is too ill-conditioned
    (very different costs, or a nearly singular configuration), an active-set method with orthogonal factors of the
    tasks' rows refines the solution. A named solver, or DAQP if there are keywords without a name, is called through
    qpsolvers, and its solution is checked for violated rows.

    >>> from lessons_lib import differential_ik as dik, lie, robots
    >>> at = dik.Configuration(robots.load_urdf(robots.urdf_file("ur10")), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> up = lie.exp_se3([0, 0, 0, 0, 0, 0.01]) @ at.get_transform_frame_to_world("tool0")  # 1 cm
    >>> task = dik.FrameTask("tool0", position_cost=1.0, orientation_cost=1.0)
    >>> task.set_target(up)
    >>> for _ in range(20):
    ...     at.integrate_inplace(dik.solve_ik(at, [task], dt=0.01), 0.01)
    >>> bool(abs(task.compute_error(at)).max() < 1e-9)
    True

    Args:
        configuration: Configuration of the robot.
        tasks: Tasks, weighted against each other by their costs.
        dt: Duration of the step, s.
        solver: Name of another solver of quadratic programs, one of `qpsolvers.available_solvers`.
        damping: Cost of any motion, [cost]² per squared unit of Δq. Of several optimal steps the shortest is returned,
            also if the damping is 0; a named solver may then return another one.
        limits: Limits of the step; those of configuration and velocity by default, none if empty.
        barriers: Barriers of the step.
        constraints: Tasks to fulfil exactly. Rows with a cost of zero are ignored, unlike in Pink, so that a FrameTask
            with orientation_cost=0 fixes only the position; the size of a positive cost does not matter.
        safety_break: Whether a joint outside its limits is an error, or only logged; then there is no solution if the
            ConfigurationLimit demands a faster return than the other limits allow.
        **kwargs: Options of the solver.

    Returns:
        v = Δq/dt, rad/s or m/s; of a floating base its twist (ω, v) in its own frame.

    Raises:
        NotWithinConfigurationLimits: A joint is outside its limits, and safety_break is set.
        NoSolutionFound: Limits, barriers and constraints contradict each other, the objective decreases without bound,
            or the solver gave up; `reason` says which, and `contradiction` is a smallest contradicting set.
        UnknownSolver: No solver of that name is installed.
        MissingExtra: A solver is named, or keywords are given, and qpsolvers is not installed.
        ParameterError: dt is not above zero, damping is negative, or an argument has the wrong type.
        TargetNotSet: A task has no target.
        FrameNotFound: A task or barrier names a frame that the robot does not have.
    """
    step = Step.read(configuration, tasks, dt, damping, limits, barriers, constraints)
    configuration.check_limits(safety_break=safety_break)
    if solver is None and not kwargs:
        return solve_step(step) / step.dt
    return _solve_by_name(step, "daqp" if solver is None else solver, kwargs) / step.dt


def solve_step(step: Step) -> Array:
    """Return Δq of a step by DAQP, or raise NoSolutionFound with the reason."""
    try:
        return least_step(step)
    except Infeasible as cause:
        advice = "pass a constraint as a task, or relax one of them" if step.constraints else "relax one of them"
        raise _no_solution(step, f"{cause}; {advice}") from None
    except Unbounded as cause:
        raise _no_solution(step, str(cause)) from None
    except (ArithmeticError, np.linalg.LinAlgError):
        raise _no_solution(step, _reason(step, "rounding prevented DAQP from finding a step")) from None


def _no_solution(step: Step, reason: str, results: qpsolvers.Solution | None = None) -> NoSolutionFound:
    return NoSolutionFound(step.program(), results, reason, partial(find_contradiction, step))


def _solve_by_name(step: Step, solver: str, options: dict[str, Any]) -> Array:
    """Return Δq by a solver of qpsolvers, or raise NoSolutionFound with the reason."""
    problem = step.program().problem("differential_ik.solve_ik with a solver by name")
    import qpsolvers

    if not isinstance(solver, str) or solver not in qpsolvers.available_solvers:
        raise UnknownSolver(solver, qpsolvers.available_solvers)
    try:
        results = qpsolvers.solve_problem(problem, solver=solver, **options)
    except TypeError as cause:
        if "unexpected keyword argument" not in str(cause):
            raise
        own, names = tuple(inspect.signature(solve_ik).parameters)[:-1], ", ".join(options)
        raise UnknownArgument(
            f"keywords must be arguments of solve_ik or options of the solver {solver!r}, got {names}; "
            f"{near_matches(names, own)}"
        ) from cause
    if not results.found or results.x is None or not np.isfinite(results.x).all():
        raise _no_solution(step, _reason(step, f"the solver {solver!r} gave up"), results)
    violated = _violated_row(problem, results.x)
    if violated:
        raise _no_solution(step, _reason(step, f"the solver {solver!r} returned a step that {violated}"), results)
    return results.x


def _reason(step: Step, otherwise: str) -> str:
    """Describe the contradiction that excludes every step, or return `otherwise`."""
    try:
        require_feasible(step)
    except Infeasible as cause:
        return str(cause)
    except (ArithmeticError, np.linalg.LinAlgError):
        return otherwise
    return f"{otherwise}, though limits, barriers and constraints do not contradict each other"


def _violated_row(problem: qpsolvers.Problem, x: Array) -> str:
    """Describe a row that a step violates by more than the allowed error; empty if there is none."""
    for matrix, bound, kind in ((problem.G, problem.h, "inequality"), (problem.A, problem.b, "equality")):
        if matrix is None or bound is None:
            continue
        off = matrix @ x - bound
        off = np.abs(off) if kind == "equality" else off
        sizes = np.abs(matrix) @ np.abs(x) + np.where(np.isfinite(bound), np.abs(bound), 0.0)
        if (off > ROW_RTOL * sizes + ROW_ATOL).any():
            row = int(np.argmax(off - ROW_RTOL * sizes))
            return f"misses {kind} {row + 1} of {len(bound)} by {off[row]:.3g}"
    return ""
