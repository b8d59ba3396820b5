"""A solve that prefers a posture: descent in the null space of the goal, or the nearest solution without redundancy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from types import ModuleType
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.all_solutions.entry import strategy_for
from lessons_lib.all_solutions.module import module as closed_forms
from lessons_lib.all_solutions.solutions import IKStrategy
from lessons_lib.arrays import Array
from lessons_lib.codegen.linker import Imported, Plain
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.lie.checks import check_target
from lessons_lib.pose_ik import length_scaling, sequential
from lessons_lib.pose_ik.arguments import check_problem, check_start
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.evaluation import evaluate
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.prepared_problem import REAL
from lessons_lib.pose_ik.problem import Problem, Stop
from lessons_lib.pose_ik.result import Result
from lessons_lib.pose_ik.settings import settings_of
from lessons_lib.pose_ik.solve_by_branches import solve_by_branches
from lessons_lib.pose_ik.starts import AllBranches, Nearest, Starts
from lessons_lib.pose_ik.weights import active_mask, frame_and_split, has_masked_components, intervals_of
from lessons_lib.robots import Chain

_KEY = "prefer"

NEAREST = AllBranches, Nearest
NO_GRADIENT = np.zeros(2)

RANK_TOLERANCE = 1e-9
"""Singular value, relative to the largest one, that counts as zero at a random configuration."""


@dataclass(frozen=True, slots=True)
class NullSpacePlan:
    """Data of the solves of an arm, goal and stopping rule that prefer a posture, prepared once."""

    problem: Problem  # for a redundant arm in units of its characteristic length
    unit: float  # that length, m, or 1
    units: Array  # factor from scaled to the caller's joint values, (n,)
    report_units: Array  # factor from scaled to the caller's unit for each number of a report
    strategy: IKStrategy | None  # finds all solutions; None for a redundant arm
    descend: Any  # the compiled descent in the null space; None without redundancy
    inputs: tuple[Any, ...]  # the last arguments of `descend`


def solve_preferring(
    search: Callable[..., Result],
    arm: Chain,
    target: ArrayLike,
    q0: ArrayLike | None,
    goal: Goal | None,
    method: StepMethod | None,
    starts: Starts | AllBranches | None,
    stop: Stop | None,
    rng: np.random.Generator | None,
    prefer: ArrayLike,
) -> Result:
    """Return a solution at a local minimum of the distance from a posture, or the nearest one; `search` is `solve`."""
    plan: NullSpacePlan = (arm.prepared.get((_KEY, goal, stop)) if isinstance(arm, Chain) else None) or plan_of(
        arm, goal, stop
    )
    if plan.strategy is None:
        if isinstance(starts, NEAREST):
            raise ParameterError(
                f"prefer cannot be combined with starts={starts!r}, which chooses the solution nearest to q0"
            )
        posture = read_posture(arm, prefer)
        start = posture if q0 is None else q0
        result = search(arm, target, start, goal=goal, method=method, starts=starts, stop=stop, rng=rng)
        return descend_in_null_space(target, posture, plan, result) if result.converged else result
    if method is not None or starts is not None:
        raise ParameterError(f"prefer chooses among all solutions of {arm.name}: leave out method and starts")
    if q0 is not None:
        check_start(plan.problem, q0)
    return choose_nearest(search, arm, target, prefer, plan)


def read_posture(arm: Chain, prefer: ArrayLike) -> Array:
    """Return `prefer` as an array within the limits, or raise ConfigurationError, which names the argument."""
    if is_real(prefer, (arm.dof,)) and sequential.search_module().is_inside(prefer, arm_of(arm).joints):
        return cast(Array, prefer)
    try:
        return arm.check_within_limits(prefer)
    except ConfigurationError as cause:
        raise ConfigurationError(f"prefer: {cause}") from None


def is_real(numbers: object, shape: tuple[int, ...]) -> bool:
    """Return whether an object is an array of doubles with this shape."""
    return type(numbers) is np.ndarray and numbers.dtype is REAL and numbers.shape == shape


def plan_of(arm: Chain, goal: Goal | None, stop: Stop | None) -> NullSpacePlan:
    """Prepare the plan of an arm, goal and stopping rule, and store it on the arm."""
    problem, strategy = check_problem(arm, None, stop, None, goal), None
    reason = ": all solutions are known only if the goal masks no component"
    if intervals_of(problem.method) is not None:
        raise ParameterError(
            "prefer cannot be combined with intervals, because the number of equations changes at their ends: free a "
            "component by a weight of zero, or combine an interval task of differential_ik with a PostureTask"
        )
    if arm.dof <= 6 and not has_masked_components(problem.method):
        try:
            strategy = strategy_for(arm)
        except ParameterError as error:
            reason = f": {error}"
    problem = problem if strategy is None else replace(problem, unit=1.0)
    scaled = length_scaling.scale_problem(problem)
    if strategy is None:
        q = scaled.chain.random_configuration(np.random.default_rng(0))
        A = evaluate(scaled.chain, scaled.chain.forward_kinematics(q), q, *frame_and_split(scaled.method)).jacobian
        if np.linalg.matrix_rank(A[active_mask(scaled.method) > 0.0], RANK_TOLERANCE) == arm.dof:
            raise ParameterError(
                f"prefer needs a redundant joint, or an arm with known solutions; {arm.name} has neither for the goal "
                f"{goal!r}{reason}"
            )
    sequential.compile_for(scaled)
    units, factors = length_scaling.joint_units(arm, problem.unit), length_scaling.report_units(problem)
    inputs: tuple[Any, ...] = scaled.arm.joints, settings_of(scaled), *sequential.kernels_for(scaled)
    descend = module().null_space_descent if strategy is None else None
    plan = NullSpacePlan(scaled, problem.unit, units, factors, strategy, descend, inputs)
    arm.prepare((_KEY, goal, stop), plan)
    return plan


def descend_in_null_space(target: ArrayLike, posture: Array, plan: NullSpacePlan, result: Result) -> Result:
    """Move a solution in the null space of the goal, in place, and return it."""
    report, gradient, unit = result._report, np.empty(2), plan.unit
    report.setflags(True)  # type: ignore[call-arg]  # the result has no other reference yet
    if unit != 1.0:
        report /= plan.report_units
        posture = posture / plan.units
    unchecked = unit == 1.0 and is_real(target, (4, 4))
    if not unchecked or not plan.descend(target, posture, report, gradient, *plan.inputs):
        T = length_scaling.scale_poses(check_target(target), unit)
        plan.descend(T, posture, report, gradient, *plan.inputs)
    if unit != 1.0:
        report *= plan.report_units
    report.setflags(False)  # type: ignore[call-arg]
    result._preference = plan.units, gradient
    return result


def choose_nearest(
    search: Callable[..., Result], arm: Chain, target: ArrayLike, prefer: ArrayLike, plan: NullSpacePlan
) -> Result:
    """Return the solution nearest to a posture, or the proven reason why there is none; see `AllBranches`."""
    posture = read_posture(arm, prefer)
    result = solve_by_branches(arm, target, posture, None, None, plan.problem.stop, False, search)
    if result.converged:
        result._preference = plan.units, NO_GRADIENT
    return result


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module with `null_space_descent`, for all arms; the first call compiles it."""
    text, pose = Plain("lessons_lib.pose_ik.null_space_descent"), Imported(closed_forms(), "is_pose")
    return sequential.load_with_search("pose_ik_prefer", text, pose)
