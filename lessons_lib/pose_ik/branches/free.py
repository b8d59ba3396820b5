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
from lessons_lib.pose_ik.branches.solutions import Solutions, beside
from lessons_lib.pose_ik.branches.start import answer
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.methods import Stepping
from lessons_lib.pose_ik.result import Result, Status
from lessons_lib.pose_ik.starts import AllBranches, Restarts, Starts, number_of_starts
from lessons_lib.pose_ik.stop import Stop
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
    begin, solutions = check_start(problem, q0), None
    if every and has_weights(problem.method):
        raise ParameterError("starts is AllBranches(), which knows no weights: all solutions are of a whole pose")
    if every or (starts is None and not has_weights(problem.method) and _has_road(arm)):
        solutions = all_solutions(arm, target)
        found, T = candidates(solutions), solutions.target
    else:
        rng, T = np.random.default_rng(0), np.asarray(target, dtype=np.float64)
        count = min(number_of_starts(some), MOST)
        rows = [begin, *(arm.random_configuration(rng) for _ in range(count - 1))]
        once = partial(search, arm, target, goal=goal, method=method, stop=stop, starts=Restarts(0))
        found = np.array([result.q for result in map(once, rows) if result.converged])
    if not len(found):
        result = search(arm, target, q0, goal=goal, method=method, stop=stop, starts=starts)
        if not result.converged:
            return result
        found = result.q[None]
    near = np.array([beside(q, begin, arm, arm.limits) for q in found])
    free = near[known.is_free(near)]
    if not len(free):
        return answer(arm, T, near[np.argmax(known.clearance(near))], begin, Status.TOUCHING, solutions)
    q = free[np.argmin(np.linalg.norm(free - begin, axis=1))]
    return answer(arm, T, q, begin, Status.CONVERGED, solutions)


def candidates(solutions: Solutions) -> Array:
    """Return the isolated answers, and members of each family, shape (k, n)."""
    rows: list[Any] = [*solutions.q]
    for family in solutions.families:
        for low, high in family.intervals:
            rows += [family.at(float(turn)) for turn in np.linspace(low, high, SEEN)]
    return np.array(rows).reshape(len(rows), solutions.arm.dof)


def _has_road(arm: Chain) -> bool:
    try:
        road_for(arm)
    except ParameterError:
        return False
    return arm.dof < 7  # slices of an arm with a joint to spare are no isolated answers: a search looks wider
