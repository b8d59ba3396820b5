"""Constants of a closed form, bits of a branch, the angles of each decision, and how the wrist is placed.

The constants K are points and directions in {s} at q = 0, see recognition.py.
"""

import math

from lessons_lib.all_solutions.subproblems import (
    FREE,
    ONE,
    TWO,
    UNCERTAIN,
    Pair,
    Quad,
    amplify,
    elbow_turns,
    meeting,
    meeting_of_free,
    on_circles,
    on_plane,
    on_ring,
    plane_turn,
    swing,
    turn_between,
)
from lessons_lib.arrays import Array, Integers
from lessons_lib.robots.vec3 import Vector, dot, minus, plus, turned

Rotation = tuple[Vector, Vector, Vector]

PARALLEL, AFTER_PARALLEL, BEFORE_PARALLEL, AFTER_MEETING, BEFORE_MEETING = 0, 1, 2, 3, 4
"""Kinds of arm. Axes 2, 3, 4 are parallel; or there is a wrist, and axes 2, 3 or 1, 2 are parallel or meet."""
K1, K2, K3, K4, K5, K6, O1, O2, O3, O4, P, MEET, G1, G2, H1, H2 = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
"""Rows of K: directions of the axes; points on the first four; intersections of the last axes, and of two of the first;
directions across the parallel axes, and across axis 4, right-handed with them.
"""
SHOULDER, ELBOW, WRIST = 1, 2, 4
"""Bits of a branch: the second solution was taken. Times 8: the angle is free; times 64: two solutions merge."""
LEAVES, PLACES = 8, 4  # upper bounds: solutions, and ways for the first three joints to place the wrist
FLAGS, LEAF, PLACE = 0, 1, 9
"""Indices of the codes: bits of every decision, also of branches without solution; of the first solution; of the first
position of the wrist.
"""


NEEDS_EXTENDED_PRECISION = 8192  # bit of the flags: a decision is uncertain, or an angle is not known to FINE
FINE = 1e-7  # largest rounding error of an angle, rad, that needs no extended precision


def row(K: Array, i: int) -> Vector:
    """Return a row of K."""
    return K[i, 0], K[i, 1], K[i, 2]


def directions(K: Array) -> tuple[Vector, Vector, Vector, Vector, Vector, Vector]:
    """Return the directions of the six axes."""
    return row(K, K1), row(K, K2), row(K, K3), row(K, K4), row(K, K5), row(K, K6)


def applied(R: Rotation, u: Vector) -> Vector:
    """Return R u."""
    return dot(R[0], u), dot(R[1], u), dot(R[2], u)


def minus_turn(a: Pair, b: Pair) -> Pair:
    """Return cosine and sine of a difference of two angles, a − b."""
    return a[0] * b[0] + a[1] * b[1], a[1] * b[0] - a[0] * b[1]


def branch_count(count: int) -> int:
    """Return the number of branches of a decision; a free angle is one, at its given value."""
    return 2 if count == TWO else 1 if count == ONE or count == FREE else 0  # noqa: SIM109, PLR1714


def decision_bits(count: int, side: int, bit: int) -> int:
    """Return the bits of a decision; `bit` is that of its second solution."""
    if count == FREE:
        return 8 * bit
    return 64 * bit if count == ONE else bit * side


def record_decision(count: int, bit: int, codes: Integers) -> None:
    """Record a decision in the flags, whether or not a solution comes of it."""
    if count == UNCERTAIN:
        codes[FLAGS] = codes[FLAGS] | NEEDS_EXTENDED_PRECISION
    if count == FREE or count == ONE:  # noqa: SIM109 (compiled text knows no `in`)
        codes[FLAGS] = codes[FLAGS] | decision_bits(count, 0, bit)


def growth_after(count: int, growth: float, part: float, tol: Vector) -> float:
    """Return the error growth after a decision; `part` is the sine between its two solutions."""
    return amplify(growth, part, tol) if count == TWO else growth


def check_precision(count: int, growth: float, part: float, tol: Vector, codes: Integers) -> None:
    """Flag a branch whose last angles are not known to FINE."""
    if tol[2] * growth_after(count, growth, part, tol) > FINE:
        codes[FLAGS] = codes[FLAGS] | NEEDS_EXTENDED_PRECISION


def turn_on_plane(swung: Vector, C: float, w: float, square: float, count: int, at: Pair) -> Pair:
    """Return an angle found by `on_plane`: `at` if it is free, the nearest one at the boundary of reach."""
    if count == ONE:
        far = math.sqrt(square)
        return plane_turn(swung[0], swung[1], far if C > 0.0 else -far, 0.0, square)
    return at if count == FREE else plane_turn(swung[0], swung[1], C, w, square)


def turns_that_meet(
    count: int, places: Quad, where: Vector, side: int, p: Vector, q: Vector, ka: Vector, kb: Vector, at: Pair
) -> Quad:
    """Return the angles found by `on_circles`, about ka and about kb."""
    if count == FREE:
        return meeting_of_free(places, p, q, ka, kb, at)
    return meeting(places, -where[0] if side else where[0], where[1], where[2])


def two_links(count: int, u: Pair, v: Pair, x: Pair, found: Vector, side: int, at: Pair) -> Quad:
    """Return the angles found by `on_ring`; the first one is `at` if the links are folded."""
    if count == FREE:
        c3, s3 = turn_between(v, (-u[0], -u[1]))
        return at[0], at[1], c3, s3
    return elbow_turns(u, v, x, found[0], found[1], -found[2] if side else found[2])


def two_links_part(found: Vector) -> float:
    """Return the sine of the angle between two links, from the result of `on_ring`."""
    return 2.0 * found[2] / (found[0] + found[1]) if found[2] > 0.0 else 0.0


