"""The iteration from one start; it runs as machine code, as JavaScript, and as plain Python (in_python.py)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.addresses import call_at
from lessons_lib.pose_ik.joint_ranges import extend_active_set, is_inside, project_step, update_active_set, wrap
from lessons_lib.pose_ik.layout import (
    ACCEPT,
    AT_ACCEPTED,
    AT_ACTIVE,
    AT_DIAGONAL,
    AT_DOF,
    AT_END,
    AT_ERROR,
    AT_FUSED,
    AT_IS_FIRST,
    AT_MARGINS,
    AT_MODEL,
    AT_PARAMETERS,
    AT_Q,
    AT_REMAINING,
    AT_RESIDUAL,
    AT_SOLVED,
    AT_STEP,
    AT_TARGET,
    BY_OBJECTIVE,
    CONVERGED,
    DAMP,
    EVALUATE,
    EVALUATIONS,
    FORM_MODEL,
    FUSED_STEP,
    INTERRUPTED,
    INVALID_DAMPING,
    LEAST_SQUARES,
    MASK,
    MAX_ITERATIONS,
    MAX_ITERATIONS_USED,
    METHOD,
    NOT_FINITE,
    PREDICT,
    PROBLEM,
    ROOT_WEIGHT,
    SOLVE_COLUMNS,
    SOLVE_ROWS,
    STALLED,
    STATED,
    STATED_STEP,
)
from lessons_lib.pose_ik.linear_algebra import undamped_step
from lessons_lib.pose_ik.search_rules import (
    add_step,
    copy,
    fill,
    half_square,
    has_finite_sum,
    is_converged,
    is_finite,
    record_iterate,
    weighted_error,
)

Arrays = tuple[Any, ...]


def scratch_size(at: Integers) -> int:
    """Return the size of the scratch array that `workspace` divides."""
    n = at[AT_DOF]
    return int(at[AT_END] + 7 * n + 12 + max(n, 6) * min(n, 6) + min(n, 6) * min(n, 6))


def workspace(scratch: Array, run: Any, at: Integers, settings: Array) -> Arrays:
    """Divide a scratch array into the arrays of one start; all starts of a search share it."""
    # `w` holds the kernels' rows: among them the configuration `here`, its `error`, the weighted model A and e, the
    # `active` set and the `step`. Then come q, the next q, the wrapped q, V_b, two matrices for the linear algebra, the
    # incumbent (its objective and q), the start, two configurations for near.py, and the state of an interrupted
    # search.
    n, end = at[AT_DOF], at[AT_END]
    long_side, short_side = max(n, 6), min(n, 6)
    w = scratch[0:end]
    for k in range(settings.shape[0] - ROOT_WEIGHT):
        w[at[AT_PARAMETERS] + k] = settings[ROOT_WEIGHT + k]
    here, error = w[at[AT_Q] : at[AT_Q] + n], w[at[AT_ERROR] : at[AT_ERROR] + 6]
    A, e = w[at[AT_MODEL] : at[AT_MODEL] + 6 * n].reshape((6, n)), w[at[AT_RESIDUAL] : at[AT_RESIDUAL] + 6]
    active, step = w[at[AT_ACTIVE] : at[AT_ACTIVE] + n], w[at[AT_STEP] : at[AT_STEP] + n]
    q, ahead, wrapped = scratch[end : end + n], scratch[end + n : end + 2 * n], scratch[end + 2 * n : end + 3 * n]
    V, first = scratch[end + 3 * n : end + 3 * n + 6], end + 3 * n + 6
    second = first + long_side * short_side
    last = second + short_side * short_side
    B, M = (
        scratch[first:second].reshape((long_side, short_side)),
        scratch[second:last].reshape((short_side, short_side)),
    )
    incumbent, start = scratch[last : last + 1 + n], scratch[last + 1 + n : last + 1 + 2 * n]
    nearest, near = scratch[last + 1 + 2 * n : last + 1 + 3 * n], scratch[last + 1 + 3 * n : last + 1 + 4 * n]
    paused = scratch[last + 1 + 4 * n : last + 6 + 4 * n]
    return (
        w,
        here,
        error,
        A,
        e,
        active,
        step,
        q,
        ahead,
        wrapped,
        V,
        B,
        M,
        at,
        run,
        incumbent,
        start,
        nearest,
        near,
        paused,
    )


def set_target(work: Arrays, target: Array) -> None:
    """Write the target, without its last row, into w."""
    w, first = work[0], work[13][AT_TARGET]
    for i in range(12):
        w[first + i] = target[i // 4, i % 4]


def evaluate(work: Arrays, q: Array) -> None:
    """Compute pose, Jacobian and error of a configuration."""
    copy(q, work[1])
    call_at(work[14], work[0], EVALUATE)


def find_step(work: Arrays, settings: Array) -> bool:
    """Compute the step of the free joints; return whether there is one."""
    # The smaller of the two damped systems is solved, that of the active components or that of the free columns. If
    # rounding makes a pivot uncertain, the step comes from singular values instead.
    w, A, e, active, step = work[0], work[3], work[4], work[5], work[6]
    B, M, at, run = work[11], work[12], work[13], work[14]
    damped = settings[METHOD] != LEAST_SQUARES and w[at[AT_DIAGONAL]] > 0.0
    if damped or settings[METHOD] == STATED:
        rows, columns = 0.0, 0.0
        for i in range(6):
            rows += settings[MASK + i]
        for i in range(active.shape[0]):
            columns += 1.0 - active[i]
        call_at(run, w, SOLVE_ROWS if rows < columns else SOLVE_COLUMNS)
        is_certain = True
        for i in range(B.shape[0]):
            is_certain = is_certain and w[at[AT_MARGINS] + i] > 0.0
        if is_certain or (settings[METHOD] == STATED and at[AT_SOLVED] < 0):
            return is_certain
        if settings[METHOD] == STATED:
            return stated_step(work, settings)
    undamped_step(A, e, active, settings, B, M, step)
    return True


def stated_step(work: Arrays, settings: Array) -> bool:
    """Compute the step of a stated formula by singular values; return False if the model is not finite."""
    # also False if the formula has more linear problems than there are kernels
    w, A, e, active, step = work[0], work[3], work[4], work[5], work[6]
    B, M, at, run = work[11], work[12], work[13], work[14]
    n, left, k = step.shape[0], 1.0, 0
    while left > 0.0:
        call_at(run, w, PROBLEM + k)
        left = w[at[AT_REMAINING]]
        if left < 0.0 or not is_finite(A, e):
            return False
        undamped_step(A, e, active, settings, B, M, step)
        for i in range(n):
            w[at[AT_SOLVED] + k * n + i] = step[i]
        k += 1
    call_at(run, w, STATED_STEP)
    return True


def update_incumbent(objective: float, q: Array, start: Array, joints: Array, wrapped: Array, incumbent: Array) -> None:
    """Store q as the best iterate so far, wrapped into the limits if necessary, unless that is impossible."""
    inside = is_inside(q, joints)
    if inside:
        copy(q, wrapped)
    else:
        inside = wrap(q, start, joints, wrapped)
    if inside:
        incumbent[0] = objective
        copy(wrapped, incumbent[1:])


def iterate(
    start: Array,
    joints: Array,
    settings: Array,
    bounded: bool,
    work: Arrays,
    trace: Array,
) -> tuple[int, int]:
    """Iterate from one start towards the target in w; return the status and the number of steps tried."""
    # The last iterate stays in q of `work`, its error (V_b or the split one) in `error`, the best iterate within the
    # limits in `incumbent`. `trace` receives a row for each iterate, if it has rows. `bounded`: the steps stop at the
    # limits. The fused step runs one kernel for the error and one for the step, without the model. It needs a method
    # that accepts all steps and, if the method has weights, an error in the body frame.
    w, here, error, A, e, active, step = work[0], work[1], work[2], work[3], work[4], work[5], work[6]
    q, ahead, wrapped, V = work[7], work[8], work[9], work[10]
    at, run, incumbent = work[13], work[14], work[15]
    tracing = trace.shape[0] > 0
    copy(start, q)
    copy(start, ahead)
    fill(active, 0.0)
    fill(V, math.inf)
    w[at[AT_IS_FIRST]], w[at[AT_ACCEPTED]] = 1.0, 1.0
    converged, value, iterations, stalled = False, -1.0, 0, False
    fused, component_count = not bounded and at[AT_FUSED] > settings[BY_OBJECTIVE], 0.0
    for i in range(6):
        component_count += settings[MASK + i]
    pivots = min(q.shape[0], 6)
    while iterations < settings[EVALUATIONS]:  # another thread may end the search
        finite = has_finite_sum(ahead)
        if finite:
            evaluate(work, ahead)
            if fused:
                finite = math.isfinite(half_square(error))
            else:
                call_at(run, w, FORM_MODEL)
                finite = is_finite(A, e)
        if not finite:
            if tracing:
                record_iterate(trace, iterations, q, V, value, False)
            return NOT_FINITE, iterations
        accepted = True
        if not fused:
            call_at(run, w, ACCEPT)
            accepted = w[at[AT_ACCEPTED]] > 0.0
        if accepted:
            copy(here, q)
            copy(error, V)
            converged = is_converged(V, settings)
            if converged and not tracing:
                return CONVERGED, iterations
            objective = weighted_error(V, settings) if fused or settings[BY_OBJECTIVE] == 0.0 else half_square(e)
            if objective < incumbent[0]:
                update_incumbent(objective, q, start, joints, wrapped, incumbent)
        if tracing:
            record_iterate(trace, iterations, q, V, value, accepted)
        if converged:
            return CONVERGED, iterations
        if stalled:
            return STALLED, iterations
        if iterations >= settings[MAX_ITERATIONS]:
            return MAX_ITERATIONS_USED, iterations
        if bounded and update_active_set(A, e, q, joints, active):
            return STALLED, iterations
        is_certain = False
        if fused:
            call_at(run, w, FUSED_STEP)
            is_certain = (
                component_count == 6.0 or w[at[AT_DIAGONAL]] > 0.0
            )  # without damping, masked rows make the system singular
            for i in range(pivots):
                is_certain = is_certain and w[at[AT_MARGINS] + i] > 0.0
            if not is_certain:
                call_at(run, w, FORM_MODEL)
                if not is_finite(A, e):
                    return NOT_FINITE, iterations
        if not is_certain:
            call_at(run, w, DAMP)
        value = w[at[AT_DIAGONAL]] if settings[METHOD] != LEAST_SQUARES else 0.0
        if not 0.0 <= value < math.inf:
            return INVALID_DAMPING, iterations
        if not is_certain:
            has_step = find_step(work, settings)
            while has_step and bounded and extend_active_set(q, step, joints, active):
                has_step = find_step(work, settings)
            if not has_step:
                return INVALID_DAMPING, iterations
        iterations += 1
        if bounded:
            project_step(q, step, joints, wrapped)
        stalled = add_step(q, step, ahead)
        if bounded:
            copy(wrapped, ahead)
        if not fused:
            call_at(run, w, PREDICT)
    return INTERRUPTED, iterations


def retrace(
    start: Array, target: Array, joints: Array, settings: Array, bounded: bool, trace: Array, run: Any, at: Integers
) -> tuple[int, int]:
    """Iterate from one start with a trace; return the status and the number of steps tried."""
    work = workspace(np.zeros(scratch_size(at)), run, at, settings)
    work[15][0] = math.inf
    set_target(work, target)
    return iterate(start, joints, settings, bounded, work, trace)
