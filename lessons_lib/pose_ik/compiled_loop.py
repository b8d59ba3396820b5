"""The compiled loop: the arithmetic of loop.py, for one chain, without a Python object in sight.

See compiled_steps.py for how this text is compiled. A test holds the two loops together, iterate by iterate.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lessons_lib.pose_ik.compiled_steps import damped_step, half_square, is_finite, least_squares_step, look, weigh
from lessons_lib.pose_ik.joint_ranges import turn_back
from lessons_lib.pose_ik.layout import (
    ACCEPT,
    ADAPTIVE,
    CONVERGED,
    DAMPED,
    DAMPING,
    DAMPING_VALUE,
    FIXED,
    JUDGED,
    MAX_ITERATIONS,
    MAX_ITERATIONS_USED,
    METHOD,
    NOT_FINITE,
    ORIENTATION,
    PLUS_ERROR,
    POSITION,
    STALL,
    STALLED,
    TIMES_ERROR,
)

if TYPE_CHECKING:
    from lessons_lib.pose_ik.chain_code import DOF, SIZE

Array = NDArray[np.float64]
Arrays = tuple[Array, ...]


def workspace() -> Arrays:
    """Return the arrays that one start works in; all of its iterations, and all starts, share them."""
    vectors = (np.empty(DOF), np.empty(DOF), np.empty(DOF), np.empty(DOF), np.empty(SIZE))
    twists = (np.empty(6), np.empty(6), np.empty(6), np.empty(6))
    models = (np.empty((6, DOF)), np.empty((6, DOF)), np.empty((6, DOF)), np.empty((max(DOF, 6), SIZE)))
    squares = (np.empty((4, 4)), np.empty((4, 4)), np.empty((6, 6)), np.empty((SIZE, SIZE)))
    return vectors + twists + models + squares


def follow(
    start: Array, target: Array, joints: Array, settings: Array, work: Arrays, best: Array, trace: Array
) -> tuple[int, int]:
    """Take the steps of one start; return its status and the number of steps tried.

    The last iterate is left in work[0] and its body error twist in work[5]. `best` (1 + DOF) keeps the lowest score
    seen within the limits, and its q. `trace`, when it has rows, receives a row an iterate.
    """
    q, ahead, step, turned, y, V, V_ahead, e, e_ahead, A, A_ahead, J, B, T, R, L, M = work
    copy(start, ahead)
    value, growth, iterations, resting, accepted = -1.0, 2.0, 0, False, True
    while True:
        look(ahead, target, T, R, J, V_ahead)
        weigh(T, J, V_ahead, settings, L, A_ahead, e_ahead)
        if not is_finite(A_ahead, e_ahead):
            return NOT_FINITE, iterations
        used = value
        if iterations > 0:
            accepted, value, growth = judge(A, e, e_ahead, step, settings, value, growth)
        if accepted:
            copy(ahead, q)
            copy(V_ahead, V)
            copy_model(A_ahead, e_ahead, A, e)
            keep_best(q, start, V, joints, settings, turned, best)
        note(trace, iterations, q, V, used, accepted)
        if reached(V, settings):
            return CONVERGED, iterations
        if resting:
            return STALLED, iterations
        if iterations >= settings[MAX_ITERATIONS]:
            return MAX_ITERATIONS_USED, iterations
        value = damping_value(A, e, settings, value)
        if settings[METHOD] != DAMPED or value <= 0.0 or not damped_step(A, e, value, M, y, step):
            least_squares_step(A, e, B, M, step)
        iterations += 1
        resting = add_step(q, step, ahead)
        if not has_finite_sum(ahead):
            return NOT_FINITE, iterations


def copy(source: Array, into: Array) -> None:
    """Copy one vector into another."""
    for i in range(source.shape[0]):
        into[i] = source[i]


def copy_model(A: Array, e: Array, A_into: Array, e_into: Array) -> None:
    """Copy one model into another."""
    for row in range(6):
        e_into[row] = e[row]
        for i in range(DOF):
            A_into[row, i] = A[row, i]


def has_finite_sum(q: Array) -> bool:
    """Return whether no entry of q is infinite or NaN."""
    total = 0.0
    for i in range(DOF):
        total += q[i]
    return math.isfinite(total)


def damping_value(A: Array, e: Array, settings: Array, value: float) -> float:
    """Return the number for the diagonal; `value` is that of the step before, negative at the first."""
    kind = settings[DAMPING]
    if kind == FIXED:
        return float(settings[DAMPING_VALUE])
    if kind == TIMES_ERROR:
        return float(settings[DAMPING_VALUE] * half_square(e))
    if kind == PLUS_ERROR:
        return float(half_square(e) + settings[DAMPING_VALUE])
    if value >= 0.0:
        return value
    largest = 0.0
    for i in range(DOF):
        total = 0.0
        for row in range(6):
            total += A[row, i] * A[row, i]
        largest = max(largest, total)
    return float(settings[DAMPING_VALUE] * largest)


def add_step(q: Array, step: Array, ahead: Array) -> bool:
    """Write q + step, and return whether the step is too small to matter."""
    longest, size = 0.0, 1.0
    for i in range(DOF):
        ahead[i] = q[i] + step[i]
        longest = max(longest, abs(step[i]))
        size = max(size, abs(q[i]))
    return longest <= STALL * size


def judge(
    A: Array, e: Array, e_ahead: Array, step: Array, settings: Array, value: float, growth: float
) -> tuple[bool, float, float]:
    """Return whether the step is taken, and the trust region's next damping and growth (Nielsen's rule)."""
    if settings[METHOD] != DAMPED or settings[DAMPING] != ADAPTIVE:
        return True, value, growth
    promised = 0.0
    for i in range(DOF):
        slope = 0.0
        for row in range(6):
            slope += A[row, i] * e[row]
        promised += 0.5 * step[i] * (value * step[i] + slope)
    reduction = half_square(e) - half_square(e_ahead)
    gain = reduction / promised if promised > 0.0 else -1.0
    if gain > settings[ACCEPT]:
        return True, value * max(1.0 / 3.0, 1.0 - (2.0 * gain - 1.0) ** 3), 2.0
    return False, value * growth, 2.0 * growth


def judged_norms(V: Array, settings: Array) -> tuple[float, float]:
    """Return |ω| and |v| over the components whose weight is not zero."""
    angle, distance = 0.0, 0.0
    for row in range(3):
        angle += settings[JUDGED + row] * V[row] * V[row]
        distance += settings[JUDGED + row + 3] * V[row + 3] * V[row + 3]
    return math.sqrt(angle), math.sqrt(distance)


def reached(V: Array, settings: Array) -> bool:
    """Return whether the body error twist is within both tolerances."""
    angle, distance = judged_norms(V, settings)
    return bool(angle <= settings[ORIENTATION] and distance <= settings[POSITION])


def keep_best(q: Array, start: Array, V: Array, joints: Array, settings: Array, turned: Array, best: Array) -> None:
    """Remember q, whole turns taken off, when its score is the lowest yet and it is within the limits."""
    angle, distance = judged_norms(V, settings)
    score = max(angle / settings[ORIENTATION], distance / settings[POSITION])
    if score < best[0] and turn_back(q, start, joints, turned):
        best[0] = score
        for i in range(DOF):
            best[1 + i] = turned[i]


def note(trace: Array, row: int, q: Array, V: Array, damping: float, accepted: bool) -> None:
    """Write one row of the trace, if there is one to write."""
    if row < trace.shape[0]:
        for i in range(DOF):
            trace[row, i] = q[i]
        for i in range(6):
            trace[row, DOF + i] = V[i]
        trace[row, DOF + 6] = damping
        trace[row, DOF + 7] = 1.0 if accepted else 0.0
