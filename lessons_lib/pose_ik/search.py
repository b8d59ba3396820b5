"""The sequential search for a pose: it iterates from one start after another until one solves the pose."""
# It serves what the SIMD search (simd_search.py) does not: samples, several solutions, steps that stop at the limits,
# traces, undamped methods with masked components, and singular steps. `sequential` compiles it once for all arms.

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.lie.poses import ROUNDED, pose_deviation
from lessons_lib.pose_ik.iteration import Arrays, evaluate, iterate, set_target, workspace
from lessons_lib.pose_ik.joint_ranges import is_inside, is_wrapped, random_configuration, unwrap, wrap_near
from lessons_lib.pose_ik.layout import (
    BOUNDED_FROM,
    BY_LONGEST_MOVE,
    CONVERGED,
    EVALUATIONS,
    FIRST_START,
    INTERRUPTED,
    ITERATIONS,
    JOINTS,
    NEAREST,
    NEEDS_FALLBACK,
    OUTSIDE_LIMITS,
    POSITION,
    RESTARTS,
    RESUME,
    SAMPLES,
    STALLED,
    STARTS,
    STATUS,
    STAYS_NEAR,
    UNREACHABLE,
    has_ended,
)
from lessons_lib.pose_ik.near import search_near
from lessons_lib.pose_ik.random_numbers import seed_state
from lessons_lib.pose_ik.search_rules import (
    copy,
    distance_between,
    is_converged,
    is_within_reach,
    longest_move,
    weighted_error,
    write_report,
)


def solve_one(
    target: Array,
    q0: Array,
    seed: int,
    report: Array,
    trace: Array,
    settings: Array,
    joints: Array,
    reach: Array,
    scratch: Array,
    run: Any,
    at: Integers,
) -> int:
    """Solve one pose and return its status: NEEDS_FALLBACK if the target is not a pose or q0 is outside the limits."""
    # `target` is T_sd, shape (4, 4); `report` has shape (5 + 2 n,), see layout.py for it and the settings; `trace` has
    # a row of n + 8 numbers for each iterate of the reported start, or no rows; `joints` and `reach` are those of
    # `Arm`. `scratch` has `scratch_size` numbers and belongs to one search. `run` is the address of the kernels, or in
    # Python the kernels themselves; `at` are the offsets of their rows, see `lane_rows.places`.
    if not is_problem(target, q0, joints):
        return NEEDS_FALLBACK
    work = workspace(scratch, run, at, settings)
    solve_row(target, q0, joints, reach, settings, seed, report, trace, work, np.empty(2, dtype=np.int64), 0.0)
    return int(report[STATUS])


def solve_rows(
    targets: Array,
    starts: Array,
    joints: Array,
    reach: Array,
    settings: Array,
    seeds: Integers,
    reports: Array,
    trace: Array,
    scratch: Array,
    run: Any,
    at: Integers,
) -> None:
    """Solve checked poses one after another; the arguments are rows of those of `solve_one`, the trace of the last."""
    # when the allowed evaluations are used up, the current row is INTERRUPTED and later rows keep their status
    work, state, evaluations = workspace(scratch, run, at, settings), np.empty(2, dtype=np.int64), 0.0
    for row in range(targets.shape[0]):
        q0, report = starts[row], reports[row]
        evaluations = solve_row(
            targets[row], q0, joints, reach, settings, seeds[row], report, trace, work, state, evaluations
        )
        if report[STATUS] == INTERRUPTED:
            return


def is_problem(target: Array, q0: Array, joints: Array) -> bool:
    """Return whether the target is a pose to rounding, and q0 is within the limits."""
    if target.shape != (4, 4) or q0.shape[0] != joints.shape[0]:
        return False
    return bool(pose_deviation(target, 0) <= ROUNDED) and is_inside(q0, joints)


def solve_row(
    target: Array,
    q0: Array,
    joints: Array,
    reach: Array,
    settings: Array,
    seed: int,
    report: Array,
    trace: Array,
    work: Arrays,
    state: Integers,
    evaluations: float,
) -> float:
    """Solve one pose, then repeat the reported start if a trace is requested; return the evaluations made so far."""
    incumbent, start, bounded = work[15], work[16], True
    set_target(work, target)
    if seed != RESUME:
        seed_state(seed, state)
        incumbent[0] = math.inf
    if settings[STAYS_NEAR] > 0.0:
        evaluations = search_near(q0, joints, settings, seed, report, state, work, evaluations)
    else:
        evaluations, bounded = search_starts(
            target, q0, joints, reach, settings, seed, report, state, work, evaluations
        )
    if trace.shape[0] > 0 and has_ended(int(report[STATUS])):
        n = q0.shape[0]
        for i in range(n):
            start[i] = report[JOINTS + n + i]
        incumbent[0] = math.inf
        iterate(start, joints, settings, bounded, work, trace)
    return evaluations


