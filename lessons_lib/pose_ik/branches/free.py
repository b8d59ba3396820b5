"""Answers that touch nothing: all of them, or the nearest one, or an honest word that every one found touches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik.arguments import check_problem, check_start
from lessons_lib.pose_ik.branches.entry import all_solutions, check_scene, road_for
from lessons_lib.pose_ik.branches.solutions import FULL, Solutions, beside
from lessons_lib.pose_ik.branches.start import branch_of
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.layout import JOINTS, ORIENTATION_ERROR, POSITION_ERROR, STATUS
from lessons_lib.pose_ik.loop import evaluate
from lessons_lib.pose_ik.methods import Stepping
from lessons_lib.pose_ik.result import STATUSES, Result, Status
from lessons_lib.pose_ik.starts import AllBranches, Restarts, Starts, number_of_starts
from lessons_lib.pose_ik.stop import Stop, norms
from lessons_lib.pose_ik.weights import has_weights
from lessons_lib.robots import Chain

SEEN, MOST = 64, 100
"""Members of a family, and starts of a search, of which it is asked whether they touch."""


def solve_free(
    arm: Chain,
    target: ArrayLike,
    q0: ArrayLike | None,
    goal: Goal | None,
    method: Stepping | None,
    starts: Starts | AllBranches | None,
    stop: Stop | None,
    scene: object,
    search: Callable[..., Result],
) -> Result:
    """Return the answer nearest to q0 of those that touch nothing; `solve` says what the arguments are.

    Args:
        arm: The arm.
        target: T_sd, shape (4, 4).
        q0: Where the arm stands, shape (n,).
        goal: What of the pose is asked for.
        method: Of a search.
        starts: AllBranches, or how many starts a search makes.
        stop: Of a search.
        scene: What must not be touched.
        search: `solve`.

    Raises:
        ParameterError: The scene is none, or of another arm, or all solutions are asked for where they are not known.
    """
    known, every = check_scene(scene, arm), isinstance(starts, AllBranches)
    some = Restarts() if starts is None or isinstance(starts, AllBranches) else starts
    problem = check_problem(arm, method, stop, some, goal)
    begin = check_start(problem, q0)
    if every or (starts is None and not has_weights(problem.method) and _has_road(arm)):
        if has_weights(problem.method):
            raise ParameterError("starts is AllBranches(), which knows no weights: all solutions are of a whole pose")
        solutions: Solutions | None = all_solutions(arm, target)
        assert solutions is not None
        nearest = [beside(q, begin, arm, solutions.limits) for q in candidates(solutions)]
        found, T = np.array(nearest).reshape(-1, arm.dof), solutions.target
    else:
        rng, T = np.random.default_rng(0), np.asarray(target, dtype=np.float64)
        count = min(number_of_starts(some), MOST)
        rows = [begin, *(arm.random_configuration(rng) for _ in range(count - 1))]
        once = partial(search, arm, target, goal=goal, method=method, stop=stop, starts=Restarts(0))
        tried = [result.q for result in map(once, rows) if result.converged]
        found = np.array([beside(q, begin, arm, arm.limits) for q in tried]).reshape(-1, arm.dof)
        solutions = None
    if not len(found):
        result = search(arm, target, q0, goal=goal, method=method, stop=stop, starts=starts)
        if not result.converged:
            return result
        found = result.q[None]
    room = known.clearance(found)
    free = [k for k in np.flatnonzero(room > known.rounding.max(initial=0.0)) if known.is_free(found[k])]
    q = found[min(free, key=lambda k: float(np.linalg.norm(found[k] - begin)))] if free else found[np.argmax(room)]
    report = np.zeros(JOINTS + 2 * arm.dof)
    status = Status.CONVERGED if free else Status.TOUCHING
    report[STATUS], report[JOINTS:] = STATUSES.index(status), np.concatenate([q, begin])
    report[ORIENTATION_ERROR], report[POSITION_ERROR] = norms(evaluate(arm, T, q).error_twist)
    branch = None if solutions is None else branch_of(solutions, q)
    return Result.of(report, STATUSES.index(status), None, branch)


def candidates(solutions: Solutions) -> Array:
    """Return the isolated answers, and members of each family, shape (k, n)."""
    rows: list[Any] = [*solutions.q]
    for family in solutions.families:
        for low, high in family.intervals:
            turns = np.linspace(low, high, SEEN, endpoint=high - low < FULL - 1e-9)
            rows += [family.at(float(turn)) for turn in turns]
    return np.array(rows).reshape(-1, solutions.arm.dof)


def _has_road(arm: Chain) -> bool:
    try:
        road_for(arm)
    except ParameterError:
        return False
    return arm.dof < 7  # slices of an arm with a joint to spare are no isolated answers: a search looks wider
