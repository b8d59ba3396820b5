"""Causes that exclude a pose: the lengths of the links, the plane of the axes, all solutions, and joint limits."""
# The tip lies in a spherical shell around a point of the first axis: no farther away than the sum of the links, no
# nearer than the longest link minus the others. So do points of the last axes, whose positions follow from the target.

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons_lib.all_solutions.recognition import common_midpoint, line_distance
from lessons_lib.all_solutions.slices import Slices, search_slices
from lessons_lib.arrays import Array
from lessons_lib.lie.intervals import COMPONENTS, Intervals
from lessons_lib.pose_ik.damping import TrustRegion
from lessons_lib.pose_ik.evaluation import evaluate
from lessons_lib.pose_ik.explanation import explanation as messages
from lessons_lib.pose_ik.explanation.context import FailureContext
from lessons_lib.pose_ik.explanation.explanation import LIMITS, NOTHING, PLANE, POINT, SENTENCES, Cause
from lessons_lib.pose_ik.explanation.explanation import format_length as length
from lessons_lib.pose_ik.explanation.explanation import format_vector as vector
from lessons_lib.pose_ik.explanation.measures import ROUNDING, bounding_shell, limit_violations, out_of_plane
from lessons_lib.pose_ik.goal import pose, position_only
from lessons_lib.pose_ik.methods import LevenbergMarquardt
from lessons_lib.pose_ik.problem import Stop
from lessons_lib.pose_ik.result import Status
from lessons_lib.pose_ik.starts import Restarts
from lessons_lib.pose_ik.weights import allowed_distance
from lessons_lib.robots import Chain
from lessons_lib.robots.joint_limits import unlimited_sides

WIDEN = "Widen the limits, mount the arm elsewhere, or choose another pose."

ORIENTATION, OUTSIDE = "the orientation is impossible there", "the start leads outside the limits"
OUTSIDE_INTERVALS = "outside the intervals"

LEAST_ERROR: dict[str, Any] = {
    "starts": Restarts(4),
    "stop": Stop(max_iterations=100),
    "method": LevenbergMarquardt(TrustRegion(), derivative="exact"),
}
"""Options of a solve that minimizes an error for a pose that cannot be reached."""


@dataclass(frozen=True, eq=False)
class Shell:
    """Region between two spheres that contains every position of a point of the arm, in the arm's unit of length."""

    center: Array
    inner: float
    outer: float

    def distance_outside(self, point: Array) -> float:
        """Return the distance from the shell to a point outside, minus a bound on rounding; negative inside."""
        distance = float(np.linalg.norm(point - self.center))
        return max(distance - self.outer, self.inner - distance) - ROUNDING * (1.0 + self.outer)

    def nearest(self, point: Array) -> Array:
        """Return the point of the shell nearest to a point."""
        offset = point - self.center
        distance = float(np.linalg.norm(offset))
        if distance == 0.0:
            return self.center + [self.inner, 0.0, 0.0]
        return self.center + offset * float(np.clip(distance, self.inner, self.outer)) / distance


def find_shell(arm: Chain, point: Array, joints: int) -> Shell | None:
    """Bound the positions of a point that the first joints move; None if one of them translates without limits."""
    omega, v, rotates = arm.screws[:3], arm.screws[3:], np.array(arm.joint_types) != "prismatic"
    is_unlimited = np.logical_or(*unlimited_sides(arm.limits[:, 0], arm.limits[:, 1], arm.joint_types, arm.length))
    translates = (np.array(arm.joint_types) != "revolute")[:joints]
    if (is_unlimited[:joints] & translates).any():
        return None
    pitch = np.where(rotates, np.abs((omega * v).sum(axis=0)), 1.0)[:joints]
    travel, center = np.zeros(joints), np.empty(3)
    travel[translates] = pitch[translates] * np.abs(arm.limits[:joints][translates]).max(axis=1)
    is_rotation = rotates[:joints].astype(np.float64)
    return Shell(center, *bounding_shell(arm.screws.T[:joints], is_rotation, travel, point, center))


def find_wrist_points(arm: Chain) -> list[tuple[Array, int]]:
    """Return points that the last joints do not move, and the number of joints that move each of them."""
    if any(kind != "revolute" for kind in arm.joint_types[-3:]) or arm.dof < 3:
        return []
    k, o = arm.screws[:3].T, np.cross(arm.screws[:3].T, arm.screws[3:].T)
    size = ROUNDING * (1.0 + float(np.abs(o).max()))
    if np.linalg.norm(np.cross(k[-2], k[-1])) > 1e-3 and line_distance(k[-2], o[-2], k[-1], o[-1]) < size:
        meeting = np.array(common_midpoint(k[-2], o[-2], k[-1], o[-1]))
        spherical = np.linalg.norm(np.cross(k[-3], meeting - o[-3])) < size
        return [(meeting, arm.dof - 3 if spherical else arm.dof - 2)]
    return [(o[-1] + k[-1] * float(k[-1] @ (o[-2] - o[-1])), arm.dof - 1)]


