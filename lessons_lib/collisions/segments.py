"""The nearest points of two segments, and how far two capsules are from each other.

A capsule is all that is within a radius of a segment; a sphere is one whose segment has no length. A segment is its
first end and the way u to its other end; a place on it is a number from 0 to 1.

`foot` and `feet`, functions of numbers without a branch, are what lesson 21 proves; they are run there on symbols. The
square of the distance is a convex quadratic in the two places, so it is least where both lines have their common
normal, or else on a border of the unit square, at one of the four ends. All five are tried: nothing is decided by how
parallel the segments are, and what rounding does to a place makes a distance longer by rounding only.

No statement hangs on a number: a choice is between two values. So the text runs over lanes as it stands; see
carried_bodies.py.
"""

from __future__ import annotations

import math

from lessons_lib.robots.triples import Vector, cross, dot, minus, plus

BLURRED = 1e-12
"""Axes that are nearer than this part of their size cross: what rounding leaves between them has no direction."""


def point_at(a: Vector, u: Vector, s: float) -> Vector:
    """Return the point at a place of a segment."""
    return a[0] + s * u[0], a[1] + s * u[1], a[2] + s * u[2]


def foot(a: Vector, u: Vector, x: Vector) -> float:
    """Return the place on a line that is nearest to a point."""
    return dot(minus(x, a), u) / dot(u, u)


def feet(a: Vector, u: Vector, b: Vector, v: Vector) -> tuple[float, float]:
    """Return the places on two lines, not parallel, that are nearest to each other: the ends of the common normal."""
    r, n = minus(b, a), cross(u, v)
    square = dot(n, n)
    return dot(cross(r, v), n) / square, dot(cross(r, u), n) / square


def within(a: Vector, u: Vector, x: Vector) -> float:
    """Return the place on a segment that is nearest to a point."""
    s = foot(a, u, x) if dot(u, u) > 0.0 else 0.0
    s = s if s > 0.0 else 0.0
    return s if s < 1.0 else 1.0


def gap(a: Vector, u: Vector, b: Vector, v: Vector, s: float, t: float) -> Vector:
    """Return the way from a place on the first segment to one on the second."""
    return minus(point_at(b, v, t), point_at(a, u, s))


def nearer(
    a: Vector, u: Vector, b: Vector, v: Vector, p: float, q: float, known: tuple[float, float, float]
) -> tuple[float, float, float]:
    """Return two places and the square of their distance: those at hand, or these where they are nearer."""
    w = gap(a, u, b, v, p, q)
    square = dot(w, w)
    inside = 0.0 <= p <= 1.0 and 0.0 <= q <= 1.0
    return (p, q, square) if inside and square < known[2] else known


def nearest(a: Vector, u: Vector, b: Vector, v: Vector) -> tuple[float, float, float]:
    """Return the places on two segments that are nearest to each other, and the square of their distance.

    Of several pairs it is one.
    """
    t = within(b, v, a)
    w = gap(a, u, b, v, 0.0, t)
    known = nearer(a, u, b, v, 1.0, within(b, v, plus(a, u)), (0.0, t, dot(w, w)))
    known = nearer(a, u, b, v, within(a, u, b), 0.0, known)
    known = nearer(a, u, b, v, within(a, u, plus(b, v)), 1.0, known)
    n = cross(u, v)
    p, q = feet(a, u, b, v) if dot(n, n) > 0.0 else (0.0, 0.0)
    return nearer(a, u, b, v, p, q, known)


def across(u: Vector, v: Vector) -> Vector:
    """Return a unit vector across two ways; across one of them where they are parallel or one has no length."""
    n = cross(u, v)
    k = u if dot(u, u) >= dot(v, v) else v
    x, y, z = abs(k[0]), abs(k[1]), abs(k[2])
    axis = (1.0, 0.0, 0.0) if x <= y and x <= z else ((0.0, 1.0, 0.0) if y <= z else (0.0, 0.0, 1.0))
    n = cross(k, axis) if dot(n, n) <= BLURRED * BLURRED * dot(u, u) * dot(v, v) else n
    length = math.sqrt(dot(n, n))
    return (n[0] / length, n[1] / length, n[2] / length) if length > 0.0 else (1.0, 0.0, 0.0)


def apart(a: Vector, u: Vector, r: float, b: Vector, v: Vector, rb: float) -> float:
    """Return the distance that `between` returns."""
    _, _, square = nearest(a, u, b, v)
    return math.sqrt(square) - r - rb


def between(a: Vector, u: Vector, r: float, b: Vector, v: Vector, rb: float) -> tuple[float, Vector, Vector, Vector]:
    """Return how far two capsules are from each other, a point on the surface of each, and the direction between.

    Where they overlap the distance is minus how deep, and so far along the direction moves the second one out of the
    first. Where their axes cross it is one of two opposite directions, or one of many: it has no derivative there.

    Args:
        a: First end of the axis of the first, m.
        u: From there to the other end, m.
        r: Radius of the first, m.
        b: As a, of the second.
        v: As u, of the second.
        rb: As r, of the second.

    Returns:
        The distance, m; the nearest points of the first and of the second, m; a unit vector from the first to the
        second.
    """
    s, t, square = nearest(a, u, b, v)
    p, q = point_at(a, u, s), point_at(b, v, t)
    w = minus(q, p)
    length = math.sqrt(square)
    blurred = length <= BLURRED * (math.sqrt(dot(u, u)) + math.sqrt(dot(v, v)) + r + rb)
    n = across(u, v) if blurred else (w[0] / length, w[1] / length, w[2] / length)
    return length - r - rb, point_at(p, n, r), point_at(q, n, -rb), n
