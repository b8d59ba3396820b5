"""The search over lanes: the starts of one pose, or many poses, take their steps side by side.

lanes.py says what the search may be asked for, and compiles this text: `evaluate` and solve_rows behind the kernels of
an arm, and what calls no kernel once for all arms with as many joints. What lies where in w is told in lane_rows.py.
One pose has all lanes to itself (compiled_pose_lanes.py); of many, each has a lane, which takes the next one when it is
done (solve_rows). A row that the lanes cannot decide is left UNDECIDED, and one that no start solves which may pass the
limits FREE_STARTS_FAILED.

By hand: it deals starts out to lanes.
Held by: tests/pose_ik/test_lanes.py.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lessons_lib.arrays import Array, Integers
from lessons_lib.lie.poses import orthonormalize, pose_deviation
from lessons_lib.pose_ik.joint_ranges import drawn, into_limits, unwrap_joint, wrap_joint
from lessons_lib.pose_ik.layout import (
    CLAMPED_FROM,
    CONVERGED,
    EVALUATIONS,
    FIRST_START,
    FREE_STARTS_FAILED,
    ITERATIONS,
    JOINTS,
    LOWER,
    MENDED,
    ORIENTATION_ERROR,
    PERIOD,
    POSITION_ERROR,
    RESTARTS,
    ROUNDED,
    SAMPLE_LOWER,
    SAMPLE_UPPER,
    STARTS,
    STATUS,
    UNDECIDED,
    UPPER,
)
from lessons_lib.pose_ik.poses import is_within_reach
from lessons_lib.pose_ik.random_numbers import next_states, planted, whole_of

if TYPE_CHECKING:
    from lessons_lib.pose_ik.lane_code import (
        ANGULAR,
        ATTEMPT,
        BEGINS,
        BEST,
        BOUNDS,
        BOUNDS_AT,
        BREAKDOWN,
        COUNT,
        COUNTS,
        DOF,
        ERROR,
        EVENT,
        FRESH,
        GENERATOR,
        IDLE,
        JOINT_RANGES,
        LANES,
        LARGEST_ANGLE,
        LINEAR,
        NEXT,
        NO_PROGRESS,
        ROW,
        START,
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


NOTHING, REACHED, ENDED, BROKEN_DOWN = 0.0, 1.0, 2.0, 3.0
RUNNING, SOLVED, FAILED, NEEDS_WRAP = 0, 1, 2, 3  # or UNDECIDED
NO_ROW = -1.0


def check_convergence(w: Array) -> None:
    """Write the squared errors of each lane, the best so far, and the event: converged, ended, or broken down.

    An event stays: the lane waits where it is until it is sent somewhere.
    """
    for lane in range(LANES):
        orientation, position = w[BOUNDS, lane], w[BOUNDS + 1, lane]
        most, starts = w[BOUNDS + 2, lane], w[BOUNDS + 3, lane]
        a, b, c = w[ERROR, lane], w[ERROR + 1, lane], w[ERROR + 2, lane]
        x, y, z = w[ERROR + 3, lane], w[ERROR + 4, lane], w[ERROR + 5, lane]
        angular, linear = a * a + b * b + c * c, x * x + y * y + z * z
        a, b, c = a * w[COUNTS, lane], b * w[COUNTS + 1, lane], c * w[COUNTS + 2, lane]
        x, y = x * w[COUNTS + 3, lane], y * w[COUNTS + 4, lane]
        z = z * w[COUNTS + 5, lane]
        counted_angular, counted_linear = a * a + b * b + c * c, x * x + y * y + z * z
        stalled, count, before = w[NO_PROGRESS, lane], w[COUNT, lane], w[EVENT, lane]
        event = ENDED if count >= most else NOTHING
        event = ENDED if stalled > 0.0 else event
        event = event if counted_angular > orientation else (event if counted_linear > position else REACHED)
        event = BROKEN_DOWN if w[BREAKDOWN, lane] > 0.0 else event
        event = event if angular + linear < 1e300 else BROKEN_DOWN
        event = before if before > NOTHING else event
        event = NOTHING if w[IDLE, lane] > 0.0 else event
        objective, best = counted_angular + counted_linear, w[BEST, lane]
        objective = objective if w[ATTEMPT, lane] < starts else math.inf  # a start too many fills an idle lane
        better = objective < best
        w[BEST, lane] = objective if better else best
        w[BEST + 1, lane] = w[ATTEMPT, lane] if better else w[BEST + 1, lane]
        w[BEST + 2, lane] = count if better else w[BEST + 2, lane]
        w[EVENT, lane] = event
        w[ANGULAR, lane] = angular
        w[LINEAR, lane] = linear


def evaluate(w: Array) -> None:
    """Write pose, Jacobian, error and event of each lane, where it stands."""
    pose_and_jacobian(w)
    error_twist(w)
    split_error(w)
    acceptance(w)
    check_convergence(w)


def begin(w: Array, lane: int, row: int, targets: Array, starts: Array, first: int, numbers: Array) -> bool:
    """Put a row's target and its first start, from place `first` on, into a lane; return whether both may be there."""
    top = 4 * row
    off = pose_deviation(targets, top)
    if not off <= MENDED or not is_within_reach(targets, top, numbers):
        return False
    for i in range(3):
        for j in range(4):
            w[TARGET + 4 * i + j, lane] = targets[top + i, j]
    if off > ROUNDED:
        orthonormalize(w, TARGET, lane)
    inside = True
    for i in range(DOF):
        joint = JOINT_RANGES + 5 * i
        q = into_limits(starts[first + i], numbers[joint + LOWER], numbers[joint + UPPER])
        inside = inside and abs(q) < LARGEST_ANGLE
        w[START + i, lane] = q
        w[NEXT + i, lane] = q
    w[ATTEMPT, lane], w[WRAPPED, lane], w[FRESH, lane] = 0.0, 0.0, 1.0
    w[IDLE, lane] = 0.0
    return inside


