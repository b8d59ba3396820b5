"""Solve one pose."""

from __future__ import annotations

from functools import partial
from typing import Any, Never

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import check_flag
from lessons_lib.errors import ParameterError
from lessons_lib.lie.targets import check_target
from lessons_lib.other_libraries import refuse_others, with_its_own_signature
from lessons_lib.pose_ik.arguments import FIXED_SEED, check_problem, draw_seeds
from lessons_lib.pose_ik.certified_solve import solve_with_certificate
from lessons_lib.pose_ik.explanation.explanation import Explanation
from lessons_lib.pose_ik.explanation.order import explain_failure
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.layout import CONVERGED
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.prefer import solve_preferring
from lessons_lib.pose_ik.prepared_problem import PreparedProblem, prepare
from lessons_lib.pose_ik.result import Result
from lessons_lib.pose_ik.solve_by_branches import solve_by_branches, solve_free
from lessons_lib.pose_ik.starts import AllBranches, Starts
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.robots import Chain, Scene


@with_its_own_signature
def solve(  # noqa: D417 (two parameters only collect what is refused)
    arm: Chain,
    target: ArrayLike,
    q0: ArrayLike | None = None,
    *more: Never,
    goal: Goal | None = None,
    method: StepMethod | None = None,
    starts: Starts | AllBranches | None = None,
    stop: Stop | None = None,
    max_time: float | None = None,
    rng: np.random.Generator | None = None,
    trace: bool = False,
    certify: bool = False,
    free_of: Scene | None = None,
    prefer: ArrayLike | None = None,
    **unknown: Never,
) -> Result:
    """Return a configuration that brings the tip to the target, or one of least error and the reason why not.

    The first start is q0; when it does not lead to the pose within the limits, random starts follow; after 32 of them
    the steps stop at the limits, where the joints of some poses have to stand (see `Restarts`). Failing to
    converge is a status, never an exception, and takes a bounded time. A target that is provably out of reach gets a
    single start.

    Args:
        arm: The arm.
        target: T_sd, the pose that the tip shall have, shape (4, 4), position in m. A rotation with as few as seven
            digits will do; it is replaced by the nearest rotation.
        q0: First start, within the limits, shape (n,), rad or m; the zero configuration, clipped into the limits,
            if left out. A value that rounding has put just outside a limit is clipped; see `LIMIT_TOLERANCE`. Of the
            revolutions that the limits leave to each joint, q has those that are nearest to the first start.
        goal: What of the target is asked for: `pose(weights, axes)`, `position_only()`, `orientation_only()`,
            `pointing(axis)`; all of it when left out. A component with a weight of zero counts for nothing, neither in
            the steps nor in the tolerances.
        method: NewtonRaphson(), GaussNewton(), LevenbergMarquardt(), a Method of the reader's own, or any object with
            `step(jacobian, error)`. LevenbergMarquardt(Chan(0.1)) when left out, for the arm in units of `arm.length`:
            see length_scaling.py; one that is named means what was published, in the unit of the robot.
        starts: Where to begin, and how often: Restarts(1000) when left out, BestOf(100), Nearest(10), Near(50);
            or AllBranches(), which makes no start at all.
        stop: Tolerances and the steps of a start; Stop() when left out.
        max_time: Seconds that the search may take, but for what has to be compiled first. When they are over before
            the pose is reached, the status is OUT_OF_TIME, and q is the best of the first start, which takes some
            milliseconds more: the same q whatever the clock.
        rng: Where the seed of the random starts is drawn from, one integer a call. Without one the seed is fixed, so
            that the same call gives the same answer.
        trace: Whether to keep every iterate of the reported start. The loop that does so rounds its sums in another
            order than the one over lanes, so that a start at a singularity may lead to another solution.
        certify: Whether `result.certificate` shall be a ball around q that holds exactly one exact solution, or the
            reason why none is shown. Where the pose is reached, q is then brought as near to it as rounding allows.
        free_of: What must not be touched. Of all answers, or of those that as many starts as `starts` says, at most
            100, have found, it is the one nearest to q0 that touches nothing. Where each of them touches the status is
            TOUCHING, and q the one with the most room.
        prefer: A posture within the limits, shape (n,), rad or m. Where the goal leaves joints to spare, q has the pose
            to rounding, and no small move that keeps it and the limits comes nearer to the posture; the search begins
            there if q0 is left out. Where none is spare, q is the nearest of all answers: that takes an arm of which
            these are known (see `all_solutions`), and no method. Whole turns count. See `result.preference`.

    Returns:
        The result; `result.q` is always within the limits, and the errors are those of this q. If the pose is not
        reached, q is the best iterate by ½ VᵀWV, the error twist weighted by the goal; and if no method is named, the
        minimum that a descent from there ends at: what the arm can meet of the target it meets.

    Raises:
        TransformError: The target is not a pose.
        ConfigurationError: q0 or prefer has another shape, is not finite, or lies outside the limits.
        ParameterError: Another argument is not what it should be, or contradicts prefer.
        UnknownArgument: There is no such argument; the message names ours.
    """
    if unknown or more:
        refuse_others(solve, more, unknown)
    if certify is not False or prefer is not None or free_of is not None or starts.__class__ is AllBranches:
        question = goal, method, starts, stop, max_time, rng, trace, certify, free_of, prefer
        result = _solve_by_several(arm, target, q0, *question)
    else:
        if trace is not False:
            trace = check_flag("trace", trace)
        seed = FIXED_SEED if rng is None else int(draw_seeds(rng, 1)[0])
        prepared = prepare(arm, goal, method, starts, stop, max_time is not None)  # type: ignore[arg-type]
        result = prepared.solve(target, q0, seed, trace, max_time)
    return result if result._code == CONVERGED else _explainable(result, arm, target, q0, goal, method, stop, free_of)


