"""Descent from a failed search to the least error, by Newton's method with the exact Hessian within joint limits."""
# Nocedal & Wright, Numerical Optimization (2006), ch. 4 and §16.7; Bertsekas, SIAM J. Control Optim. 20 (1982).

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.addresses import call_at
from lessons_lib.lie.poses import ROUNDED, pose_deviation
from lessons_lib.pose_ik.iteration import Arrays, evaluate, set_target, workspace
from lessons_lib.pose_ik.joint_ranges import extend_active_set, perturb, project_step, update_active_set, wrap_near
from lessons_lib.pose_ik.layout import (
    AT_DOF,
    AT_HESSIAN,
    FORM_MODEL,
    ITERATIONS,
    JOINTS,
    PERIOD,
    ROUNDING,
    STALL,
    STATUS,
    UNREACHABLE,
)
from lessons_lib.pose_ik.linear_algebra import max_abs
from lessons_lib.pose_ik.random_numbers import seed_state
from lessons_lib.pose_ik.search_rules import copy, is_converged, record_iterate, weighted_error, write_report

STEPS, PERTURBATIONS = 100, 2
"""Largest number of steps, and of perturbed stationary points."""

LONGEST = 0.5
"""Longest step of a revolute joint, rad: the quadratic model is not valid farther away."""

GROWTH, SHRINK, FIRST, LEAST = 4.0, 0.125, 1e-3, 1e-7
"""Factors of D; its first value and the smallest one, relative to the largest diagonal entry of H."""

SUFFICIENT, POOR, GOOD = 1e-4, 0.25, 0.75
"""Decrease over predicted decrease above which a step is accepted, below which D grows, and above which it shrinks."""

FLAT_CURVATURE = 1e-7
"""Negative curvature above this part of the largest diagonal entry of H counts as rounding."""

ATTEMPTS = 100
"""Largest number of values of D for a step: 4¹⁰⁰ times the first one exceeds all curvature."""


def descend(
    target: Array,
    report: Array,
    trace: Array,
    seed: int,
    settings: Array,
    joints: Array,
    scratch: Array,
    run: Any,
    at: Integers,
) -> bool:
    """Replace q in the report of a failed search by the end of a descent; return False if the target is not a pose."""
    # A target out of reach had no search: its descent begins at the first start, and its steps are counted. The report
    # does not change if the descent reaches the pose. `seed` is that of the perturbations.
    if not pose_deviation(target, 0) <= ROUNDED:
        return False
    n, work, state = at[AT_DOF], workspace(scratch, run, at, settings), np.empty(2, dtype=np.int64)
    error, q, start, nearest, final = work[2], work[7], work[16], work[17], work[18]
    searched = report[STATUS] != UNREACHABLE
    first = JOINTS if searched else JOINTS + n
    copy(report[first : first + n], start)
    copy(start, q)
    set_target(work, target)
    seed_state(seed, state)
    steps, lowest, perturbations = 0, math.inf, 0
    while perturbations <= PERTURBATIONS:
        value, steps, is_minimum = descend_once(work, joints, settings, trace, steps)
        if value < lowest:
            lowest = value
            copy(q, nearest)
        if is_minimum or steps >= STEPS or value == math.inf:
            break
        perturb(nearest, joints, state, q)
        perturbations += 1
    if lowest == math.inf:
        if searched:
            return True
        copy(start, nearest)
    wrap_near(nearest, start, start, joints, final)
    evaluate(work, final)
    if is_converged(error, settings):
        return True
    iterations = int(report[ITERATIONS]) if searched else steps
    copy(report[JOINTS + n : JOINTS + 2 * n], start)
    write_report(report, int(report[STATUS]), iterations, final, start, error)
    return True