def draw(w: Array, lane: int, attempt: float, numbers: Array, one: int, two: int) -> tuple[int, int]:
    """Send a lane to the next random start of its pose, and return the generator's states behind it."""
    for i in range(DOF):
        one, two = next_states(one, two)
        joint = JOINT_RANGES + 5 * i
        q = drawn(whole_of(one, two), numbers[joint + SAMPLE_LOWER], numbers[joint + SAMPLE_UPPER])
        w[START + i, lane] = q
        w[NEXT + i, lane] = q
    w[ATTEMPT, lane], w[WRAPPED, lane], w[FRESH, lane] = attempt, 0.0, 1.0
    w[EVENT, lane] = NOTHING
    return one, two


def wrap_lane(w: Array, lane: int, numbers: Array, starts: Array, first: int) -> int:
    """Wrap a lane that has converged into the limits and there nearest to the first start; return how the start ends.

    The first start of its pose lies from place `first` on. Where that moves a joint, the lane stays for one more
    evaluation, at the q that is reported: a limit that was passed by less than the tolerance costs no solution.
    """
    moved = False
    for i in range(DOF):
        joint, q = JOINT_RANGES + 5 * i, w[Q + i, lane]
        lower, upper = numbers[joint + LOWER], numbers[joint + UPPER]
        there = wrap_joint(q, w[START + i, lane], lower, upper, numbers[joint + PERIOD])
        there = lower if there < lower else (upper if there > upper else there)
        there = unwrap_joint(there, starts[first + i], lower, upper, numbers[joint + PERIOD])
        moved = moved or there != q
        w[NEXT + i, lane] = there
    if moved:
        w[WRAPPED, lane], w[FRESH, lane] = 1.0, 1.0
    return RUNNING if moved else SOLVED


def outcome(w: Array, lane: int, numbers: Array, starts: Array, first: int) -> int:
    """Return what has become of a lane's start, which has an event.

    NEEDS_WRAP if it has converged at a q outside the limits, or at one with a joint farther than half a revolution from
    the first start of its pose, which lies from place `first` on.
    """
    event = w[EVENT, lane]
    if event != REACHED:
        return FAILED if event == ENDED else UNDECIDED
    is_final = True
    for i in range(DOF):
        joint, q, start = JOINT_RANGES + 5 * i, w[Q + i, lane], starts[first + i]
        lower, upper, half = numbers[joint + LOWER], numbers[joint + UPPER], 0.5 * numbers[joint + PERIOD]
        near = (half == 0.0) | (abs(q - start) <= half)
        is_final = is_final & near & (lower <= q) & (q <= upper)  # no branch: nobody could foretell where it goes
    return SOLVED if is_final or w[WRAPPED, lane] > 0.0 else NEEDS_WRAP


def what_is_left(ended: int, numbers: Array) -> int:
    """Return the status of a pose that is left to another loop: to search it anew, or since all starts here failed."""
    return FREE_STARTS_FAILED if ended == FAILED and numbers[FIRST_START] > 0.0 else UNDECIDED


