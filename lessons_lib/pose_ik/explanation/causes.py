"""Explain a failed solve: the order of the causes, and the causes at the configuration where the search stopped."""

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
from lessons_lib.lie.checks import check_target
from lessons_lib.pose_ik.arguments import DEFAULT_STOP, check_problem
from lessons_lib.pose_ik.explanation import explanation as messages
from lessons_lib.pose_ik.explanation import likely_mistakes, reach
from lessons_lib.pose_ik.explanation.context import FailureContext, known_solutions
from lessons_lib.pose_ik.explanation.explanation import SINGULAR, Cause, Explanation, format_length, format_vector
from lessons_lib.pose_ik.explanation.measures import relative_gradient
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.problem import Stop
from lessons_lib.pose_ik.result import Result, Status
from lessons_lib.pose_ik.starts import Nearest
from lessons_lib.pose_ik.weights import has_weights, intervals_of
from lessons_lib.robots import Chain

OBSTACLE, ELSEWHERE = "something is in the way", "Choose another pose, or move what is in the way."
MINIMUM, BOUND = "a local minimum", "the bound on the move excludes it"
BUDGET, TOLERANCE = "the solve stopped while it was converging", "a tolerance below rounding"

FLAT_BY_DIFFERENCES = 1e-5
"""As FLAT, for a gradient by finite differences."""

CLOSE = 1e-9
"""Distance from an exact solution, rad and arm lengths, below which double precision improves q only slightly."""

MORE_STEPS = 1000

Query = tuple[Callable[..., Result], Chain, Array, Any, Goal | None, StepMethod | None, Stop | None]
"""`pose_ik.solve` and its arguments arm, target, q0, goal, method and stop."""

NEAREST_OF_MANY = Nearest(100, norm="max")
"""Starts of the search for the nearest solution if no strategy finds all solutions."""


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
        return Explanation((find_obstacle(scene, context),), False)
    causes, by_chance = find_causes(context)
    successful_start = context.successful_start if not causes and context.from_many_starts.converged else None
    return Explanation(tuple(causes), False, (*_not_judged(context), *filter(None, [by_chance])), successful_start)


def explain_bound(query: Query, within: Array, unbounded: Result, result: Result) -> Explanation:
    """Explain why a solve failed with `within`; the solve without it, `unbounded`, may have failed as well."""
    if result.status is not Status.OUTSIDE_BOUND:
        return explain_failure(query, None, unbounded)
    solve, arm, target, q0, goal, method, stop = query
    is_weighted = has_weights(check_problem(arm, method, stop, None, goal).method)
    known = None if is_weighted else known_solutions(arm, target)
    is_complete = known is not None and len(known) > 0 and known.complete and not known.families
    if known is not None and len(known):
        rows, of_them = known.q, "all" if is_complete else "the"
        which = f"the nearest of {of_them} {len(known)} solutions{'' if is_complete else ' found'}"
    else:
        close = solve(arm, target, q0, goal=goal, method=method, stop=stop, starts=NEAREST_OF_MANY)
        rows, which = np.array([close.q if close.converged else unbounded.q]), "the nearest solution that was found"
    near = np.array([nearest_2pi_equivalent(q, q0, arm, arm.limits) for q in rows])
    shares = np.abs(near - q0) / within
    nearest = int(np.argmin(shares.max(axis=1)))
    q, joint = near[nearest], int(np.argmax(shares[nearest]))
    if shares[nearest].max() <= 1.0:  # the search missed a solution within the bound
        return Explanation((), False, start=q)
    move, unit, name = abs(q - q0)[joint], arm.joint_units[joint], arm.joint_names[joint]
    sentence = f"{which} moves {name} by {move:.4g} {unit}, and {within[joint]:.4g} {unit} is allowed."
    cause = Cause(BOUND, is_complete, sentence, "Allow a longer move, or start nearer to that q.", q)
    return Explanation((cause,), False)


