"""Solve one pose."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Never

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import check_flag
from lessons_lib.errors import ParameterError
from lessons_lib.lie.checks import check_target
from lessons_lib.other_libraries import hide_extra_parameters, refuse_unknown_arguments, suggest_arguments
from lessons_lib.pose_ik.arguments import FIXED_SEED, check_problem, draw_seeds
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.layout import CONVERGED
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.prepared_problem import PreparedProblem, prepare
from lessons_lib.pose_ik.problem import Stop
from lessons_lib.pose_ik.result import Result
from lessons_lib.pose_ik.starts import AllBranches, Starts
from lessons_lib.robots import Chain

if TYPE_CHECKING:
    from lessons_lib.collisions import Scene
    from lessons_lib.pose_ik.explanation.explanation import Explanation


@hide_extra_parameters
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
    within: ArrayLike | None = None,
    **unknown: Never,
) -> Result:
    """Return a configuration that brings the tip to the target, or one of least error and the reason.

    The first start is q0; if it does not lead to the pose within the limits, random starts follow. After 32 of them the
    steps stop at the limits, where the joints of some poses have to be (see `Restarts`). A solve that does not converge
    has a status, never an exception, and takes a bounded time. A default search that fails ends with a descent to the
    least error, of up to 100 Newton steps. A target that is provably out of reach gets one start if a method is named,
    else only the descent from q0.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> pose_ik.solve(arm, arm.forward_kinematics(q), [0.2, -1.1, 1.4, -0.5, 1.0, 0.5]).q.round(4).tolist()
    [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]

    Args:
        arm: The arm.
        target: T_sd, the wanted pose of the tip, shape (4, 4), position in m. A rotation with as few as seven digits is
            accepted; it is replaced by the nearest rotation.
        q0: First start, within the limits, shape (n,), rad or m; the zero configuration, clipped into the limits, if
            left out. A value that rounding has put just outside a limit is clipped; see `LIMIT_TOLERANCE`. Each joint
            of q is unwrapped to where it is nearest to the first start, as far as its limits allow.
        goal: The components of the target that count: `pose(weights, axes)`, `position_only()`, `orientation_only()`,
            `pointing(axis)`; all if left out. A component with a weight of zero counts neither in the steps nor in the
            tolerances.
        method: NewtonRaphson(), GaussNewton(), LevenbergMarquardt(), a Method, or any object with
            `step(jacobian, error)`. LevenbergMarquardt(Chan(0.1)) if left out, for the arm in units of `arm.length`; a
            method that is named works in the unit of the robot.
        starts: The starts and their number: Restarts(1000) if left out, BestOf(100), Nearest(10), Near(50); or
            AllBranches(), which compares all solutions.
        stop: Tolerances and the number of steps of a start; Stop() if left out.
        max_time: Seconds that the search may take, without compilation. If they pass before the pose is reached, the
            status is OUT_OF_TIME, and q is the best iterate of the first start, which takes some milliseconds more
            and does not depend on the clock.
        rng: Source of the seed of the random starts, one integer for each call. Without one the seed is fixed, so that
            the same call gives the same result.
        trace: Whether to keep every iterate of the reported start. The sequential search, which does so, rounds its
            sums in another order than the SIMD search, so a start at a singularity may lead to another solution.
        certify: Whether `result.certificate` is a ball around q that contains exactly one exact solution, or the reason
            why none is proven. A q that reaches the pose is then improved to rounding.
        free_of: The scene that must not be touched: q is the solution nearest to q0 that touches nothing. It is chosen
            from all solutions or, if `all_solutions` does not list them or starts or weights are given, from those that
            at most 100 starts reach. If each of them touches, the status is TOUCHING, and q has the largest clearance.
        prefer: A posture within the limits, shape (n,), rad or m. If the goal leaves spare joints, q has the pose to
            rounding, and no small motion that keeps it and the limits comes nearer to the posture; the search begins
            there if q0 is left out. If no joint is spare, q is the nearest of all solutions, for an arm that
            `all_solutions` serves, without a method. Whole revolutions count. See `result.preference`.
        within: How far each joint may move from q0, at most: one positive number, or n of them, rad or m. All starts
            and q lie within this bound and the limits. If the pose was reached only without the bound, the status is
            OUTSIDE_BOUND, and `result.explain()` names the joint. It needs q0, and cannot be combined with certify,
            free_of, prefer or AllBranches(). Such a solve takes about twenty times as long as one without a bound.

    Returns:
        The result; `result.q` is always within the limits, and the errors are those of this q. If the pose is not
        reached, q is the best iterate by ½ VᵀWV, the error twist weighted by the goal; and if no method is named, the
        minimum of that objective at the end of a descent from there.

    Raises:
        TransformError: The target is not a pose.
        ConfigurationError: q0 or prefer has another shape, is not finite, or is outside the limits.
        ParameterError: Another argument is invalid, or contradicts prefer.
        UnknownArgument: There is no such argument; the message names the existing ones.
    """
    if unknown or more:
        refuse_unknown_arguments(solve, more, unknown)
    if within is not None:
        if certify is not False or prefer is not None or free_of is not None or isinstance(starts, AllBranches):
            raise ParameterError("within cannot be combined with certify, prefer, free_of or AllBranches()")
        from lessons_lib.pose_ik.within import solve_within

        return solve_within(solve, arm, target, q0, within, goal, method, starts, stop, max_time, rng, trace)
    if certify is not False or prefer is not None or free_of is not None or starts.__class__ is AllBranches:
        question = goal, method, starts, stop, max_time, rng, trace, certify, free_of, prefer
        result = _solve_by_several(arm, target, q0, *question)
    else:
        if trace is not False:
            trace = check_flag("trace", trace)
        seed = FIXED_SEED if rng is None else int(draw_seeds(rng, 1)[0])
        prepared = prepare(arm, goal, method, starts, stop, max_time is not None)  # type: ignore[arg-type]
        result = prepared.solve(target, q0, seed, trace, max_time)
    return (
        result if result._code == CONVERGED else _attach_arguments(result, arm, target, q0, goal, method, stop, free_of)
    )


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
    """Solve with a certificate, a posture or a scene, or among all solutions."""
    from lessons_lib.pose_ik.certified_solve import solve_with_certificate
    from lessons_lib.pose_ik.prefer import solve_preferring
    from lessons_lib.pose_ik.solve_by_branches import solve_by_branches, solve_free

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


def _attach_arguments(result: Result, arm: Chain, target: ArrayLike, q0: ArrayLike | None, *options: Any) -> Result:
    """Attach the arguments to a failed result, for `explain()`."""
    if not result.converged:
        start = None if q0 is None else np.array(q0, dtype=np.float64)
        query = solve, arm, np.array(target, dtype=np.float64), start, *options[:3]
        result._explainer = partial(_explain, query, options[3])
    return result


def _explain(query: tuple[Any, ...], scene: Scene | None, result: Result) -> Explanation:
    from lessons_lib.pose_ik.explanation.causes import explain_failure

    return explain_failure(query, scene, result)


@suggest_arguments
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

    `result.explain()` does the same for what `solve` returned; this function serves a row of a batch. It usually takes
    some hundredths of a second, once its code is compiled. Proven causes that exclude all others come first; of the
    others only established ones are named.

    >>> from lessons_lib import pose_ik, robots
    >>> arm = robots.ur10()
    >>> far = [[1, 0, 0, 2.0], [0, 1, 0, 0.0], [0, 0, 1, 0.5], [0, 0, 0, 1]]
    >>> result = pose_ik.solve(arm, far)
    >>> print(pose_ik.explain(arm, far, result).causes[0].name)
    the point is out of reach

    Args:
        arm: The arm.
        target: T_sd, shape (4, 4), position in m.
        result: The result for this target.
        goal: As in `solve`.
        method: As in `solve`.
        stop: As in `solve`.

    Raises:
        TransformError: The target is not a pose.
        ParameterError: Another argument is invalid.
    """
    if not isinstance(result, Result):
        raise ParameterError(f"result must be a Result of pose_ik.solve, got a {type(result).__name__}")
    return _explain((solve, arm, check_target(target), None, goal, method, stop), None, result)


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
    """Solve as `solve` does, with its arguments and errors, by Python and NumPy alone, some hundred times slower."""
    prepared = PreparedProblem(check_problem(arm, method, stop, starts, goal), in_python=True)
    return prepared.solve(target, q0, int(draw_seeds(rng, 1)[0]), check_flag("trace", trace), max_time)
