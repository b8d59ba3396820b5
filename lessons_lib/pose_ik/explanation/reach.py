"""Whether a pose can be had at all: the distances that rigid links allow, and all solutions where they are known.

A link keeps the distance between two points of it. So the tip, seen from a point of the first axis, is between two
spheres: no farther than the sum of the links, no nearer than what the longest one leaves of the others. A point on the
last axis is where the target puts it, whatever the last joint does; so is the point in which the last axes meet.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons_lib.all_solutions.excluded import Slices, slices
from lessons_lib.all_solutions.recognition import crossing, distance
from lessons_lib.arrays import Array
from lessons_lib.pose_ik.damping import TrustRegion
from lessons_lib.pose_ik.explanation.explanation import (
    BEYOND,
    LIMITS,
    MORE,
    MOST,
    NOTHING,
    OFF,
    PLANE,
    POINT,
    SAYS,
    TILTED,
    TIMES,
    Cause,
    length,
    told,
)
from lessons_lib.pose_ik.explanation.explanation import LEAST as AT_LEAST
from lessons_lib.pose_ik.explanation.of_numbers import ROUNDING, between_spheres, beyond_limits, out_of_plane
from lessons_lib.pose_ik.explanation.question import Question
from lessons_lib.pose_ik.goal import pose, position_only
from lessons_lib.pose_ik.methods import LevenbergMarquardt
from lessons_lib.pose_ik.result import Status
from lessons_lib.pose_ik.starts import Restarts
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.robots import Chain
from lessons_lib.robots.sampling import without_end

WIDER = "Wider limits, another mounting of the arm, or another pose."

CUT = "by {count} slices of {joint}, on each of which every answer has a joint outside: {words} the one that was found."
NONE, WITHIN = "{count} slices of {joint} hold no answer.", "{count} slices of {joint} hold none within the limits."

ORIENTATION, OUTSIDE = "the orientation cannot be had there", "the start leads outside the limits"

LEAST: dict[str, Any] = {
    "starts": Restarts(4),
    "stop": Stop(max_iterations=100),
    "method": LevenbergMarquardt(TrustRegion(), derivative="exact"),
}
"""How the least error is looked for, which does not end by reaching it."""


@dataclass(frozen=True, eq=False)
class Shell:
    """Where a point of the arm can be: between two spheres around a point, m."""

    center: Array
    least: float
    most: float

    def misses(self, point: Array) -> float:
        """Return by how much a point is outside; negative inside."""
        away = float(np.linalg.norm(point - self.center))
        return max(away - self.most, self.least - away) - ROUNDING * (1.0 + self.most)

    def nearest(self, point: Array) -> Array:
        """Return the nearest point between the spheres."""
        way = point - self.center
        away = float(np.linalg.norm(way))
        if away == 0.0:
            return self.center + [self.least, 0.0, 0.0]
        return self.center + way * float(np.clip(away, self.least, self.most)) / away


def shell(arm: Chain, point: Array, joints: int) -> Shell | None:
    """Return where a point can be that the first joints carry; None where a joint moves along its axis without end.

    Args:
        arm: The arm.
        point: In {s}, at q = 0.
        joints: How many of them carry it.
    """
    omega, v, turning = arm.screws[:3], arm.screws[3:], np.array(arm.joint_types) != "prismatic"
    endless = np.logical_or(*without_end(arm.limits[:, 0], arm.limits[:, 1], arm.joint_types, arm.length))
    slides = np.array(arm.joint_types) != "revolute"
    if (endless & slides)[:joints].any():
        return None
    along = np.where(turning, np.abs((omega * v).sum(axis=0)), 1.0)
    travel, center = np.zeros(joints), np.empty(3)
    for i in np.flatnonzero(slides[:joints]):
        travel[i] = along[i] * np.abs(arm.limits[i]).max()
    carrying = arm.screws.T[:joints]
    least, most = between_spheres(carrying, turning[:joints].astype(np.float64), travel, point, center)
    return Shell(center, least, most)


def wrists(arm: Chain) -> list[tuple[Array, int]]:
    """Return points that a pose puts in their place whatever the last joints do, and how many joints carry them."""
    if any(kind != "revolute" for kind in arm.joint_types[-3:]) or arm.dof < 3:
        return []
    k, o = arm.screws[:3].T, np.cross(arm.screws[:3].T, arm.screws[3:].T)
    foot = o[-1] + k[-1] * float(k[-1] @ (o[-2] - o[-1]))
    found = [(foot, arm.dof - 1)]
    size = ROUNDING * (1.0 + float(np.abs(o).max()))
    if np.linalg.norm(np.cross(k[-2], k[-1])) > 1e-3 and distance(k[-2], o[-2], k[-1], o[-1]) < size:
        meeting = np.array(crossing(k[-2], o[-2], k[-1], o[-1]))
        third = np.linalg.norm(np.cross(k[-3], meeting - o[-3])) < size
        found = [(meeting, arm.dof - 3 if third else arm.dof - 2)]
    return found


def out_of_reach(asked: Question) -> list[Cause]:
    """Return the cause that the point is too far or too near, for any orientation."""
    known, by = _missed(asked)
    if known is None or by <= asked.stop.position:
        return []
    point = asked.target[:3, 3]
    away, nearest = float(np.linalg.norm(point - known.center)), known.nearest(point)
    ends = {"most": f"{known.most:.4g}", "least": f"{known.least:.4g}", "unit": (unit := asked.arm.unit_in_words)}
    bound = (MOST if away > known.most else AT_LEAST).format(**ends)
    shown = SAYS[POINT].format(
        miss=length(by, unit), unit=unit, away=f"{away:.4g}", center=told(known.center), bound=bound
    )
    return [Cause(POINT, True, shown, f"The nearest point to hope for is {told(nearest)}.")]


def miss(asked: Question) -> float | None:
    """Return by how much the point is proven to be out of reach, m; None where it is not."""
    by = _missed(asked)[1]
    return by if by > 0.0 else None


def _missed(asked: Question) -> tuple[Shell | None, float]:
    """Return where the tip can be, if that is known and asked for, and by how much the target is outside, m."""
    known = shell(asked.arm, asked.arm.home[:3, 3], asked.arm.dof) if asked.asks_position else None
    return known, -1.0 if known is None else known.misses(asked.target[:3, 3])


def no_configuration(asked: Question) -> list[Cause]:
    """Return the causes that follow where it is known that no configuration has the pose, or none within the limits."""
    if not asked.is_whole:
        return []
    for point, joints in wrists(asked.arm):
        known = shell(asked.arm, point, joints)
        place = asked.target @ np.linalg.solve(asked.arm.home, [*point, 1.0])
        if known is not None and known.misses(place[:3]) > asked.stop.position + asked.stop.orientation * known.most:
            by = length(known.misses(place[:3]), asked.arm.unit_in_words)
            shown = f"joints 1 to {joints} miss the place of the wrist by {by}."
            return _nowhere(asked, shown)
    answers = asked.answers
    if asked.slices is not None and asked.slices.empty:
        return _slice_by_slice(asked, asked.slices)
    if answers is None or not answers.complete:
        return []
    if not len(answers) and not answers.families:
        return _nowhere(asked, SAYS[NOTHING].format(form=answers.form))
    if answers.families:
        within = asked.within
        if within is None or len(within) or within.families or not within.complete:
            return []
    outside = [(*beyond(asked.arm, q), q) for q in answers.q]
    outside.sort(key=lambda found: found[0])
    if outside and outside[0][0] < ROUNDING:
        return []
    count = f"{len(answers)} answers" + (f" and {len(answers.families)} families" if answers.families else "")
    alike = Counter(words for _, words, _ in outside)
    each = "; ".join(words + (TIMES.format(k=k) if k > 1 else "") for words, k in alike.items()) or "all of each family"
    shown = SAYS[LIMITS].format(count=count, each=each)
    return [Cause(LIMITS, True, shown, WIDER, outside[0][2] if outside else None)]


def _slice_by_slice(asked: Question, found: Slices) -> list[Cause]:
    """Return what excludes a pose of which no slice of a joint's range has an answer within the limits."""
    told, free = {"count": found.count, "joint": asked.arm.joint_names[found.joint]}, asked.tried(limits=False)
    if free.converged:
        words = beyond(asked.arm, free.q)[1]
        return [Cause(LIMITS, True, CUT.format(words=words, **told), WIDER, free.q)]
    alone = slices(asked.arm, asked.target, asked.unlimited.limits)
    if alone is not None and alone.empty:
        return _nowhere(asked, NONE.format(**told | {"count": alone.count}))
    return [Cause(NOTHING, True, WITHIN.format(**told), "Whether it is the limits is not proven.")]


