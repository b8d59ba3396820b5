"""Every configuration of six hinges whose axes allow a closed form: a tree of at most eight answers.

Two kinds of arm, and the same arms read from the tip to the base:

- PARALLEL: axes 2, 3, 4 are parallel, 5 and 6 meet. The meeting point keeps its distance from the plane across the
  parallel axes, which gives q₁ (`on_plane`); the direction of these axes gives q₅ and q₆ (`on_circles`); what is left
  is two links in a plane (`on_ring`).
- AFTER_…, BEFORE_…: axes 4, 5, 6 meet in one point, the wrist. Its place gives q₁, q₂, q₃, where 2 and 3, or 1 and 2,
  are parallel or meet; its turn gives the rest.

Constants of an arm are points and directions in {s} at q = 0, rows of K; see structure.py, which finds them. Decisions
are made on cosines and sines; angles are formed at the leaves. Where a turn is FREE it gets the value `at`: leaf by
leaf that is the chart of a family (families.py). The same text runs on enclosed numbers (proof.py).

By hand: a tree of choices.
Held by: tests/pose_ik/branches/test_closed_forms.py.
"""

from __future__ import annotations

import math

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.branches.crossings import (
    DOUBT,
    FREE,
    ONE,
    TWO,
    Pair,
    Quad,
    Vector,
    dot,
    elbow_turns,
    looser,
    meeting,
    meeting_of_free,
    minus,
    on_circles,
    on_plane,
    on_ring,
    plane_turn,
    plus,
    swing,
    turn_between,
    turned,
)

Rotation = tuple[Vector, Vector, Vector]

PARALLEL, AFTER_PARALLEL, BEFORE_PARALLEL, AFTER_MEETING, BEFORE_MEETING = 0, 1, 2, 3, 4
"""Kinds of arm. Axes 2, 3, 4 are parallel; there is a wrist, and axes 2 and 3, or 1 and 2, are parallel, or meet."""

K1, K2, K3, K4, K5, K6, O1, O2, O3, O4, P, MEET, G1, G2, H1, H2 = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
"""Rows of K: directions of the axes, points on the first four; where the last axes meet, where two of the first meet;
directions across the parallel axes, and across axis 4, right-handed with them."""

SHOULDER, ELBOW, WRIST = 1, 2, 4
"""Bits of a leaf's code: the second of two answers was taken there. Times 8: the turn is free; times 64: the two are
one."""

LEAVES, PLACES = 8, 4
"""At most so many answers, and so many ways for the first three joints to bring the wrist to its place."""

SEEN, LEAF, PLACE = 0, 1, 9
"""Among the codes: the bits of every decision on the way, also where no leaf came of it; those of the first leaf; those
of the first place of the wrist."""


DOUBTFUL = 8192
"""Bit of what was seen: a decision is in doubt, or an angle is not known to FINE; numbers of more digits settle it."""

FINE = 1e-7
"""An angle that rounding may move by more than that, rad, is in doubt."""


def row(K: Array, i: int) -> Vector:
    """Return a row of K."""
    return K[i, 0], K[i, 1], K[i, 2]


def applied(R: Rotation, u: Vector) -> Vector:
    """Return R u."""
    return dot(R[0], u), dot(R[1], u), dot(R[2], u)


def applied_back(R: Rotation, u: Vector) -> Vector:
    """Return Rᵀ u."""
    return (
        R[0][0] * u[0] + R[1][0] * u[1] + R[2][0] * u[2],
        R[0][1] * u[0] + R[1][1] * u[1] + R[2][1] * u[2],
        R[0][2] * u[0] + R[1][2] * u[1] + R[2][2] * u[2],
    )


def minus_turn(a: Pair, b: Pair) -> Pair:
    """Return cosine and sine of a difference of two angles, a − b."""
    return a[0] * b[0] + a[1] * b[1], a[1] * b[0] - a[0] * b[1]


def sides(count: int) -> int:
    """Return how many branches a decision has: a turn that is free is one, at its given value."""
    return 2 if count == TWO else 1 if count == ONE or count == FREE else 0  # noqa: SIM109, PLR1714


