"""Closed form of a 6R arm: a decision tree of subproblems with at most eight solutions.

PARALLEL solves q₁, then q₅ and q₆, then the two links; AFTER_… and BEFORE_… place the wrist with three joints, then
rotate it. Decisions use cosines and sines. The same text runs on intervals (proof.py).
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.all_solutions.decisions import (
    AFTER_MEETING,
    BEFORE_MEETING,
    BEFORE_PARALLEL,
    ELBOW,
    FIRST_PLACE,
    FIRST_SOLUTION,
    FLAGS,
    G1,
    G2,
    H1,
    H2,
    O1,
    O2,
    O3,
    O4,
    PARALLEL,
    SHOULDER,
    WRIST,
    P,
    Rotation,
    amplify_error,
    branch_count,
    check_precision,
    decision_bits,
    directions,
    elbow_angles,
    elbow_sine,
    offset_in_plane,
    place_wrist_meeting,
    place_wrist_parallel,
    plane_angle,
    record_decision,
    rotate,
    row,
    subtract_angles,
    wrist_angles,
    write_angles,
)
from lessons_lib.all_solutions.subproblems import (
    Pair,
    count_circle_solutions,
    count_elbow_solutions,
    count_plane_solutions,
    planar_rotation,
    rotation_coefficients,
)
from lessons_lib.arrays import Array, Integers
from lessons_lib.lie.poses import is_pose
from lessons_lib.robots.revolutions import wrap_joint
from lessons_lib.robots.triples import Vector, combine, dot, minus, plus, turned

if TYPE_CHECKING:
    from lessons_lib.all_solutions.angle_code import angle_of


def solve_branches(
    kind: int,
    R: Rotation,
    t: Vector,
    K: Array,
    length: float,
    tol: Vector,
    free: Pair,
    rotations: Array,
    W: Array,
    codes: Integers,
) -> int:
    """Write cosine and sine of each joint of every solution; return the number of solutions."""
    # R and t are the motion T M⁻¹, K (16, 3) the constants of the arm, `free` is cosine and sine of an arbitrary angle.
    # Outputs: rotations (8, 12) and codes (13,): flags, code of each solution, code of each wrist position; W (4, 7) is
    # scratch.
    codes[FLAGS] = 0
    if kind == PARALLEL:
        return solve_parallel_axes(R, t, K, length, tol, free, rotations, codes)
    x = plus(rotate(R, row(K, P)), t)
    if kind < AFTER_MEETING:
        count = place_wrist_parallel(kind == BEFORE_PARALLEL, x, K, length, tol, free, W, codes)
    else:
        count = place_wrist_meeting(kind == BEFORE_MEETING, x, K, length, tol, free, W, codes)
    return solve_wrist(R, K, tol, free, W, count, rotations, codes)


def solve_parallel_axes(
    R: Rotation, t: Vector, K: Array, length: float, tol: Vector, free: Pair, rotations: Array, codes: Integers
) -> int:
    """Solve an arm with three parallel axes: shoulder, wrist, elbow."""
    k1, n, _k3, _k4, k5, k6 = directions(K)
    o1, p, g1, g2 = row(K, O1), row(K, P), row(K, G1), row(K, G2)
    link, forearm, before = offset_in_plane(K, O2, O3), offset_in_plane(K, O3, O4), offset_in_plane(K, O1, O2)
    u = minus(plus(rotate(R, p), t), o1)
    coefficients = rotation_coefficients(u, k1, n)
    height = dot(n, minus(p, o1)) - coefficients[2]
    shoulders, w, square = count_plane_solutions(coefficients[0], coefficients[1], height, length, tol, 1.0)
    record_decision(shoulders, SHOULDER, codes)
    found = 0
    for i in range(branch_count(shoulders)):
        growth = amplify_error(shoulders, 1.0, w / length, tol)
        c1, s1 = plane_angle(coefficients, height, -w if i else w, square, shoulders, free)
        m1, m2 = turned(k1, c1, s1, g1), turned(k1, c1, s1, g2)
        back = combine(R, turned(k1, c1, s1, n))
        wrists, places, where = count_circle_solutions(back, n, k6, k5, tol, growth)
        record_decision(wrists, WRIST, codes)
        for j in range(branch_count(wrists)):
            growth = amplify_error(wrists, growth, where[0], tol) if j == 0 else growth
            c5, s5, c6, s6 = wrist_angles(wrists, places, where, j, back, n, k5, k6, free)
            y = rotate(R, turned(k6, c6, -s6, k5))
            whole = planar_rotation((dot(k5, g1), dot(k5, g2)), (dot(y, m1), dot(y, m2)))
            last = turned(k6, c6, -s6, turned(k5, c5, -s5, minus(row(K, O4), p)))
            end = plus(u, rotate(R, last))
            reach = (dot(end, m1) - before[0], dot(end, m2) - before[1])
            elbows, ring = count_elbow_solutions(link, forearm, reach, length, tol, growth)
            record_decision(elbows, ELBOW, codes)
            check_precision(elbows, growth, elbow_sine(ring), tol, codes)
            for k in range(branch_count(elbows)):
                c2, s2, c3, s3 = elbow_angles(elbows, link, forearm, reach, ring, k, free)
                c4, s4 = subtract_angles(subtract_angles(whole, (c2, s2)), (c3, s3))
                write_angles(rotations[found], (c1, s1, c2, s2), (c3, s3, c4, s4), (c5, s5, c6, s6))
                codes[FIRST_SOLUTION + found] = (
                    decision_bits(shoulders, i, SHOULDER)
                    | decision_bits(wrists, j, WRIST)
                    | decision_bits(elbows, k, ELBOW)
                )
                found += 1
    return found


def solve_wrist(
    R: Rotation, K: Array, tol: Vector, free: Pair, W: Array, count: int, rotations: Array, codes: Integers
) -> int:
    """Solve the wrist, for each of its positions."""
    k1, k2, k3, k4, k5, k6 = directions(K)
    h1, h2 = row(K, H1), row(K, H2)
    found = 0
    for i in range(count):
        c1, s1, c2, s2, c3, s3, growth = W[i, 0], W[i, 1], W[i, 2], W[i, 3], W[i, 4], W[i, 5], W[i, 6]
        m = turned(k1, c1, s1, turned(k2, c2, s2, turned(k3, c3, s3, k4)))
        m1 = turned(k1, c1, s1, turned(k2, c2, s2, turned(k3, c3, s3, h1)))
        m2 = turned(k1, c1, s1, turned(k2, c2, s2, turned(k3, c3, s3, h2)))
        back = combine(R, m)
        wrists, places, where = count_circle_solutions(back, k4, k6, k5, tol, growth)
        record_decision(wrists, WRIST, codes)
        check_precision(wrists, growth, where[0], tol, codes)
        for j in range(branch_count(wrists)):
            c5, s5, c6, s6 = wrist_angles(wrists, places, where, j, back, k4, k5, k6, free)
            y = rotate(R, turned(k6, c6, -s6, k5))
            c4, s4 = planar_rotation((dot(k5, h1), dot(k5, h2)), (dot(y, m1), dot(y, m2)))
            write_angles(rotations[found], (c1, s1, c2, s2), (c3, s3, c4, s4), (c5, s5, c6, s6))
            codes[FIRST_SOLUTION + found] = codes[FIRST_PLACE + i] | decision_bits(wrists, j, WRIST)
            found += 1
    return found


NOT_A_POSE = -1  # result for a matrix that is not a pose to rounding; the caller orthonormalizes it
OUTSIDE_LIMITS = 4096  # bit of the flags: a solution is outside the limits
FREE_BAND, EDGE_BAND, NOISE = 2e-14, 2e-14, 1e-15
"""`tol` of subproblems.py for doubles: motions below 2e-14 of the length are not resolved."""
EXACT_EDGE_BAND = 1e-15  # edge in extended precision: the rounding of the pose itself
LIMIT_SLACK = 1e-12  # rad; a joint outside its limits by less is at the limit
REVOLUTION = 2.0 * math.pi


def motion(T: Array, home_inverse: Array) -> tuple[Rotation, Vector]:
    """Return T M⁻¹ as a rotation and a translation."""
    H = home_inverse
    B, p = (row(H, 0), row(H, 1), row(H, 2)), (H[0, 3], H[1, 3], H[2, 3])
    a, b, c = row(T, 0), row(T, 1), row(T, 2)
    t = (dot(a, p) + T[0, 3], dot(b, p) + T[1, 3], dot(c, p) + T[2, 3])
    return (combine(B, a), combine(B, b), combine(B, c)), t


def invert_motion(R: Rotation, t: Vector) -> tuple[Rotation, Vector]:
    x, y, z = combine(R, t)
    first, second, third = (R[0][0], R[1][0], R[2][0]), (R[0][1], R[1][1], R[2][1]), (R[0][2], R[1][2], R[2][2])
    return (first, second, third), (-x, -y, -z)


def solve_closed_form(
    T: Array,
    home_inverse: Array,
    kind: int,
    backwards: bool,
    K: Array,
    signs: Array,
    limits: Array,
    length: float,
    free_angle: float,
    noise: float,
    Q: Array,
    codes: Integers,
) -> int:
    """Write the solutions within the limits (6, 2); return their number, or NOT_A_POSE."""
    # `home_inverse` is M⁻¹; kind, backwards, K and signs (6,) are those of a `Structure`; `free_angle` is the value of
    # an arbitrary angle, rad; `noise` is NOISE, 0 to decide everything in doubles, or FORCE. Outputs: Q (8, 6), codes
    # (13,).
    if not is_pose(T, 0):
        return NOT_A_POSE
    R, t = motion(T, home_inverse)
    if backwards:
        R, t = invert_motion(R, t)
    W, rotations, angles, q = np.empty((4, 7)), np.empty((8, 12)), np.empty(6), np.empty(6)
    tol, free = (FREE_BAND, EDGE_BAND, noise), (math.cos(free_angle), math.sin(free_angle))
    found = solve_branches(kind, R, t, K, length, tol, free, rotations, W, codes)
    kept = 0
    for i in range(found):
        for j in range(6):
            angles[j] = angle_of(rotations[i, 2 * j], rotations[i, 2 * j + 1])
        if wrap_into_limits(angles, signs, backwards, limits, q):
            for j in range(6):
                Q[kept, j] = q[j]
            codes[FIRST_SOLUTION + kept] = codes[FIRST_SOLUTION + i]
            kept += 1
        else:
            codes[FLAGS] = codes[FLAGS] | OUTSIDE_LIMITS
    return kept


def wrap_into_limits(rotations: Array, signs: Array, backwards: bool, limits: Array, q: Array) -> bool:
    """Write a configuration in the arm's joint order, wrapped into the limits; return False if a joint is outside."""
    for i in range(6):
        j = 5 - i if backwards else i
        x, lower, upper = signs[i] * rotations[i], limits[j, 0], limits[j, 1]
        if x < lower - LIMIT_SLACK or x > upper + LIMIT_SLACK:
            x = wrap_joint(x, 0.0, lower - LIMIT_SLACK, upper + LIMIT_SLACK, REVOLUTION)
        if x < lower - LIMIT_SLACK or x > upper + LIMIT_SLACK:
            return False
        q[j] = min(max(x, lower), upper)
    return True


def solve_closed_form_batch(
    targets: Array,
    home_inverse: Array,
    kind: int,
    backwards: bool,
    K: Array,
    signs: Array,
    limits: Array,
    length: float,
    Q: Array,
    counts: Integers,
    codes: Integers,
) -> None:
    """Solve k poses; outputs are Q (k, 8, 6), counts (k,) and codes (k, 13)."""
    for i in range(targets.shape[0]):
        counts[i] = solve_closed_form(
            targets[i], home_inverse, kind, backwards, K, signs, limits, length, 0.0, NOISE, Q[i], codes[i]
        )
