"""All configurations of a 6R arm whose axes allow a closed form: a decision tree with at most eight solutions.

PARALLEL: on_plane gives q₁, on_circles q₅ and q₆, on_ring the two links. AFTER_…, BEFORE_…: the first three joints
place the wrist, on_circles turns it. Decisions use cosines and sines. The same text runs on intervals (proof.py).
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.all_solutions.decisions import (
    AFTER_MEETING,
    BEFORE_MEETING,
    BEFORE_PARALLEL,
    ELBOW,
    FLAGS,
    G1,
    G2,
    H1,
    H2,
    LEAF,
    O1,
    O2,
    O3,
    O4,
    PARALLEL,
    PLACE,
    SHOULDER,
    WRIST,
    P,
    Rotation,
    across,
    applied,
    branch_count,
    check_precision,
    decision_bits,
    directions,
    growth_after,
    minus_turn,
    place_meeting,
    place_parallel,
    record_decision,
    row,
    turn_on_plane,
    two_links,
    two_links_part,
    wrist_turns,
    write,
)
from lessons_lib.all_solutions.subproblems import Pair, on_circles, on_plane, on_ring, swing, turn_between
from lessons_lib.arrays import Array, Integers
from lessons_lib.lie.poses import is_pose
from lessons_lib.robots.revolutions import wrap_joint
from lessons_lib.robots.vec3 import Vector, combine, dot, minus, plus, turned

if TYPE_CHECKING:
    from lessons_lib.all_solutions.angle_code import angle_of


def solve_branches(
    kind: int,
    R: Rotation,
    t: Vector,
    K: Array,
    length: float,
    tol: Vector,
    at: Pair,
    turns: Array,
    W: Array,
    codes: Integers,
) -> int:
    """Write cosine and sine of each joint of every configuration that reaches a pose; return how many."""
    # R and t are the motion T M⁻¹, K (16, 3) the constants of the arm, `at` is cosine and sine of a free angle.
    # Outputs: turns (8, 12) and codes (13,): flags, code of each solution, code of each wrist position; W (4, 7) is
    # scratch.
    codes[FLAGS] = 0
    if kind == PARALLEL:
        return parallel_arm(R, t, K, length, tol, at, turns, codes)
    x = plus(applied(R, row(K, P)), t)
    if kind < AFTER_MEETING:
        count = place_parallel(kind == BEFORE_PARALLEL, x, K, length, tol, at, W, codes)
    else:
        count = place_meeting(kind == BEFORE_MEETING, x, K, length, tol, at, W, codes)
    return turn_wrist(R, K, tol, at, W, count, turns, codes)


def parallel_arm(
    R: Rotation, t: Vector, K: Array, length: float, tol: Vector, at: Pair, turns: Array, codes: Integers
) -> int:
    """Write the solutions of an arm with three parallel axes: shoulder, wrist, elbow."""
    k1, n, _k3, _k4, k5, k6 = directions(K)
    o1, p, g1, g2 = row(K, O1), row(K, P), row(K, G1), row(K, G2)
    link, forearm, before = across(K, O2, O3), across(K, O3, O4), across(K, O1, O2)
    u = minus(plus(applied(R, p), t), o1)
    swung = swing(u, k1, n)
    height = dot(n, minus(p, o1)) - swung[2]
    shoulders, w, square = on_plane(swung[0], swung[1], height, length, tol, 1.0)
    record_decision(shoulders, SHOULDER, codes)
    found = 0
    for i in range(branch_count(shoulders)):
        growth = growth_after(shoulders, 1.0, w / length, tol)
        c1, s1 = turn_on_plane(swung, height, -w if i else w, square, shoulders, at)
        m1, m2 = turned(k1, c1, s1, g1), turned(k1, c1, s1, g2)
        back = combine(R, turned(k1, c1, s1, n))
        wrists, places, where = on_circles(back, n, k6, k5, tol, growth)
        record_decision(wrists, WRIST, codes)
        for j in range(branch_count(wrists)):
            growth = growth_after(wrists, growth, where[0], tol) if j == 0 else growth
            c5, s5, c6, s6 = wrist_turns(wrists, places, where, j, back, n, k5, k6, at)
            y = applied(R, turned(k6, c6, -s6, k5))
            whole = turn_between((dot(k5, g1), dot(k5, g2)), (dot(y, m1), dot(y, m2)))
            last = turned(k6, c6, -s6, turned(k5, c5, -s5, minus(row(K, O4), p)))
            end = plus(u, applied(R, last))
            reach = (dot(end, m1) - before[0], dot(end, m2) - before[1])
            elbows, ring = on_ring(link, forearm, reach, length, tol, growth)
            record_decision(elbows, ELBOW, codes)
            check_precision(elbows, growth, two_links_part(ring), tol, codes)
            for k in range(branch_count(elbows)):
                c2, s2, c3, s3 = two_links(elbows, link, forearm, reach, ring, k, at)
                c4, s4 = minus_turn(minus_turn(whole, (c2, s2)), (c3, s3))
                write(turns[found], (c1, s1, c2, s2), (c3, s3, c4, s4), (c5, s5, c6, s6))
                codes[LEAF + found] = (
                    decision_bits(shoulders, i, SHOULDER)
                    | decision_bits(wrists, j, WRIST)
                    | decision_bits(elbows, k, ELBOW)
                )
                found += 1
    return found


def turn_wrist(
    R: Rotation, K: Array, tol: Vector, at: Pair, W: Array, count: int, turns: Array, codes: Integers
) -> int:
    """Write the solutions of an arm with a wrist, for each position of the wrist."""
    k1, k2, k3, k4, k5, k6 = directions(K)
    h1, h2 = row(K, H1), row(K, H2)
    found = 0
    for i in range(count):
        c1, s1, c2, s2, c3, s3, growth = W[i, 0], W[i, 1], W[i, 2], W[i, 3], W[i, 4], W[i, 5], W[i, 6]
        m = turned(k1, c1, s1, turned(k2, c2, s2, turned(k3, c3, s3, k4)))
        m1 = turned(k1, c1, s1, turned(k2, c2, s2, turned(k3, c3, s3, h1)))
        m2 = turned(k1, c1, s1, turned(k2, c2, s2, turned(k3, c3, s3, h2)))
        back = combine(R, m)
        wrists, places, where = on_circles(back, k4, k6, k5, tol, growth)
        record_decision(wrists, WRIST, codes)
        check_precision(wrists, growth, where[0], tol, codes)
        for j in range(branch_count(wrists)):
            c5, s5, c6, s6 = wrist_turns(wrists, places, where, j, back, k4, k5, k6, at)
            y = applied(R, turned(k6, c6, -s6, k5))
            c4, s4 = turn_between((dot(k5, h1), dot(k5, h2)), (dot(y, m1), dot(y, m2)))
            write(turns[found], (c1, s1, c2, s2), (c3, s3, c4, s4), (c5, s5, c6, s6))
            codes[LEAF + found] = codes[PLACE + i] | decision_bits(wrists, j, WRIST)
            found += 1
    return found


NO_POSE = -1  # returned if a matrix is no pose to rounding; the caller checks and orthonormalizes it
OUTSIDE_LIMITS = 4096  # bit of the flags: a configuration lies outside the limits
FREE_BAND, EDGE_BAND, NOISE = 2e-14, 2e-14, 1e-15
"""`tol` of subproblems.py for doubles: motions below 2e-14 of the length are not resolved."""
EXACT_EDGE_BAND = 1e-15  # the edge in extended precision: the rounding of the pose itself
SLACK = 1e-12  # A joint that is outside its limits by less, rad, is at the limit
TURN = 2.0 * math.pi


def motion(T: Array, back: Array) -> tuple[Rotation, Vector]:
    """Return T · back as a rotation and a translation."""
    B, p = (row(back, 0), row(back, 1), row(back, 2)), (back[0, 3], back[1, 3], back[2, 3])
    a, b, c = row(T, 0), row(T, 1), row(T, 2)
    t = (dot(a, p) + T[0, 3], dot(b, p) + T[1, 3], dot(c, p) + T[2, 3])
    return (combine(B, a), combine(B, b), combine(B, c)), t


def inverse_motion(R: Rotation, t: Vector) -> tuple[Rotation, Vector]:
    """Return the inverse of a motion."""
    x, y, z = combine(R, t)
    first, second, third = (R[0][0], R[1][0], R[2][0]), (R[0][1], R[1][1], R[2][1]), (R[0][2], R[1][2], R[2][2])
    return (first, second, third), (-x, -y, -z)


def solve_closed_form(
    T: Array,
    back: Array,
    kind: int,
    backwards: bool,
    K: Array,
    signs: Array,
    limits: Array,
    length: float,
    at: float,
    noise: float,
    Q: Array,
    codes: Integers,
) -> int:
    """Write every configuration within the limits (6, 2) that reaches T; return how many, or NO_POSE."""
    # `back` is M⁻¹; kind, backwards, K and signs (6,) are those of a `Structure`; `at` is the value of a free angle,
    # rad; `noise` is NOISE, 0 to decide everything in doubles, or FORCE. Outputs are Q (8, 6) and codes (13,).
    if not is_pose(T, 0):
        return NO_POSE
    R, t = motion(T, back)
    if backwards:
        R, t = inverse_motion(R, t)
    W, turns, angles, q = np.empty((4, 7)), np.empty((8, 12)), np.empty(6), np.empty(6)
    tol, free = (FREE_BAND, EDGE_BAND, noise), (math.cos(at), math.sin(at))
    found = solve_branches(kind, R, t, K, length, tol, free, turns, W, codes)
    kept = 0
    for i in range(found):
        for j in range(6):
            angles[j] = angle_of(turns[i, 2 * j], turns[i, 2 * j + 1])
        if wrap_into_limits(angles, signs, backwards, limits, q):
            for j in range(6):
                Q[kept, j] = q[j]
            codes[LEAF + kept] = codes[LEAF + i]
            kept += 1
        else:
            codes[FLAGS] = codes[FLAGS] | OUTSIDE_LIMITS
    return kept


def wrap_into_limits(turns: Array, signs: Array, backwards: bool, limits: Array, q: Array) -> bool:
    """Write a configuration in the arm's joint order, wrapped into the limits; return False if none is inside."""
    for i in range(6):
        j = 5 - i if backwards else i
        x, lower, upper = signs[i] * turns[i], limits[j, 0], limits[j, 1]
        if x < lower - SLACK or x > upper + SLACK:
            x = wrap_joint(x, 0.0, lower - SLACK, upper + SLACK, TURN)
        if x < lower - SLACK or x > upper + SLACK:
            return False
        q[j] = min(max(x, lower), upper)
    return True


def solve_closed_form_batch(
    targets: Array,
    back: Array,
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
    """Solve many targets; Q has shape (k, 8, 6), codes (k, 13), counts (k,)."""
    for i in range(targets.shape[0]):
        counts[i] = solve_closed_form(
            targets[i], back, kind, backwards, K, signs, limits, length, 0.0, NOISE, Q[i], codes[i]
        )
