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
from lessons_lib.lie.poses import orthonormalize, pose_deviation
from lessons_lib.pose_ik.joint_ranges import into_limits, unwrap_joint, wrap_joint
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
from lessons_lib.pose_ik.poses import is_within_reach
from lessons_lib.pose_ik.random_numbers import planted

if TYPE_CHECKING:
    from lessons_lib.pose_ik.compiled_lanes import (
        FAILED,
        NEEDS_WRAP,
        NOTHING,
        RUNNING,
        SOLVED,
        draw,
        evaluate,
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
        ROWS,
        START,
        STATE,
        TARGET,
        WRAPPED,
        Q,
        advance,
        damped_step,
    )


NONE = -1
SEARCHING, RETRACING, REPORTING = 0, 1, 2


def share(w: Array, numbers: Array, target: Array, start: Array, seed: int, rounded: bool) -> bool:
    """Put the first start into lane 0, and random ones into the others, in order; those of FIXED_SEED are at hand.

    Every lane gets the target, orthonormalized where it is rounded.

    Returns:
        Whether the first start lies within the limits.
    """
    for row in range(NEXT):
        for lane in range(LANES):
            w[row, lane] = numbers[BEGINNING + LANES * row + lane]
    for i in range(3):
        for j in range(4):
            entry = target[i, j]
            for lane in range(LANES):
                w[TARGET + 4 * i + j, lane] = entry
    if rounded:
        for lane in range(LANES):
            orthonormalize(w, TARGET, lane)
    inside = True
    for i in range(DOF):
        joint = JOINT_RANGES + 5 * i
        value = into_limits(start[i], numbers[joint + LOWER], numbers[joint + UPPER])
        inside = inside and abs(value) < LARGEST_ANGLE
        w[START + i, 0], w[Q + i, 0] = value, value
    numbers[STATE], numbers[STATE + 1] = numbers[SEED_AFTER], numbers[SEED_AFTER + 1]
    if seed != int(numbers[SEED_AT_HAND]):
        one, two = planted(seed)
        for lane in range(1, LANES):
            one, two = draw(w, lane, float(lane), numbers, one, two)
            move_on(w, lane)
        numbers[STATE], numbers[STATE + 1] = one, two
    return inside


def lane_of(w: Array, numbers: Array, attempt: float) -> int:
    """Return the lane that has this start, or NONE: there are no more."""
    for lane in range(LANES):
        if w[ATTEMPT, lane] == attempt and attempt < numbers[STARTS]:
            return lane
    return NONE


def take_best(w: Array, numbers: Array, start: Array, seed: int) -> float:
    """Send lane 0 to the start that had the best iterate, and return after how many steps it had it."""
    best = 0
    for lane in range(LANES):
        best = lane if w[BEST, lane] < w[BEST, best] else best
    attempt, count = w[BEST + 1, best], w[BEST + 2, best]
    for i in range(DOF):
        joint = JOINT_RANGES + 5 * i
        value = into_limits(start[i], numbers[joint + LOWER], numbers[joint + UPPER])
        w[START + i, 0], w[NEXT + i, 0] = value, value
    if seed != RESUME:
        numbers[STATE + 2], numbers[STATE + 3] = planted(seed)
    one, two = int(numbers[STATE + 2]), int(numbers[STATE + 3])
    for k in range(int(attempt)):
        one, two = draw(w, 0, k + 1.0, numbers, one, two)
    w[WRAPPED, 0], w[FRESH, 0], w[ATTEMPT, 0] = 0.0, 1.0, 0.0
    return float(count)


def write_best(w: Array, numbers: Array, start: Array, report: Array) -> None:
    """Write the report of the start in lane 0, all but its errors, and send it to the q that is reported.

    Whole revolutions bring that q into the limits, as here every joint covers one, and there nearest to the first
    start.
    """
    report[STATUS] = STALLED if w[NO_PROGRESS, 0] > 0.0 else MAX_ITERATIONS_USED
    report[ITERATIONS], report[RESTARTS] = w[COUNT, 0], numbers[STARTS] - 1.0
    for i in range(DOF):
        joint, begun = JOINT_RANGES + 5 * i, w[START + i, 0]
        lower, upper, period = numbers[joint + LOWER], numbers[joint + UPPER], numbers[joint + PERIOD]
        q = wrap_joint(report[JOINTS + i], begun, lower, upper, period)
        q = unwrap_joint(q, start[i], lower, upper, period)
        w[NEXT + i, 0], report[JOINTS + i], report[JOINTS + DOF + i] = q, q, begun
    w[FRESH, 0] = 1.0