def marks(count: int, side: int, bit: int) -> int:
    """Return the bits of a decision; `bit` is that of its second answer."""
    if count == FREE:
        return 8 * bit
    return 64 * bit if count == ONE else bit * side


def seen(count: int, bit: int, codes: Integers) -> None:
    """Note a decision, whether or not a leaf comes of it."""
    if count == DOUBT:
        codes[SEEN] = codes[SEEN] | DOUBTFUL
    if count == FREE or count == ONE:  # noqa: SIM109 (compiled text knows no `in`)
        codes[SEEN] = codes[SEEN] | marks(count, 0, bit)


def after(count: int, loose: float, part: float, blur: Vector) -> float:
    """Return how loose things are after a decision with two answers; the sine between them is `part` of a radius."""
    return looser(loose, part, blur) if count == TWO else loose


def settled(count: int, loose: float, part: float, blur: Vector, codes: Integers) -> None:
    """Note a doubt where the angles at the end of a way are not known to FINE."""
    if blur[2] * after(count, loose, part, blur) > FINE:
        codes[SEEN] = codes[SEEN] | DOUBTFUL


def turn_on_plane(swung: Vector, C: float, w: float, square: float, count: int, at: Pair) -> Pair:
    """Return a turn that `on_plane` found, or `at` where it is free."""
    return at if count == FREE else plane_turn(swung[0], swung[1], C, w, square)


def turns_that_meet(
    count: int, places: Quad, where: Vector, side: int, p: Vector, q: Vector, ka: Vector, kb: Vector, at: Pair
) -> Quad:
    """Return turns that `on_circles` found, about ka and about kb."""
    if count == FREE:
        return meeting_of_free(places, p, q, ka, kb, at)
    return meeting(places, -where[0] if side else where[0], where[1], where[2])


def two_links(count: int, u: Pair, v: Pair, x: Pair, found: Vector, side: int, at: Pair) -> Quad:
    """Return turns of two links that `on_ring` found; where they are folded together, the first turn is `at`."""
    if count == FREE:
        c3, s3 = turn_between(v, (-u[0], -u[1]))
        return at[0], at[1], c3, s3
    return elbow_turns(u, v, x, found[0], found[1], -found[2] if side else found[2])


def two_links_part(found: Vector) -> float:
    """Return the sine of the angle between two links that `on_ring` found."""
    return 2.0 * found[2] / (found[0] + found[1]) if found[2] > 0.0 else 0.0


def wrist_turns(
    count: int, places: Quad, where: Vector, side: int, back: Vector, n: Vector, k5: Vector, k6: Vector, at: Pair
) -> Quad:
    """Return q₅ and q₆, so that `back` turned about axis 6 is n turned back about axis 5."""
    c6, s6, c5, s5 = turns_that_meet(count, places, where, side, back, n, k6, k5, at)
    return c5, -s5, c6, s6