def wrist_turns(
    count: int, places: Quad, where: Vector, side: int, back: Vector, n: Vector, k5: Vector, k6: Vector, at: Pair
) -> Quad:
    """Return q₅ and q₆ with Rot(k₆, q₆) back = Rot(k₅, −q₅) n."""
    c6, s6, c5, s5 = turns_that_meet(count, places, where, side, back, n, k6, k5, at)
    return c5, -s5, c6, s6


def across(K: Array, i: int, j: int) -> Pair:
    """Return the vector between two points of the arm, across the parallel axes."""
    way = minus(row(K, j), row(K, i))
    return dot(way, row(K, G1)), dot(way, row(K, G2))


def write(turns: Array, first: Quad, second: Quad, third: Quad) -> None:
    """Write cosine and sine of six joints."""
    turns[0], turns[1], turns[2], turns[3] = first
    turns[4], turns[5], turns[6], turns[7] = second
    turns[8], turns[9], turns[10], turns[11] = third


def place(W: Array, i: int, first: Pair, second: Pair, third: Pair, growth: float) -> None:
    """Write cosines and sines of q₁, q₂, q₃, and their error growth."""
    W[i, 6] = growth
    W[i, 0], W[i, 1] = first
    W[i, 2], W[i, 3] = second
    W[i, 4], W[i, 5] = third


def place_parallel(
    before: bool, x: Vector, K: Array, length: float, tol: Vector, at: Pair, W: Array, codes: Integers
) -> int:
    """Write the first three angles, at most four times, if axes 2 and 3 are parallel, or `before` 1 and 2."""
    # The wrist's height over the plane across them gives the third angle, two links in the plane give theirs.
    o1, o3, g1, g2 = row(K, O1), row(K, O3), row(K, G1), row(K, G2)
    n, k = row(K, K1 if before else K2), row(K, K3 if before else K1)
    u = minus(row(K, P), o3) if before else minus(x, o1)
    swung = swing(n, k, u) if before else swing(u, k, n)
    height = dot(n, minus(x, o3) if before else minus(row(K, P), o1)) - swung[2]
    shoulders, w, square = on_plane(swung[0], swung[1], height, length, tol, 1.0)
    record_decision(shoulders, SHOULDER, codes)
    link, forearm, shift = across(K, O1, O2), across(K, O2, O3), minus(x, o1)
    reach = (dot(shift, g1), dot(shift, g2))
    found = 0
    for i in range(branch_count(shoulders)):
        growth = growth_after(shoulders, 1.0, w / length, tol)
        c, s = turn_on_plane(swung, height, -w if i else w, square, shoulders, at)
        end = turned(k, c, s if before else -s, u)
        end1, end2 = dot(end, g1), dot(end, g2)
        upper = link if before else forearm
        lower = (forearm[0] + end1, forearm[1] + end2) if before else across(K, O3, P)
        target = reach if before else (end1 - link[0], end2 - link[1])
        elbows, ring = on_ring(upper, lower, target, length, tol, growth)
        record_decision(elbows, ELBOW, codes)
        for j in range(branch_count(elbows)):
            ca, sa, cb, sb = two_links(elbows, upper, lower, target, ring, j, at)
            after = growth_after(elbows, growth, two_links_part(ring), tol)
            if before:
                place(W, found, (ca, sa), (cb, sb), (c, s), after)
            else:
                place(W, found, (c, s), (ca, sa), (cb, sb), after)
            codes[PLACE + found] = decision_bits(shoulders, i, SHOULDER) | decision_bits(elbows, j, ELBOW)
            found += 1
    return found


def place_meeting(
    before: bool, x: Vector, K: Array, length: float, tol: Vector, at: Pair, W: Array, codes: Integers
) -> int:
    """Write the first three angles, at most four times, if axes 1 and 2 meet, or `before` 2 and 3."""
    # The wrist's distance from where they meet gives the third angle, its direction gives theirs.
    k1, k2, k3, o = row(K, K1), row(K, K2), row(K, K3), row(K, MEET)
    near, far = (k3, k1) if before else (k1, k3)
    b = minus(o, row(K, O1)) if before else minus(row(K, O3), o)
    u = minus(x, row(K, O1)) if before else minus(row(K, P), row(K, O3))
    v = minus(row(K, P), o) if before else minus(x, o)
    swung = swing(u, far, b) if before else swing(b, far, u)
    half = 0.5 * (dot(v, v) - dot(b, b) - dot(u, u))
    half = (-half if before else half) - swung[2]
    first, second = (SHOULDER, ELBOW) if before else (ELBOW, SHOULDER)
    thirds, w, square = on_plane(swung[0], swung[1], half, length * length, tol, 1.0)
    record_decision(thirds, first, codes)
    found = 0
    for i in range(branch_count(thirds)):
        growth = growth_after(thirds, 1.0, w / (length * length), tol)
        c, s = turn_on_plane(swung, half, -w if i else w, square, thirds, at)
        y = minus(turned(far, c, -s, u), b) if before else plus(b, turned(far, c, s, u))
        pairs, places, where = on_circles(v, y, near, k2, tol, growth)
        record_decision(pairs, second, codes)
        for j in range(branch_count(pairs)):
            ca, sa, cb, sb = turns_that_meet(pairs, places, where, j, v, y, near, k2, at)
            after = growth_after(pairs, growth, where[0] / length, tol)
            if before:
                place(W, found, (c, s), (cb, -sb), (ca, sa), after)
            else:
                place(W, found, (ca, -sa), (cb, sb), (c, s), after)
            codes[PLACE + found] = decision_bits(thirds, i, first) | decision_bits(pairs, j, second)
            found += 1
    return found
