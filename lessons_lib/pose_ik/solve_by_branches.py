"""Choose the solution nearest to the start, optionally without collisions; TOUCHING if all solutions found collide."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.all_solutions.closed_arm import Closed6R
from lessons_lib.all_solutions.entry import all_solutions, check_scene, strategy_for
from lessons_lib.all_solutions.families import angular_distance
from lessons_lib.all_solutions.module import module as closed_forms
from lessons_lib.all_solutions.solutions import Solutions, nearest_2pi_equivalent
from lessons_lib.arrays import CONVERSION_ERRORS, Array
from lessons_lib.codegen.linker import Imported, Plain
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import sequential
from lessons_lib.pose_ik.arguments import check_problem, check_start
from lessons_lib.pose_ik.evaluation import evaluate, norms
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.layout import JOINTS, ORIENTATION_ERROR, POSITION_ERROR, STATUS
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.prepared_problem import PreparedProblem, doubles, prepare
from lessons_lib.pose_ik.problem import Stop
from lessons_lib.pose_ik.result import STATUSES, Result, Status
from lessons_lib.pose_ik.settings import settings_of
from lessons_lib.pose_ik.starts import AllBranches, Restarts, Starts, number_of_starts
from lessons_lib.pose_ik.weights import frame_and_split, has_weights
from lessons_lib.robots import Chain

_ONE_START = Restarts(0)

FAMILY_SAMPLES, MAX_STARTS = 64, 100
"""Numbers of members of a family, and of starts of a search, that are checked for collisions."""


SINGLE_POSE = "weights or intervals, because it solves for a single pose"


def solve_by_branches(
    arm: Chain,
    target: ArrayLike,
    q0: ArrayLike | None,
    goal: Goal | None,
    method: StepMethod | None,
    stop: Stop | None,
    trace: bool,
    search: Callable[..., Result],
) -> Result:
    """Return the solution nearest to q0 and its branch, see `AllBranches`; `search` is `solve`."""
    prepared = prepare(arm, goal, method, _ONE_START, stop)
    if has_weights(prepared.problem.method) or trace:
        reason = "a trace, because it takes no steps" if trace else SINGLE_POSE
        raise ParameterError(f"starts=AllBranches() cannot be combined with {reason}")
    nearest = _nearest_closed_form(prepared, target, q0)
    if nearest is not None:
        return nearest
    solutions, start = all_solutions(arm, target), check_start(prepared.problem, q0)
    if not len(solutions) and not solutions.families:
        return _with_proven_reason(solutions, search(arm, target, q0, method=method, stop=stop, starts=_ONE_START))
    return make_result(arm, solutions.target, solutions.nearest(start), start, Status.CONVERGED, solutions)


def _nearest_closed_form(prepared: PreparedProblem, target: Any, q0: Any) -> Result | None:
    """Return the nearest isolated solution of a closed form; None if there is none, or an argument is unchecked."""
    arm = prepared.problem.chain
    if prepared.report_nearest is None:
        strategy = strategy_for(arm)
        if strategy.__class__ is not Closed6R or prepared.problem.unit != 1.0:
            return None
        sequential.compile_for(prepared.problem)
        arguments = *strategy.arguments, arm.limits, strategy.structure.length, prepared.problem.arm.joints
        kernels = settings_of(prepared.problem), *sequential.kernels_for(prepared.problem)
        prepared.report_nearest = nearest_module().report_nearest, (*arguments, *kernels)
    report_nearest, arguments = prepared.report_nearest
    try:
        start = prepared.problem.arm.home if q0 is None else doubles(q0)
        report = np.empty(JOINTS + 2 * arm.dof)
        if not report_nearest(doubles(target), start, report, *arguments):
            return None
    except CONVERSION_ERRORS:
        return None
    return Result.of(report, None, partial(_branch_at, arm))


@lru_cache(maxsize=1)
def nearest_module() -> ModuleType:
    """Return the generated module with `report_nearest`, for all arms; the first call compiles it."""
    names = "solve_closed_form NOISE NEEDS_EXTENDED_PRECISION ELBOW MAX_SOLUTIONS FLAGS SHOULDER WRIST".split()
    text = Plain("lessons_lib.pose_ik.nearest_closed_form")
    return sequential.load_with_search("pose_ik_nearest", text, Imported(closed_forms(), *names))


def _branch_at(arm: Chain, q: Array) -> tuple[str, ...]:
    return branch_of(all_solutions(arm, arm.forward_kinematics(q)), q)


def make_result(
    arm: Chain,
    T: Array,
    q: Array,
    start: Array,
    status: Status,
    solutions: Solutions | None,  # noqa: N803
    method: StepMethod | None = None,
) -> Result:
    """Return the result for a chosen configuration, with its branch if all solutions are known."""
    branch = None if solutions is None else partial(branch_of, solutions)
    return Result.of(make_report(arm, T, q, start, status, method), None, branch)


def make_report(
    arm: Chain,
    T: Array,  # noqa: N803
    q: Array,
    start: Array,
    status: Status,
    method: StepMethod | None = None,
) -> Array:
    """Return the report of a configuration without a search, with the error of a method; see layout.py."""
    report = np.zeros(JOINTS + 2 * arm.dof)
    report[STATUS], report[JOINTS:] = STATUSES.index(status), np.concatenate([q, start])
    report[ORIENTATION_ERROR], report[POSITION_ERROR] = norms(evaluate(arm, T, q, *frame_and_split(method)).error_twist)
    return report


def _with_proven_reason(solutions: Solutions, result: Result) -> Result:
    """Return the result of a search; its status is the reason why there is no solution, if this is proven."""
    status = result.status
    if status is not Status.CONVERGED and solutions.complete:
        anywhere = all_solutions(solutions.arm, solutions.target, limits=False)
        outside = len(anywhere) > 0 or len(anywhere.families) > 0
        status = Status.OUTSIDE_LIMITS if outside else Status.UNREACHABLE
    report = result._report.copy()
    report[STATUS] = STATUSES.index(status)
    return Result.of(report)


def branch_of(solutions: Solutions, q: Array) -> tuple[str, ...]:
    """Return the names of the solution or family nearest to a configuration."""
    isolated = [(angular_distance(one.q, q), one.names) for one in solutions]
    curves = [(angular_distance(family.nearest(q), q), family.names) for family in solutions.families]
    return min([*isolated, *curves], key=lambda pair: pair[0])[1]


def solve_free(
    arm: Chain,
    target: ArrayLike,
    q0: ArrayLike | None,
    goal: Goal | None,
    method: StepMethod | None,
    starts: Starts | AllBranches | None,
    stop: Stop | None,
    scene: object,
    search: Callable[..., Result],
) -> Result:
    """Return the collision-free solution nearest to q0, among all solutions or those of up to MAX_STARTS starts."""
    checked_scene, all_branches = check_scene(scene, arm), isinstance(starts, AllBranches)
    search_starts = Restarts() if starts is None or isinstance(starts, AllBranches) else starts
    problem = check_problem(arm, method, stop, search_starts, goal)
    start, solutions = check_start(problem, q0), None
    if all_branches and has_weights(problem.method):
        raise ParameterError(f"starts=AllBranches() cannot be combined with {SINGLE_POSE}")
    if all_branches or (starts is None and not has_weights(problem.method) and _has_isolated_solutions(arm)):
        solutions = all_solutions(arm, target)
        configurations, T = candidates(solutions), solutions.target
    else:
        rng, T = np.random.default_rng(0), np.asarray(target, dtype=np.float64)
        count = min(number_of_starts(search_starts), MAX_STARTS)
        rows = [start, *(arm.random_configuration(rng) for _ in range(count - 1))]
        solve_once = partial(search, arm, target, goal=goal, method=method, stop=stop, starts=Restarts(0))
        configurations = np.array([result.q for result in map(solve_once, rows) if result.converged])
    if not len(configurations):
        result = search(arm, target, q0, goal=goal, method=method, stop=stop, starts=starts)
        if not result.converged:
            return result
        configurations = result.q[None]
    near = np.array([nearest_2pi_equivalent(q, start, arm, arm.limits) for q in configurations])
    free = near[checked_scene.is_free(near)]
    if not len(free):
        q = near[np.argmax(checked_scene.clearance(near))]
        return make_result(arm, T, q, start, Status.TOUCHING, solutions, problem.method)
    q = free[np.argmin(np.linalg.norm(free - start, axis=1))]
    return make_result(arm, T, q, start, Status.CONVERGED, solutions, problem.method)


def candidates(solutions: Solutions) -> Array:
    """Return the isolated solutions and samples of each family, shape (k, n)."""
    rows: list[Any] = [*solutions.q]
    for family in solutions.families:
        for low, high in family.intervals:
            rows += [family.at(float(angle)) for angle in np.linspace(low, high, FAMILY_SAMPLES)]
    return np.array(rows).reshape(len(rows), solutions.arm.dof)


def _has_isolated_solutions(arm: Chain) -> bool:
    try:
        strategy_for(arm)
    except ParameterError:
        return False
    return arm.dof < 7  # a redundant arm has families of solutions, of which a search finds more