def closed_form(
    kind: int,
    R: Rotation,
    t: Vector,
    K: Array,
    length: float,
    blur: Vector,
    at: Pair,
    Q: Array,
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
        Q: The configurations, shape (8, 6), in [−π, π].
        W: Room, shape (4, 7).
        codes: What was decided on all ways, then on that to each, then to each place of the wrist, shape (13,).
    """
    codes[SEEN] = 0
    if kind == PARALLEL:
        return parallel_arm(R, t, K, length, blur, at, Q, codes)
    count = place_wrist(kind, plus(applied(R, row(K, P)), t), K, length, blur, at, W, codes)
    return turn_wrist(R, K, blur, at, W, count, Q, codes)


def across(K: Array, i: int, j: int) -> Pair:
    """Return the way from one point of the arm to another, across the parallel axes."""
    way = minus(row(K, j), row(K, i))
    return dot(way, row(K, G1)), dot(way, row(K, G2))


def write(q: Array, i: int, turns: Quad) -> None:
    """Write the angles of two turns, joints i and i + 1."""
    q[i], q[i + 1] = math.atan2(turns[1], turns[0]), math.atan2(turns[3], turns[2])


def parallel_arm(
    R: Rotation, t: Vector, K: Array, length: float, blur: Vector, at: Pair, Q: Array, codes: Integers
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
                write(Q[found], 0, (c1, s1, c2, s2))
                write(Q[found], 2, (c3, s3, c4, s4))
                write(Q[found], 4, (c5, s5, c6, s6))
                codes[LEAF + found] = marks(shoulders, i, SHOULDER) | marks(wrists, j, WRIST) | marks(elbows, k, ELBOW)
                found += 1
    return found


def turn_wrist(R: Rotation, K: Array, blur: Vector, at: Pair, W: Array, count: int, Q: Array, codes: Integers) -> int:
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
            write(Q[found], 0, (c1, s1, c2, s2))
            write(Q[found], 2, (c3, s3, c4, s4))
            write(Q[found], 4, (c5, s5, c6, s6))
            codes[LEAF + found] = codes[PLACE + i] | marks(wrists, j, WRIST)
            found += 1
    return found


def place_wrist(
    kind: int, x: Vector, K: Array, length: float, blur: Vector, at: Pair, W: Array, codes: Integers
) -> int:
    """Write cosines and sines of q₁, q₂, q₃ that bring the wrist to x; return how many, at most 4."""
    if kind == AFTER_PARALLEL:
        return place_after_parallel(x, K, length, blur, at, W, codes)
    if kind == BEFORE_PARALLEL:
        return place_before_parallel(x, K, length, blur, at, W, codes)
    if kind == AFTER_MEETING:
        return place_after_meeting(x, K, length, blur, at, W, codes)
    return place_before_meeting(x, K, length, blur, at, W, codes)


def place(W: Array, i: int, first: Pair, second: Pair, third: Pair, loose: float) -> None:
    """Write three turns, and how loose they are."""
    W[i, 6] = loose
    W[i, 0], W[i, 1] = first
    W[i, 2], W[i, 3] = second
    W[i, 4], W[i, 5] = third


def place_after_parallel(x: Vector, K: Array, length: float, blur: Vector, at: Pair, W: Array, codes: Integers) -> int:
    """Axes 2 and 3 are parallel: the wrist's height over the plane across them gives q₁, two links in it the rest."""
    k1, n, o1, p = row(K, K1), row(K, K2), row(K, O1), row(K, P)
    link, forearm, before = across(K, O2, O3), across(K, O3, P), across(K, O1, O2)
    u = minus(x, o1)
    swung = swing(u, k1, n)
    height = dot(n, minus(p, o1)) - swung[2]
    shoulders, w, square = on_plane(swung[0], swung[1], height, length, blur, 1.0)
    seen(shoulders, SHOULDER, codes)
    found = 0
    for i in range(sides(shoulders)):
        loose = after(shoulders, 1.0, w / length, blur)
        c1, s1 = turn_on_plane(swung, height, -w if i else w, square, shoulders, at)
        m1, m2 = turned(k1, c1, s1, row(K, G1)), turned(k1, c1, s1, row(K, G2))
        reach = (dot(u, m1) - before[0], dot(u, m2) - before[1])
        elbows, ring = on_ring(link, forearm, reach, length, blur, loose)
        seen(elbows, ELBOW, codes)
        for k in range(sides(elbows)):
            c2, s2, c3, s3 = two_links(elbows, link, forearm, reach, ring, k, at)
            place(W, found, (c1, s1), (c2, s2), (c3, s3), after(elbows, loose, two_links_part(ring), blur))
            codes[PLACE + found] = marks(shoulders, i, SHOULDER) | marks(elbows, k, ELBOW)
            found += 1
    return found


def place_before_parallel(x: Vector, K: Array, length: float, blur: Vector, at: Pair, W: Array, codes: Integers) -> int:
    """Axes 1 and 2 are parallel: the wrist's height over the plane across them gives q₃, two links in it the rest."""
    n, k3, o1, o3 = row(K, K1), row(K, K3), row(K, O1), row(K, O3)
    u = minus(row(K, P), o3)
    swung = swing(n, k3, u)
    height = dot(n, minus(x, o3)) - swung[2]
    shoulders, w, square = on_plane(swung[0], swung[1], height, length, blur, 1.0)
    seen(shoulders, SHOULDER, codes)
    link, to3, reached = across(K, O1, O2), across(K, O2, O3), minus(x, o1)
    reach = (dot(reached, row(K, G1)), dot(reached, row(K, G2)))
    found = 0
    for i in range(sides(shoulders)):
        loose = after(shoulders, 1.0, w / length, blur)
        c3, s3 = turn_on_plane(swung, height, -w if i else w, square, shoulders, at)
        end = turned(k3, c3, s3, u)
        forearm = (to3[0] + dot(end, row(K, G1)), to3[1] + dot(end, row(K, G2)))
        elbows, ring = on_ring(link, forearm, reach, length, blur, loose)
        seen(elbows, ELBOW, codes)
        for k in range(sides(elbows)):
            c1, s1, c2, s2 = two_links(elbows, link, forearm, reach, ring, k, at)
            place(W, found, (c1, s1), (c2, s2), (c3, s3), after(elbows, loose, two_links_part(ring), blur))
            codes[PLACE + found] = marks(shoulders, i, SHOULDER) | marks(elbows, k, ELBOW)
            found += 1
    return found


def place_after_meeting(x: Vector, K: Array, length: float, blur: Vector, at: Pair, W: Array, codes: Integers) -> int:
    """Axes 1 and 2 meet: the wrist's distance from there gives q₃, its direction q₁ and q₂."""
    k1, k2, k3, o = row(K, K1), row(K, K2), row(K, K3), row(K, MEET)
    b, u, far = minus(row(K, O3), o), minus(row(K, P), row(K, O3)), minus(x, o)
    swung = swing(b, k3, u)
    half = 0.5 * (dot(far, far) - dot(b, b) - dot(u, u)) - swung[2]
    elbows, w, square = on_plane(swung[0], swung[1], half, length * length, blur, 1.0)
    seen(elbows, ELBOW, codes)
    found = 0
    for k in range(sides(elbows)):
        loose = after(elbows, 1.0, w / (length * length), blur)
        c3, s3 = turn_on_plane(swung, half, -w if k else w, square, elbows, at)
        y = plus(b, turned(k3, c3, s3, u))
        shoulders, places, where = on_circles(far, y, k1, k2, blur, loose)
        seen(shoulders, SHOULDER, codes)
        for i in range(sides(shoulders)):
            c1, s1, c2, s2 = turns_that_meet(shoulders, places, where, i, far, y, k1, k2, at)
            place(W, found, (c1, -s1), (c2, s2), (c3, s3), after(shoulders, loose, where[0] / length, blur))
            codes[PLACE + found] = marks(shoulders, i, SHOULDER) | marks(elbows, k, ELBOW)
            found += 1
    return found


def place_before_meeting(x: Vector, K: Array, length: float, blur: Vector, at: Pair, W: Array, codes: Integers) -> int:
    """Axes 2 and 3 meet: the wrist's distance from there gives q₁, its direction q₂ and q₃."""
    k1, k2, k3, o1, o = row(K, K1), row(K, K2), row(K, K3), row(K, O1), row(K, MEET)
    b, far, arm = minus(o, o1), minus(x, o1), minus(row(K, P), o)
    swung = swing(far, k1, b)
    half = 0.5 * (dot(far, far) + dot(b, b) - dot(arm, arm)) - swung[2]
    shoulders, w, square = on_plane(swung[0], swung[1], half, length * length, blur, 1.0)
    seen(shoulders, SHOULDER, codes)
    found = 0
    for i in range(sides(shoulders)):
        loose = after(shoulders, 1.0, w / (length * length), blur)
        c1, s1 = turn_on_plane(swung, half, -w if i else w, square, shoulders, at)
        y = minus(turned(k1, c1, -s1, far), b)
        elbows, places, where = on_circles(arm, y, k3, k2, blur, loose)
        seen(elbows, ELBOW, codes)
        for k in range(sides(elbows)):
            c3, s3, c2, s2 = turns_that_meet(elbows, places, where, k, arm, y, k3, k2, at)
            place(W, found, (c1, s1), (c2, -s2), (c3, s3), after(elbows, loose, where[0] / length, blur))
            codes[PLACE + found] = marks(shoulders, i, SHOULDER) | marks(elbows, k, ELBOW)
            found += 1
    return found
