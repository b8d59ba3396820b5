"""Descent towards a preferred posture in the null space of the goal; rad and characteristic lengths of the arm."""
# Of the error e and its derivative A, e(q + d) ≈ e − A d, the rows are orthonormalized, A = L Y. With r = q − posture,
# the projection N r = r − YᵀY r is the gradient of ½ |r|² on the set of solutions. A step has the direction u: −N r or
# a conjugate direction. The set curves by q'' = −A⁺ c with c = dA[u] u, from a difference of A, so |u|² + r · q'' is
# the second derivative of ½ |r|² along it, which gives the length of the step. Minimum-norm Newton steps then return
# the tip to the goal; the step is halved until ½ |r|² decreases. A joint at a limit leaves the active set when its
# multiplier is negative. Rosen, J. SIAM 9 (1961) 514; Nocedal & Wright, Numerical Optimization (2006), ch. 5 and 12.

from __future__ import annotations

import math

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.addresses import call_at
from lessons_lib.lie.poses import is_pose
from lessons_lib.pose_ik.iteration import Arrays, evaluate, scratch_size, set_target, workspace
from lessons_lib.pose_ik.joint_ranges import unwrap
from lessons_lib.pose_ik.layout import AT_DOF, FORM_MODEL, ITERATIONS, JOINTS, LOWER, STATUS, UPPER
from lessons_lib.pose_ik.linear_algebra import axpy, dot, gram_schmidt, max_abs, project_out, solve_forward
from lessons_lib.pose_ik.search_rules import copy, is_converged, write_report

STEPS, SMALL = 100, 1e-9
"""Largest number of steps; norm of the gradient at which the descent stops."""

LONGEST, DIFFERENCE = 0.5, 1e-6
"""Largest step, and finite difference, of a joint."""

NEARLY, EXACT, CORRECTIONS, HALVINGS = 1e-5, 1e-10, 8, 20
"""Error below which a correction squares it; final error; largest numbers of corrections and halvings."""

GAIN, SHORT, HIDDEN = 1e-4, 1e-3, 1e-14
"""Least part of the predicted gain; length of always accepted steps; distance to a limit that rounding hides."""


def null_space_descent(
    target: Array, posture: Array, report: Array, summary: Array, joints: Array, settings: Array, run: int, at: Integers
) -> bool:
    """Move the solution of a report in the null space of the goal; return whether the target is a pose to rounding."""
    # The start in the report becomes the posture; its q does not change if the correction fails. `summary`, shape (2,),
    # receives the norm of the gradient and the sum of 2ʲ over the joints j of the active set.
    if not is_pose(target, 0):
        return False
    n = at[AT_DOF]
    work = workspace(np.zeros(scratch_size(at)), run, at, settings)
    q, active, factors = np.empty(n), np.zeros(n), (np.zeros((6, n)), np.zeros((6, 6)))
    r, u, projected, previous, z, c = np.empty(n), np.zeros(n), np.empty(n), np.empty(n), np.empty(6), np.empty(6)
    trial, trial_active, residual = np.empty(n), np.empty(n), np.empty(6)
    trial_factors = np.zeros((6, n)), np.zeros((6, 6))
    set_target(work, target)
    copy(report[JOINTS : JOINTS + n], q)
    unwrap(q, posture, joints)
    fresh = True
    for _ in range(STEPS):
        form_model(work, q)
        gram_schmidt(work[3], active, factors)
        copy(work[4], residual)
        deviation = max_abs(residual)
        # the search may have accepted it with a wide tolerance
        if deviation > NEARLY and project_to_constraint(work, trial_factors, q, active, joints, False):
            continue
        solve_forward(factors[1], residual)
        size = tangent(factors, q, posture, active, r, z, projected)
        worst, largest = most_negative_multiplier(work[3], factors, active, joints, q, posture, z)
        summary[0] = max(size, largest)
        if summary[0] <= SMALL:
            for k in range(6):
                axpy(residual[k], factors[0][k], q)
            clip_to_limits(q, active, joints)
            if deviation <= EXACT:
                break
            continue
        if largest > size:
            active[worst], fresh = 0.0, True
            continue
        choose_direction(factors, active, projected, previous, fresh, u)
        second_derivative = curvature(work, factors, q, u, z, c, trial)
        slope, longest = dot(r, u), max_abs(u)
        length = LONGEST / longest if second_derivative <= 0.0 else min(LONGEST / longest, -slope / second_derivative)
        blocking = first_limit(q, u, active, joints, length)
        if blocking >= 0:
            length = (limit_towards(u, joints, blocking) - q[blocking]) / u[blocking]
            if length * longest <= HIDDEN:
                active[blocking], fresh = 1.0, True
                continue
        copy(projected, previous)
        moved, fresh = False, blocking >= 0
        for _ in range(HALVINGS):
            copy(active, trial_active)
            for i in range(n):
                trial[i] = q[i] + length * u[i]
            for k in range(6):
                axpy(residual[k] - 0.5 * length * length * c[k], factors[0][k], trial)
            if blocking >= 0:
                trial_active[blocking], trial[blocking] = 1.0, limit_towards(u, joints, blocking)
            else:
                for k in range(6):
                    copy(factors[0][k], trial_factors[0][k])
                    copy(factors[1][k], trial_factors[1][k])
            if project_to_constraint(work, trial_factors, trial, trial_active, joints, blocking < 0):
                gain = half_distance(q, posture) + dot(z, residual) - half_distance(trial, posture)
                moved = length * longest <= SHORT or gain >= -GAIN * length * slope
            if moved:
                break
            length, blocking = 0.5 * length, -1
        if not moved:
            project_to_constraint(work, trial_factors, q, active, joints, False)
            break
        copy(trial, q)
        copy(trial_active, active)
        if unwrap(q, posture, joints):
            fresh = True
    evaluate(work, q)
    if not is_converged(work[2], settings):
        copy(report[JOINTS : JOINTS + n], q)
        evaluate(work, q)
        summary[0] = math.inf
    write_report(report, int(report[STATUS]), int(report[ITERATIONS]), q, posture, work[2])
    summary[1] = 0.0
    for i in range(n):
        summary[1] = summary[1] + active[i] * 2.0**i
    return True


