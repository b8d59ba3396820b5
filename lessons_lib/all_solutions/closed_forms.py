"""Every configuration of six hinges whose axes allow a closed form: a tree of at most eight answers.

Two kinds of arm, and the same arms read from the tip to the base:

- PARALLEL: axes 2, 3, 4 are parallel, 5 and 6 meet. The meeting point keeps its distance from the plane across the
  parallel axes, which gives q₁ (`on_plane`); the direction of these axes gives q₅ and q₆ (`on_circles`); what is left
  is two links in a plane (`on_ring`).
- AFTER_…, BEFORE_…: axes 4, 5, 6 meet in one point, the wrist. Its place gives q₁, q₂, q₃, where 2 and 3, or 1 and 2,
  are parallel or meet; its turn gives the rest.

The ways to place a wrist are in wrist_places.py, and what both files are written with in decisions.py. Decisions are
made on cosines and sines, and a configuration is told by them; who asks forms the angles (every.py). Where a turn is
FREE it gets the value `at`: leaf by leaf that is the chart of a family (families.py). The same text runs on enclosed
numbers (proof.py).
"""

from __future__ import annotations

from lessons_lib.all_solutions.crossings import (
    Pair,
    on_circles,
    on_plane,
    on_ring,
    swing,
    turn_between,
)
from lessons_lib.all_solutions.decisions import (
    ELBOW,
    G1,
    G2,
    H1,
    H2,
    K1,
    K2,
    K3,
    K4,
    K5,
    K6,
    LEAF,
    O1,
    O2,
    O3,
    O4,
    PARALLEL,
    PLACE,
    SEEN,
    SHOULDER,
    WRIST,
    P,
    Rotation,
    across,
    after,
    applied,
    applied_back,
    marks,
    minus_turn,
    row,
    seen,
    settled,
    sides,
    turn_on_plane,
    two_links,
    two_links_part,
    wrist_turns,
    write,
)
from lessons_lib.all_solutions.wrist_places import place_wrist
from lessons_lib.arrays import Array, Integers
from lessons_lib.robots.triples import Vector, dot, minus, plus, turned


def closed_form(
    kind: int,
    R: Rotation,
    t: Vector,
    K: Array,
    length: float,
    blur: Vector,
    at: Pair,
    turns: Array,
    W: Array,
    codes: Integers,
) -> int:
    """Write every configuration that brings the tip to a pose, and return how many.

    Args:
        kind: Of the arm, see above.
        R: Rotation of T M⁻¹, the motion of the tip from home to the pose.
        t: Its translation.
        K: The arm's constants, shape (16, 3).
        length: Of the whole arm, by which rounding is measured.
        blur: See crossings.py.
        at: Cosine and sine of a turn that is free.
        turns: For cosine and sine of each joint of the configurations, shape (8, 12).
        W: Room, shape (4, 7).
        codes: What was decided on all ways, then on that to each, then to each place of the wrist, shape (13,).
    """
    codes[SEEN] = 0
    if kind == PARALLEL:
        return parallel_arm(R, t, K, length, blur, at, turns, codes)
    count = place_wrist(kind, plus(applied(R, row(K, P)), t), K, length, blur, at, W, codes)
    return turn_wrist(R, K, blur, at, W, count, turns, codes)


