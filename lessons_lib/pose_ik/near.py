"""The search that stays near its start: a descent within the limits, and a second one from next to its end."""

from __future__ import annotations

import math

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.addresses import call_at
from lessons_lib.pose_ik.iteration import Arrays, evaluate, iterate
from lessons_lib.pose_ik.joint_ranges import perturb, update_active_set, wrap_near
from lessons_lib.pose_ik.layout import (
    CONVERGED,
    EVALUATIONS,
    FORM_MODEL,
    INTERRUPTED,
    INVALID_DAMPING,
    LOCAL_MINIMUM,
    NOT_FINITE,
    RESTARTS,
    STALLED,
    STATUS,
    TIE_TOLERANCE,
)
from lessons_lib.pose_ik.random_numbers import seed_state
from lessons_lib.pose_ik.search_rules import copy, distance_between, half_square, is_converged, write_report


def search_near(
    q0: Array,
    joints: Array,
    settings: Array,
    seed: int,
    report: Array,
    state: Integers,
    work: Arrays,
    evaluations: float,
) -> float:
    """Write the report of the better of two descents; return the number of evaluations."""
    start, nearest, near = work[16], work[17], work[18]
    no_trace, before = work[0][0:0].reshape((0, q0.shape[0] + 8)), math.inf
    copy(q0, start)
    for attempt in range(2):
        status, iterations = iterate(start, joints, settings, True, work, no_trace)
        evaluations += 1.0 + iterations
        if status == INTERRUPTED or evaluations > settings[EVALUATIONS]:
            report[STATUS] = INTERRUPTED
            break
        if status == INVALID_DAMPING:
            report[STATUS] = INVALID_DAMPING
            break
        wrap_near(work[7], start, q0, joints, near)
        error = math.inf if status == NOT_FINITE else half_square(work[4])
        is_nearer = distance_between(near, q0) < distance_between(nearest, q0)
        if attempt == 0 or (is_nearer if abs(error - before) <= TIE_TOLERANCE * before else error < before):
            before = error
            copy(near, nearest)
            status = status_at(nearest, joints, settings, status, work)
            write_report(report, status, iterations, nearest, start, work[2])
        report[RESTARTS] = attempt
        if status == CONVERGED:
            break
        seed_state(seed, state)
        perturb(nearest, joints, state, start)
    return evaluations


def status_at(q: Array, joints: Array, settings: Array, descent_status: int, work: Arrays) -> int:
    """Evaluate q and return its status: converged, a local minimum, or the status of its descent."""
    w, error, A, e, active = work[0], work[2], work[3], work[4], work[5]
    evaluate(work, q)
    if is_converged(error, settings):
        return CONVERGED
    call_at(work[14], w, FORM_MODEL)
    if update_active_set(A, e, q, joints, active):
        return LOCAL_MINIMUM
    return STALLED if descent_status == CONVERGED else descent_status
