"""Descent towards a preferred posture in the null space of the goal.

Of the error e and its derivative A, e(q + d) ≈ e − A d, the rows are orthonormalized, A = L Y. With r = q − posture,
the projection N r = r − YᵀY r is the gradient of ½ |r|² on the set of solutions. A step has the direction u: −N r or a
conjugate direction. The set curves by q'' = −A⁺ c with c = dA[u] u, from a difference of A, so |u|² + r · q'' is the
second derivative of ½ |r|² along it, and gives the length of the step. Shortest Newton steps then bring the tip back
onto the goal; the step is halved until ½ |r|² decreases. A joint that reaches a limit joins the active set, and leaves
it when its multiplier is negative. Angles are in rad, lengths in characteristic lengths of the arm.

Source: Rosen, J. SIAM 9 (1961) 514; Nocedal & Wright, Numerical Optimization (2006), ch. 5 and 12.
"""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.addresses import call_at
from lessons_lib.lie.poses import is_pose
from lessons_lib.pose_ik.iteration import Arrays, evaluate, scratch_size, set_target, workspace
from lessons_lib.pose_ik.joint_ranges import unwrap
from lessons_lib.pose_ik.layout import AT_DOF, FORM_MODEL, ITERATIONS, JOINTS, LOWER, STATUS, UPPER
from lessons_lib.pose_ik.linear_algebra import add, greatest, inner, orthonormal, solve_forward, take_off
from lessons_lib.pose_ik.search_rules import copy, is_converged, write

STEPS, SMALL = 100, 1e-9
"""Largest number of steps; the gradient at which they end."""

LONGEST, DIFFERENCE = 0.5, 1e-6
"""Largest step, and finite difference, of a joint."""

NEARLY, EXACT, CORRECTIONS, HALVINGS = 1e-5, 1e-10, 8, 20
"""Error that one correction squares; final error; largest numbers of corrections and halvings."""

GAIN, SHORT, HIDDEN = 1e-4, 1e-3, 1e-14
"""Part of the predicted gain for acceptance; steps accepted in any case; distance to a limit hidden by rounding."""