def find_causes(context: FailureContext) -> tuple[list[Cause], str]:
    """Return the causes, and a sentence about corrections that are often solved by chance."""
    impossible = reach.find_out_of_plane(context) + reach.find_out_of_reach(context)
    impossible = impossible or reach.find_no_configuration(context)
    intervals = intervals_of(context.weighted_method)
    violated = [] if intervals is None else reach.find_outside_intervals(context, intervals)
    if impossible:
        far = any(cause.proven and cause.name == messages.POINT for cause in impossible)
        mistakes, by_chance = likely_mistakes.find_mistakes(context, far)
        return impossible + violated + mistakes, by_chance
    if intervals is not None:  # its Jacobian has rows of zeros, its Hessian is discontinuous
        causes = violated + find_too_few_steps(context)
        return causes + (reach.find_bad_start(context) or reach.find_suspected_limits(context)), ""
    causes = find_tolerance_below_rounding(context) or find_too_few_steps(context) or find_singularity(context)
    causes = (
        causes or find_local_minimum(context) or reach.find_bad_start(context) or reach.find_suspected_limits(context)
    )
    if context.from_many_starts.converged:
        return causes + likely_mistakes.find_start_in_degrees(context), ""
    mistakes, by_chance = likely_mistakes.find_mistakes(context, False)
    return causes + mistakes, by_chance


def _not_judged(context: FailureContext) -> list[str]:
    if not context.is_whole_pose:
        return ["whether any configuration reaches the goal, because this can be decided only for whole poses"]
    solutions, slices = context.solutions, context.slices
    question = "whether any configuration has the pose"
    if slices is not None:
        joint = context.arm.joint_names[slices.joint]
        return [] if slices.empty else [f"{question}: {slices.count} slices of {joint} do not exclude it"]
    if solutions is None:
        return [f"{question}; no strategy finds all solutions of {context.arm.name}"]
    return [] if solutions.complete else [f"{question}: {solutions.reason}"]


def find_obstacle(scene: Scene, context: FailureContext) -> Cause:
    """Return the cause that every known solution touches the scene; q has the largest clearance."""
    pairs = ", ".join(f"{one} and {other}" for one, other in scene.touching(context.q))
    clearance = format_length(scene.clearance(context.q), context.arm.unit_in_words)
    known = context.solutions_within
    proven = known is not None and known.complete and not known.families and not any(map(scene.is_free, known.q))
    those = f"of all {len(known.q)} solutions" if known is not None and proven else "solution that was found"
    sentence = f"each {those} touches; the largest clearance is {clearance}: {pairs}."
    return Cause(OBSTACLE, proven, sentence, ELSEWHERE, context.q)


def find_tolerance_below_rounding(context: FailureContext) -> list[Cause]:
    """Return the cause if a tolerance is below the rounding error and an exact solution is within CLOSE of q."""
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
        f"an exact solution is within {1.05 * radius:.2g} of q, and rounding may add {floor:.1g} to its error; "
        f"the tolerances are {stop.orientation:.1g} rad and {stop.position:.1g} {arm.unit_in_words}."
    )
    return [Cause(TOLERANCE, True, sentence, "Use wider tolerances, and certify=True for a bound.", context.q)]


def find_too_few_steps(context: FailureContext) -> list[Cause]:
    """Return the cause if more steps from where the search stopped reach the pose."""
    if context.status not in (Status.MAX_ITERATIONS, Status.OUT_OF_TIME):
        return []
    continued = context.solve_once(context.arm, context.q, replace(context.stop, max_iterations=MORE_STEPS))
    if not continued.converged or continued.trace is None:
        return []
    errors, more = np.linalg.norm(context.mask * continued.trace.error_twists, axis=1), continued.iterations
    rate = float(errors[1] / errors[0]) if len(errors) > 1 and errors[0] > 0.0 else 0.0
    needed = "1 more step reaches the pose" if more == 1 else f"{more} more steps reach the pose"
    sentence = f"{needed}; the next one leaves {rate:.2g} of the error."
    remedy = f"Allow {context.stop.max_iterations + more} steps in Stop, or more time in max_time."
    return [Cause(BUDGET, True, sentence, remedy, continued.q)]


def find_singularity(context: FailureContext) -> list[Cause]:
    """Return the cause if the step is zero and the tip has lost a direction of motion."""
    J, e = weighted_model(context, context.q)
    if relative_gradient(J, e) > messages.FLAT:
        return []
    basis, rank = motion_basis(context)
    u, values, _ = np.linalg.svd(basis.T @ J)
    if not values[rank - 1] < SINGULAR * values[0]:
        return []
    scales = np.where(context.scales > 0.0, context.scales, np.inf)
    motion = describe_motion(basis @ u[:, rank - 1] / scales, context.arm.unit_in_words)
    sentence = messages.SENTENCES[messages.REST].format(value=f"{values[rank - 1]:.1g}", lost=motion)
    return [Cause(messages.REST, True, sentence, advise_start(context) or "Start elsewhere.", context.q)]