def _solve_by_several(
    arm: Chain,
    target: ArrayLike,
    q0: ArrayLike | None,
    goal: Goal | None,
    method: StepMethod | None,
    starts: Starts | AllBranches | None,
    stop: Stop | None,
    max_time: float | None,
    rng: np.random.Generator | None,
    trace: bool,
    certify: bool,
    free_of: Scene | None,
    prefer: ArrayLike | None,
) -> Result:
    """Solve with a certificate, towards a posture, without touching a scene, or among all solutions."""
    if trace is not False:
        trace = check_flag("trace", trace)
    if prefer is not None and certify is False:
        if trace or max_time is not None or free_of is not None:
            raise ParameterError("prefer cannot be combined with trace, max_time or free_of")
        return solve_preferring(solve, arm, target, q0, goal, method, starts, stop, rng, prefer)
    search = partial(solve, max_time=max_time, rng=rng)
    if certify is not False:
        question: dict[str, Any] = {"goal": goal, "method": method, "starts": starts, "stop": stop, "trace": trace}
        search = partial(search, arm, target, q0, free_of=free_of, prefer=prefer, **question)
        return solve_with_certificate(arm, target, goal, certify, search)
    if free_of is not None:
        if trace or max_time is not None:
            raise ParameterError("free_of cannot be combined with trace or max_time: it compares many solutions")
        return solve_free(arm, target, q0, goal, method, starts, stop, free_of, search)
    return solve_by_branches(arm, target, q0, goal, method, stop, trace, search)


def _explainable(found: Result, arm: Chain, target: ArrayLike, q0: ArrayLike | None, *options: Any) -> Result:
    """Attach the arguments to a failed result, for `explain()`."""
    if not found.converged:
        start = None if q0 is None else np.array(q0, dtype=np.float64)
        found._asked = partial(explain_failure, solve, arm, np.array(target, dtype=np.float64), start, *options)
    return found


def explain(
    arm: Chain,
    target: ArrayLike,
    result: Result,
    *,
    goal: Goal | None = None,
    method: StepMethod | None = None,
    stop: Stop | None = None,
) -> Explanation:
    """Explain why a solve did not reach a pose: return its causes in order, each with the numbers that support it.

    `result.explain()` does the same for a result of `solve`, and knows its q0; this function serves a row of a batch.
    An explanation takes from a millisecond, for a point out of reach, to about a second, if it has to solve hundreds of
    similar targets; the first one of an arm compiles code. Causes that exclude the pose are proven and come first.
    For a goal that leaves components out it is not known whether all configurations were seen.

    Args:
        arm: The arm.
        target: T_sd, shape (4, 4), position in m.
        result: What was returned for this target.
        goal: As in `solve`.
        method: As in `solve`.
        stop: As in `solve`.

    Raises:
        TransformError: The target is not a pose.
        ParameterError: Another argument is not what it should be.
    """
    if not isinstance(result, Result):
        raise ParameterError(f"result is a {type(result).__name__}; it is what pose_ik.solve returned")
    return explain_failure(solve, arm, check_target(target), None, goal, method, stop, None, result)


def solve_in_python(
    arm: Chain,
    target: ArrayLike,
    q0: ArrayLike | None = None,
    *,
    goal: Goal | None = None,
    method: StepMethod | None = None,
    starts: Starts | None = None,
    stop: Stop | None = None,
    max_time: float | None = None,
    rng: np.random.Generator | None = None,
    trace: bool = False,
) -> Result:
    """Return what `solve` does, run by Python and NumPy alone: the same search, some hundred times slower.

    Arguments and errors are those of `solve`.
    """
    prepared = PreparedProblem(check_problem(arm, method, stop, starts, goal), in_python=True)
    return prepared.solve(target, q0, int(draw_seeds(rng, 1)[0]), check_flag("trace", trace), max_time)
