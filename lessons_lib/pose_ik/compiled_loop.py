"""The compiled loop and search: the arithmetic of loop.py and search.py for one chain, with no Python object in sight.

See compiled_steps.py for how this text is compiled. A test holds the two loops together, iterate by iterate.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lessons_lib.pose_ik.clamped_steps import hold, hold_more, stop_at_limits
from lessons_lib.pose_ik.compiled_rules import (
    add_step,
    beyond_reach,
    copy,
    copy_model,
    damping_value,
    distance_between,
    drop_columns,
    half_square,
    has_finite_sum,
    is_finite,
    judge,
    keep_best,
    note,
    score_of,
    weighted_error,
    write,
)
from lessons_lib.pose_ik.compiled_steps import Arrays, damped_step, least_squares_step, split, weigh, workspace
from lessons_lib.pose_ik.joint_ranges import clip, random_configuration, turn_back, turn_towards
from lessons_lib.pose_ik.layout import (
    ADAPTIVE,
    BODY,
    BY_OBJECTIVE,
    CLAMPED_FROM,
    CONVERGED,
    DAMPED,
    DAMPING,
    INTERRUPTED,
    ITERATIONS,
    JOINTS,
    LOOKS,
    MAX_ITERATIONS,
    MAX_ITERATIONS_USED,
    METHOD,
    MODEL,
    NEAREST,
    NOT_FINITE,
    OUTSIDE_LIMITS,
    RESTARTS,
    SAMPLES,
    SPLIT_IN_BODY,
    STALLED,
    STARTS,
    STATUS,
    UNREACHABLE,
    WEIGHTED,
)
from lessons_lib.pose_ik.random_numbers import plant

if TYPE_CHECKING:
    from lessons_lib.pose_ik.chain_code import DOF, between_kernel, chain_kernel, log_se3_kernel

Array = NDArray[np.float64]


def look(q: Array, target: Array, T: Array, R: Array, J: Array, V: Array) -> None:
    """Write the pose T_sb and the body Jacobian of q, and V_b = log(T_sb⁻¹ target); R is scratch."""
    chain_kernel(q, T, J)
    between_kernel(T, target, R)
    log_se3_kernel(R, V)


def see(q: Array, target: Array, settings: Array, T: Array, R: Array, J: Array, V: Array, L: Array) -> None:
    """Write J_b of q, and the error that is judged: V_b, or the split error, whose slope L is written as well."""
    look(q, target, T, R, J, V)
    if settings[MODEL] >= SPLIT_IN_BODY:
        split(target, settings, T, R, V, L)


def follow(
    start: Array,
    target: Array,
    joints: Array,
    settings: Array,
    clamped: bool,
    work: Arrays,
    best: Array,
    trace: Array,
) -> tuple[int, int]:
    """Take the steps of one start; return its status and the number of steps tried.

    The last iterate is left in work[0] and its error, V_b or the split one, in work[5]. `best` (1 + DOF) keeps the
    lowest score seen within the limits, for a weighted method the lowest objective, and its q. `trace`, when it has
    rows, receives a row an iterate. Where `clamped`, the steps stop at the limits.
    """
    q, ahead, step, turned, y, V, V_ahead, e, e_ahead, A, A_ahead, J, B, T, R, L, M = work
    tracing = trace.shape[0] > 0
    plain = settings[MODEL] == BODY and settings[WEIGHTED] == 0.0
    adaptive = settings[METHOD] == DAMPED and settings[DAMPING] == ADAPTIVE
    if not adaptive:
        A_ahead, e_ahead = A, e
    copy(start, q)
    copy(start, ahead)
    for i in range(6):
        V[i] = math.inf
    score, value, growth, iterations, resting, accepted = math.inf, -1.0, 2.0, 0, False, True
    while iterations < settings[LOOKS]:  # read anew each time: another thread may end the search
        finite = has_finite_sum(ahead)
        if finite:
            see(ahead, target, settings, T, R, A_ahead, V_ahead, L)
            copy(V_ahead, e_ahead)
            if not plain:
                weigh(T, V_ahead, settings, J, L, A_ahead, e_ahead)
            finite = is_finite(A_ahead, e_ahead)
        if not finite:
            if tracing:
                note(trace, iterations, q, V, value, False)
            return NOT_FINITE, iterations
        used = value
        if adaptive and iterations > 0:
            accepted, value, growth = judge(A, e, e_ahead, step, settings, value, growth)
        if accepted:
            copy(ahead, q)
            copy(V_ahead, V)
            if adaptive:
                copy_model(A_ahead, e_ahead, A, e)
            score = score_of(V, settings)
            rank = half_square(e_ahead) if settings[BY_OBJECTIVE] > 0.0 else score
            if rank < best[0]:
                keep_best(rank, q, start, joints, turned, best)
        if tracing:
            note(trace, iterations, q, V, used, accepted)
        if score <= 1.0:
            return CONVERGED, iterations
        if resting:
            return STALLED, iterations
        if iterations >= settings[MAX_ITERATIONS]:
            return MAX_ITERATIONS_USED, iterations
        if clamped:
            if hold(A, e, q, joints, turned):
                return STALLED, iterations
            drop_columns(A, turned)
        value = damping_value(A, e, settings, value)
        while True:
            if settings[METHOD] != DAMPED or value <= 0.0 or not damped_step(A, e, value, M, y, step):
                least_squares_step(A, e, B, M, step)
            if not clamped or not hold_more(q, step, joints, turned):
                break
            drop_columns(A, turned)
        iterations += 1
        if clamped:
            stop_at_limits(q, step, joints, turned)
        resting = add_step(q, step, ahead)
        if clamped:
            copy(turned, ahead)
    return INTERRUPTED, iterations


def solve_rows(
    targets: Array,
    starts: Array,
    joints: Array,
    reach: Array,
    settings: Array,
    seeds: NDArray[np.int64],
    reports: Array,
) -> None:
    """Solve each row: start after start until one solves the pose; report that, or else the best iterate seen.

    When the looks that it may take are used up, the row at hand is INTERRUPTED, and those after it keep their status.
    """
    work, best, start, state = workspace(), np.empty(1 + DOF), np.empty(DOF), np.empty(2, dtype=np.int64)
    no_trace, looks = np.empty((0, DOF + 8)), 0.0
    for row in range(targets.shape[0]):
        target, q0, report = targets[row], starts[row], reports[row]
        plant(seeds[row], state)
        copy(q0, start)
        best[0] = math.inf
        unreachable = beyond_reach(target, reach, settings)
        attempts = 1 if unreachable else int(settings[STARTS])
        nearest, outside = math.inf, False
        for attempt in range(attempts):
            if attempt > 0:
                random_configuration(state, joints, start)
            elif settings[SAMPLES] > 0.0:
                draw_start(target, q0, joints, settings, state, work, start)
                looks += settings[SAMPLES]
            score = best[0]
            status, iterations = follow(start, target, joints, settings, attempt >= CLAMPED_FROM, work, best, no_trace)
            looks += 1.0 + iterations
            if status == INTERRUPTED or looks > settings[LOOKS]:
                report[STATUS] = INTERRUPTED
                return
            if status == CONVERGED:
                status = settle(start, q0, target, joints, settings, work)
            outside = outside or status == OUTSIDE_LIMITS
            distance = distance_between(work[3], q0) if status == CONVERGED else math.inf
            if distance < nearest or (math.isinf(nearest) and (attempt == 0 or best[0] < score)):
                nearest = distance
                write(report, status, iterations, work[3], start, work[5])
            if status == CONVERGED and settings[NEAREST] == 0.0:
                attempts = attempt + 1
                break
        report[RESTARTS] = attempts - 1
        if math.isinf(nearest):
            report_best(target, settings, work, best, report)
            if unreachable:
                report[STATUS] = UNREACHABLE
            elif outside:
                report[STATUS] = OUTSIDE_LIMITS


def retrace(start: Array, target: Array, joints: Array, settings: Array, clamped: bool, trace: Array) -> bool:
    """Take the steps of one start again and write every iterate down; return whether it came to its end."""
    best = np.empty(1 + DOF)
    best[0] = math.inf
    status, _ = follow(start, target, joints, settings, clamped, workspace(), best, trace)
    return status != INTERRUPTED


def settle(start: Array, q0: Array, target: Array, joints: Array, settings: Array, work: Arrays) -> int:
    """Bring the solution in work[0] into the limits, if asked for also near to q0, and return whether it is one there.

    It is written to work[3].
    """
    q, _, _, turned, _, V, _, _, _, _, _, J, _, T, R, L, _ = work
    inside = turn_back(q, start, joints, turned)
    clip(turned, joints)
    if settings[NEAREST] > 0.0:
        turn_towards(turned, q0, joints)
    see(turned, target, settings, T, R, J, V, L)
    if score_of(V, settings) <= 1.0:
        return CONVERGED
    return STALLED if inside else OUTSIDE_LIMITS


def draw_start(
    target: Array, q0: Array, joints: Array, settings: Array, state: NDArray[np.int64], work: Arrays, start: Array
) -> None:
    """Write the configuration of lowest weighted error among q0 and the random samples."""
    _, ahead, _, _, _, V, _, _, _, _, _, J, _, T, R, L, _ = work
    lowest = math.inf
    copy(q0, ahead)
    for sample in range(1 + int(settings[SAMPLES])):
        if sample > settings[LOOKS]:
            break
        see(ahead, target, settings, T, R, J, V, L)
        error = weighted_error(V, settings)
        if error < lowest:
            lowest = error
            copy(ahead, start)
        random_configuration(state, joints, ahead)


def report_best(target: Array, settings: Array, work: Arrays, best: Array, report: Array) -> None:
    """Put the best iterate into the report, with the errors that belong to it."""
    _, start, _, turned, _, V, _, _, _, _, _, J, _, T, R, L, _ = work
    for i in range(DOF):
        start[i] = report[JOINTS + DOF + i]
        turned[i] = start[i] if math.isinf(best[0]) else best[1 + i]
    see(turned, target, settings, T, R, J, V, L)
    write(report, int(report[STATUS]), int(report[ITERATIONS]), turned, start, V)
