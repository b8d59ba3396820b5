"""A solve that prefers a posture: descent in the null space of the goal, or the nearest solution.

`null_space_descent` descends; if no joint is spare, all solutions are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.all_solutions.entry import strategy_for
from lessons_lib.all_solutions.module import module as closed_forms
from lessons_lib.all_solutions.solutions import IKStrategy
from lessons_lib.arrays import Array
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Plain, Recipe, Taken
from lessons_lib.errors import ParameterError
from lessons_lib.lie.targets import check_target
from lessons_lib.pose_ik import length_scaling, sequential
from lessons_lib.pose_ik.arguments import check_problem, check_start
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.evaluation import evaluate
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.prepared_problem import REAL
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.result import Result
from lessons_lib.pose_ik.settings import settings_of
from lessons_lib.pose_ik.solve_by_branches import solve_by_branches
from lessons_lib.pose_ik.starts import AllBranches, Nearest, Starts
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.pose_ik.weights import active_mask, frame_and_split, has_masked_components, intervals_of
from lessons_lib.robots import Chain

_KEY, _TEXT = "prefer", ("null_space_descent",)
_CALLS = Taken("lessons_lib.codegen.addresses", "call_at")
_FORMS = ("is_pose",)
MASKED = ": all solutions are known only if no component is left out"

NEAREST = AllBranches, Nearest
NO_GRADIENT = np.zeros(2)

LOOSE = 1e-9
"""Part of the largest singular value below which another one is zero, at a configuration drawn at random."""


@dataclass(frozen=True, slots=True)
class NullSpacePlan:
    """How an arm approaches a posture, prepared once.

    Attributes:
        problem: In units of the arm's characteristic length if it descends.
        unit: That length, m, or 1.
        units: Factor of each joint on the way back, shape (n,).
        report_units: Factor of each number of a report.
        road: Finds all solutions; None if there are spare joints.
        run: The compiled descent in the null space; None if no joint is spare.
        inputs: Its last arguments.
    """

    problem: Problem
    unit: float
    units: Array
    report_units: Array
    road: IKStrategy | None
    run: Any
    inputs: tuple[Any, ...]


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
    """Return the solution where no small motion comes nearer to a posture, or the nearest one; `search` is `solve`.

    Raises:
        ConfigurationError: The posture has another shape, is not finite, or outside the limits.
        ParameterError: No joint is spare and all solutions are not known, or method or starts contradict prefer.
    """
    plan: NullSpacePlan = (arm.prepared.get((_KEY, goal, stop)) if isinstance(arm, Chain) else None) or plan_of(
        arm, goal, stop
    )
    if plan.road is None:
        if isinstance(starts, NEAREST):
            raise ParameterError(
                f"prefer cannot be combined with starts={starts!r}, which chooses the solution nearest to q0"
            )
        posture: Any = prefer
        if not (is_real(prefer, plan.units.shape) and module().is_inside(prefer, arm_of(arm).joints)):
            posture = arm.check_within_limits(prefer)
        begin = posture if q0 is None else q0
        found = search(arm, target, begin, goal=goal, method=method, starts=starts, stop=stop, rng=rng)
        return descend_in_null_space(target, posture, plan, found) if found.converged else found
    if method is not None or starts is not None:
        raise ParameterError(f"prefer chooses among all solutions of {arm.name}: leave method and starts out")
    if q0 is not None:
        check_start(plan.problem, q0)
    return nearest(search, arm, target, prefer, plan)


def is_real(numbers: object, shape: tuple[int, ...]) -> bool:
    """Return whether an object is a plain array of doubles with this shape."""
    return type(numbers) is np.ndarray and numbers.dtype is REAL and numbers.shape == shape


def plan_of(arm: Chain, goal: Goal | None, stop: Stop | None) -> NullSpacePlan:
    """Return how an arm approaches a posture, and keep it on the arm.

    Raises:
        ParameterError: No joint is spare, and all solutions are not known.
    """
    problem, road, why = check_problem(arm, None, stop, None, goal), None, ""
    if intervals_of(problem.method) is not None:
        raise ParameterError(
            "prefer cannot be combined with intervals, because at their ends the number of equations changes: free a "
            "component by a weight of zero, or combine an interval task of differential_ik with a PostureTask"
        )
    if arm.dof <= 6 and not has_masked_components(problem.method):
        try:
            road = strategy_for(arm)
        except ParameterError as error:
            why = f": {error}"
    problem = problem if road is None else replace(problem, unit=1.0)
    own = length_scaling.scaled_problem(problem)
    if road is None:
        q = own.chain.random_configuration(np.random.default_rng(0))
        A = evaluate(own.chain, own.chain.forward_kinematics(q), q, *frame_and_split(own.method)).jacobian
        if np.linalg.matrix_rank(A[active_mask(own.method) > 0.0], LOOSE) == arm.dof:
            raise ParameterError(
                f"prefer needs a spare joint, or all solutions; {arm.name} has neither for goal {goal!r}{why or MASKED}"
            )
    sequential.compile_for(own)
    units, back = length_scaling.joint_units(arm, problem.unit), length_scaling.report_units(problem)
    inputs: tuple[Any, ...] = own.arm.joints, settings_of(own), *sequential.kernels_for(own)
    run = module().null_space_descent if road is None else None
    plan = NullSpacePlan(own, problem.unit, units, back, road, run, inputs)
    arm.prepare((_KEY, goal, stop), plan)
    return plan


def descend_in_null_space(target: ArrayLike, posture: Array, plan: NullSpacePlan, found: Result) -> Result:
    """Return a solution, moved in the null space of the goal."""
    report, gradient, unit = found._report, np.empty(2), plan.unit
    report.setflags(True)  # type: ignore[call-arg]  # nobody else has it yet
    if unit != 1.0:
        report /= plan.report_units
        posture = posture / plan.units
    exact = unit == 1.0 and is_real(target, (4, 4))
    if not exact or not plan.run(target, posture, report, gradient, *plan.inputs):
        T = length_scaling.scaled_poses(check_target(target), unit)
        plan.run(T, posture, report, gradient, *plan.inputs)
    if unit != 1.0:
        report *= plan.report_units
    report.setflags(False)  # type: ignore[call-arg]
    found._preference = plan.units, gradient
    return found


def nearest(
    search: Callable[..., Result], arm: Chain, target: ArrayLike, prefer: ArrayLike, plan: NullSpacePlan
) -> Result:
    """Return the solution nearest to a posture, or the proven reason why there is none; see `AllBranches`."""
    if not is_real(prefer, plan.units.shape):
        prefer = arm.check_within_limits(prefer)
    found = solve_by_branches(arm, target, prefer, None, None, plan.problem.stop, False, search)
    if found.converged:
        found._preference = plan.units, NO_GRADIENT
    return found


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module with `slide`, for all arms; the first call compiles it."""
    return modules.load(recipe())


def recipe() -> Recipe:
    """Return the recipe of the descent: the sequential search, the closed forms, and two texts."""
    known = _CALLS, Taken(sequential.search_module(), "*"), Taken(closed_forms(), *_FORMS)
    return Recipe("pose_ik_prefer", (*known, *(Plain(f"lessons_lib.pose_ik.{name}") for name in _TEXT)))
