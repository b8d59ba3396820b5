"""A solve that prefers a posture: where the goal leaves joints to spare it slides there, else it takes the nearest.

`compiled_posture` descends along the null space; without a spare joint, `solve_by_branches` chooses the solution.
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
from lessons_lib.pose_ik.weights import active_mask, frame_and_split, has_masked_components
from lessons_lib.robots import Chain

_KEY, _TEXT = "prefer", ("compiled_posture",)
_CALLS = Taken("lessons_lib.codegen.addresses", "call_at")
_FORMS = ("is_pose",)
ALONE = ", which leaves something out, and all answers are known of whole poses only"

NEAREST = AllBranches, Nearest
NO_GRADIENT = np.zeros(2)
LOOSE = 1e-9
"""Part of the largest singular value below which another one is zero, at a configuration drawn at random."""


@dataclass(frozen=True, slots=True)
class Way:
    """How an arm comes to a posture, found once.

    Attributes:
        problem: What is asked for, in units of the arm's own length where it slides.
        unit: That length, m, or 1.
        units: What a joint's number is multiplied with on the way back, shape (n,).
        report_units: What each number of a report is.
        road: How all answers are found; None where there are joints to spare.
        run: The compiled descent along the null space; None if no joint is spare.
        told: Its arguments.
    """

    problem: Problem
    unit: float
    units: Array
    report_units: Array
    road: IKStrategy | None
    run: Any
    told: tuple[Any, ...]


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
    """Return the answer at which no small move comes nearer to a posture, or the nearest of all; `search` is `solve`.

    Raises:
        ConfigurationError: The posture has another shape, is not finite, or outside the limits.
        ParameterError: The goal leaves nothing to spare and all answers are not known, or method or starts contradict.
    """
    way: Way = (arm.prepared.get((_KEY, goal, stop)) if isinstance(arm, Chain) else None) or way_of(arm, goal, stop)
    if way.road is None:
        if isinstance(starts, NEAREST):
            raise ParameterError(f"starts is {starts!r}: it takes what is nearest to q0, where prefer names a posture")
        prefer = arm.check_within_limits(prefer)
        begin = prefer if q0 is None else q0
        found = search(arm, target, begin, goal=goal, method=method, starts=starts, stop=stop, rng=rng)
        return slid(target, prefer, way, found) if found.converged else found
    if method is not None or starts is not None:
        raise ParameterError(f"prefer takes the nearest of all answers of {arm.name}: leave method and starts out")
    if q0 is not None:
        check_start(way.problem, q0)
    return nearest(search, arm, target, prefer, way)


def is_real(numbers: object, shape: tuple[int, ...]) -> bool:
    """Return whether something is a plain array of doubles of a shape."""
    return type(numbers) is np.ndarray and numbers.dtype is REAL and numbers.shape == shape


def way_of(arm: Chain, goal: Goal | None, stop: Stop | None) -> Way:
    """Return how an arm comes to a posture, and remember it.

    Raises:
        ParameterError: The goal leaves nothing to spare, and all answers are not known.
    """
    problem, road, why = check_problem(arm, None, stop, None, goal), None, ""
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
                f"prefer needs a joint to spare, or all answers; {arm.name} has neither for goal {goal!r}{why or ALONE}"
            )
    sequential.compile_for(own)
    units, back = length_scaling.joint_units(arm, problem.unit), length_scaling.report_units(problem)
    told: tuple[Any, ...] = own.arm.joints, settings_of(own), *sequential.kernels_for(own)
    run = module().slide if road is None else None
    way = Way(own, problem.unit, units, back, road, run, told)
    arm.prepare((_KEY, goal, stop), way)
    return way


def slid(target: ArrayLike, posture: Array, way: Way, found: Result) -> Result:
    """Return the answer of a search, moved along what the goal does not feel."""
    report, told, unit = found._report, np.empty(2), way.unit
    report.setflags(True)  # type: ignore[call-arg]  # nobody else has it yet
    if unit != 1.0:
        report /= way.report_units
        posture = posture / way.units
    exact = unit == 1.0 and is_real(target, (4, 4))
    if not exact or not way.run(target, posture, report, told, *way.told):
        T = length_scaling.scaled_poses(check_target(target), unit)
        way.run(T, posture, report, told, *way.told)
    if unit != 1.0:
        report *= way.report_units
    report.setflags(False)  # type: ignore[call-arg]
    found._preference = way.units, told
    return found


def nearest(search: Callable[..., Result], arm: Chain, target: ArrayLike, prefer: ArrayLike, way: Way) -> Result:
    """Return the solution nearest to a posture, or the proven reason why there is none; see `AllBranches`."""
    if not is_real(prefer, way.units.shape):
        prefer = arm.check_within_limits(prefer)
    found = solve_by_branches(arm, target, prefer, None, None, way.problem.stop, False, search)
    if found.converged:
        found._preference = way.units, NO_GRADIENT
    return found


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module with `slide`, for all arms; the first call compiles it."""
    return modules.load(recipe())


def recipe() -> Recipe:
    """Return what the module is made of: the loop of the search, the closed forms, and the two texts."""
    known = _CALLS, Taken(sequential.search_module(), "*"), Taken(closed_forms(), *_FORMS)
    return Recipe("pose_ik_prefer", (*known, *(Plain(f"lessons_lib.pose_ik.{name}") for name in _TEXT)))