def write_report(w: Array, lane: int, at: int, reports: Array) -> None:
    """Write the report of a lane that has solved its pose, from place `at` on."""
    reports[at + STATUS], reports[at + ITERATIONS] = CONVERGED, w[COUNT, lane]
    reports[at + RESTARTS] = w[ATTEMPT, lane]
    reports[at + ORIENTATION_ERROR] = math.sqrt(w[ANGULAR, lane])
    reports[at + POSITION_ERROR] = math.sqrt(w[LINEAR, lane])
    for i in range(DOF):
        reports[at + JOINTS + i] = w[Q + i, lane]
        reports[at + JOINTS + DOF + i] = w[START + i, lane]


def move_on(w: Array, lane: int) -> None:
    """Put a lane that was sent somewhere to where it is evaluated next."""
    for i in range(DOF):
        w[Q + i, lane] = w[NEXT + i, lane]
    wrapped = w[WRAPPED, lane]
    if wrapped == 0.0:
        w[COUNT, lane] = 0.0
    # a solution that was wrapped is evaluated once: the start ends with it, converged again or not
    w[NO_PROGRESS, lane], w[BREAKDOWN, lane], w[BEGINS, lane] = wrapped, 0.0, 1.0
    w[EVENT, lane], w[FRESH, lane] = NOTHING, 0.0


def equip(w: Array, numbers: Array) -> None:
    """Give all lanes the bounds, the roots of the weights and the numbers of the damping."""
    for k in range(numbers.shape[0] - BOUNDS_AT):
        for lane in range(LANES):
            w[BOUNDS + k, lane] = numbers[BOUNDS_AT + k]


def take(
    w: Array, lane: int, row: int, targets: Array, starts: Array, seeds: Integers, numbers: Array, reports: Array
) -> int:
    """Give a lane the next row that it can begin, from `row` on, and return the row after it; without one it idles."""
    while row < seeds.shape[0]:
        if begin(w, lane, row, targets, starts, DOF * row, numbers):
            w[ROW, lane] = row
            w[GENERATOR, lane], w[GENERATOR + 1, lane] = planted(seeds[row])
            return row + 1
        reports[(JOINTS + 2 * DOF) * row + STATUS] = UNDECIDED
        row += 1
    w[ROW, lane], w[IDLE, lane] = NO_ROW, 1.0
    return row


def solve_rows(targets: Array, starts: Array, room: Array, numbers: Array, seeds: Integers, reports: Array) -> None:
    """Solve each row; one left to another loop says so, one that the evaluations do not suffice for stays as it is.

    Args:
        targets: Poses one below the other, shape (4 k, 4).
        starts: First starts one after the other, shape (n k,).
        room: For the rows of w; zeros at first.
        numbers: Settings, reach and joints in one row; see layout.py.
        seeds: Shape (k,).
        reports: Shape ((5 + 2 n) k,); receives a report a row, see layout.py.
    """
    w = room.reshape((-1, LANES))
    equip(w, numbers)
    limit = min(numbers[STARTS], CLAMPED_FROM)  # a pose that is so hard gets all lanes, see lanes.pose_search
    row, searching, evaluations = 0, 0, 0.0
    for lane in range(LANES):
        row = take(w, lane, row, targets, starts, seeds, numbers, reports)
        move_on(w, lane)
        searching += w[ROW, lane] != NO_ROW
    while searching > 0 and evaluations < numbers[EVALUATIONS]:  # read anew each time: see interruption.py
        evaluations += 1.0
        evaluate(w)
        damped_step(w)
        advance(w)
        happened = False
        for lane in range(LANES):
            happened |= w[EVENT, lane] != NOTHING
        if not happened:
            continue
        for lane in range(LANES):
            if w[EVENT, lane] == NOTHING:
                continue
            first = DOF * int(w[ROW, lane])
            ended, attempt = outcome(w, lane, numbers, starts, first), w[ATTEMPT, lane] + 1.0
            if ended == NEEDS_WRAP:
                ended = wrap_lane(w, lane, numbers, starts, first)
            if ended == FAILED and attempt < limit:
                one, two = int(w[GENERATOR, lane]), int(w[GENERATOR + 1, lane])
                w[GENERATOR, lane], w[GENERATOR + 1, lane] = draw(w, lane, attempt, numbers, one, two)
                ended = RUNNING
            if ended != RUNNING:
                place = (JOINTS + 2 * DOF) * int(w[ROW, lane])
                reports[place + STATUS] = what_is_left(ended, numbers)
                if ended == SOLVED:
                    write_report(w, lane, place, reports)
                row = take(w, lane, row, targets, starts, seeds, numbers, reports)
                searching -= w[ROW, lane] == NO_ROW
            move_on(w, lane)
