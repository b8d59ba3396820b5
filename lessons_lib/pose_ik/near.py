"""The search that stays near the first guess: a descent, and one more from a place beside its end, as search.py has it.

By hand: it is a loop with many ends.
Held by: tests/pose_ik/test_near.py.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.addresses import call_at
from lessons_lib.pose_ik.clamped_steps import hold
from lessons_lib.pose_ik.joint_ranges import bring_near, nudge
from lessons_lib.pose_ik.layout import (
    AT_DOF,
    CONVERGED,
    EVALUATIONS,
    FORM_MODEL,
    INTERRUPTED,
    LOCAL_MINIMUM,
    NOT_FINITE,
    REFUSED,
    RESTARTS,
    STALLED,
    STATUS,
    TIE,
)
from lessons_lib.pose_ik.random_numbers import plant
from lessons_lib.pose_ik.search import Arrays, aim, evaluate, iterate, workspace
from lessons_lib.pose_ik.search_rules import copy, distance_between, half_square, score_of, write


def stay_near(
    targets: Array,
    starts: Array,
    joints: Array,
    settings: Array,
    seeds: Integers,
    reports: Array,
    run: Any,
    at: Integers,
) -> None:
    """Go downhill from each start and, if the pose is not reached, from a place beside its end; report the better.

    See search.py for the arguments.
    """
    n = at[AT_DOF]
    work, best, state, no_trace = (
        workspace(run, at, settings),
        np.empty(1 + n),
        np.empty(2, dtype=np.int64),
        np.empty((0, n + 8)),
    )
    q, there, begin, evaluations = np.empty(n), np.empty(n), np.empty(n), 0.0
    for row in range(targets.shape[0]):
        target, q0, report, before = targets[row], starts[row], reports[row], math.inf
        aim(work, target)
        copy(q0, begin)
        best[0] = math.inf
        for attempt in range(2):
            status, iterations = iterate(begin, joints, settings, True, work, best, no_trace)
            evaluations += 1.0 + iterations
            if status == INTERRUPTED or evaluations > settings[EVALUATIONS]:
                report[STATUS] = INTERRUPTED
                return
            if status == REFUSED:
                report[STATUS] = REFUSED
                break
            bring_near(work[7], begin, q0, joints, there)
            error = math.inf if status == NOT_FINITE else half_square(work[4])
            nearer = distance_between(there, q0) < distance_between(q, q0)
            if attempt == 0 or (nearer if abs(error - before) <= TIE * before else error < before):
                before = error
                copy(there, q)
                status = status_at(q, joints, settings, status, work)
                write(report, status, iterations, q, begin, work[2])
            report[RESTARTS] = attempt
            if status == CONVERGED:
                break
            plant(seeds[row], state)
            nudge(q, joints, state, begin)


def status_at(q: Array, joints: Array, settings: Array, ended: int, work: Arrays) -> int:
    """Return what is true of q: reached, a minimum, or how the descent to it ended; its error is left in `error`."""
    w, _, error, A, e, held = work[:6]
    evaluate(work, q)
    if score_of(error, settings) <= 1.0:
        return CONVERGED
    call_at(work[14], w, FORM_MODEL)
    if hold(A, e, q, joints, held):
        return LOCAL_MINIMUM
    return STALLED if ended == CONVERGED else ended