def find_out_of_reach(context: FailureContext) -> list[Cause]:
    """Return the cause if the target's position is too far or too near, for any orientation."""
    arm, point = context.arm.uncoupled, context.target[:3, 3]
    shell, allowed = find_shell(arm, arm.home[:3, 3], arm.dof), allowed_distance(context.weighted_method)
    if shell is None or shell.distance_outside(point) - allowed <= context.stop.position:
        return []
    unit, away = arm.unit_in_words, float(np.linalg.norm(point - shell.center))
    bound, end = (messages.MOST, shell.outer) if away > shell.outer else (messages.LEAST, shell.inner)
    digits = next((n for n in range(4, 17) if f"{away:.{n}g}" != f"{end:.{n}g}"), 17)
    allows = bound.format(most=f"{end:.{digits}g}", least=f"{end:.{digits}g}", unit=unit)
    numbers = {
        "miss": length(abs(away - end), unit),
        "away": f"{away:.{digits}g}",
        "center": vector(shell.center),
        "bound": allows,
    }
    sentence = SENTENCES[POINT].format(unit=unit, **numbers)
    if allowed > 0.0:
        sentence += f" The intervals allow {length(allowed, unit)} more."
    return [Cause(POINT, True, sentence, f"The nearest point they allow is {vector(shell.nearest(point))}.")]


def find_out_of_plane(context: FailureContext) -> list[Cause]:
    """Return the cause if all axes are parallel and the target is tilted out of the tip's plane, or off it."""
    arm, stop = context.arm.uncoupled, context.stop
    rotates = np.array(arm.joint_types) != "prismatic"
    if not context.is_whole_pose or not rotates.any():
        return []
    tilt, height = out_of_plane(arm.screws.T, rotates.astype(np.float64), arm.home, context.target)
    parts = [messages.TILTED.format(tilt=f"{np.degrees(tilt):.3g}")] if tilt > stop.orientation else []
    if height > stop.position:
        parts.append(messages.OFF.format(height=length(height, arm.unit_in_words)))
    if not parts:
        return []
    axis = vector(arm.screws[:3, int(np.argmax(rotates))])
    sentence = SENTENCES[PLANE].format(axis=axis, parts=" and ".join(parts))
    return [Cause(PLANE, True, sentence, "Use a goal with fewer components, or an arm with more axes.")]


def find_no_configuration(context: FailureContext) -> list[Cause]:
    """Return the causes if no configuration, or none within the limits, provably reaches the pose."""
    if not context.is_whole_pose:
        return []
    for point, joints in find_wrist_points(context.arm.uncoupled):
        shell = find_shell(context.arm.uncoupled, point, joints)
        if shell is None:
            continue
        miss = shell.distance_outside((context.target @ np.linalg.solve(context.arm.home, [*point, 1.0]))[:3])
        if miss > context.stop.position + context.stop.orientation * shell.outer:
            by = length(miss, context.arm.unit_in_words)
            return _point_or_orientation(context, f"joints 1 to {joints} miss the place of the wrist by {by}.")
    solutions = context.solutions
    if context.slices is not None and context.slices.empty:
        return _excluded_by_slices(context, context.slices)
    if solutions is None or not solutions.complete:
        return []
    if not len(solutions) and not solutions.families:
        return _point_or_orientation(context, SENTENCES[NOTHING].format(form=solutions.form))
    if solutions.families:
        within = context.solutions_within
        if within is None or len(within) or within.families or not within.complete:
            return []
    outside = sorted(((*worst_violation(context.arm, q), q) for q in solutions.q), key=lambda entry: entry[0])
    if outside and outside[0][0] < ROUNDING:
        return []
    families = f" and {len(solutions.families)} families" if solutions.families else ""
    repeated = Counter(text for _, text, _ in outside)
    each = "; ".join(text + (messages.TIMES.format(k=k) if k > 1 else "") for text, k in repeated.items())
    sentence = SENTENCES[LIMITS].format(
        count=f"{len(solutions)} solutions{families}", each=each or "all of each family"
    )
    return [Cause(LIMITS, True, sentence, WIDEN, outside[0][2] if outside else None)]


def _excluded_by_slices(context: FailureContext, within: Slices) -> list[Cause]:
    """Return the cause if no slice of a joint's range contains a solution within the limits."""
    joint, without_limits = context.arm.joint_names[within.joint], context.resolve(limits=False)
    if without_limits.converged:
        violation = worst_violation(context.arm, without_limits.q)[1]
        sentence = f"in {within.count} slices of {joint} every solution violates a limit, for instance {violation}."
        return [Cause(LIMITS, True, sentence, WIDEN, without_limits.q)]
    unlimited = search_slices(context.arm, context.target, context.unlimited.limits)
    if unlimited is not None and unlimited.empty:
        return _point_or_orientation(context, f"{unlimited.count} slices of {joint} contain no solution.")
    sentence = f"{within.count} slices of {joint} contain none within the limits."
    return [Cause(NOTHING, True, sentence, "It is not proven that the limits are the cause.")]


