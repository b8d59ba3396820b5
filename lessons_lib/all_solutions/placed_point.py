"""Place a point with three joints, revolute or prismatic, on numbers or on intervals.

The third joint moves the point p to x, the other two move x over y to the target z. Each revolute joint keeps a plane
and a sphere, each prismatic joint two planes. Eliminating y leaves one equation in the third joint alone: a
trigonometric polynomial. For each of its zeros, y is a point of a line, on a sphere or unique.
Source: Pieper (1968), with prismatic joints.
"""

import math
from typing import Any

from lessons_lib.robots.vec3 import Vector, cross, dot, minus, plus, rotate_about

PLANE, SPHERE, SKEW, FIRST_SLIDES, SECOND_SLIDES = 0, 1, 2, 3, 4
"""The first two joints keep x in a plane, or on a sphere about the intersection of their axes, or neither: the axes are
skew, or the first or the second joint is prismatic and oblique to the axis of the other one.
"""
Joint = tuple[bool, Vector, Vector]  # whether it is revolute; direction; a point on the axis
Value = tuple[Any, Any]  # of a joint: cosine and sine of its angle, or its displacement and 0


def scale(k: Vector, by: Any) -> Vector:
    return k[0] * by, k[1] * by, k[2] * by


def square(u: Vector) -> Any:
    return dot(u, u)


def move(joint: Joint, value: Value, u: Vector) -> Vector:
    """Return a point moved by a joint."""
    if joint[0]:
        return plus(joint[2], rotate_about(joint[1], value[0], value[1], minus(u, joint[2])))
    return plus(u, scale(joint[1], value[0]))


def rotate_back(joint: Joint, value: Value, u: Vector) -> Vector:
    """Return a direction rotated back by a joint."""
    return rotate_about(joint[1], value[0], -value[1], u) if joint[0] else u


def unique_point(form: int, a: Joint, b: Joint, x: Vector, z: Vector) -> Vector:
    """Return y if it is determined by linear equations."""
    if form == SKEW:  # k₁·y, k₂·y and (o₂ − o₁)·y are known
        n, way = cross(a[1], b[1]), minus(b[2], a[2])
        r, far = minus(z, a[2]), minus(x, b[2])
        along = 0.5 * (square(r) - square(far) + square(way))
        first, second = dot(a[1], r), dot(b[1], minus(x, a[2]))
        sides = scale(cross(b[1], way), first), scale(cross(way, a[1]), second), scale(n, along)
        return plus(a[2], scale(plus(plus(sides[0], sides[1]), sides[2]), 1.0 / dot(n, way)))
    if form == FIRST_SLIDES:
        return minus(z, scale(a[1], dot(b[1], minus(z, x)) / dot(b[1], a[1])))
    if form == SECOND_SLIDES:
        return plus(x, scale(b[1], dot(a[1], minus(z, x)) / dot(a[1], b[1])))
    n = cross(a[1], b[1])  # two prismatic joints
    return plus(x, scale(b[1], dot(cross(a[1], minus(z, x)), n) / square(n)))


def miss(form: int, a: Joint, b: Joint, normal: Vector, x: Vector, z: Vector) -> Any:
    """Return a polynomial in x that is zero where the first two joints can move x to z, apart from inequalities."""
    if form == PLANE:
        return dot(normal, minus(x, z))
    if form == SPHERE:
        return square(minus(x, a[2])) - square(minus(z, a[2]))
    y = unique_point(form, a, b, x, z)
    if form == FIRST_SLIDES:
        return square(minus(y, b[2])) - square(minus(x, b[2]))
    return square(minus(y, a[2])) - square(minus(z, a[2]))


def meeting_points(
    form: int, a: Joint, b: Joint, x: Vector, z: Vector, beyond: float = 0.0, edge: float = 0.0
) -> list[Vector]:
    """Return each y for an x whose `miss` is zero; up to `beyond` out of reach, and within `edge` two of them merge."""
    if form > SPHERE or not (a[0] or b[0]):
        return [unique_point(form, a, b, x, z)]
    center, radius = a[2], square(minus(z, a[2]))
    if a[0] and b[0]:  # the planes of both joints, or the plane in which both circles meet
        other, height = b[1], dot(b[1], minus(x, a[2]))
        if form == PLANE:
            other = minus(b[2], a[2])
            height = 0.5 * (radius - square(minus(x, b[2])) + square(other))
        along = cross(a[1], other)
        first = scale(cross(other, along), dot(a[1], minus(z, a[2])))
        at = plus(a[2], scale(plus(first, scale(cross(along, a[1]), height)), 1.0 / square(along)))
    elif a[0]:
        at, along = x, b[1]
    else:
        at, along, center, radius = z, a[1], b[2], square(minus(x, b[2]))
    size, half = square(along), dot(along, minus(at, center))
    under = half * half - size * (square(minus(at, center)) - radius)
    if under < -beyond * size:
        return []
    if edge > 0.0 and under <= edge * size:
        return [plus(at, scale(along, -half / size))]
    root = math.sqrt(under)
    return [plus(at, scale(along, (side - half) / size)) for side in (root, -root)]


def value_between(
    joint: Joint, u: Vector, v: Vector, least: float = 0.0, free: Value = (1.0, 0.0)
) -> tuple[Value, bool]:
    """Return the value of a joint that moves u to v, or `free` and True if one of them is within √least of the axis."""
    _, k, o = joint
    if not joint[0]:
        return (dot(k, minus(v, u)), 0.0), False
    p, q = cross(k, minus(u, o)), cross(k, minus(v, o))
    size = square(p)
    if least > 0.0:
        if min(size, square(q)) <= least:
            return free, True
        size = math.sqrt(size * square(q))  # beyond reach, v is nearer to the axis than u, or farther
    return (dot(p, q) / size, dot(k, cross(p, q)) / size), False
