"""One pose for all lanes: they take its starts in order, side by side.

lanes.py compiles this text behind that of compiled_lanes.py, in two parts as it does there. The answer is that of the
first start, in this order, that solves the pose, as in search.py, so a later start matters only when all before it have
failed: until then a lane that has ended waits.

By hand: it deals starts out to lanes.
Held by: tests/pose_ik/test_lanes.py.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.joint_ranges import wrap_joint
from lessons_lib.pose_ik.layout import (
    EVALUATIONS,
    INTERRUPTED,
    ITERATIONS,
    JOINTS,
    LOWER,
    MAX_ITERATIONS_USED,
    MENDED,
    ORIENTATION_ERROR,
    PERIOD,
    POSITION_ERROR,
    REPORTS_BEST,
    RESTARTS,
    RESUME,
    ROUNDED,
    SEED_AFTER,
    SEED_AT_HAND,
    STALLED,
    STARTS,
    STATUS,
    UNDECIDED,
    UPPER,
)
from lessons_lib.pose_ik.poses import is_within_reach, off_pose
from lessons_lib.pose_ik.random_numbers import planted

if TYPE_CHECKING:
    from lessons_lib.pose_ik.compiled_lanes import (
        FAILED,
        NEEDS_WRAP,
        NOTHING,
        RUNNING,
        SOLVED,
        check_convergence,
        draw,
        mend,
        move_on,
        outcome,
        what_is_left,
        wrap_lane,
        write_report,
    )
    from lessons_lib.pose_ik.lane_code import (
        ANGULAR,
        ATTEMPT,
        BEGINNING,
        BEST,
        COUNT,
        DOF,
        EVENT,
        FRESH,
        JOINT_RANGES,
        LANES,
        LARGEST_ANGLE,
        LINEAR,
        NEXT,
        NO_PROGRESS,
        NUMBERS,
        START,
        STATE,
        TARGET,
        WRAPPED,
        Q,
        acceptance,
        advance,
        damped_step,
        error_twist,
        pose_and_jacobian,
        split_error,
    )


NONE = -1
SEARCHING, RETRACING, REPORTING = 0, 1, 2


def share(w: Array, target: Array, start: Array, seed: int, rounded: bool) -> bool:
    """Put the first start into lane 0, and random ones into the others, in order; those of FIXED_SEED are at hand.

    Every lane gets the target, mended where it is rounded.

    Returns:
        Whether the first start lies within the limits.
    """
    for k in range(LANES * NEXT):
        w[k] = w[NUMBERS + BEGINNING + k]
    for i in range(3):
        for j in range(4):
            entry = target[i, j]
            for lane in range(LANES):
                w[LANES * (TARGET + 4 * i + j) + lane] = entry
    if rounded:
        for lane in range(LANES):
            mend(w, lane)
    inside = True
    for i in range(DOF):
        value, joint = start[i], NUMBERS + JOINT_RANGES + 5 * i
        inside = inside and w[joint + LOWER] <= value <= w[joint + UPPER] and abs(value) < LARGEST_ANGLE
        w[LANES * (START + i)], w[LANES * (Q + i)] = value, value
    w[STATE], w[STATE + 1] = w[NUMBERS + SEED_AFTER], w[NUMBERS + SEED_AFTER + 1]
    if seed != int(w[NUMBERS + SEED_AT_HAND]):
        w[STATE], w[STATE + 1] = planted(seed)
        for lane in range(1, LANES):
            draw(w, lane, float(lane), w, NUMBERS, STATE, STATE + 1)
            move_on(w, lane)
    return inside


def lane_of(w: Array, attempt: float) -> int:
    """Return the lane that has this start, or NONE: there are no more."""
    for lane in range(LANES):
        if w[LANES * ATTEMPT + lane] == attempt and attempt < w[NUMBERS + STARTS]:
            return lane
    return NONE


def take_best(w: Array, start: Array, seed: int) -> float:
    """Send lane 0 to the start that had the best iterate, and return after how many steps it had it."""
    best = 0
    for lane in range(LANES):
        best = lane if w[LANES * BEST + lane] < w[LANES * BEST + best] else best
    attempt, count = w[LANES * (BEST + 1) + best], w[LANES * (BEST + 2) + best]
    for i in range(DOF):
        w[LANES * (START + i)], w[LANES * (NEXT + i)] = start[i], start[i]
    if seed != RESUME:
        w[STATE + 2], w[STATE + 3] = planted(seed)
    w[STATE], w[STATE + 1] = w[STATE + 2], w[STATE + 3]
    for k in range(int(attempt)):
        draw(w, 0, k + 1.0, w, NUMBERS, STATE, STATE + 1)
    w[LANES * WRAPPED], w[LANES * FRESH], w[LANES * ATTEMPT] = 0.0, 1.0, 0.0
    return float(count)


def write_best(w: Array, report: Array) -> None:
    """Write the report of the start in lane 0, all but its errors, and send it to the q that is reported.

    Whole revolutions are taken off that q, which brings it into the limits: here every joint can go round.
    """
    report[STATUS] = STALLED if w[LANES * NO_PROGRESS] > 0.0 else MAX_ITERATIONS_USED
    report[ITERATIONS], report[RESTARTS] = w[LANES * COUNT], w[NUMBERS + STARTS] - 1.0
    for i in range(DOF):
        joint, start = NUMBERS + JOINT_RANGES + 5 * i, w[LANES * (START + i)]
        q = wrap_joint(report[JOINTS + i], start, w[joint + LOWER], w[joint + UPPER], w[joint + PERIOD])
        w[LANES * (NEXT + i)], report[JOINTS + i], report[JOINTS + DOF + i] = q, q, start
    w[LANES * FRESH] = 1.0


def solve_pose(target: Array, start: Array, w: Array, seed: int, report: Array) -> bool:
    """Solve one pose, and return whether it is solved; one that the lanes cannot decide is left UNDECIDED.

    Where no start solves it, the start that had the best iterate is taken once more, and that iterate is reported;
    where the lanes cannot tell which it is, see REPORTS_BEST, the pose is left to another loop as well. A long search
    returns now and then, with the status INTERRUPTED in its report, so that Python can hear Ctrl-C; it goes on in the
    same workspace, with the same report, when its seed is RESUME.

    Args:
        target: T_sd, shape (4, 4).
        start: The first start, shape (n,).
        w: Workspace, then the numbers that solve_rows is given; nobody else may use it meanwhile.
        seed: Of the random starts.
        report: Shape (5 + 2 n,); receives the report, see layout.py.
    """
    attempt, dealt, sent, phase, count, lane = 0.0, float(LANES), False, SEARCHING, 0.0, 0
    if seed == RESUME:
        attempt, dealt, phase, count = report[ITERATIONS], report[RESTARTS], int(w[STATE + 4]), w[STATE + 5]
        lane = lane_of(w, attempt)
    else:
        report[STATUS] = UNDECIDED
        if target.shape != (4, 4) or start.shape[0] != DOF:
            return False
        off = off_pose(target, 0)
        if not off <= MENDED or not is_within_reach(target, 0, w, NUMBERS):
            return False
        if not share(w, target, start, seed, off > ROUNDED):
            return False
    for _evaluation in range(int(w[NUMBERS + EVALUATIONS])):
        pose_and_jacobian(w)
        error_twist(w)
        split_error(w)
        acceptance(w)
        check_convergence(w)
        if phase == REPORTING:
            report[ORIENTATION_ERROR] = math.sqrt(w[LANES * ANGULAR])
            report[POSITION_ERROR] = math.sqrt(w[LANES * LINEAR])
            return False
        if phase == RETRACING:
            if w[LANES * COUNT] == count:
                for i in range(DOF):
                    report[JOINTS + i] = w[LANES * (Q + i)]
            if w[LANES * EVENT] != NOTHING:
                write_best(w, report)
                phase, sent = REPORTING, True
        else:
            while lane != NONE and w[LANES * EVENT + lane] != NOTHING:
                ended = outcome(w, lane, w, NUMBERS)
                if ended == NEEDS_WRAP:
                    ended = wrap_lane(w, lane, w, NUMBERS)
                if ended == SOLVED:
                    write_report(w, lane, 0, report)
                    return True
                sent = True
                if ended == RUNNING:
                    break
                if ended == UNDECIDED:
                    return False
                draw(w, lane, dealt, w, NUMBERS, STATE, STATE + 1)
                dealt, attempt = dealt + 1.0, attempt + 1.0
                lane = lane_of(w, attempt)
            if lane == NONE:
                if w[NUMBERS + REPORTS_BEST] == 0.0:
                    report[STATUS] = what_is_left(FAILED, w, NUMBERS)
                    return False
                count, phase, sent = take_best(w, start, seed), RETRACING, True
        damped_step(w)
        advance(w)
        if sent:
            sent = False
            for sent_lane in range(LANES):
                if w[LANES * FRESH + sent_lane] > 0.0:
                    move_on(w, sent_lane)
    if seed != RESUME:
        w[STATE + 2], w[STATE + 3] = planted(seed)
    w[STATE + 4], w[STATE + 5] = float(phase), count
    report[STATUS], report[ITERATIONS], report[RESTARTS] = INTERRUPTED, attempt, dealt
    return False