def descend_once(work: Arrays, joints: Array, settings: Array, trace: Array, steps: int) -> tuple[float, int, bool]:
    """Descend from q of `work`; return E, the number of steps, and whether q is a minimum (E is inf if not finite)."""
    A, e, active, step, error = work[3], work[4], work[5], work[6], work[2]
    q, ahead, V = work[7], work[8], work[10]
    n = q.shape[0]
    at = work[13][AT_HESSIAN]
    H = work[0][at : at + n * n].reshape((n, n))
    factor = work[0][at + n * n : at + 2 * n * n].reshape((n, n))
    evaluate(work, q)
    value, damping, tracing = weighted_error(error, settings), 0.0, trace.shape[0] > 0
    while True:
        copy(error, V)
        if tracing:
            record_iterate(trace, steps, q, V, damping, True)
        if is_converged(error, settings):
            return value, steps, True
        call_at(work[14], work[0], FORM_MODEL)
        largest = largest_entry(H)
        if not math.isfinite(value + largest):
            return math.inf, steps, True
        if update_active_set(A, e, q, joints, active):
            return value, steps, factorize(H, active, FLAT_CURVATURE * largest, largest, factor)
        accepted = False
        while not accepted:
            damping = newton_step(H, A, e, q, joints, active, damping, largest, factor, step)
            shorten(step, joints)
            project_step(q, step, joints, ahead)
            predicted = predicted_decrease(H, A, e, step)
            if steps >= STEPS or max_abs(step) <= STALL:
                return value, steps, True
            after, ratio = value, 0.0
            if predicted > ROUNDING * value:  # a step shortened by a limit may increase E
                steps += 1
                evaluate(work, ahead)
                after = weighted_error(error, settings)
                ratio = (value - after) / predicted
            accepted = ratio > SUFFICIENT
            if accepted and ratio > GOOD:
                damping = SHRINK * damping if damping > LEAST * largest else 0.0
            elif not ratio >= POOR:
                damping = max(GROWTH * damping, FIRST * largest)
            if tracing and not accepted and after != value:
                record_iterate(trace, steps, q, V, damping, False)
        copy(ahead, q)
        value = after


def newton_step(
    H: Array,
    A: Array,
    e: Array,
    q: Array,
    joints: Array,
    active: Array,
    damping: float,
    largest: float,
    factor: Array,
    step: Array,
) -> float:
    """Compute the step of the free joints; return the damping that makes H + D I positive definite."""
    # a joint at a limit that the step would violate joins the active set
    for _ in range(ATTEMPTS):
        if not factorize(H, active, damping, largest, factor):
            damping = max(GROWTH * damping, FIRST * largest)
            continue
        solve(factor, A, e, active, step)
        if not extend_active_set(q, step, joints, active):
            break
    return damping


def factorize(H: Array, active: Array, damping: float, largest: float, factor: Array) -> bool:
    """Compute the Cholesky factor of H + D I of the free joints, pivots inverted; return False if one is lost."""
    n = H.shape[0]
    for i in range(n):
        for j in range(i):
            total = H[i, j] * (1.0 - active[i]) * (1.0 - active[j])
            for k in range(j):
                total -= factor[i, k] * factor[j, k]
            factor[i, j] = total * factor[j, j]
        pivot = H[i, i] + damping
        for k in range(i):
            pivot -= factor[i, k] * factor[i, k]
        if active[i] > 0.0:
            factor[i, i] = 1.0
        elif not pivot > n * ROUNDING * largest:
            return False
        else:
            factor[i, i] = 1.0 / math.sqrt(pivot)
    return True


def solve(factor: Array, A: Array, e: Array, active: Array, step: Array) -> None:
    """Solve (H + D I) d = Aᵀe for the free joints."""
    n = step.shape[0]
    for i in range(n):
        total = downhill(A, e, i)
        for k in range(i):
            total -= factor[i, k] * step[k]
        step[i] = total * factor[i, i] * (1.0 - active[i])
    for back in range(n):
        i = n - 1 - back
        total = step[i]
        for k in range(i + 1, n):
            total -= factor[k, i] * step[k]
        step[i] = total * factor[i, i]


def downhill(A: Array, e: Array, i: int) -> float:
    """Return entry i of Aᵀe = −g."""
    total = 0.0
    for row in range(6):
        total += A[row, i] * e[row]
    return total


def predicted_decrease(H: Array, A: Array, e: Array, step: Array) -> float:
    """Return the decrease of E that the quadratic model predicts."""
    total = 0.0
    for i in range(step.shape[0]):
        row = 0.0
        for j in range(step.shape[0]):
            row += H[i, j] * step[j]
        total += step[i] * (downhill(A, e, i) - 0.5 * row)
    return total


def shorten(step: Array, joints: Array) -> None:
    """Scale a step so that no revolute joint moves farther than LONGEST."""
    longest = LONGEST
    for i in range(step.shape[0]):
        if joints[i, PERIOD] > 0.0:
            longest = max(longest, abs(step[i]))
    for i in range(step.shape[0]):
        step[i] *= LONGEST / longest


def largest_entry(H: Array) -> float:
    """Return the largest |H_ii|; NaN if an entry of H is NaN."""
    largest, total = 0.0, 0.0
    for i in range(H.shape[0]):
        largest = max(largest, abs(H[i, i]))
        for j in range(i):
            total += H[i, j]
    return largest + 0.0 * total
