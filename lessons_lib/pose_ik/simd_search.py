"""The SIMD search: each lane iterates from one start, of the same pose (`solve_pose`) or of its own (`solve_rows`)."""
# `lanes` compiles this text with the kernels of an arm; `lane_rows` lists the rows of w. A pose with the status
# NEEDS_FALLBACK or UNCONSTRAINED_STARTS_FAILED goes to the sequential search.

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lessons_lib.arrays import Array, Integers
from lessons_lib.lie.poses import ORTHONORMALIZE_TOLERANCE, ROUNDED, orthonormalize, pose_deviation
from lessons_lib.pose_ik.joint_ranges import into_limits, uniform_from_int
from lessons_lib.pose_ik.layout import (
    BOUNDED_FROM,
    CONVERGED,
    DESCENDS,
    EVALUATIONS,
    FIRST_START,
    INTERRUPTED,
    ITERATIONS,
    JOINT_RANGES,
    JOINTS,
    LOWER,
    MAX_ITERATIONS_USED,
    NEEDS_FALLBACK,
    ORIENTATION_ERROR,
    PERIOD,
    POSITION,
    POSITION_ERROR,
    PREPARED_SEED,
    REACH,
    REPORTS_BEST,
    RESTARTS,
    RESUME,
    SAMPLE_LOWER,
    SAMPLE_UPPER,
    SEED_AFTER,
    STALLED,
    STARTS,
    STATUS,
    UNCONSTRAINED_STARTS_FAILED,
    UNREACHABLE,
    UPPER,
)
from lessons_lib.pose_ik.random_numbers import combine_lcg, next_states, seed_states
from lessons_lib.pose_ik.search_rules import is_within_reach
from lessons_lib.robots.revolutions import unwrap_joint, wrap_joint

