"""Explain a failed solve: the order of the causes, and the causes that follow from where the search stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lessons_lib.all_solutions.solutions import nearest_2pi_equivalent
from lessons_lib.arrays import Array
from lessons_lib.certificates.ball import find_certificate, residual_rounding
from lessons_lib.collisions import Scene
from lessons_lib.lie.targets import check_target
from lessons_lib.pose_ik.arguments import DEFAULT_STOP, check_problem
from lessons_lib.pose_ik.explanation import explanation as words
from lessons_lib.pose_ik.explanation import likely_mistakes, reach
from lessons_lib.pose_ik.explanation.context import FailureContext, known_solutions
from lessons_lib.pose_ik.explanation.explanation import LOST, Cause, Explanation, format_length, format_vector
from lessons_lib.pose_ik.explanation.measures import flatness
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.result import Result, Status
from lessons_lib.pose_ik.starts import Nearest
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.pose_ik.weights import has_weights, intervals_of
from lessons_lib.robots import Chain

OBSTACLE, ELSEWHERE = "something is in the way", "Choose another pose, or move what is in the way."
MINIMUM, BOUND = "a local minimum", "the bound on the move excludes it"
BUDGET, TOLERANCE = "the steps ended while it converged", "a tolerance below rounding"

FLAT_BY_DIFFERENCES = 1e-5
"""As FLAT, for a gradient by finite differences where a search has stopped."""

CLOSE = 1e-9
"""A solution this near to an exact one [rad, arm lengths] cannot be improved much in doubles."""

MORE_STEPS = 1000

Query = tuple[Callable[..., Result], Chain, Array, Any, Goal | None, StepMethod | None, Stop | None]
"""`pose_ik.solve` and its arguments arm, target, q0, goal, method and stop."""

MANY = Nearest(100, norm="max")
"""Starts of the search for the nearest solution if all solutions are not known."""


def explain_failure(query: Query, scene: Scene | None, result: Result) -> Explanation:
    """Explain why `pose_ik.solve` with these arguments returned a result; see `pose_ik.explain`."""
    solve, arm, target, q0, goal, method, stop = query
    check_problem(arm, method, stop, None, goal)
    pose = check_target(target)
    if result.converged:
        return Explanation((), True)
    q, start = np.clip(arm.check_configuration(result.q), *arm.limits.T), result._report[-arm.dof :]
    context = FailureContext(arm, pose, q0, q, result.status, start, goal, method, stop or DEFAULT_STOP, solve)
    if scene is not None and result.status is Status.TOUCHING:
        return Explanation((obstacle(scene, context),), False)
    causes, by_chance = find_causes(context)
    known = context.successful_start if not causes and context.several_starts.converged else None
    return Explanation(tuple(causes), False, (*_not_judged(context), *filter(None, [by_chance])), known)


def explain_bound(query: Query, within: Array, other: Result, result: Result) -> Explanation:
    """Explain why a solve failed with `within`; `other` is the result without it, which may have failed as well."""
    if result.status is not Status.OUTSIDE_BOUND:
        return explain_failure(query, None, other)
    solve, arm, target, q0, goal, method, stop = query
    is_weighted = has_weights(check_problem(arm, method, stop, None, goal).method)
    known = None if is_weighted else known_solutions(arm, target)
    is_complete = known is not None and len(known) > 0 and known.complete and not known.families
    if known is not None and len(known):
        rows, of_them = known.q, "all" if is_complete else "the"
        which = f"the nearest of {of_them} {len(known)} solutions{'' if is_complete else ' found'}"
    else:
        found = solve(arm, target, q0, goal=goal, method=method, stop=stop, starts=MANY)
        rows, which = np.array([found.q if found.converged else other.q]), "the nearest solution that was found"
    near = np.array([nearest_2pi_equivalent(q, q0, arm, arm.limits) for q in rows])
    shares = np.abs(near - q0) / within
    nearest = int(np.argmin(shares.max(axis=1)))
    q, joint = near[nearest], int(np.argmax(shares[nearest]))
    if shares[nearest].max() <= 1.0:  # there is a solution within the bound, which the search has missed
        return Explanation((), False, start=q)
    move, unit, name = abs(q - q0)[joint], arm.joint_units[joint], arm.joint_names[joint]
    sentence = f"{which} moves {name} by {move:.4g} {unit}, and {within[joint]:.4g} {unit} is allowed."
    cause = Cause(BOUND, is_complete, sentence, "Allow a longer move, or begin nearer to that q.", q)
    return Explanation((cause,), False)


def find_causes(context: FailureContext) -> tuple[list[Cause], str]:
    """Return the causes, and what to say about mistakes that are not suspected because of chance."""
    impossible = reach.leaves_its_plane(context) + reach.out_of_reach(context)
    impossible = impossible or reach.no_configuration(context)
    intervals = intervals_of(context.stepping)
    violated = [] if intervals is None else reach.outside_intervals(context, intervals)
    if impossible:
        far = any(cause.proven and cause.name == words.POINT for cause in impossible)
        mistakes, by_chance = likely_mistakes.find_mistakes(context, far)
        return impossible + violated + mistakes, by_chance
    if intervals is not None:  # its Jacobian has rows of zeros, its Hessian is discontinuous
        found = violated + too_few_steps(context)
        return found + (reach.left_limits(context) or reach.limits_suspected(context)), ""
    found = tolerance_below_rounding(context) or too_few_steps(context) or singular(context)
    found = found or local_minimum(context) or reach.left_limits(context) or reach.limits_suspected(context)
    if context.several_starts.converged:
        return found + likely_mistakes.start_in_degrees(context), ""
    mistakes, by_chance = likely_mistakes.find_mistakes(context, False)
    return found + mistakes, by_chance


def _not_judged(context: FailureContext) -> list[str]:
    if not context.is_whole_pose:
        return ["whether any configuration will do; that is known of whole poses"]
    solutions, slices = context.solutions, context.slices
    question = "whether any configuration has the pose"
    if slices is not None:
        joint = context.arm.joint_names[slices.joint]
        return [] if slices.empty else [f"{question}: {slices.count} slices of {joint} do not exclude it"]
    if solutions is None:
        return [f"{question}; all solutions of {context.arm.name} are not known"]
    return [] if solutions.complete else [f"{question}: {solutions.reason}"]


def obstacle(scene: Scene, context: FailureContext) -> Cause:
    """Return that all solutions, or all that were found, touch the scene, with the one of the most clearance."""
    pairs = ", ".join(f"{one} and {other}" for one, other in scene.touching(context.q))
    room = format_length(scene.clearance(context.q), context.arm.unit_in_words)
    largest = f"the one with the most room, {room}: {pairs}."
    known = context.solutions_within
    proven = known is not None and known.complete and not known.families and not any(map(scene.is_free, known.q))
    those = f"of all {len(known.q)} postures" if known is not None and proven else "posture that was found"
    return Cause(OBSTACLE, proven, f"each {those} touches; {largest}", ELSEWHERE, context.q)


def tolerance_below_rounding(context: FailureContext) -> list[Cause]:
    """Return that a tolerance is smaller than the rounding error, at a solution that cannot be improved."""
    arm, stop = context.arm, context.stop
    if not context.is_whole_pose or arm.dof < 6:
        return []
    radius, floor = (
        find_certificate(arm, context.target, context.q).radius,
        residual_rounding(arm, context.target, context.q),
    )
    if not radius < CLOSE or (stop.orientation >= floor and stop.position >= floor * arm.length):
        return []
    sentence = (
        f"an exact solution is within {radius:.1g} of q, and rounding may add {floor:.1g} to its error; "
        f"the tolerances are {stop.orientation:.1g} rad and {stop.position:.1g} {arm.unit_in_words}."
    )
    return [Cause(TOLERANCE, True, sentence, "Use wider tolerances, and certify=True for a bound.", context.q)]


def too_few_steps(context: FailureContext) -> list[Cause]:
    """Return that the search was stopped while it converged: more steps from where it stopped reach the pose."""
    if context.status not in (Status.MAX_ITERATIONS, Status.OUT_OF_TIME):
        return []
    found = context.solve_once(context.arm, context.q, replace(context.stop, max_iterations=MORE_STEPS))
    if not found.converged or found.trace is None:
        return []
    errors = np.linalg.norm(context.mask * found.trace.error_twists, axis=1)
    rate = float(errors[1] / errors[0]) if len(errors) > 1 and errors[0] > 0.0 else 0.0
    needed = "1 more step reaches it" if found.iterations == 1 else f"{found.iterations} more steps reach it"
    sentence = f"{needed}; the next one leaves {rate:.2g} of the error."
    remedy = f"Allow {context.stop.max_iterations + found.iterations} steps in Stop, or more time in max_time."
    return [Cause(BUDGET, True, sentence, remedy, found.q)]


def singular(context: FailureContext) -> list[Cause]:
    """Return that the step is zero because the tip cannot move in a direction that it could move in elsewhere."""
    J, e = weighted(context, context.q)
    if flatness(J, e) > words.FLAT:
        return []
    basis, rank = directions(context)
    u, values, _ = np.linalg.svd(basis.T @ J)
    if not values[rank - 1] < LOST * values[0]:
        return []
    scales = np.where(context.scales > 0.0, context.scales, np.inf)
    lost = motion(basis @ u[:, rank - 1] / scales, context.arm.unit_in_words)
    sentence = words.SAYS[words.REST].format(value=f"{values[rank - 1]:.1g}", lost=lost)
    return [Cause(words.REST, True, sentence, begin_elsewhere(context) or "Begin elsewhere.", context.q)]


def local_minimum(context: FailureContext) -> list[Cause]:
    """Return that no small move within the limits lowers the error, although another start reaches the pose."""
    if context.status is Status.OUTSIDE_LIMITS:  # then q is a minimum because a descent follows the search
        return []
    arm, q, slope = context.arm, context.q, gradient(context, context.q)
    low, high = arm.limits.T
    rounding = 1e-12 * np.maximum(1.0, abs(q))
    free = ~(((q - low <= rounding) & (slope >= 0.0)) | ((high - q <= rounding) & (slope <= 0.0)))
    J, e = weighted(context, q)
    size = float(np.linalg.norm(slope[free]))
    if not e.any() or size > FLAT_BY_DIFFERENCES * np.linalg.norm(e) * np.linalg.norm(J):
        return []
    if not context.several_starts.converged or (curvature := least_curvature(context, free)) <= 0.0:
        return []
    error = context.at(q).error_twist * context.mask
    names = [arm.joint_names[j] for j in np.flatnonzero(~free)]
    where = f" with {', '.join(names)} at a limit" if names else ""
    curved = f" and the least curvature {curvature:.2g}" if free.any() else ""
    angle = np.degrees(np.linalg.norm(error[:3]))
    left = format_length(float(np.linalg.norm(error[3:])), arm.unit_in_words)
    sentence = f"the slope{where} is {size:.1g}{curved}; {angle:.3g}° and {left} are left."
    return [Cause(MINIMUM, True, sentence, begin_elsewhere(context), q)]


def begin_elsewhere(context: FailureContext) -> str:
    """Return the advice to use a start that is known to succeed; "" if none is known."""
    if not context.several_starts.converged:
        return ""
    return f"Begin elsewhere: from q0 = {format_vector(context.successful_start)} it is solved."


def weighted(context: FailureContext, q: Array) -> tuple[Array, Array]:
    """Return the weighted Jacobian and the weighted error."""
    at = context.at(q)
    return context.scales[:, None] * at.jacobian, context.scales * at.error


def directions(context: FailureContext) -> tuple[Array, int]:
    """Return an orthonormal basis, as columns, of what the tip can do somewhere, and the rank at one configuration."""
    rng = np.random.default_rng(0)
    stack = [weighted(context, context.arm.random_configuration(rng))[0] for _ in range(3)]
    rank = max(int((np.linalg.svd(J, compute_uv=False) > LOST * np.linalg.norm(J)).sum()) for J in stack)
    u, values, _ = np.linalg.svd(np.hstack(stack))
    return u[:, : int((values > LOST * values[0]).sum())], rank


def gradient(context: FailureContext, q: Array) -> Array:
    """Differentiate ½ eᵀWe by central differences; the method's Jacobian is exact at a solution only."""

    def objective(at: Array) -> float:
        return 0.5 * float(np.sum((context.scales * context.at(at).error) ** 2))

    return np.array([(objective(q + step) - objective(q - step)) / 2e-6 for step in 1e-6 * np.eye(len(q))])


def least_curvature(context: FailureContext, free: NDArray[np.bool_]) -> float:
    """Return the smallest eigenvalue of the Hessian of ½ eᵀWe in the free joints."""
    if not free.any():
        return np.inf
    h, q = 1e-5, context.q
    steps = h * np.eye(len(q))[free]
    H = np.array([(gradient(context, q + step) - gradient(context, q - step))[free] / (2 * h) for step in steps])
    return float(np.linalg.eigvalsh(0.5 * (H + H.T))[0])


def motion(direction: Array, unit: str) -> str:
    """Describe a direction of motion of the tip."""
    angular, linear = direction[:3], direction[3:]
    turn, move = float(np.linalg.norm(angular)), float(np.linalg.norm(linear))
    if move < 1e-6 * turn:
        return words.TURN.format(axis=format_vector(np.round(angular / turn, 3)))
    if turn < 1e-6 * move:
        return words.MOVE.format(axis=format_vector(np.round(linear / move, 3)))
    axis, along = format_vector(np.round(angular / turn, 3)), format_vector(np.round(linear / turn, 3))
    return words.BOTH.format(axis=axis, along=along, unit=unit)