def null_space_descent(
    target: Array, posture: Array, report: Array, found: Array, joints: Array, settings: Array, run: int, at: Integers
) -> bool:
    """Move the solution of a report in the null space of the goal; return whether the target is a pose to rounding.

    Args:
        target: T_sd, shape (4, 4).
        posture: Preferred configuration, shape (n,).
        report: Of a converged solve; its start becomes the posture, its q stays where the correction fails.
        found: Receives the gradient, and the sum of 2ʲ over the joints j of the active set, shape (2,).
        joints: As `Arm.joints`.
        settings: Of the problem.
        run: The address of the kernels.
        at: Where the kernels have their rows.
    """
    if not is_pose(target, 0):
        return False
    n = at[AT_DOF]
    work = workspace(np.zeros(scratch_size(at)), run, at, settings)
    q, held, rows = np.empty(n), np.zeros(n), (np.zeros((6, n)), np.zeros((6, 6)))
    r, u, left, before, z, c = np.empty(n), np.zeros(n), np.empty(n), np.empty(n), np.empty(6), np.empty(6)
    ahead, held_ahead, back, lack = np.empty(n), np.empty(n), (np.zeros((6, n)), np.zeros((6, 6))), np.empty(6)
    set_target(work, target)
    copy(report[JOINTS : JOINTS + n], q)
    unwrap(q, posture, joints)
    fresh = True
    for _ in range(STEPS):
        form_model(work, q)
        orthonormal(work[3], held, rows)
        copy(work[4], lack)
        off = greatest(lack)
        if off > NEARLY and project_to_constraint(
            work, back, q, held, joints, False
        ):  # it was accepted with a loose tolerance
            continue
        solve_forward(rows[1], lack)
        size = tangent(rows, q, posture, held, r, z, left)
        worst, wish = most_negative_multiplier(work[3], rows, held, joints, q, posture, z)
        found[0] = max(size, wish)
        if found[0] <= SMALL:
            for k in range(6):
                add(lack[k], rows[0][k], q)
            clip_to_limits(q, held, joints)
            if off <= EXACT:
                break
            continue
        if wish > size:
            held[worst], fresh = 0.0, True
            continue
        choose_direction(rows, held, left, before, fresh, u)
        bend = curvature(work, rows, q, u, z, c, ahead)
        slope, longest = inner(r, u), greatest(u)
        length = LONGEST / longest if bend <= 0.0 else min(LONGEST / longest, -slope / bend)
        wall = first_limit(q, u, held, joints, length)
        if wall >= 0:
            length = (limit_towards(u, joints, wall) - q[wall]) / u[wall]
            if length * longest <= HIDDEN:
                held[wall], fresh = 1.0, True
                continue
        copy(left, before)
        moved, fresh = False, wall >= 0
        for _ in range(HALVINGS):
            copy(held, held_ahead)
            for i in range(n):
                ahead[i] = q[i] + length * u[i]
            for k in range(6):
                add(lack[k] - 0.5 * length * length * c[k], rows[0][k], ahead)
            if wall >= 0:
                held_ahead[wall], ahead[wall] = 1.0, limit_towards(u, joints, wall)
            else:
                for k in range(6):
                    copy(rows[0][k], back[0][k])
                    copy(rows[1][k], back[1][k])
            if project_to_constraint(work, back, ahead, held_ahead, joints, wall < 0):
                gain = half_distance(q, posture) + inner(z, lack) - half_distance(ahead, posture)
                moved = length * longest <= SHORT or gain >= -GAIN * length * slope
            if moved:
                break
            length, wall = 0.5 * length, -1
        if not moved:
            project_to_constraint(work, back, q, held, joints, False)
            break
        copy(ahead, q)
        copy(held_ahead, held)
        if unwrap(q, posture, joints):
            fresh = True
    evaluate(work, q)
    if not is_converged(work[2], settings):
        copy(report[JOINTS : JOINTS + n], q)
        evaluate(work, q)
        found[0] = math.inf
    write(report, int(report[STATUS]), int(report[ITERATIONS]), q, posture, work[2])
    found[1] = 0.0
    for i in range(n):
        found[1] = found[1] + held[i] * 2.0**i
    return True


def is_inside(q: Array, joints: Array) -> bool:
    """Return whether each joint is within its limits."""
    inside = True
    for i in range(q.shape[0]):
        inside = inside & (joints[i, LOWER] <= q[i]) & (q[i] <= joints[i, UPPER]) & (abs(q[i]) < math.inf)
    return inside


def form_model(work: Arrays, q: Array) -> None:
    """Write A and e of a configuration."""
    evaluate(work, q)
    call_at(work[14], work[0], FORM_MODEL)


def tangent(rows: Arrays, q: Array, posture: Array, held: Array, r: Array, z: Array, left: Array) -> float:
    """Write r of the free joints, Y r and N r; return |N r|."""
    for i in range(q.shape[0]):
        r[i] = 0.0 if held[i] > 0.0 else q[i] - posture[i]
    copy(r, left)
    for k in range(6):
        z[k] = inner(rows[0][k], r)
    take_off(rows[0], left)
    return math.sqrt(inner(left, left))


def most_negative_multiplier(
    A: Array, rows: Arrays, held: Array, joints: Array, q: Array, posture: Array, z: Array
) -> tuple[int, float]:
    """Return the joint of the active set with the most negative multiplier, and its size; (0, 0) if there is none."""
    L, worst, wish, multipliers = rows[1], 0, 0.0, np.empty(6)
    for k in range(5, -1, -1):
        multipliers[k] = z[k]
        for j in range(k + 1, 6):
            multipliers[k] -= L[j, k] * multipliers[j]
        multipliers[k] = multipliers[k] / L[k, k] if L[k, k] > 0.0 else 0.0
    for i in range(q.shape[0]):
        if held[i] > 0.0 and joints[i, LOWER] < joints[i, UPPER]:
            pull = q[i] - posture[i]
            for k in range(6):
                pull -= A[k, i] * multipliers[k]
            inward = -pull if q[i] <= joints[i, LOWER] else pull
            if inward > wish:
                worst, wish = i, inward
    return worst, wish


