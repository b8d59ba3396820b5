"""Nearest points of two segments, and the distance of two capsules (a sphere is a capsule of length zero)."""
# A segment is its first end and the vector u to its other end; a place on it is a number from 0 to 1. Lesson 21 proves
# `foot` and `feet` by running them on symbols. The squared distance is a convex quadratic in the two places, so its
# minimum is at the common normal of both lines, or on the border of the unit square, at one of the four ends. All five
# are tried: no threshold decides how parallel the segments are, and rounding of a place increases a distance by
# rounding only. No branch depends on a number, so the text also runs as SIMD code; see carried_bodies.py.

from __future__ import annotations

import math

from lessons_lib.robots.vec3 import Vector, cross, dot, minus, plus

CROSSING_TOLERANCE = 1e-12
"""Axes nearer than this fraction of their size are taken to cross: rounding would decide the direction."""


def point_at(a: Vector, u: Vector, s: float) -> Vector:
    """Return the point at a place of a segment."""
    return a[0] + s * u[0], a[1] + s * u[1], a[2] + s * u[2]


def foot(a: Vector, u: Vector, x: Vector) -> float:
    """Return the place on a line that is nearest to a point."""
    return dot(minus(x, a), u) / dot(u, u)


def feet(a: Vector, u: Vector, b: Vector, v: Vector) -> tuple[float, float]:
    """Return the feet of the common normal of two lines that are not parallel, as places."""
    r, n = minus(b, a), cross(u, v)
    square = dot(n, n)
    return dot(cross(r, v), n) / square, dot(cross(r, u), n) / square


def nearest_on_segment(a: Vector, u: Vector, x: Vector) -> float:
    """Return the place on a segment that is nearest to a point."""
    s = foot(a, u, x) if dot(u, u) > 0.0 else 0.0
    s = s if s > 0.0 else 0.0
    return s if s < 1.0 else 1.0


def difference(a: Vector, u: Vector, b: Vector, v: Vector, s: float, t: float) -> Vector:
    """Return the vector from a place on the first segment to one on the second."""
    return minus(point_at(b, v, t), point_at(a, u, s))


def closer_places(
    a: Vector, u: Vector, b: Vector, v: Vector, p: float, q: float, known: tuple[float, float, float]
) -> tuple[float, float, float]:
    """Return two places and their squared distance, if they are on the segments and nearer than the known ones."""
    w = difference(a, u, b, v, p, q)
    square = dot(w, w)
    inside = 0.0 <= p <= 1.0 and 0.0 <= q <= 1.0
    return (p, q, square) if inside and square < known[2] else known


def nearest_places(a: Vector, u: Vector, b: Vector, v: Vector) -> tuple[float, float, float]:
    """Return a pair of nearest places on two segments, and their squared distance."""
    t = nearest_on_segment(b, v, a)
    w = difference(a, u, b, v, 0.0, t)
    known = closer_places(a, u, b, v, 1.0, nearest_on_segment(b, v, plus(a, u)), (0.0, t, dot(w, w)))
    known = closer_places(a, u, b, v, nearest_on_segment(a, u, b), 0.0, known)
    known = closer_places(a, u, b, v, nearest_on_segment(a, u, plus(b, v)), 1.0, known)
    n = cross(u, v)
    p, q = feet(a, u, b, v) if dot(n, n) > 0.0 else (0.0, 0.0)
    return closer_places(a, u, b, v, p, q, known)


def perpendicular(u: Vector, v: Vector) -> Vector:
    """Return a unit vector perpendicular to both vectors; to the longer one if they are parallel."""
    n = cross(u, v)
    k = u if dot(u, u) >= dot(v, v) else v
    x, y, z = abs(k[0]), abs(k[1]), abs(k[2])
    axis = (1.0, 0.0, 0.0) if x <= y and x <= z else ((0.0, 1.0, 0.0) if y <= z else (0.0, 0.0, 1.0))
    n = cross(k, axis) if dot(n, n) <= CROSSING_TOLERANCE * CROSSING_TOLERANCE * dot(u, u) * dot(v, v) else n
    length = math.sqrt(dot(n, n))
    return (n[0] / length, n[1] / length, n[2] / length) if length > 0.0 else (1.0, 0.0, 0.0)


def capsule_distance(a: Vector, u: Vector, r: float, b: Vector, v: Vector, rb: float) -> float:
    """Return the distance of two capsules."""
    _, _, square = nearest_places(a, u, b, v)
    return math.sqrt(square) - r - rb


def capsule_contact(
    a: Vector, u: Vector, r: float, b: Vector, v: Vector, rb: float
) -> tuple[float, Vector, Vector, Vector]:
    """Return distance, nearest surface points and direction of two capsules, given as in `Capsule.row`."""
    # If they overlap, the distance is minus the penetration depth: moving the second by it along the direction
    # separates them. If their axes cross, the direction is one of two or more, and the distance has no derivative.
    s, t, square = nearest_places(a, u, b, v)
    p, q = point_at(a, u, s), point_at(b, v, t)
    w = minus(q, p)
    length = math.sqrt(square)
    crossing = length <= CROSSING_TOLERANCE * (math.sqrt(dot(u, u)) + math.sqrt(dot(v, v)) + r + rb)
    n = perpendicular(u, v) if crossing else (w[0] / length, w[1] / length, w[2] / length)
    return length - r - rb, point_at(p, n, r), point_at(q, n, -rb), n
