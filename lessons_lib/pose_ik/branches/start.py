"""A solve that knows every branch: the answer nearest to the start, or the proven reason why there is none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik.arguments import check_problem, check_start
from lessons_lib.pose_ik.branches.entry import all_solutions
from lessons_lib.pose_ik.branches.families import turn_distance
from lessons_lib.pose_ik.branches.solutions import Solutions
from lessons_lib.pose_ik.evaluation import evaluate
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.layout import JOINTS, ORIENTATION_ERROR, POSITION_ERROR, STATUS
from lessons_lib.pose_ik.methods import Stepping
from lessons_lib.pose_ik.result import STATUSES, Result, Status
from lessons_lib.pose_ik.starts import Restarts
from lessons_lib.pose_ik.stop import Stop, norms
from lessons_lib.pose_ik.weights import has_weights
from lessons_lib.robots import Chain


def solve_by_branches(
    arm: Chain,
    target: ArrayLike,
    q0: ArrayLike | None,
    goal: Goal | None,
    method: Stepping | None,
    stop: Stop | None,
    trace: bool,
    search: Callable[..., Result],
) -> Result:
    """Return the answer nearest to q0, and its branch; see `AllBranches`.

    Args:
        arm: The arm.
        target: T_sd, shape (4, 4).
        q0: Where the arm stands, shape (n,).
        goal: None, or a whole pose.
        method: Of the search.
        stop: Of the search.
        trace: Whether iterates are asked for: there are none.
        search: `solve`, with a single start: its q is returned where no answer is within the limits.

    Raises:
        ParameterError: A goal with weights, a trace, or an arm of which all solutions are not known.
    """
    problem = check_problem(arm, method, stop, Restarts(0), goal)
    if has_weights(problem.method) or trace:
        what = "a trace: it makes no steps" if trace else "weights: all solutions are known of a whole pose"
        raise ParameterError(f"starts is AllBranches(), which knows no {what}")
    solutions, begin = all_solutions(arm, target), check_start(problem, q0)
    if not len(solutions) and not solutions.families:
        return _none(solutions, search(arm, target, q0, method=method, stop=stop, starts=Restarts(0)))
    return answer(arm, solutions.target, solutions.nearest(begin), begin, Status.CONVERGED, solutions)


def answer(
    arm: Chain,
    T: Array,
    q: Array,
    begin: Array,
    status: Status,
    solutions: Solutions | None,  # noqa: N803
) -> Result:
    """Return the result that a configuration is, chosen from there; with its branch, if the solutions are known."""
    report, code = np.zeros(JOINTS + 2 * arm.dof), STATUSES.index(status)
    report[STATUS], report[JOINTS:] = code, np.concatenate([q, begin])
    report[ORIENTATION_ERROR], report[POSITION_ERROR] = norms(evaluate(arm, T, q).error_twist)
    return Result.of(report, code, None, None if solutions is None else partial(branch_of, solutions))


def _none(solutions: Solutions, otherwise: Result) -> Result:
    """Return the result of a search, with the reason why there is no answer, where that is proven."""
    status = otherwise.status
    if status is not Status.CONVERGED and solutions.complete:
        anywhere = all_solutions(solutions.arm, solutions.target, limits=False)
        outside = len(anywhere) > 0 or len(anywhere.families) > 0
        status = Status.OUTSIDE_LIMITS if outside else Status.UNREACHABLE
    report = otherwise._report.copy()
    report[STATUS] = STATUSES.index(status)
    return Result.of(report, STATUSES.index(status))


def branch_of(solutions: Solutions, q: Array) -> tuple[str, ...]:
    """Return the names of the answer, or of the family, that a configuration is nearest to."""
    isolated = [(turn_distance(one.q, q), one.names) for one in solutions]
    curves = [(turn_distance(family.nearest(q), q), family.names) for family in solutions.families]
    return min([*isolated, *curves], key=lambda pair: pair[0])[1]