def beyond(arm: Chain, q: Array) -> tuple[float, str]:
    """Return by how much the joints of an answer are outside, whole turns off: the sum, and the worst in words."""
    turned, over = np.array([kind == "revolute" for kind in arm.joint_types], dtype=np.float64), np.zeros(arm.dof)
    total = beyond_limits(q, arm.limits, turned, over)
    worst, more = int(np.argmax(over)), int(np.count_nonzero(over)) - 1
    others = MORE.format(more=more) if more > 0 else ""
    words = BEYOND.format(joint=arm.joint_names[worst], over=f"{over[worst]:.3g}", unit=arm.joint_units[worst])
    return float(total), words + others


def _nowhere(asked: Question, shown: str) -> list[Cause]:
    """Return the causes that no configuration has a pose: whether the point alone can be had says which."""
    alone = asked.tried(goal=position_only(), limits=False)
    if alone.converged:
        turn = nearest_orientation(asked, alone.q)
        nearest = f"An orientation {np.degrees(turn):.1f}° away can be had there." if turn is not None else ""
        return [Cause(ORIENTATION, True, f"{shown} The point alone can be reached.", nearest, alone.q)]
    start = np.clip(asked.q, *asked.arm.limits.T)
    best = asked.solve(asked.arm, asked.target, start, goal=position_only(), **LEAST)
    tip = asked.arm.forward_kinematics(best.q)[:3, 3]
    away = length(float(np.linalg.norm(tip - asked.target[:3, 3])), asked.arm.unit_in_words)
    words = f"with any orientation the best of {LEAST['starts'].count + 1} searches stays {away} away."
    nothing = Cause(NOTHING, True, shown, "Whether it is the point or the orientation is not proven.")
    return [nothing, Cause(POINT, False, words, f"The nearest point that was found is {told(tip)}.", best.q)]


