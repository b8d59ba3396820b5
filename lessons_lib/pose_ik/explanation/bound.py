"""Explain a failed solve with a bound on the move: which joint the nearest solution moves too far."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lessons_lib.all_solutions.entry import all_solutions
from lessons_lib.all_solutions.solutions import Solutions, nearest_2pi_equivalent
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.explanation.explanation import Cause, Explanation
from lessons_lib.pose_ik.explanation.order import explain_failure
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.result import Result, Status
from lessons_lib.pose_ik.starts import Nearest
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.pose_ik.weights import has_weights
from lessons_lib.robots import Chain

BOUND = "the bound on the move excludes it"

MANY = Nearest(100, norm="max")
"""Starts of the search for the nearest solution if all solutions are not known."""


def explain_bound(
    solve: Callable[..., Result],
    arm: Chain,
    target: Array,
    q0: Array,
    within: Array,
    result: Result,
    goal: Goal | None,
    method: StepMethod | None,
    stop: Stop | None,
    other: Result,
) -> Explanation:
    """Explain why a solve failed with `within`; `other` is the result without it, which may have failed as well."""
    if result.status is not Status.OUTSIDE_BOUND:
        return explain_failure(solve, arm, target, q0, goal, method, stop, None, other)
    known = _solutions(arm, target, goal, method, stop)
    is_complete = known is not None and len(known) > 0 and known.complete and not known.families
    if known is not None and len(known):
        rows = known.q
        which = (
            f"the nearest of {'all' if is_complete else 'the'} {len(known)} solutions{'' if is_complete else ' found'}"
        )
    else:
        found = solve(arm, target, q0, goal=goal, method=method, stop=stop, starts=MANY)
        rows, which = np.array([found.q if found.converged else other.q]), "the nearest solution that was found"
    near = np.array([nearest_2pi_equivalent(q, q0, arm, arm.limits) for q in rows])
    shares = np.abs(near - q0) / within
    nearest = int(np.argmin(shares.max(axis=1)))
    q, joint = near[nearest], int(np.argmax(shares[nearest]))
    if shares[nearest].max() <= 1.0:  # there is a solution within the bound, which the search has missed
        return Explanation((), False, start=q)
    move, unit = float(abs(q - q0)[joint]), arm.joint_units[joint]
    sentence = (
        f"{which} moves {arm.joint_names[joint]} by {move:.4g} {unit}, and {within[joint]:.4g} {unit} is allowed."
    )
    return Explanation(
        (Cause(BOUND, is_complete, sentence, "Allow a longer move, or begin nearer to that q.", q),), False
    )


def _solutions(
    arm: Chain, target: Array, goal: Goal | None, method: StepMethod | None, stop: Stop | None
) -> Solutions | None:
    """Return all solutions within the limits; None if they are not known, or the goal does not count a whole pose."""
    if has_weights(check_problem(arm, method, stop, None, goal).method):
        return None
    try:
        return all_solutions(arm, target)
    except ParameterError:
        return None