def solve_pose(target: Array, start: Array, room: Array, seed: int, report: Array) -> bool:
    """Solve one pose, and return whether it is solved; one that the lanes cannot decide is left UNDECIDED.

    Where no start solves it, the start that had the best iterate is taken once more, and that iterate is reported;
    where the lanes cannot tell which it is, see REPORTS_BEST, the pose is left to another loop as well. A long search
    returns now and then, with the status INTERRUPTED in its report, so that Python can hear Ctrl-C; it goes on in the
    same workspace, with the same report, when its seed is RESUME.

    Args:
        target: T_sd, shape (4, 4).
        start: The first start, shape (n,).
        room: For the rows of w, then the numbers that solve_rows is given, then what is remembered; nobody else may use
            it meanwhile.
        seed: Of the random starts.
        report: Shape (5 + 2 n,); receives the report, see layout.py.
    """
    w, numbers = room[: ROWS * LANES].reshape((-1, LANES)), room[ROWS * LANES :]
    attempt, dealt, sent, phase, count, lane = 0.0, float(LANES), False, SEARCHING, 0.0, 0
    if seed == RESUME:
        attempt, dealt, phase, count = report[ITERATIONS], report[RESTARTS], int(numbers[STATE + 4]), numbers[STATE + 5]
        lane = lane_of(w, numbers, attempt)
    else:
        report[STATUS] = UNDECIDED
        if target.shape != (4, 4) or start.shape[0] != DOF:
            return False
        off = pose_deviation(target, 0)
        if not off <= MENDED or not is_within_reach(target, 0, numbers):
            return False
        if not share(w, numbers, target, start, seed, off > ROUNDED):
            return False
    for _evaluation in range(int(numbers[EVALUATIONS])):
        evaluate(w)
        if phase == REPORTING:
            report[ORIENTATION_ERROR] = math.sqrt(w[ANGULAR, 0])
            report[POSITION_ERROR] = math.sqrt(w[LINEAR, 0])
            return False
        if phase == RETRACING:
            if w[COUNT, 0] == count:
                for i in range(DOF):
                    report[JOINTS + i] = w[Q + i, 0]
            if w[EVENT, 0] != NOTHING:
                write_best(w, numbers, start, report)
                phase, sent = REPORTING, True
        else:
            while lane != NONE and w[EVENT, lane] != NOTHING:
                ended = outcome(w, lane, numbers, start, 0)
                if ended == NEEDS_WRAP:
                    ended = wrap_lane(w, lane, numbers, start, 0)
                if ended == SOLVED:
                    write_report(w, lane, 0, report)
                    return True
                sent = True
                if ended == RUNNING:
                    break
                if ended == UNDECIDED:
                    return False
                one, two = int(numbers[STATE]), int(numbers[STATE + 1])
                numbers[STATE], numbers[STATE + 1] = draw(w, lane, dealt, numbers, one, two)
                dealt, attempt = dealt + 1.0, attempt + 1.0
                lane = lane_of(w, numbers, attempt)
            if lane == NONE:
                if numbers[REPORTS_BEST] == 0.0:
                    report[STATUS] = what_is_left(FAILED, numbers)
                    return False
                count, phase, sent = take_best(w, numbers, start, seed), RETRACING, True
        damped_step(w)
        advance(w)
        if sent:
            sent = False
            for sent_lane in range(LANES):
                if w[FRESH, sent_lane] > 0.0:
                    move_on(w, sent_lane)
    if seed != RESUME:
        numbers[STATE + 2], numbers[STATE + 3] = planted(seed)
    numbers[STATE + 4], numbers[STATE + 5] = float(phase), count
    report[STATUS], report[ITERATIONS], report[RESTARTS] = INTERRUPTED, attempt, dealt
    return False
