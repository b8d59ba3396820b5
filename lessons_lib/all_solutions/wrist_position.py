"""Place the wrist with the first three joints: at most four ways, for each kind of arm with a wrist."""

from __future__ import annotations

from lessons_lib.all_solutions.decisions import (
    AFTER_MEETING,
    AFTER_PARALLEL,
    BEFORE_PARALLEL,
    ELBOW,
    G1,
    G2,
    K1,
    K2,
    K3,
    MEET,
    O1,
    O2,
    O3,
    PLACE,
    SHOULDER,
    P,
    across,
    branch_count,
    decision_bits,
    growth_after,
    record_decision,
    row,
    turn_on_plane,
    turns_that_meet,
    two_links,
    two_links_part,
)
from lessons_lib.all_solutions.subproblems import (
    Pair,
    on_circles,
    on_plane,
    on_ring,
    swing,
)
from lessons_lib.arrays import Array, Integers
from lessons_lib.robots.triples import Vector, dot, minus, plus, turned


def place_wrist(kind: int, x: Vector, K: Array, length: float, tol: Vector, at: Pair, W: Array, codes: Integers) -> int:
    """Write cosines and sines of q₁, q₂, q₃ that bring the wrist to x; return how many, at most 4."""
    if kind == AFTER_PARALLEL:
        return place_after_parallel(x, K, length, tol, at, W, codes)
    if kind == BEFORE_PARALLEL:
        return place_before_parallel(x, K, length, tol, at, W, codes)
    if kind == AFTER_MEETING:
        return place_after_meeting(x, K, length, tol, at, W, codes)
    return place_before_meeting(x, K, length, tol, at, W, codes)


def place(W: Array, i: int, first: Pair, second: Pair, third: Pair, growth: float) -> None:
    """Write three angles and their error growth."""
    W[i, 6] = growth
    W[i, 0], W[i, 1] = first
    W[i, 2], W[i, 3] = second
    W[i, 4], W[i, 5] = third


def place_after_parallel(x: Vector, K: Array, length: float, tol: Vector, at: Pair, W: Array, codes: Integers) -> int:
    """Axes 2 and 3 are parallel: the wrist's height over the plane across them gives q₁, two links in it the rest."""
    k1, n, o1, p = row(K, K1), row(K, K2), row(K, O1), row(K, P)
    link, forearm, before = across(K, O2, O3), across(K, O3, P), across(K, O1, O2)
    u = minus(x, o1)
    swung = swing(u, k1, n)
    height = dot(n, minus(p, o1)) - swung[2]
    shoulders, w, square = on_plane(swung[0], swung[1], height, length, tol, 1.0)
    record_decision(shoulders, SHOULDER, codes)
    found = 0
    for i in range(branch_count(shoulders)):
        growth = growth_after(shoulders, 1.0, w / length, tol)
        c1, s1 = turn_on_plane(swung, height, -w if i else w, square, shoulders, at)
        m1, m2 = turned(k1, c1, s1, row(K, G1)), turned(k1, c1, s1, row(K, G2))
        reach = (dot(u, m1) - before[0], dot(u, m2) - before[1])
        elbows, ring = on_ring(link, forearm, reach, length, tol, growth)
        record_decision(elbows, ELBOW, codes)
        for k in range(branch_count(elbows)):
            c2, s2, c3, s3 = two_links(elbows, link, forearm, reach, ring, k, at)
            place(W, found, (c1, s1), (c2, s2), (c3, s3), growth_after(elbows, growth, two_links_part(ring), tol))
            codes[PLACE + found] = decision_bits(shoulders, i, SHOULDER) | decision_bits(elbows, k, ELBOW)
            found += 1
    return found


