"""The compiled search that stays near the first guess: the arithmetic of near.py, on the loop of compiled_loop.py."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lessons_lib.pose_ik.clamped_steps import hold
from lessons_lib.pose_ik.compiled_rules import copy, distance_between, half_square, score_of, write
from lessons_lib.pose_ik.compiled_steps import Arrays, weigh
from lessons_lib.pose_ik.joint_ranges import bring_near, nudge
from lessons_lib.pose_ik.layout import (
    CONVERGED,
    LOCAL_MINIMUM,
    NOT_FINITE,
    RESTARTS,
    STALLED,
    TIE,
)
from lessons_lib.pose_ik.random_numbers import plant

if TYPE_CHECKING:
    from lessons_lib.pose_ik.chain_code import DOF
    from lessons_lib.pose_ik.compiled_loop import follow, look

Array = NDArray[np.float64]


def stay_near(
    target: Array, q0: Array, joints: Array, settings: Array, seed: int, work: Arrays, best: Array, report: Array
) -> None:
    """Go downhill from q0 and, where that does not reach the pose, from a place beside its end; report the better."""
    q, there, aside, state = np.empty(DOF), np.empty(DOF), q0.copy(), np.empty(2, dtype=np.int64)
    no_trace = np.empty((0, DOF + 8))
    status, iterations = follow(q0, target, joints, settings, True, work, best, no_trace)
    bring_near(work[0], q0, q0, joints, q)
    restarts = 0.0
    if status != CONVERGED:
        before, restarts = error_of(status, work), 1.0
        plant(seed, state)
        nudge(q, joints, state, aside)
        other, steps = follow(aside, target, joints, settings, True, work, best, no_trace)
        bring_near(work[0], aside, q0, joints, there)
        after = error_of(other, work)
        nearer = distance_between(there, q0) < distance_between(q, q0)
        if nearer if abs(after - before) <= TIE * before else after < before:
            status, iterations = other, steps
            copy(there, q)
        else:
            copy(q0, aside)
    status = status_at(q, target, joints, settings, status, work)
    write(report, status, iterations, q, aside, work[5])
    report[RESTARTS] = restarts


def error_of(status: int, work: Arrays) -> float:
    """Return E = ½ VᵀWV where a descent ended."""
    return math.inf if status == NOT_FINITE else half_square(work[7])


def status_at(q: Array, target: Array, joints: Array, settings: Array, ended: int, work: Arrays) -> int:
    """Return what is true of q: reached, a minimum, or how the descent to it ended; its V_b is left in work[5]."""
    _, _, _, held, _, V, _, e, _, A, _, J, _, T, R, L, _ = work
    look(q, target, T, R, A, V)
    if score_of(V, settings) <= 1.0:
        return CONVERGED
    copy(V, e)
    weigh(T, V, settings, J, L, A, e)
    if hold(A, e, q, joints, held):
        return LOCAL_MINIMUM
    return STALLED if ended == CONVERGED else ended
