"""The compiled search that stays near the first guess: the arithmetic of near.py, on the loop of compiled_loop.py."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lessons_lib.pose_ik.clamped_steps import hold
from lessons_lib.pose_ik.compiled_rules import copy, distance_between, half_square, score_of, write
from lessons_lib.pose_ik.compiled_steps import Arrays, weigh, workspace
from lessons_lib.pose_ik.joint_ranges import bring_near, nudge
from lessons_lib.pose_ik.layout import (
    CONVERGED,
    INTERRUPTED,
    LOCAL_MINIMUM,
    LOOKS,
    NOT_FINITE,
    RESTARTS,
    STALLED,
    STATUS,
    TIE,
)
from lessons_lib.pose_ik.random_numbers import plant

if TYPE_CHECKING:
    from lessons_lib.pose_ik.chain_code import DOF
    from lessons_lib.pose_ik.compiled_loop import follow, see

Array = NDArray[np.float64]


def stay_near(
    targets: Array,
    starts: Array,
    joints: Array,
    settings: Array,
    seeds: NDArray[np.int64],
    reports: Array,
) -> None:
    """Go downhill from each start and, if the pose is not reached, from a place beside its end; report the better.

    See compiled_loop.py for the arguments.
    """
    work, best, state, no_trace = workspace(), np.empty(1 + DOF), np.empty(2, dtype=np.int64), np.empty((0, DOF + 8))
    q, there, begin, looks = np.empty(DOF), np.empty(DOF), np.empty(DOF), 0.0
    for row in range(targets.shape[0]):
        target, q0, report, before = targets[row], starts[row], reports[row], math.inf
        copy(q0, begin)
        best[0] = math.inf
        for attempt in range(2):
            status, iterations = follow(begin, target, joints, settings, True, work, best, no_trace)
            looks += 1.0 + iterations
            if status == INTERRUPTED or looks > settings[LOOKS]:
                report[STATUS] = INTERRUPTED
                return
            bring_near(work[0], begin, q0, joints, there)
            error = math.inf if status == NOT_FINITE else half_square(work[7])
            nearer = distance_between(there, q0) < distance_between(q, q0)
            if attempt == 0 or (nearer if abs(error - before) <= TIE * before else error < before):
                before = error
                copy(there, q)
                status = status_at(q, target, joints, settings, status, work)
                write(report, status, iterations, q, begin, work[5])
            report[RESTARTS] = attempt
            if status == CONVERGED:
                break
            plant(seeds[row], state)
            nudge(q, joints, state, begin)


def status_at(q: Array, target: Array, joints: Array, settings: Array, ended: int, work: Arrays) -> int:
    """Return what is true of q: reached, a minimum, or how the descent to it ended; its error is left in work[5]."""
    _, _, _, held, _, V, _, e, _, A, _, J, _, T, R, L, _ = work
    see(q, target, settings, T, R, A, V, L)
    if score_of(V, settings) <= 1.0:
        return CONVERGED
    copy(V, e)
    weigh(T, V, settings, J, L, A, e)
    if hold(A, e, q, joints, held):
        return LOCAL_MINIMUM
    return STALLED if ended == CONVERGED else ended
