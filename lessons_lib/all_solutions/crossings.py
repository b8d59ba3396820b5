"""Where a turn brings a point to a plane, to another turn's circle, or to a distance: two answers each, or a family.

Every closed form of this package is put together from these three. A function of numbers alone, without a branch
(`swing`, `plane_turn`, `meeting`, `elbow_turns`), is also what lesson 20 proves: it is run there on symbols. A turn is
told by its cosine and sine, so that no angle is formed before all decisions are made.

`blur` is (free, edge, noise), parts of a size. Within `free` of it a turn is free; within `edge` of an edge of reach
two answers are one. The noise is what rounding does to a number, and `loose` how much more it does here, because of
earlier turns that are not well settled. What noise hides, and every edge, is in DOUBT: it takes numbers of more digits,
whose noise is zero. Where the noise is ANYWAY, what is out of reach is answered with the edge of reach: so it is seen
how far a turn misses.

Vectors are triples. Source: Paden (1986), Kahan; Elias and Wen, IK-Geo, Mechanism and Machine Theory 209 (2025).
"""

from __future__ import annotations

import math

from lessons_lib.robots.triples import Vector, cross, dot, turned

NONE, ONE, TWO, FREE, DOUBT = 0, 1, 2, 3, 4
"""How many answers there are."""

ANYWAY = -1.0
"""The noise of `blur` with which nothing is out of reach."""

MUCH_SMALLER = 1.0 / 64.0
"""A circle so much smaller than another one tells where both meet: the larger one hides it by its rounding."""

Pair = tuple[float, float]
Quad = tuple[float, float, float, float]


def swing(b: Vector, k: Vector, u: Vector) -> Vector:
    """Return A, B, D, so that b · (u turned about the unit vector k) = A cos + B sin + D."""
    along = dot(b, k) * dot(k, u)
    return dot(b, u) - along, dot(b, cross(k, u)), along


def plane_turn(A: float, B: float, C: float, w: float, square: float) -> Pair:
    """Return cosine and sine of a turn with A cos + B sin = C.

    Args:
        A: Factor of the cosine.
        B: Factor of the sine.
        C: What they add up to.
        w: One of the two roots of A² + B² − C²; the other turn has the other one.
        square: A² + B².
    """
    return (A * C - B * w) / square, (B * C + A * w) / square


def in_doubt(gap: float, size: float, blur: Vector, loose: float) -> bool:
    """Return whether it is not known on which side of an edge a gap is, or whether it is at the edge."""
    return blur[2] > 0.0 and abs(gap) <= max(blur[1], blur[2] * loose) * size


def is_beyond(gap: float, edge: float, blur: Vector) -> bool:
    """Return whether a gap is beyond the edge of reach, and that counts."""
    return gap < -edge and blur[2] >= 0.0


def is_hidden(radius: float, size: float, blur: Vector, loose: float) -> bool:
    """Return whether it is not known that a radius is zero, or that it is not."""
    wide = blur[2] * loose
    return wide > blur[0] and radius <= wide * size


def looser(loose: float, part: float, blur: Vector) -> float:
    """Return how much more rounding does after a turn whose sine is this part of its radius."""
    return loose / part if blur[2] > 0.0 and part < 1.0 else loose


def on_plane(A: float, B: float, C: float, size: float, blur: Vector, loose: float) -> tuple[int, float, float]:
    """Return how many turns have A cos + B sin = C, with w ≥ 0 and A² + B² for `plane_turn`.

    Args:
        A: Factor of the cosine.
        B: Factor of the sine.
        C: What they add up to.
        size: The largest that a term of A, B or C can be: what their rounding is measured by.
        blur: See above.
        loose: See above.
    """
    square = A * A + B * B
    length, free, edge = math.sqrt(square), blur[0] * size, blur[1] * size
    gap = length - abs(C)
    if is_hidden(length, size, blur, loose):
        return DOUBT, 0.0, square
    if length <= free:
        return (FREE if abs(C) <= free else NONE), 0.0, square
    if in_doubt(gap, size, blur, loose):
        return DOUBT, 0.0, square
    if is_beyond(gap, edge, blur):
        return NONE, 0.0, square
    if gap <= edge:
        return ONE, 0.0, square
    return TWO, math.sqrt(gap * (length + abs(C))), square


def turn_between(p: Pair, x: Pair) -> Pair:
    """Return cosine and sine of the turn in a plane that brings p to x, both equally long but for rounding."""
    square = math.sqrt((p[0] * p[0] + p[1] * p[1]) * (x[0] * x[0] + x[1] * x[1]))
    return (p[0] * x[0] + p[1] * x[1]) / square, (p[0] * x[1] - p[1] * x[0]) / square