def choose_direction(rows: Arrays, held: Array, left: Array, before: Array, fresh: bool, u: Array) -> None:
    """Write the conjugate direction of Polak and Ribière over the previous one, or that of steepest descent."""
    part = 0.0 if fresh else (inner(left, left) - inner(left, before)) / inner(before, before)
    if part > 0.0:
        for i in range(u.shape[0]):
            u[i] = 0.0 if held[i] > 0.0 else part * u[i]
        take_off(rows[0], u)
        add(-1.0, left, u)
    if part <= 0.0 or inner(u, left) >= 0.0:
        for i in range(u.shape[0]):
            u[i] = -left[i]


def curvature(work: Arrays, rows: Arrays, q: Array, u: Array, z: Array, c: Array, ahead: Array) -> float:
    """Return the second derivative of ½ |r|² along the set of solutions, and write L⁻¹ c."""
    step = DIFFERENCE / greatest(u)
    copy(q, ahead)
    add(step, u, ahead)
    form_model(work, ahead)
    for k in range(6):
        c[k] = inner(work[3][k], u) / step  # at q it is zero: u is what A does not feel
    solve_forward(rows[1], c)
    total = inner(u, u)
    for k in range(6):
        total -= z[k] * c[k]
    return total


def first_limit(q: Array, u: Array, held: Array, joints: Array, length: float) -> int:
    """Return the joint that reaches a limit first along u, −1 if none does."""
    wall, nearest = -1, length
    for i in range(q.shape[0]):
        if held[i] == 0.0 and u[i] != 0.0:
            room = (limit_towards(u, joints, i) - q[i]) / u[i]
            if room <= nearest:
                wall, nearest = i, room
    return wall


def limit_towards(u: Array, joints: Array, i: int) -> float:
    """Return the limit of a joint in the direction u."""
    return float(joints[i, UPPER if u[i] > 0.0 else LOWER])


def project_to_constraint(work: Arrays, rows: Arrays, q: Array, held: Array, joints: Array, ready: bool) -> bool:
    """Bring q onto the goal by shortest Newton steps; a joint that would exceed a limit joins the active set.

    The rows are formed at each iterate, except for the last step if those given are `ready`: of a configuration nearby,
    and of the same active set. Return whether one more step would not change q noticeably.
    """
    last = math.inf
    if clip_to_limits(q, held, joints):
        ready = False
    for _ in range(CORRECTIONS):
        form_model(work, q)
        off = greatest(work[4])
        if not off < last:
            return bool(off <= EXACT)
        last = off
        if not ready or off > NEARLY:
            orthonormal(work[3], held, rows)
        step = work[4].copy()
        solve_forward(rows[1], step)
        for k in range(6):
            add(step[k], rows[0][k], q)
        ready = not clip_to_limits(q, held, joints)
        if ready and off <= NEARLY:
            return True
    return False


def clip_to_limits(q: Array, held: Array, joints: Array) -> bool:
    """Clip the joints that are outside their limits, and add them to the active set; return whether there are any."""
    outside = False
    for i in range(q.shape[0]):
        if q[i] < joints[i, LOWER] or q[i] > joints[i, UPPER]:
            q[i], held[i], outside = min(max(q[i], joints[i, LOWER]), joints[i, UPPER]), 1.0, True
    return outside


def half_distance(q: Array, posture: Array) -> float:
    """Return ½ |q − posture|²."""
    total = 0.0
    for i in range(q.shape[0]):
        total += (q[i] - posture[i]) ** 2
    return 0.5 * total
