"""The search for a pose: start after start, and step after step of each, until one solves it.

What depends on the arm and on the method is asked of kernels. compiled.py compiles this text once for all arms, and
gives it those that are derived for one and printed for a single lane; a page runs it as JavaScript; in_python.py runs
it as it stands, with kernels in NumPy. A test holds the one to the other, iterate by iterate.

By hand: it is a loop with many ends.
Held by: tests/pose_ik/test_two_loops.py.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.addresses import call_at
from lessons_lib.pose_ik.clamped_steps import hold, hold_more, stop_at_limits
from lessons_lib.pose_ik.joint_ranges import clip, random_configuration, unwrap, wrap
from lessons_lib.pose_ik.layout import (
    ACCEPT,
    AT_ACCEPTED,
    AT_BEGINS,
    AT_DIAGONAL,
    AT_DOF,
    AT_END,
    AT_ERROR,
    AT_GIVEN,
    AT_HELD,
    AT_MARGINS,
    AT_MODEL,
    AT_Q,
    AT_RESIDUAL,
    AT_STEP,
    AT_TARGET,
    BY_OBJECTIVE,
    CLAMPED_FROM,
    CONVERGED,
    COUNTED,
    DAMP,
    EVALUATE,
    EVALUATIONS,
    FIRST_START,
    FORM_MODEL,
    INTERRUPTED,
    ITERATIONS,
    JOINTS,
    LEAST_SQUARES,
    MAX_ITERATIONS,
    MAX_ITERATIONS_USED,
    METHOD,
    NEAREST,
    NOT_FINITE,
    OUTSIDE_LIMITS,
    PROMISE,
    REFUSED,
    RESTARTS,
    ROOT_WEIGHT,
    SAMPLES,
    SOLVE_COLUMNS,
    SOLVE_ROWS,
    STALLED,
    STARTS,
    STATED,
    STATUS,
    UNREACHABLE,
)
from lessons_lib.pose_ik.pseudoinverse import least_squares_step
from lessons_lib.pose_ik.random_numbers import plant
from lessons_lib.pose_ik.search_rules import (
    add_step,
    beyond_reach,
    copy,
    distance_between,
    fill,
    half_square,
    has_finite_sum,
    is_finite,
    keep_best,
    note,
    score_of,
    weighted_error,
    write,
)

Arrays = tuple[Any, ...]


def workspace(run: Any, at: Integers, settings: Array) -> Arrays:
    """Return what one start works in; all of its iterations, and all starts, share it.

    `w` is that of the kernels, for a single lane. Of it `here` is the configuration at hand, `error` what counts
    there, A and e the weighted model, `held` marks the joints that stand still, and `step` is the damped step.
    """
    w, n = np.zeros(at[AT_END]), at[AT_DOF]
    for k in range(settings.shape[0] - ROOT_WEIGHT):
        w[at[AT_GIVEN] + k] = settings[ROOT_WEIGHT + k]
    here, error = w[at[AT_Q] : at[AT_Q] + n], w[at[AT_ERROR] : at[AT_ERROR] + 6]
    A, e = w[at[AT_MODEL] : at[AT_MODEL] + 6 * n].reshape((6, n)), w[at[AT_RESIDUAL] : at[AT_RESIDUAL] + 6]
    held, step = w[at[AT_HELD] : at[AT_HELD] + n], w[at[AT_STEP] : at[AT_STEP] + n]
    own = np.empty(n), np.empty(n), np.empty(n), np.empty(6)
    scratch = np.empty((max(n, 6), min(n, 6))), np.empty((min(n, 6), min(n, 6)))
    return (w, here, error, A, e, held, step, *own, *scratch, at, run)


def aim(work: Arrays, target: Array) -> None:
    """Write the target into w, without its last row."""
    w, first = work[0], work[13][AT_TARGET]
    for i in range(12):
        w[first + i] = target[i // 4, i % 4]


def evaluate(work: Arrays, q: Array) -> None:
    """Write pose, Jacobian and error of a configuration."""
    copy(q, work[1])
    call_at(work[14], work[0], EVALUATE)


def find_step(work: Arrays, settings: Array) -> bool:
    """Write the step of the model at hand, without what is held: damped, or where a pivot is lost in rounding not.

    Of the two damped systems the smaller one is solved: that of the rows that count, or of the columns not held.
    Returns whether there is one: of a formula of its own, with a lost pivot, only Python knows it.
    """
    w, _, _, A, e, held, step, _, _, _, _, B, M, at, run = work
    damped = settings[METHOD] != LEAST_SQUARES and w[at[AT_DIAGONAL]] > 0.0
    if damped or settings[METHOD] == STATED:
        rows, columns = 0.0, 0.0
        for i in range(6):
            rows += settings[COUNTED + i]
        for i in range(held.shape[0]):
            columns += 1.0 - held[i]
        call_at(run, w, SOLVE_ROWS if rows < columns else SOLVE_COLUMNS)
        kept = True
        for i in range(B.shape[0]):
            kept = kept and w[at[AT_MARGINS] + i] > 0.0
        if kept or settings[METHOD] == STATED:
            return kept
    least_squares_step(A, e, held, B, M, step)
    return True


def iterate(
    start: Array,
    joints: Array,
    settings: Array,
    clamped: bool,
    work: Arrays,
    best: Array,
    trace: Array,
) -> tuple[int, int]:
    """Take the steps of one start towards the target in w; return its status and the number of steps tried.

    The last iterate is left in q of `work` and its error, V_b or the split one, in `error`. `best` (1 + n) keeps the
    lowest objective seen within the limits, of V unless the method is weighted, and its q. `trace`, when it has
    rows, receives a row an iterate. Where `clamped`, the steps stop at the limits.
    """
    w, here, error, A, e, held, step, q, ahead, wrapped, V, _, _, at, run = work
    tracing = trace.shape[0] > 0
    copy(start, q)
    copy(start, ahead)
    fill(held, 0.0)
    fill(V, math.inf)
    w[at[AT_BEGINS]], w[at[AT_ACCEPTED]] = 1.0, 1.0
    score, value, iterations, stalled = math.inf, -1.0, 0, False
    while iterations < settings[EVALUATIONS]:  # read anew each time: another thread may end the search
        finite = has_finite_sum(ahead)
        if finite:
            evaluate(work, ahead)
            call_at(run, w, FORM_MODEL)
            finite = is_finite(A, e)
        if not finite:
            if tracing:
                note(trace, iterations, q, V, value, False)
            return NOT_FINITE, iterations
        call_at(run, w, ACCEPT)
        accepted = w[at[AT_ACCEPTED]] > 0.0
        if accepted:
            copy(here, q)
            copy(error, V)
            score = score_of(V, settings)
            rank = half_square(e) if settings[BY_OBJECTIVE] > 0.0 else weighted_error(V, settings)
            if rank < best[0]:
                keep_best(rank, q, start, joints, wrapped, best)
        if tracing:
            note(trace, iterations, q, V, value, accepted)
        if score <= 1.0:
            return CONVERGED, iterations
        if stalled:
            return STALLED, iterations
        if iterations >= settings[MAX_ITERATIONS]:
            return MAX_ITERATIONS_USED, iterations
        if clamped and hold(A, e, q, joints, held):
            return STALLED, iterations
        call_at(run, w, DAMP)
        value = w[at[AT_DIAGONAL]] if settings[METHOD] != LEAST_SQUARES else 0.0
        if not 0.0 <= value < math.inf:
            return REFUSED, iterations
        found = find_step(work, settings)
        while found and clamped and hold_more(q, step, joints, held):
            found = find_step(work, settings)
        if not found:
            return REFUSED, iterations
        iterations += 1
        if clamped:
            stop_at_limits(q, step, joints, wrapped)
        stalled = add_step(q, step, ahead)
        if clamped:
            copy(wrapped, ahead)
        call_at(run, w, PROMISE)
    return INTERRUPTED, iterations


def solve_rows(
    targets: Array,
    starts: Array,
    joints: Array,
    reach: Array,
    settings: Array,
    seeds: Integers,
    reports: Array,
    run: Any,
    at: Integers,
) -> None:
    """Solve each row: start after start until one solves the pose; report that, or else the best iterate seen.

    Where those before FIRST_START have failed over lanes, it begins with that one; they are made at the end, for the
    best iterate, should nothing else solve the pose. `run` is where the kernels lie, or, in Python, the kernels; `at`
    is where they have their rows. When the evaluations that it may make are used up, the row at hand is INTERRUPTED,
    and those after it keep their status.
    """
    n = at[AT_DOF]
    work, best, start, state = workspace(run, at, settings), np.empty(1 + n), np.empty(n), np.empty(2, dtype=np.int64)
    error, solution, no_trace, evaluations = work[2], work[9], np.empty((0, n + 8)), 0.0
    for row in range(targets.shape[0]):
        target, q0, report = targets[row], starts[row], reports[row]
        plant(seeds[row], state)
        aim(work, target)
        copy(q0, start)
        best[0] = math.inf
        unreachable = beyond_reach(target, reach, settings)
        attempts = 1 if unreachable else int(settings[STARTS])
        nearest, outside, status = math.inf, False, STALLED
        first = int(settings[FIRST_START]) if attempts > settings[FIRST_START] else 0
        for _ in range(1, first):
            random_configuration(state, joints, start)
        for turn in range(attempts):
            attempt = (first + turn) % attempts
            if attempt > 0:
                random_configuration(state, joints, start)
            elif turn > 0:
                plant(seeds[row], state)
                copy(q0, start)
            elif settings[SAMPLES] > 0.0:
                draw_start(q0, joints, settings, state, work, start)
                evaluations += settings[SAMPLES]
            score = best[0]
            status, iterations = iterate(start, joints, settings, attempt >= CLAMPED_FROM, work, best, no_trace)
            evaluations += 1.0 + iterations
            if status == INTERRUPTED or evaluations > settings[EVALUATIONS]:
                report[STATUS] = INTERRUPTED
                return
            if status == REFUSED:
                break
            if status == CONVERGED:
                status = wrap_solution(start, q0, joints, settings, work)
            outside = outside or status == OUTSIDE_LIMITS
            distance = distance_between(solution, q0) if status == CONVERGED else math.inf
            if distance < nearest or (math.isinf(nearest) and (turn == 0 or best[0] < score)):
                nearest = distance
                write(report, status, iterations, solution, start, error)
            if status == CONVERGED and settings[NEAREST] == 0.0:
                attempts = attempt + 1
                break
        if status == REFUSED:
            report[STATUS] = REFUSED
            continue
        report[RESTARTS] = attempts - 1
        if math.isinf(nearest):
            report_best(work, best, q0, joints, report)
            if unreachable:
                report[STATUS] = UNREACHABLE
            elif outside:
                report[STATUS] = OUTSIDE_LIMITS


def retrace(
    start: Array, target: Array, joints: Array, settings: Array, clamped: bool, trace: Array, run: Any, at: Integers
) -> tuple[int, int]:
    """Take the steps of one start and write every iterate down; return its status and the number of steps tried."""
    work, best = workspace(run, at, settings), np.empty(1 + at[AT_DOF])
    best[0] = math.inf
    aim(work, target)
    return iterate(start, joints, settings, clamped, work, best, trace)


def wrap_solution(start: Array, q0: Array, joints: Array, settings: Array, work: Arrays) -> int:
    """Wrap the solution in q of `work` into the limits and there nearest to q0; return whether it is one there.

    It is written to `wrapped`, its error to `error`.
    """
    error, q, wrapped = work[2], work[7], work[9]
    inside = wrap(q, start, joints, wrapped)
    clip(wrapped, joints)
    unwrap(wrapped, q0, joints)
    evaluate(work, wrapped)
    if score_of(error, settings) <= 1.0:
        return CONVERGED
    return STALLED if inside else OUTSIDE_LIMITS


def draw_start(q0: Array, joints: Array, settings: Array, state: Integers, work: Arrays, start: Array) -> None:
    """Write the configuration of lowest weighted error among q0 and the random samples."""
    error, ahead, lowest = work[2], work[8], math.inf
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


def report_best(work: Arrays, best: Array, q0: Array, joints: Array, report: Array) -> None:
    """Put the best iterate into the report, unwrapped to where it is nearest to q0, with the errors there."""
    error, start, wrapped = work[2], work[8], work[9]
    n = start.shape[0]
    for i in range(n):
        start[i] = report[JOINTS + n + i]
        wrapped[i] = start[i] if math.isinf(best[0]) else best[1 + i]
    unwrap(wrapped, q0, joints)
    evaluate(work, wrapped)
    write(report, int(report[STATUS]), int(report[ITERATIONS]), wrapped, start, error)