def _point_or_orientation(context: FailureContext, sentence: str) -> list[Cause]:
    """Return the causes of an unreachable pose: the orientation if the point alone can be reached."""
    point_only = context.resolve(goal=position_only(), limits=False)
    if point_only.converged:
        angle = nearest_orientation(context, point_only.q)
        remedy = "" if angle is None else f"An orientation {np.degrees(angle):.1f}° away is possible there."
        return [Cause(ORIENTATION, True, f"{sentence} The point alone can be reached.", remedy, point_only.q)]
    best = context.solve(context.arm, context.target, context.q, goal=position_only(), **LEAST_ERROR)
    tip = context.arm.forward_kinematics(best.q)[:3, 3]
    away = length(float(np.linalg.norm(tip - context.target[:3, 3])), context.arm.unit_in_words)
    searches, nearest = LEAST_ERROR["starts"].count + 1, f"The nearest point that was found is {vector(tip)}."
    suspected = f"with any orientation the best of {searches} searches stays {away} away."
    nothing = Cause(NOTHING, True, sentence, "It is not proven whether the point or the orientation is the cause.")
    return [nothing, Cause(POINT, False, suspected, nearest, best.q)]


def nearest_orientation(context: FailureContext, q: Array) -> float | None:
    """Return the angle, rad, from the target to the nearest orientation found at its point, or None."""
    unit, start, angles = context.arm.length, np.clip(q, *context.arm.limits.T), []
    for weight in (1e-2, 1e-4):
        goal = pose((*(3 * [weight]), *(3 * [1.0 / unit**2])))
        result = context.solve(context.arm, context.target, start, goal=goal, **LEAST_ERROR)
        if result.position_error < 1e-3 * unit:
            angles.append(result.orientation_error)
    return min(angles, default=None)


def worst_violation(arm: Chain, q: Array) -> tuple[float, str]:
    """Return the sum of the limit violations, whole revolutions removed, and a description of the largest one."""
    revolute, over = np.array([kind == "revolute" for kind in arm.joint_types], dtype=np.float64), np.zeros(arm.dof)
    total = limit_violations(q, arm.limits, revolute, over)
    worst, more = int(np.argmax(over)), int(np.count_nonzero(over)) - 1
    text = messages.BEYOND.format(joint=arm.joint_names[worst], over=f"{over[worst]:.3g}", unit=arm.joint_units[worst])
    return float(total), text + (messages.MORE.format(more=more) if more > 0 else "")


def find_bad_start(context: FailureContext) -> list[Cause]:
    """Return the cause if this start leads to the pose outside the limits, and another start within them."""
    if context.status is not Status.OUTSIDE_LIMITS or np.isnan(context.start).any():
        return []
    if not context.from_many_starts.converged:
        return []
    result = context.solve_once(context.unlimited, context.start, context.stop)
    over, violation = worst_violation(context.arm, result.q)
    if not result.converged or over == 0.0:
        return []
    remedy = f"Start elsewhere: the solve from q0 = {vector(context.successful_start)} stays within the limits."
    sentence = f"the steps from this start reach the pose with joints outside: {violation}."
    return [Cause(OUTSIDE, True, sentence, remedy, result.q)]


def find_suspected_limits(context: FailureContext) -> list[Cause]:
    """Return the suspected cause if the pose is solved only without limits."""
    if not np.isfinite(context.arm.limits).any() or context.from_many_starts.converged:
        return []
    without_limits = context.resolve(limits=False)
    over, violation = worst_violation(context.arm, without_limits.q)
    if not without_limits.converged or over == 0.0:
        return []
    failed = f"with them {context.from_many_starts.restarts} starts failed"
    sentence = f"without limits it is solved with joints outside: {violation}; {failed}."
    return [Cause(LIMITS, False, sentence, "Widen the limits, or try more starts: one may succeed.", without_limits.q)]


def find_outside_intervals(context: FailureContext, intervals: Intervals) -> list[Cause]:
    """Return the cause that lists the components outside their intervals, in degrees and the arm's unit of length."""
    here, unit = evaluate(context.arm, context.target, context.q, "target", split=True), context.arm.unit_in_words
    tolerances, parts = np.repeat([context.stop.orientation, context.stop.position], 3), []
    for i, (name, (lower, upper), value) in enumerate(zip(COMPONENTS, intervals.bounds, -here.error, strict=True)):
        over = max(lower - value, value - upper)
        if over > tolerances[i]:
            scale, suffix = (np.degrees(1.0), "°") if i < 3 else (1.0, f" {unit}")
            amount = f"{scale * over:.3g}°" if i < 3 else length(over, unit)
            allowed = f"[{scale * lower:.4g}, {scale * upper:.4g}]{suffix}"
            parts.append(f"{name} is {scale * value:.4g}{suffix}, {amount} outside {allowed}")
    if not parts:
        return []
    remedy = "Widen these intervals, or choose another target."
    return [Cause(OUTSIDE_INTERVALS, True, f"at q {'; '.join(parts)}.", remedy, context.q)]
