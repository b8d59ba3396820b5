"""What the closed forms are written with: the constants of an arm, the bits of a way, and the turns of each decision.

Constants of an arm are points and directions in {s} at q = 0, rows of K; see structure.py, which finds them.
"""

from __future__ import annotations

import math

from lessons_lib.all_solutions.crossings import (
    DOUBT,
    FREE,
    ONE,
    TWO,
    Pair,
    Quad,
    elbow_turns,
    looser,
    meeting,
    meeting_of_free,
    plane_turn,
    turn_between,
)
from lessons_lib.arrays import Array, Integers
from lessons_lib.robots.triples import Vector, dot, minus

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
    """Return a turn that `on_plane` found, or `at` where it is free; at the edge of reach, the nearest there is."""
    if count == ONE:
        far = math.sqrt(square)
        return plane_turn(swung[0], swung[1], far if C > 0.0 else -far, 0.0, square)
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


def across(K: Array, i: int, j: int) -> Pair:
    """Return the way from one point of the arm to another, across the parallel axes."""
    way = minus(row(K, j), row(K, i))
    return dot(way, row(K, G1)), dot(way, row(K, G2))


def write(turns: Array, first: Quad, second: Quad, third: Quad) -> None:
    """Write cosine and sine of six joints."""
    turns[0], turns[1], turns[2], turns[3] = first
    turns[4], turns[5], turns[6], turns[7] = second
    turns[8], turns[9], turns[10], turns[11] = third