def form_model(work: Arrays, q: Array) -> None:
    """Compute A and e of a configuration."""
    evaluate(work, q)
    call_at(work[14], work[0], FORM_MODEL)


def tangent(factors: Arrays, q: Array, posture: Array, active: Array, r: Array, z: Array, projected: Array) -> float:
    """Compute r of the free joints, Y r and N r; return |N r|."""
    for i in range(q.shape[0]):
        r[i] = 0.0 if active[i] > 0.0 else q[i] - posture[i]
    copy(r, projected)
    for k in range(6):
        z[k] = dot(factors[0][k], r)
    project_out(factors[0], projected)
    return math.sqrt(dot(projected, projected))


def most_negative_multiplier(
    A: Array, factors: Arrays, active: Array, joints: Array, q: Array, posture: Array, z: Array
) -> tuple[int, float]:
    """Return the joint of the active set with the most negative multiplier, and its size; (0, 0) if none."""
    L, worst, largest, multipliers = factors[1], 0, 0.0, np.empty(6)
    for k in range(5, -1, -1):
        multipliers[k] = z[k]
        for j in range(k + 1, 6):
            multipliers[k] -= L[j, k] * multipliers[j]
        multipliers[k] = multipliers[k] / L[k, k] if L[k, k] > 0.0 else 0.0
    for i in range(q.shape[0]):
        if active[i] > 0.0 and joints[i, LOWER] < joints[i, UPPER]:
            multiplier = q[i] - posture[i]
            for k in range(6):
                multiplier -= A[k, i] * multipliers[k]
            inward = -multiplier if q[i] <= joints[i, LOWER] else multiplier
            if inward > largest:
                worst, largest = i, inward
    return worst, largest


def choose_direction(factors: Arrays, active: Array, projected: Array, previous: Array, fresh: bool, u: Array) -> None:
    """Choose the conjugate direction of Polak and Ribière, or the steepest descent."""
    part = 0.0 if fresh else (dot(projected, projected) - dot(projected, previous)) / dot(previous, previous)
    if part > 0.0:
        for i in range(u.shape[0]):
            u[i] = 0.0 if active[i] > 0.0 else part * u[i]
        project_out(factors[0], u)
        axpy(-1.0, projected, u)
    if part <= 0.0 or dot(u, projected) >= 0.0:
        for i in range(u.shape[0]):
            u[i] = -projected[i]


def curvature(work: Arrays, factors: Arrays, q: Array, u: Array, z: Array, c: Array, trial: Array) -> float:
    """Return the second derivative of ½ |r|² along the set of solutions; write L⁻¹ c."""
    step = DIFFERENCE / max_abs(u)
    copy(q, trial)
    axpy(step, u, trial)
    form_model(work, trial)
    for k in range(6):
        c[k] = dot(work[3][k], u) / step  # at q it is zero, because A u = 0
    solve_forward(factors[1], c)
    total = dot(u, u)
    for k in range(6):
        total -= z[k] * c[k]
    return total


def first_limit(q: Array, u: Array, active: Array, joints: Array, length: float) -> int:
    """Return the joint that reaches a limit first along u, −1 if none does."""
    blocking, nearest = -1, length
    for i in range(q.shape[0]):
        if active[i] == 0.0 and u[i] != 0.0:
            distance = (limit_towards(u, joints, i) - q[i]) / u[i]
            if distance <= nearest:
                blocking, nearest = i, distance
    return blocking


def limit_towards(u: Array, joints: Array, i: int) -> float:
    """Return the limit of a joint in the direction u."""
    return float(joints[i, UPPER if u[i] > 0.0 else LOWER])


def project_to_constraint(work: Arrays, factors: Arrays, q: Array, active: Array, joints: Array, ready: bool) -> bool:
    """Return q to the goal by minimum-norm Newton steps; return whether one more would not change q noticeably."""
    # A joint that would exceed a limit joins the active set. If the factors are `ready`, they come from a configuration
    # nearby with the same active set, and the last step uses them.
    last = math.inf
    if clip_to_limits(q, active, joints):
        ready = False
    for _ in range(CORRECTIONS):
        form_model(work, q)
        deviation = max_abs(work[4])
        if not deviation < last:
            return bool(deviation <= EXACT)
        last = deviation
        if not ready or deviation > NEARLY:
            gram_schmidt(work[3], active, factors)
        step = work[4].copy()
        solve_forward(factors[1], step)
        for k in range(6):
            axpy(step[k], factors[0][k], q)
        ready = not clip_to_limits(q, active, joints)
        if ready and deviation <= NEARLY:
            return True
    return False


def clip_to_limits(q: Array, active: Array, joints: Array) -> bool:
    """Clip the joints outside their limits and add them to the active set; return whether there are any."""
    outside = False
    for i in range(q.shape[0]):
        if q[i] < joints[i, LOWER] or q[i] > joints[i, UPPER]:
            q[i], active[i], outside = min(max(q[i], joints[i, LOWER]), joints[i, UPPER]), 1.0, True
    return outside


def half_distance(q: Array, posture: Array) -> float:
    """Return ½ |q − posture|²."""
    total = 0.0
    for i in range(q.shape[0]):
        total += (q[i] - posture[i]) ** 2
    return 0.5 * total
