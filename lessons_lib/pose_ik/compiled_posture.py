"""Towards a preferred posture, along what the goal does not feel.

Of the error e and its derivative A, e(q + d) ≈ e − A d, the rows are made orthonormal, A = L Y. With r = q − posture,
what is left of it, N r = r − YᵀY r, is the gradient of ½ |r|² along the answers. A step goes along u, which is −N r or
a conjugate direction. The answers bend away from it by q'' = −A⁺ c with c = dA[u] u, a difference of A, so that
|u|² + r · q'' is the second derivative of ½ |r|² along them and tells how far to go. Newton's steps, each the shortest
one, then bring the tip back onto the goal; the step is halved until ½ |r|² has fallen.
A joint that comes to a limit is held there, and let go when its multiplier says that it would rather leave.

Angles are in rad, lengths in those of the arm.

Source: Rosen, J. SIAM 9 (1961) 514; Nocedal & Wright, Numerical Optimization (2006), ch. 5 and 12.
"""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.addresses import call_at
from lessons_lib.pose_ik.iteration import Arrays, evaluate, scratch_size, set_target, workspace
from lessons_lib.pose_ik.joint_ranges import unwrap
from lessons_lib.pose_ik.layout import AT_DOF, FORM_MODEL, ITERATIONS, JOINTS, LOWER, STATUS, UPPER
from lessons_lib.pose_ik.orthonormal_rows import add, greatest, inner, orthonormal, solve_forward, take_off
from lessons_lib.pose_ik.poses import is_pose
from lessons_lib.pose_ik.search_rules import copy, is_converged, write

STEPS, SMALL = 100, 1e-9
"""Steps at most; the gradient at which they end."""

LONGEST, DIFFERENCE = 0.5, 1e-6
"""A step, and a difference, of a joint at most."""

NEARLY, EXACT, CORRECTIONS, HALVINGS = 1e-5, 1e-10, 8, 20
"""An error whose square one correction leaves; one that is small enough; corrections and halvings at most."""

GAIN, SHORT, HIDDEN = 1e-4, 1e-3, 1e-14
"""Part of the promised gain that a step brings, unless it is so short; what rounding hides of the way to a limit."""


def slide(
    target: Array, posture: Array, report: Array, found: Array, joints: Array, settings: Array, run: int, at: Integers
) -> bool:
    """Move the answer of a report along what the goal does not feel; return whether the target is a pose to rounding.

    Args:
        target: T_sd, shape (4, 4).
        posture: What is preferred, shape (n,).
        report: Of a solve that has converged; its start becomes the posture, its q stays where correcting fails.
        found: Receives the gradient, and the sum of 2ʲ over the joints j that are held, shape (2,).
        joints: As `Arm.joints` has them.
        settings: Of the problem.
        run: Where the kernels lie.
        at: Where they have their rows.
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
        look(work, q)
        orthonormal(work[3], held, rows)
        copy(work[4], lack)
        off = greatest(lack)
        if off > NEARLY and settle(work, back, q, held, joints, False):  # a loose tolerance let it pass
            continue
        solve_forward(rows[1], lack)
        size = tangent(rows, q, posture, held, r, z, left)
        worst, wish = wants_to_leave(work[3], rows, held, joints, q, posture, z)
        found[0] = max(size, wish)
        if found[0] <= SMALL:
            for k in range(6):
                add(lack[k], rows[0][k], q)
            clamp(q, held, joints)
            if off <= EXACT:
                break
            continue
        if wish > size:
            held[worst], fresh = 0.0, True
            continue
        choose(rows, held, left, before, fresh, u)
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
            if settle(work, back, ahead, held_ahead, joints, wall < 0):
                gain = half_distance(q, posture) + inner(z, lack) - half_distance(ahead, posture)
                moved = length * longest <= SHORT or gain >= -GAIN * length * slope
            if moved:
                break
            length, wall = 0.5 * length, -1
        if not moved:
            settle(work, back, q, held, joints, False)
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


def look(work: Arrays, q: Array) -> None:
    """Write A and e of a configuration."""
    evaluate(work, q)
    call_at(work[14], work[0], FORM_MODEL)


def tangent(rows: Arrays, q: Array, posture: Array, held: Array, r: Array, z: Array, left: Array) -> float:
    """Write r without what is held, Y r and N r; return |N r|."""
    for i in range(q.shape[0]):
        r[i] = 0.0 if held[i] > 0.0 else q[i] - posture[i]
    copy(r, left)
    for k in range(6):
        z[k] = inner(rows[0][k], r)
    take_off(rows[0], left)
    return math.sqrt(inner(left, left))


def wants_to_leave(
    A: Array, rows: Arrays, held: Array, joints: Array, q: Array, posture: Array, z: Array
) -> tuple[int, float]:
    """Return which of the held joints would gain most by leaving its limit, and its multiplier; none is (0, 0)."""
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


def choose(rows: Arrays, held: Array, left: Array, before: Array, fresh: bool, u: Array) -> None:
    """Write the direction of a step over the one before: conjugate to it, or straight down (Polak and Ribière)."""
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
    """Return the second derivative of ½ |r|² along the answers, and write L⁻¹ c: they bend by −Yᵀ L⁻¹ c."""
    step = DIFFERENCE / greatest(u)
    copy(q, ahead)
    add(step, u, ahead)
    look(work, ahead)
    for k in range(6):
        c[k] = inner(work[3][k], u) / step  # at q it is zero: u is what A does not feel
    solve_forward(rows[1], c)
    total = inner(u, u)
    for k in range(6):
        total -= z[k] * c[k]
    return total


def first_limit(q: Array, u: Array, held: Array, joints: Array, length: float) -> int:
    """Return the joint that comes to a limit first on the way along u, −1 where none does."""
    wall, nearest = -1, length
    for i in range(q.shape[0]):
        if held[i] == 0.0 and u[i] != 0.0:
            room = (limit_towards(u, joints, i) - q[i]) / u[i]
            if room <= nearest:
                wall, nearest = i, room
    return wall


def limit_towards(u: Array, joints: Array, i: int) -> float:
    """Return the limit of a joint in a direction."""
    return float(joints[i, UPPER if u[i] > 0.0 else LOWER])


def settle(work: Arrays, rows: Arrays, q: Array, held: Array, joints: Array, ready: bool) -> bool:
    """Bring q onto the goal by Newton's steps, each the shortest; a joint that would pass a limit is held there.

    The rows are made anew at each place, but for the last step where those at hand are `ready`: of a place nearby, and
    of the same joints. Returns whether q is there, as far as one more step will show.
    """
    last = math.inf
    if clamp(q, held, joints):
        ready = False
    for _ in range(CORRECTIONS):
        look(work, q)
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
        ready = not clamp(q, held, joints)
        if ready and off <= NEARLY:
            return True
    return False


def clamp(q: Array, held: Array, joints: Array) -> bool:
    """Hold each joint that is outside its limits at the nearer one; return whether there was any."""
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