def on_circles(
    p: Vector,
    q: Vector,
    ka: Vector,
    kb: Vector,
    blur: Vector,
    loose: float,
) -> tuple[int, Quad, Vector]:
    """Return how often p turned about ka meets q turned about kb, and what `meeting` needs; |p| = |q|.

    FREE: p lies on ka, or q on kb, and the turn about it can be any.
    """
    e = cross(ka, kb)
    cosine = dot(ka, kb)
    fa, fb = cross(ka, e), cross(kb, e)
    a, b = dot(p, ka), dot(q, kb)
    alpha, beta = a - b * cosine, b - a * cosine  # of the meeting point along ka and kb, times |e|²
    px, py, qx, qy = dot(p, e), dot(p, fa), dot(q, e), dot(q, fb)
    radius, other = math.sqrt(px * px + py * py), math.sqrt(qx * qx + qy * qy)
    places = (px, py, qx, qy)
    size = math.sqrt(dot(p, p))
    free, edge = blur[0] * size, blur[1] * size
    small, near = radius, abs(beta)  # x² + beta² = radius², and x² + alpha² = other²
    if other < MUCH_SMALLER * radius:
        small, near = other, abs(alpha)
    gap = small - near
    if is_hidden(radius, size, blur, loose) or is_hidden(other, size, blur, loose):
        return DOUBT, places, (0.0, alpha, beta)
    if radius <= free or other <= free:
        return (NONE if is_beyond(gap, free, blur) else FREE), places, (0.0, alpha, beta)
    if in_doubt(gap, size, blur, loose):
        return DOUBT, places, (0.0, alpha, beta)
    if is_beyond(gap, edge, blur):
        return NONE, places, (0.0, alpha, beta)
    if gap <= edge:
        return ONE, places, (0.0, alpha, beta)
    return TWO, places, (math.sqrt(gap * (small + near)), alpha, beta)


def meeting(places: Quad, x: float, alpha: float, beta: float) -> Quad:
    """Return cosine and sine of both turns that let p and q meet, about ka and about kb; x or −x is where."""
    px, py, qx, qy = places
    ca, sa = turn_between((px, py), (x, -beta))
    cb, sb = turn_between((qx, qy), (x, alpha))
    return ca, sa, cb, sb


def meeting_of_free(places: Quad, p: Vector, q: Vector, ka: Vector, kb: Vector, at: Pair) -> Quad:
    """Return the turns of `meeting` where p lies on ka, or q on kb: the turn about it is `at`."""
    px, py, qx, qy = places
    e = cross(ka, kb)
    if px * px + py * py <= qx * qx + qy * qy:
        z = turned(ka, at[0], at[1], p)
        cb, sb = turn_between((qx, qy), (dot(z, e), dot(z, cross(kb, e))))
        return at[0], at[1], cb, sb
    z = turned(kb, at[0], at[1], q)
    ca, sa = turn_between((px, py), (dot(z, e), dot(z, cross(ka, e))))
    return ca, sa, at[0], at[1]


def elbow_turns(u: Pair, v: Pair, x: Pair, out: float, in_: float, root: float) -> Quad:
    """Return cosine and sine of the two turns in a plane with R(q₂) (u + R(q₃) v) = x.

    Args:
        u: From the first joint to the second, at zero.
        v: From the second joint to the end, at zero.
        x: Where the end shall be, from the first joint.
        out: (|u| + |v|)² − |x|².
        in_: |x|² − (|u| − |v|)².
        root: One of the two roots of out · in_, which tells the elbow's side.
    """
    total = out + in_  # 4 |u| |v|
    c, s = (in_ - out) / total, 2.0 * root / total  # of the angle between the links
    uv, across = u[0] * v[0] + u[1] * v[1], u[0] * v[1] - u[1] * v[0]
    lengths = 0.25 * total
    c3, s3 = (c * uv + s * across) / lengths, (s * uv - c * across) / lengths
    lever = (u[0] + c3 * v[0] - s3 * v[1], u[1] + s3 * v[0] + c3 * v[1])
    c2, s2 = turn_between(lever, x)
    return c2, s2, c3, s3


def on_ring(u: Pair, v: Pair, x: Pair, size: float, blur: Vector, loose: float) -> tuple[int, Vector]:
    """Return how many postures two links in a plane have that end at x, with what `elbow_turns` needs.

    FREE: equal links end where they begin, and may point anywhere.
    """
    first, second = math.sqrt(u[0] * u[0] + u[1] * u[1]), math.sqrt(v[0] * v[0] + v[1] * v[1])
    far = math.sqrt(x[0] * x[0] + x[1] * x[1])
    stretched, folded, free, edge = first + second, abs(first - second), blur[0] * size, blur[1] * size
    if is_hidden(far, size, blur, loose):
        return DOUBT, (0.0, 0.0, 0.0)
    if far <= free and folded <= free:
        return FREE, (4.0 * first * second, 0.0, 0.0)
    if in_doubt(stretched - far, size, blur, loose) or in_doubt(far - folded, size, blur, loose):
        return DOUBT, (0.0, 0.0, 0.0)
    if is_beyond(stretched - far, edge, blur) or is_beyond(far - folded, edge, blur):
        return NONE, (0.0, 0.0, 0.0)
    if stretched - far <= edge:
        return ONE, (0.0, 4.0 * first * second, 0.0)
    if far - folded <= edge:
        return ONE, (4.0 * first * second, 0.0, 0.0)
    out, in_ = (stretched - far) * (stretched + far), (far - folded) * (far + folded)
    return TWO, (out, in_, math.sqrt(out * in_))