def search_starts(
    target: Array,
    q0: Array,
    joints: Array,
    reach: Array,
    settings: Array,
    seed: int,
    report: Array,
    state: Integers,
    work: Arrays,
    evaluations: float,
) -> tuple[float, bool]:
    """Iterate from q0 and random starts until one solves the pose; report it, or else the best iterate."""
    # If the SIMD search has tried the starts before FIRST_START, this search begins there and tries those last. Between
    # two starts it may be INTERRUPTED; the seed RESUME with the same report, `work` and `state` resumes it. Return the
    # evaluations made so far, and whether the limits bounded the steps of the reported start.
    error, solution, incumbent, start, paused = work[2], work[9], work[15], work[16], work[19]
    no_trace = work[0][0:0].reshape((0, q0.shape[0] + 8))
    unreachable = not is_within_reach(target, 0, reach, 0, settings[POSITION])
    attempts = 1 if unreachable else int(settings[STARTS])
    nearest, outside, bounded, status, first_trial = math.inf, False, False, STALLED, 0
    first = int(settings[FIRST_START]) if attempts > settings[FIRST_START] else 0
    if seed == RESUME:
        first_trial, nearest, report[STATUS] = int(paused[0]), paused[1], paused[2]
        outside, bounded = paused[3] > 0.0, paused[4] > 0.0
    else:
        copy(q0, start)
        for _ in range(1, first):
            random_configuration(state, joints, start)
    for trial in range(first_trial, attempts):
        attempt = first + trial
        if attempt >= attempts:
            attempt -= attempts
        if attempt > 0:
            random_configuration(state, joints, start)
        elif trial > 0:
            seed_state(seed, state)
            copy(q0, start)
        elif settings[SAMPLES] > 0.0:
            draw_start(q0, joints, settings, state, work)
            evaluations += settings[SAMPLES]
        lowest_before = incumbent[0]
        status, iterations = iterate(start, joints, settings, attempt >= BOUNDED_FROM, work, no_trace)
        evaluations += 1.0 + iterations
        if not has_ended(status):
            report[STATUS] = status
            return evaluations, bounded
        if status == CONVERGED:
            status = wrap_solution(q0, joints, settings, work)
        outside = outside or status == OUTSIDE_LIMITS
        distance = math.inf
        if status == CONVERGED:
            distance = 0.0
            if settings[NEAREST] == BY_LONGEST_MOVE:
                distance = longest_move(solution, q0)
            elif settings[NEAREST] > 0.0:
                distance = distance_between(solution, q0)
        if distance < nearest or (math.isinf(nearest) and (trial == 0 or incumbent[0] < lowest_before)):
            nearest, bounded = distance, attempt >= BOUNDED_FROM
            write_report(report, status, iterations, solution, start, error)
        if status == CONVERGED and settings[NEAREST] == 0.0:
            attempts = attempt + 1
            break
        if evaluations > settings[EVALUATIONS] and trial + 1 < attempts:
            paused[0], paused[1], paused[2] = 1.0 + trial, nearest, report[STATUS]
            paused[3], paused[4], report[STATUS] = float(outside), float(bounded), INTERRUPTED
            return evaluations, bounded
    report[RESTARTS] = attempts - 1
    if math.isinf(nearest):
        report_best(work, q0, joints, report)
        if unreachable:
            report[STATUS] = UNREACHABLE
        elif outside:
            report[STATUS] = OUTSIDE_LIMITS
    return evaluations, bounded


def wrap_solution(q0: Array, joints: Array, settings: Array, work: Arrays) -> int:
    """Wrap the solution in q of `work` into the limits, nearest to q0, into `wrapped`; return its status there."""
    error, q, wrapped, start = work[2], work[7], work[9], work[16]
    if is_wrapped(q, start, q0, joints):
        copy(q, wrapped)
        return CONVERGED
    inside = wrap_near(q, start, q0, joints, wrapped)
    same = True
    for i in range(q.shape[0]):
        same = same & (wrapped[i] == q[i])
    if same:
        return CONVERGED
    evaluate(work, wrapped)
    if is_converged(error, settings):
        return CONVERGED
    return STALLED if inside else OUTSIDE_LIMITS


def draw_start(q0: Array, joints: Array, settings: Array, state: Integers, work: Arrays) -> None:
    """Set the start to the configuration of lowest weighted error among q0 and the random samples."""
    error, ahead, start, lowest = work[2], work[8], work[16], math.inf
    copy(q0, ahead)
    for sample in range(1 + int(settings[SAMPLES])):
        if sample > settings[EVALUATIONS]:
            break
        evaluate(work, ahead)
        cost = weighted_error(error, settings)
        if cost < lowest:
            lowest = cost
            copy(ahead, start)
        random_configuration(state, joints, ahead)


def report_best(work: Arrays, q0: Array, joints: Array, report: Array) -> None:
    """Report the incumbent, unwrapped to be nearest to q0."""
    error, wrapped, incumbent, start = work[2], work[9], work[15], work[16]
    n = start.shape[0]
    for i in range(n):
        start[i] = report[JOINTS + n + i]
        wrapped[i] = start[i] if math.isinf(incumbent[0]) else incumbent[1 + i]
    unwrap(wrapped, q0, joints)
    evaluate(work, wrapped)
    write_report(report, int(report[STATUS]), int(report[ITERATIONS]), wrapped, start, error)