def parallel_arm(
    R: Rotation, t: Vector, K: Array, length: float, blur: Vector, at: Pair, turns: Array, codes: Integers
) -> int:
    """Write the answers of an arm with three parallel axes: shoulder, wrist, elbow."""
    k1, n, k5, k6, o1, p = row(K, K1), row(K, K2), row(K, K5), row(K, K6), row(K, O1), row(K, P)
    g1, g2 = row(K, G1), row(K, G2)
    link, forearm, before = across(K, O2, O3), across(K, O3, O4), across(K, O1, O2)
    u = minus(plus(applied(R, p), t), o1)
    swung = swing(u, k1, n)
    height = dot(n, minus(p, o1)) - swung[2]
    shoulders, w, square = on_plane(swung[0], swung[1], height, length, blur, 1.0)
    seen(shoulders, SHOULDER, codes)
    found = 0
    for i in range(sides(shoulders)):
        loose = after(shoulders, 1.0, w / length, blur)
        c1, s1 = turn_on_plane(swung, height, -w if i else w, square, shoulders, at)
        m1, m2 = turned(k1, c1, s1, g1), turned(k1, c1, s1, g2)
        back = applied_back(R, turned(k1, c1, s1, n))
        wrists, places, where = on_circles(back, n, k6, k5, blur, loose)
        seen(wrists, WRIST, codes)
        for j in range(sides(wrists)):
            loose = after(wrists, loose, where[0], blur) if j == 0 else loose
            c5, s5, c6, s6 = wrist_turns(wrists, places, where, j, back, n, k5, k6, at)
            y = applied(R, turned(k6, c6, -s6, k5))
            whole = turn_between((dot(k5, g1), dot(k5, g2)), (dot(y, m1), dot(y, m2)))
            last = turned(k6, c6, -s6, turned(k5, c5, -s5, minus(row(K, O4), p)))
            end = plus(u, applied(R, last))
            reach = (dot(end, m1) - before[0], dot(end, m2) - before[1])
            elbows, ring = on_ring(link, forearm, reach, length, blur, loose)
            seen(elbows, ELBOW, codes)
            settled(elbows, loose, two_links_part(ring), blur, codes)
            for k in range(sides(elbows)):
                c2, s2, c3, s3 = two_links(elbows, link, forearm, reach, ring, k, at)
                c4, s4 = minus_turn(minus_turn(whole, (c2, s2)), (c3, s3))
                write(turns[found], (c1, s1, c2, s2), (c3, s3, c4, s4), (c5, s5, c6, s6))
                codes[LEAF + found] = marks(shoulders, i, SHOULDER) | marks(wrists, j, WRIST) | marks(elbows, k, ELBOW)
                found += 1
    return found


def turn_wrist(
    R: Rotation, K: Array, blur: Vector, at: Pair, W: Array, count: int, turns: Array, codes: Integers
) -> int:
    """Write the answers of an arm with a wrist, for each way to bring the wrist to its place."""
    k1, k2, k3, k4, k5, k6 = row(K, K1), row(K, K2), row(K, K3), row(K, K4), row(K, K5), row(K, K6)
    h1, h2 = row(K, H1), row(K, H2)
    found = 0
    for i in range(count):
        c1, s1, c2, s2, c3, s3, loose = W[i, 0], W[i, 1], W[i, 2], W[i, 3], W[i, 4], W[i, 5], W[i, 6]
        m = turned(k1, c1, s1, turned(k2, c2, s2, turned(k3, c3, s3, k4)))
        m1 = turned(k1, c1, s1, turned(k2, c2, s2, turned(k3, c3, s3, h1)))
        m2 = turned(k1, c1, s1, turned(k2, c2, s2, turned(k3, c3, s3, h2)))
        back = applied_back(R, m)
        wrists, places, where = on_circles(back, k4, k6, k5, blur, loose)
        seen(wrists, WRIST, codes)
        settled(wrists, loose, where[0], blur, codes)
        for j in range(sides(wrists)):
            c5, s5, c6, s6 = wrist_turns(wrists, places, where, j, back, k4, k5, k6, at)
            y = applied(R, turned(k6, c6, -s6, k5))
            c4, s4 = turn_between((dot(k5, h1), dot(k5, h2)), (dot(y, m1), dot(y, m2)))
            write(turns[found], (c1, s1, c2, s2), (c3, s3, c4, s4), (c5, s5, c6, s6))
            codes[LEAF + found] = codes[PLACE + i] | marks(wrists, j, WRIST)
            found += 1
    return found