def place_before_parallel(x: Vector, K: Array, length: float, tol: Vector, at: Pair, W: Array, codes: Integers) -> int:
    """Axes 1 and 2 are parallel: the wrist's height over the plane across them gives q₃, two links in it the rest."""
    n, k3, o1, o3 = row(K, K1), row(K, K3), row(K, O1), row(K, O3)
    u = minus(row(K, P), o3)
    swung = swing(n, k3, u)
    height = dot(n, minus(x, o3)) - swung[2]
    shoulders, w, square = on_plane(swung[0], swung[1], height, length, tol, 1.0)
    record_decision(shoulders, SHOULDER, codes)
    link, to3, reached = across(K, O1, O2), across(K, O2, O3), minus(x, o1)
    reach = (dot(reached, row(K, G1)), dot(reached, row(K, G2)))
    found = 0
    for i in range(branch_count(shoulders)):
        growth = growth_after(shoulders, 1.0, w / length, tol)
        c3, s3 = turn_on_plane(swung, height, -w if i else w, square, shoulders, at)
        end = turned(k3, c3, s3, u)
        forearm = (to3[0] + dot(end, row(K, G1)), to3[1] + dot(end, row(K, G2)))
        elbows, ring = on_ring(link, forearm, reach, length, tol, growth)
        record_decision(elbows, ELBOW, codes)
        for k in range(branch_count(elbows)):
            c1, s1, c2, s2 = two_links(elbows, link, forearm, reach, ring, k, at)
            place(W, found, (c1, s1), (c2, s2), (c3, s3), growth_after(elbows, growth, two_links_part(ring), tol))
            codes[PLACE + found] = decision_bits(shoulders, i, SHOULDER) | decision_bits(elbows, k, ELBOW)
            found += 1
    return found


def place_after_meeting(x: Vector, K: Array, length: float, tol: Vector, at: Pair, W: Array, codes: Integers) -> int:
    """Axes 1 and 2 meet: the wrist's distance from there gives q₃, its direction q₁ and q₂."""
    k1, k2, k3, o = row(K, K1), row(K, K2), row(K, K3), row(K, MEET)
    b, u, far = minus(row(K, O3), o), minus(row(K, P), row(K, O3)), minus(x, o)
    swung = swing(b, k3, u)
    half = 0.5 * (dot(far, far) - dot(b, b) - dot(u, u)) - swung[2]
    elbows, w, square = on_plane(swung[0], swung[1], half, length * length, tol, 1.0)
    record_decision(elbows, ELBOW, codes)
    found = 0
    for k in range(branch_count(elbows)):
        growth = growth_after(elbows, 1.0, w / (length * length), tol)
        c3, s3 = turn_on_plane(swung, half, -w if k else w, square, elbows, at)
        y = plus(b, turned(k3, c3, s3, u))
        shoulders, places, where = on_circles(far, y, k1, k2, tol, growth)
        record_decision(shoulders, SHOULDER, codes)
        for i in range(branch_count(shoulders)):
            c1, s1, c2, s2 = turns_that_meet(shoulders, places, where, i, far, y, k1, k2, at)
            place(W, found, (c1, -s1), (c2, s2), (c3, s3), growth_after(shoulders, growth, where[0] / length, tol))
            codes[PLACE + found] = decision_bits(shoulders, i, SHOULDER) | decision_bits(elbows, k, ELBOW)
            found += 1
    return found


def place_before_meeting(x: Vector, K: Array, length: float, tol: Vector, at: Pair, W: Array, codes: Integers) -> int:
    """Axes 2 and 3 meet: the wrist's distance from there gives q₁, its direction q₂ and q₃."""
    k1, k2, k3, o1, o = row(K, K1), row(K, K2), row(K, K3), row(K, O1), row(K, MEET)
    b, far, arm = minus(o, o1), minus(x, o1), minus(row(K, P), o)
    swung = swing(far, k1, b)
    half = 0.5 * (dot(far, far) + dot(b, b) - dot(arm, arm)) - swung[2]
    shoulders, w, square = on_plane(swung[0], swung[1], half, length * length, tol, 1.0)
    record_decision(shoulders, SHOULDER, codes)
    found = 0
    for i in range(branch_count(shoulders)):
        growth = growth_after(shoulders, 1.0, w / (length * length), tol)
        c1, s1 = turn_on_plane(swung, half, -w if i else w, square, shoulders, at)
        y = minus(turned(k1, c1, -s1, far), b)
        elbows, places, where = on_circles(arm, y, k3, k2, tol, growth)
        record_decision(elbows, ELBOW, codes)
        for k in range(branch_count(elbows)):
            c3, s3, c2, s2 = turns_that_meet(elbows, places, where, k, arm, y, k3, k2, at)
            place(W, found, (c1, s1), (c2, -s2), (c3, s3), growth_after(elbows, growth, where[0] / length, tol))
            codes[PLACE + found] = decision_bits(shoulders, i, SHOULDER) | decision_bits(elbows, k, ELBOW)
            found += 1
    return found