def nearest_orientation(asked: Question, q: Array) -> float | None:
    """Return how far the best orientation that was found at the point is turned away, rad; None where none was."""
    unit, best = asked.arm.length, None
    for weight in (1e-2, 1e-4):
        weights = (weight, weight, weight, *(3 * [1.0 / unit**2]))
        start = np.clip(q, *asked.arm.limits.T)
        found = asked.solve(asked.arm, asked.target, start, goal=pose(weights), **LEAST)
        if found.position_error < 1e-3 * unit:
            best = found.orientation_error if best is None else min(best, found.orientation_error)
    return best


def leaves_its_plane(asked: Question) -> list[Cause]:
    """Return the cause that an arm whose axes are all parallel is asked to leave its plane, or to tilt."""
    turning = np.array(asked.arm.joint_types) != "prismatic"
    if not asked.is_whole or not turning.any():
        return []
    numbers = turning.astype(np.float64)
    tilt, height = out_of_plane(asked.arm.screws.T, numbers, asked.arm.home, asked.target)
    parts = [TILTED.format(tilt=f"{np.degrees(tilt):.3g}")] if tilt > asked.stop.orientation else []
    if height > asked.stop.position:
        parts.append(OFF.format(height=length(height, asked.arm.unit_in_words)))
    if not parts:
        return []
    n = asked.arm.screws[:3, int(np.argmax(turning))]
    words = SAYS[PLANE].format(axis=told(n), parts=" and ".join(parts))
    return [Cause(PLANE, True, words, "A goal with fewer components, or an arm with more axes.")]


def left_limits(asked: Question) -> list[Cause]:
    """Return that this start leads to the pose outside the limits, while another one leads to it within."""
    if asked.status is not Status.OUTSIDE_LIMITS or not asked.can_be_had.converged:
        return []
    found = asked.once(asked.unlimited, asked.start, asked.stop)
    over, words = beyond(asked.arm, found.q)
    if not found.converged or over == 0.0:
        return []
    remedy = f"Begin elsewhere: from q0 = {told(asked.escape)} it is solved within."
    return [Cause(OUTSIDE, True, f"the steps from this start reach it with {words} outside.", remedy, found.q)]


def limits_suspected(asked: Question) -> list[Cause]:
    """Return the suspicion that limits exclude a pose: it is solved without them, and not with them."""
    if not np.isfinite(asked.arm.limits).any() or asked.can_be_had.converged:
        return []
    free = asked.tried(limits=False)
    if not free.converged:
        return []
    over, words = beyond(asked.arm, free.q)
    if over == 0.0:
        return []
    shown = f"without limits it is solved, with {words} outside; with them {asked.can_be_had.restarts} starts failed."
    return [Cause(LIMITS, False, shown, "Wider limits, or more starts: another answer may be within.", free.q)]