if TYPE_CHECKING:
    from lessons_lib.pose_ik.kernel_names import (
        ANGULAR,
        ATTEMPT,
        BEST,
        BOUNDS,
        BOUNDS_AT,
        BREAKDOWN,
        COUNT,
        DOF,
        ERROR,
        EVENT,
        GENERATOR,
        IDLE,
        INITIAL_ROWS,
        IS_FIRST,
        LANE_MASK,
        LANES,
        LARGEST_ANGLE,
        LINEAR,
        NEXT,
        NO_PROGRESS,
        RESET,
        ROW,
        ROWS,
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


NO_EVENT, REACHED, ENDED, BROKEN_DOWN = 0.0, 1.0, 2.0, 3.0
RUNNING, SOLVED, FAILED, NEEDS_WRAP = 0, 1, 2, 3  # or NEEDS_FALLBACK
NO_ROW, NO_LANE = -1.0, -1
SEARCHING, RETRACING, REPORTING = 0, 1, 2


def check_convergence(w: Array) -> None:
    """Compute each lane's squared errors, lowest objective and event; an event lasts until the lane is reset."""
    for lane in range(LANES):
        orientation, position = w[BOUNDS, lane], w[BOUNDS + 1, lane]
        max_iterations, starts = w[BOUNDS + 2, lane], w[BOUNDS + 3, lane]
        a, b, c = w[ERROR, lane], w[ERROR + 1, lane], w[ERROR + 2, lane]
        x, y, z = w[ERROR + 3, lane], w[ERROR + 4, lane], w[ERROR + 5, lane]
        angular, linear = a * a + b * b + c * c, x * x + y * y + z * z
        a, b, c = a * w[LANE_MASK, lane], b * w[LANE_MASK + 1, lane], c * w[LANE_MASK + 2, lane]
        x, y = x * w[LANE_MASK + 3, lane], y * w[LANE_MASK + 4, lane]
        z = z * w[LANE_MASK + 5, lane]
        counted_angular, counted_linear = a * a + b * b + c * c, x * x + y * y + z * z
        stalled, count, before = w[NO_PROGRESS, lane], w[COUNT, lane], w[EVENT, lane]
        event = ENDED if count >= max_iterations else NO_EVENT
        event = ENDED if stalled > 0.0 else event
        event = event if counted_angular > orientation else (event if counted_linear > position else REACHED)
        event = BROKEN_DOWN if w[BREAKDOWN, lane] > 0.0 else event
        event = event if angular + linear < 1e300 else BROKEN_DOWN
        event = before if before > NO_EVENT else event
        event = NO_EVENT if w[IDLE, lane] > 0.0 else event
        objective, best = counted_angular + counted_linear, w[BEST, lane]
        objective = objective if w[ATTEMPT, lane] < starts else math.inf  # an extra start fills an idle lane
        better = objective < best
        w[BEST, lane] = objective if better else best
        w[BEST + 1, lane] = w[ATTEMPT, lane] if better else w[BEST + 1, lane]
        w[BEST + 2, lane] = count if better else w[BEST + 2, lane]
        w[EVENT, lane] = event
        w[ANGULAR, lane] = angular
        w[LINEAR, lane] = linear


def evaluate(w: Array) -> None:
    """Compute pose, Jacobian, error and event of each lane."""
    pose_and_jacobian(w)
    error_twist(w)
    split_error(w)
    acceptance(w)
    check_convergence(w)


def begin_problem(w: Array, lane: int, row: int, targets: Array, starts: Array, first: int, settings: Array) -> int:
    """Load a row's target and first start; return RUNNING, UNREACHABLE (only a descent follows) or NEEDS_FALLBACK."""
    first_row = 4 * row
    deviation = pose_deviation(targets, first_row)
    if not deviation <= ORTHONORMALIZE_TOLERANCE:
        return NEEDS_FALLBACK
    for i in range(3):
        for j in range(4):
            w[TARGET + 4 * i + j, lane] = targets[first_row + i, j]
    if deviation > ROUNDED:
        orthonormalize(w, TARGET, lane)
    w[IDLE, lane] = 0.0
    if not load_start(w, lane, starts, first, settings):
        return NEEDS_FALLBACK
    if not is_within_reach(targets, first_row, settings, REACH, settings[POSITION]):
        return status_beyond_reach(settings)
    return RUNNING


def load_start(w: Array, lane: int, starts: Array, first: int, settings: Array) -> bool:
    """Load the first start of a pose into a lane; return whether it is within the limits."""
    inside = True
    for i in range(DOF):
        joint = JOINT_RANGES + 5 * i
        q = into_limits(starts[first + i], settings[joint + LOWER], settings[joint + UPPER])
        inside = inside and abs(q) < LARGEST_ANGLE
        w[START + i, lane] = q
        w[NEXT + i, lane] = q
    w[ATTEMPT, lane], w[WRAPPED, lane], w[RESET, lane] = 0.0, 0.0, 1.0
    return inside


def draw_start(w: Array, lane: int, attempt: float, settings: Array, one: int, two: int) -> tuple[int, int]:
    """Load the next random start into a lane; return the next states of the generator."""
    for i in range(DOF):
        one, two = next_states(one, two)
        joint = JOINT_RANGES + 5 * i
        q = uniform_from_int(combine_lcg(one, two), settings[joint + SAMPLE_LOWER], settings[joint + SAMPLE_UPPER])
        w[START + i, lane] = q
        w[NEXT + i, lane] = q
    w[ATTEMPT, lane], w[WRAPPED, lane], w[RESET, lane] = attempt, 0.0, 1.0
    w[EVENT, lane] = NO_EVENT
    return one, two


def wrap_lane(w: Array, lane: int, settings: Array, starts: Array, first: int) -> int:
    """Wrap a converged lane into the limits, nearest to the first start; return RUNNING if q changed, else SOLVED."""
    moved = False
    for i in range(DOF):
        joint, q = JOINT_RANGES + 5 * i, w[Q + i, lane]
        lower, upper = settings[joint + LOWER], settings[joint + UPPER]
        there = wrap_joint(q, w[START + i, lane], lower, upper, settings[joint + PERIOD])
        there = lower if there < lower else (upper if there > upper else there)
        there = unwrap_joint(there, starts[first + i], lower, upper, settings[joint + PERIOD])
        moved = moved or there != q
        w[NEXT + i, lane] = there
    if moved:
        w[WRAPPED, lane], w[RESET, lane] = 1.0, 1.0
    return RUNNING if moved else SOLVED


def classify_termination(w: Array, lane: int, settings: Array, starts: Array, first: int) -> int:
    """Return SOLVED, FAILED, NEEDS_FALLBACK, or NEEDS_WRAP if q violates a limit or is far from the first start."""
    event = w[EVENT, lane]
    if event != REACHED:
        return FAILED if event == ENDED else NEEDS_FALLBACK
    is_final = True
    for i in range(DOF):
        joint, q, start = JOINT_RANGES + 5 * i, w[Q + i, lane], starts[first + i]
        lower, upper, half = settings[joint + LOWER], settings[joint + UPPER], 0.5 * settings[joint + PERIOD]
        near = (half == 0.0) | (abs(q - start) <= half)
        is_final = is_final & near & (lower <= q) & (q <= upper)  # without a branch: it would be mispredicted
    return SOLVED if is_final or w[WRAPPED, lane] > 0.0 else NEEDS_WRAP


def fallback_status(outcome: int, settings: Array) -> int:
    """Return the status of a pose that goes to the sequential search."""
    return UNCONSTRAINED_STARTS_FAILED if outcome == FAILED and settings[FIRST_START] > 0.0 else NEEDS_FALLBACK


def status_beyond_reach(settings: Array) -> int:
    """Return the status of a target out of reach: UNREACHABLE if a descent follows, see descent.py."""
    return UNREACHABLE if settings[DESCENDS] > 0.0 else NEEDS_FALLBACK


def report_start(w: Array, lane: int, at: int, reports: Array) -> None:
    """Report the start of a target out of reach; the descent computes its errors."""
    for i in range(JOINTS):
        reports[at + i] = 0.0
    reports[at + STATUS] = UNREACHABLE
    for i in range(DOF):
        reports[at + JOINTS + i], reports[at + JOINTS + DOF + i] = w[START + i, lane], w[START + i, lane]


def write_report(w: Array, lane: int, at: int, reports: Array) -> None:
    """Report the solution of a lane."""
    reports[at + STATUS], reports[at + ITERATIONS] = CONVERGED, w[COUNT, lane]
    reports[at + RESTARTS] = w[ATTEMPT, lane]
    reports[at + ORIENTATION_ERROR] = math.sqrt(w[ANGULAR, lane])
    reports[at + POSITION_ERROR] = math.sqrt(w[LINEAR, lane])
    for i in range(DOF):
        reports[at + JOINTS + i] = w[Q + i, lane]
        reports[at + JOINTS + DOF + i] = w[START + i, lane]


def reset_lane(w: Array, lane: int) -> None:
    """Move a lane to its next q."""
    for i in range(DOF):
        w[Q + i, lane] = w[NEXT + i, lane]
    wrapped = w[WRAPPED, lane]
    if wrapped == 0.0:
        w[COUNT, lane] = 0.0
    # a wrapped solution is evaluated once: its start ends there, converged or not
    w[NO_PROGRESS, lane], w[BREAKDOWN, lane], w[IS_FIRST, lane] = wrapped, 0.0, 1.0
    w[EVENT, lane], w[RESET, lane] = NO_EVENT, 0.0


def assign_starts(w: Array, settings: Array, target: Array, start: Array, seed: int, rounded: bool) -> bool:
    """Load the target and a start into each lane, q0 into lane 0; return whether q0 is within the limits."""
    for row in range(NEXT):
        for lane in range(LANES):
            w[row, lane] = settings[INITIAL_ROWS + LANES * row + lane]
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
        value = into_limits(start[i], settings[joint + LOWER], settings[joint + UPPER])
        inside = inside and abs(value) < LARGEST_ANGLE
        w[START + i, 0], w[Q + i, 0] = value, value
    settings[STATE], settings[STATE + 1] = settings[SEED_AFTER], settings[SEED_AFTER + 1]
    if seed != int(settings[PREPARED_SEED]):
        one, two = seed_states(seed)
        for lane in range(1, LANES):
            one, two = draw_start(w, lane, float(lane), settings, one, two)
            reset_lane(w, lane)
        settings[STATE], settings[STATE + 1] = one, two
    return inside


def lane_of(w: Array, settings: Array, attempt: float) -> int:
    """Return the lane of a start, NO_LANE if there are no more starts."""
    for lane in range(LANES):
        if w[ATTEMPT, lane] == attempt and attempt < settings[STARTS]:
            return lane
    return NO_LANE


def retrace_best(w: Array, settings: Array, start: Array, seed: int) -> float:
    """Load the start with the best iterate into lane 0; return the number of steps to that iterate."""
    best = 0
    for lane in range(LANES):
        best = lane if w[BEST, lane] < w[BEST, best] else best
    attempt, count = w[BEST + 1, best], w[BEST + 2, best]
    load_start(w, 0, start, 0, settings)
    if seed != RESUME:
        settings[STATE + 2], settings[STATE + 3] = seed_states(seed)
    one, two = int(settings[STATE + 2]), int(settings[STATE + 3])
    for k in range(int(attempt)):
        one, two = draw_start(w, 0, k + 1.0, settings, one, two)
    w[WRAPPED, 0], w[RESET, 0], w[ATTEMPT, 0] = 0.0, 1.0, 0.0
    return float(count)


def report_best(w: Array, settings: Array, start: Array, report: Array) -> None:
    """Report the start in lane 0 except its errors, and move the lane to the reported q, wrapped into the limits."""
    report[STATUS] = STALLED if w[NO_PROGRESS, 0] > 0.0 else MAX_ITERATIONS_USED
    report[ITERATIONS], report[RESTARTS] = w[COUNT, 0], settings[STARTS] - 1.0
    for i in range(DOF):
        joint, status = JOINT_RANGES + 5 * i, w[START + i, 0]
        lower, upper, period = settings[joint + LOWER], settings[joint + UPPER], settings[joint + PERIOD]
        q = wrap_joint(report[JOINTS + i], status, lower, upper, period)
        q = unwrap_joint(q, start[i], lower, upper, period)
        w[NEXT + i, 0], report[JOINTS + i], report[JOINTS + DOF + i] = q, q, status
    w[RESET, 0] = 1.0


def solve_pose(target: Array, start: Array, scratch: Array, seed: int, report: Array) -> bool:
    """Solve one pose; return whether a start solved it."""
    # If none does, the start with the best iterate is repeated and that iterate reported, unless REPORTS_BEST is zero.
    # If the allowed evaluations are used up, the status is INTERRUPTED; the seed RESUME with the same arrays resumes
    # it. `target` is T_sd, shape (4, 4); `scratch` comes from `lanes.make_scratch`, one for each concurrent search;
    # `report` has shape (5 + 2 n,), see layout.py.
    w, settings = scratch[: ROWS * LANES].reshape((-1, LANES)), scratch[ROWS * LANES :]
    attempt, next_attempt, pending_reset, phase, count, lane = 0.0, float(LANES), False, SEARCHING, 0.0, 0
    if seed == RESUME:
        attempt, next_attempt, phase, count = (
            report[ITERATIONS],
            report[RESTARTS],
            int(settings[STATE + 4]),
            settings[STATE + 5],
        )
        lane = lane_of(w, settings, attempt)
    else:
        report[STATUS] = NEEDS_FALLBACK
        if target.shape != (4, 4) or start.shape[0] != DOF:
            return False
        deviation = pose_deviation(target, 0)
        if not deviation <= ORTHONORMALIZE_TOLERANCE or not assign_starts(
            w, settings, target, start, seed, deviation > ROUNDED
        ):
            return False
        if not is_within_reach(target, 0, settings, REACH, settings[POSITION]):
            report[STATUS] = status_beyond_reach(settings)
            if report[STATUS] == UNREACHABLE:
                report_start(w, 0, 0, report)
            return False
    for _evaluation in range(int(settings[EVALUATIONS])):
        evaluate(w)
        if phase == REPORTING:
            report[STATUS], report[ITERATIONS], report[RESTARTS] = count, attempt, settings[STARTS] - 1.0
            report[ORIENTATION_ERROR] = math.sqrt(w[ANGULAR, 0])
            report[POSITION_ERROR] = math.sqrt(w[LINEAR, 0])
            return False
        if phase == RETRACING:
            if w[COUNT, 0] == count:
                for i in range(DOF):
                    report[JOINTS + i] = w[Q + i, 0]
            if w[EVENT, 0] != NO_EVENT:
                report_best(w, settings, start, report)
                phase, pending_reset = REPORTING, True
                attempt, count = report[ITERATIONS], report[STATUS]  # an interruption overwrites them in the report
        else:
            while lane != NO_LANE and w[EVENT, lane] != NO_EVENT:
                outcome = classify_termination(w, lane, settings, start, 0)
                if outcome == NEEDS_WRAP:
                    outcome = wrap_lane(w, lane, settings, start, 0)
                if outcome == SOLVED:
                    write_report(w, lane, 0, report)
                    return True
                pending_reset = True
                if outcome == RUNNING:
                    break
                if outcome == NEEDS_FALLBACK:
                    report[STATUS] = NEEDS_FALLBACK  # it is INTERRUPTED in a resumed search
                    return False
                one, two = int(settings[STATE]), int(settings[STATE + 1])
                settings[STATE], settings[STATE + 1] = draw_start(w, lane, next_attempt, settings, one, two)
                next_attempt, attempt = next_attempt + 1.0, attempt + 1.0
                lane = lane_of(w, settings, attempt)
            if lane == NO_LANE:
                if settings[REPORTS_BEST] == 0.0:
                    report[STATUS] = fallback_status(FAILED, settings)
                    return False
                count, phase, pending_reset = retrace_best(w, settings, start, seed), RETRACING, True
        damped_step(w)
        advance(w)
        if pending_reset:
            pending_reset = False
            for other in range(LANES):
                if w[RESET, other] > 0.0:
                    reset_lane(w, other)
    if seed != RESUME:
        settings[STATE + 2], settings[STATE + 3] = seed_states(seed)
    settings[STATE + 4], settings[STATE + 5] = float(phase), count
    report[STATUS], report[ITERATIONS], report[RESTARTS] = INTERRUPTED, attempt, next_attempt
    return False


def load_parameters(w: Array, settings: Array) -> None:
    """Load tolerances, mask, weights and damping parameters into all lanes."""
    for k in range(settings.shape[0] - BOUNDS_AT):
        for lane in range(LANES):
            w[BOUNDS + k, lane] = settings[BOUNDS_AT + k]


def next_problem(
    w: Array, lane: int, row: int, targets: Array, starts: Array, seeds: Integers, settings: Array, reports: Array
) -> int:
    """Load the next valid row into a lane, which idles if there is none; return the row after it."""
    while row < seeds.shape[0]:
        status, place = begin_problem(w, lane, row, targets, starts, DOF * row, settings), (JOINTS + 2 * DOF) * row
        if status == RUNNING:
            w[ROW, lane] = row
            w[GENERATOR, lane], w[GENERATOR + 1, lane] = seed_states(seeds[row])
            return row + 1
        reports[place + STATUS] = status
        if status == UNREACHABLE:
            report_start(w, lane, place, reports)
        row += 1
    w[ROW, lane], w[IDLE, lane] = NO_ROW, 1.0
    return row


def solve_rows(targets: Array, starts: Array, scratch: Array, settings: Array, seeds: Integers, reports: Array) -> None:
    """Solve many poses, one in each lane; if the evaluations are used up, the remaining rows keep their status."""
    # `targets` has shape (4 k, 4), `starts` (n k,), `seeds` (k,), `reports` ((5 + 2 n) k,), see layout.py; `settings`
    # come from `lanes.simd_settings`
    w = scratch.reshape((-1, LANES))
    load_parameters(w, settings)
    limit = min(settings[STARTS], BOUNDED_FROM)  # a harder pose gets all lanes, see lanes.pose_search
    row, searching, evaluations = 0, 0, 0.0
    for lane in range(LANES):
        row = next_problem(w, lane, row, targets, starts, seeds, settings, reports)
        reset_lane(w, lane)
        searching += w[ROW, lane] != NO_ROW
    while searching > 0 and evaluations < settings[EVALUATIONS]:  # another thread may end the search
        evaluations += 1.0
        evaluate(w)
        damped_step(w)
        advance(w)
        any_event = False
        for lane in range(LANES):
            any_event |= w[EVENT, lane] != NO_EVENT
        if not any_event:
            continue
        for lane in range(LANES):
            if w[EVENT, lane] == NO_EVENT:
                continue
            first = DOF * int(w[ROW, lane])
            outcome, attempt = classify_termination(w, lane, settings, starts, first), w[ATTEMPT, lane] + 1.0
            if outcome == NEEDS_WRAP:
                outcome = wrap_lane(w, lane, settings, starts, first)
            if outcome == FAILED and attempt < limit:
                one, two = int(w[GENERATOR, lane]), int(w[GENERATOR + 1, lane])
                w[GENERATOR, lane], w[GENERATOR + 1, lane] = draw_start(w, lane, attempt, settings, one, two)
                outcome = RUNNING
            if outcome != RUNNING:
                place = (JOINTS + 2 * DOF) * int(w[ROW, lane])
                reports[place + STATUS] = fallback_status(outcome, settings)
                if outcome == SOLVED:
                    write_report(w, lane, place, reports)
                row = next_problem(w, lane, row, targets, starts, seeds, settings, reports)
                searching -= w[ROW, lane] == NO_ROW
            reset_lane(w, lane)