def find_local_minimum(context: FailureContext) -> list[Cause]:
    """Return the cause if no small move within the limits lowers the error and another start reaches the pose."""
    if context.status is Status.OUTSIDE_LIMITS:  # q is a minimum, because a descent follows the search
        return []
    arm, q, slope = context.arm, context.q, gradient(context, context.q)
    low, high = arm.limits.T
    rounding = 1e-12 * np.maximum(1.0, abs(q))
    free = ~(((q - low <= rounding) & (slope >= 0.0)) | ((high - q <= rounding) & (slope <= 0.0)))
    J, e = weighted_model(context, q)
    size = float(np.linalg.norm(slope[free]))
    if not e.any() or size > FLAT_BY_DIFFERENCES * np.linalg.norm(e) * np.linalg.norm(J):
        return []
    if not context.from_many_starts.converged or (curvature := least_curvature(context, free)) <= 0.0:
        return []
    error = context.at(q).error_twist * context.mask
    names = [arm.joint_names[j] for j in np.flatnonzero(~free)]
    where = f"with {', '.join(names)} at a limit, " if names else ""
    curved = f" and the least curvature is {curvature:.2g}" if free.any() else ""
    angle = np.degrees(np.linalg.norm(error[:3]))
    left = format_length(float(np.linalg.norm(error[3:])), arm.unit_in_words)
    sentence = f"{where}the slope is {size:.1g}{curved}; an error of {angle:.3g}° and {left} remains."
    return [Cause(MINIMUM, True, sentence, advise_start(context), q)]


def advise_start(context: FailureContext) -> str:
    """Return the advice to use a start that succeeds; "" if none is known."""
    if not context.from_many_starts.converged:
        return ""
    return f"Start elsewhere: the solve from q0 = {format_vector(context.successful_start)} succeeds."


def weighted_model(context: FailureContext, q: Array) -> tuple[Array, Array]:
    here = context.at(q)
    return context.scales[:, None] * here.jacobian, context.scales * here.error


def motion_basis(context: FailureContext) -> tuple[Array, int]:
    """Return an orthonormal basis, as columns, of the tip's directions of motion, and the rank of the Jacobian."""
    rng = np.random.default_rng(0)
    stack = [weighted_model(context, context.arm.random_configuration(rng))[0] for _ in range(3)]
    rank = max(int((np.linalg.svd(J, compute_uv=False) > SINGULAR * np.linalg.norm(J)).sum()) for J in stack)
    u, values, _ = np.linalg.svd(np.hstack(stack))
    return u[:, : int((values > SINGULAR * values[0]).sum())], rank


def gradient(context: FailureContext, q: Array) -> Array:
    """Differentiate ½ eᵀWe by central differences, because the method's Jacobian is exact only at a solution."""

    def objective(q: Array) -> float:
        return 0.5 * float(np.sum((context.scales * context.at(q).error) ** 2))

    return np.array([(objective(q + step) - objective(q - step)) / 2e-6 for step in 1e-6 * np.eye(len(q))])


def least_curvature(context: FailureContext, free: NDArray[np.bool_]) -> float:
    """Return the smallest eigenvalue of the Hessian of ½ eᵀWe in the free joints."""
    if not free.any():
        return np.inf
    h, q = 1e-5, context.q
    steps = h * np.eye(len(q))[free]
    H = np.array([(gradient(context, q + step) - gradient(context, q - step))[free] / (2 * h) for step in steps])
    return float(np.linalg.eigvalsh(0.5 * (H + H.T))[0])


def describe_motion(direction: Array, unit: str) -> str:
    """Describe a direction of motion of the tip."""
    angular, linear = direction[:3], direction[3:]
    angle, distance = float(np.linalg.norm(angular)), float(np.linalg.norm(linear))
    if distance < 1e-6 * angle:
        return messages.TURN.format(axis=format_vector(np.round(angular / angle, 3)))
    if angle < 1e-6 * distance:
        return messages.MOVE.format(axis=format_vector(np.round(linear / distance, 3)))
    axis, along = format_vector(np.round(angular / angle, 3)), format_vector(np.round(linear / angle, 3))
    return messages.BOTH.format(axis=axis, along=along, unit=unit)
