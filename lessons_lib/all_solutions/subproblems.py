"""Subproblems in the manner of Paden and Kahan: rotate a point to a plane, to another circle, or to a distance.

`tol` is (free, edge, noise) relative to a size: below `free` the angle is arbitrary, within `edge` of the boundary of
reach two solutions merge, `noise` is the rounding error and `growth` its amplification by earlier ill-conditioned
angles. UNCERTAIN asks for extended precision, whose noise is 0; with the noise FORCE nothing is out of reach.
Source: Paden (1986), Kahan; Elias and Wen, IK-Geo, Mechanism and Machine Theory 209 (2025).
"""

import math

from lessons_lib.robots.vec3 import Vector, cross, dot, turned

NONE, ONE, TWO, FREE, UNCERTAIN = 0, 1, 2, 3, 4  # number of solutions
FORCE = -1.0
"""The noise of `tol` with which an unreachable point gets the nearest angle, to measure how far it is missed."""
MUCH_SMALLER = 1.0 / 64.0
"""Below this ratio of two radii the smaller circle decides: rounding of the larger one would hide it."""
Pair = tuple[float, float]
Quad = tuple[float, float, float, float]


def swing(b: Vector, k: Vector, u: Vector) -> Vector:
    """Return A, B, D with b · Rot(k, θ) u = A cos θ + B sin θ + D, for a unit vector k."""
    along = dot(b, k) * dot(k, u)
    return dot(b, u) - along, dot(b, cross(k, u)), along


def plane_turn(A: float, B: float, C: float, w: float, square: float) -> Pair:
    """Return cosine and sine of θ with A cos θ + B sin θ = C."""
    # `w` is one of the two roots of A² + B² − C², `square` is A² + B².
    return (A * C - B * w) / square, (B * C + A * w) / square


def in_doubt(gap: float, size: float, tol: Vector, growth: float) -> bool:
    """Return whether rounding hides on which side of the boundary a gap lies."""
    return tol[2] > 0.0 and abs(gap) <= max(tol[1], tol[2] * growth) * size


def is_beyond(gap: float, edge: float, tol: Vector) -> bool:
    """Return whether a gap lies beyond the boundary of reach."""
    return gap < -edge and tol[2] >= 0.0


def is_hidden(radius: float, size: float, tol: Vector, growth: float) -> bool:
    """Return whether rounding hides whether a radius is zero."""
    wide = tol[2] * growth
    return wide > tol[0] and radius <= wide * size


def amplify(growth: float, part: float, tol: Vector) -> float:
    """Return the error growth after an angle whose sine is this part of its radius."""
    return growth / part if tol[2] > 0.0 and part < 1.0 else growth


def on_plane(A: float, B: float, C: float, size: float, tol: Vector, growth: float) -> tuple[int, float, float]:
    """Return how many θ solve A cos θ + B sin θ = C, with w ≥ 0 and A² + B² for `plane_turn`."""
    # `size` bounds the terms of A, B and C, relative to which rounding is measured.
    square = A * A + B * B
    length, free, edge = math.sqrt(square), tol[0] * size, tol[1] * size
    gap = length - abs(C)
    if is_hidden(length, size, tol, growth):
        return UNCERTAIN, 0.0, square
    if length <= free:
        return (FREE if abs(C) <= free else NONE), 0.0, square
    if in_doubt(gap, size, tol, growth):
        return UNCERTAIN, 0.0, square
    if is_beyond(gap, edge, tol):
        return NONE, 0.0, square
    if gap <= edge:
        return ONE, 0.0, square
    return TWO, math.sqrt(gap * (length + abs(C))), square


def turn_between(p: Pair, x: Pair) -> Pair:
    """Return cosine and sine of the planar rotation from p to x, which have the same length to rounding."""
    square = math.sqrt((p[0] * p[0] + p[1] * p[1]) * (x[0] * x[0] + x[1] * x[1]))
    return (p[0] * x[0] + p[1] * x[1]) / square, (p[0] * x[1] - p[1] * x[0]) / square


def on_circles(p: Vector, q: Vector, ka: Vector, kb: Vector, tol: Vector, growth: float) -> tuple[int, Quad, Vector]:
    """Return how often the circle of p about ka meets that of q about kb (|p| = |q|), with input of `meeting`."""
    # FREE: p lies on ka, or q on kb, and its angle is arbitrary.
    e = cross(ka, kb)
    cosine = dot(ka, kb)
    fa, fb = cross(ka, e), cross(kb, e)
    a, b = dot(p, ka), dot(q, kb)
    alpha, beta = a - b * cosine, b - a * cosine  # of the meeting point along ka and kb, times |e|²
    px, py, qx, qy = dot(p, e), dot(p, fa), dot(q, e), dot(q, fb)
    radius, other = math.sqrt(px * px + py * py), math.sqrt(qx * qx + qy * qy)
    places = (px, py, qx, qy)
    size = math.sqrt(dot(p, p))
    free, edge = tol[0] * size, tol[1] * size
    small, near = radius, abs(beta)  # x² + beta² = radius², and x² + alpha² = other²
    if other < MUCH_SMALLER * radius:
        small, near = other, abs(alpha)
    gap = small - near
    if is_hidden(radius, size, tol, growth) or is_hidden(other, size, tol, growth):
        return UNCERTAIN, places, (0.0, alpha, beta)
    if radius <= free or other <= free:
        return (NONE if is_beyond(gap, free, tol) else FREE), places, (0.0, alpha, beta)
    if in_doubt(gap, size, tol, growth):
        return UNCERTAIN, places, (0.0, alpha, beta)
    if is_beyond(gap, edge, tol):
        return NONE, places, (0.0, alpha, beta)
    if gap <= edge:
        return ONE, places, (0.0, alpha, beta)
    return TWO, places, (math.sqrt(gap * (small + near)), alpha, beta)


def meeting(places: Quad, x: float, alpha: float, beta: float) -> Quad:
    """Return cosine and sine of both angles at which p and q meet, about ka and about kb; x or −x is where."""
    px, py, qx, qy = places
    ca, sa = turn_between((px, py), (x, -beta))
    cb, sb = turn_between((qx, qy), (x, alpha))
    return ca, sa, cb, sb


def meeting_of_free(places: Quad, p: Vector, q: Vector, ka: Vector, kb: Vector, at: Pair) -> Quad:
    """Return the angles of `meeting` if p lies on ka or q on kb; the arbitrary angle is `at`."""
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
    """Return cosine and sine of q₂ and q₃ with R(q₂) (u + R(q₃) v) = x in a plane."""
    # out = (|u| + |v|)² − |x|², in_ = |x|² − (|u| − |v|)²; `root` is a root of out · in_, its sign the side of the
    # elbow.
    total = out + in_  # 4 |u| |v|
    c, s = (in_ - out) / total, 2.0 * root / total  # of the angle between the links
    uv, across = u[0] * v[0] + u[1] * v[1], u[0] * v[1] - u[1] * v[0]
    lengths = 0.25 * total
    c3, s3 = (c * uv + s * across) / lengths, (s * uv - c * across) / lengths
    lever = (u[0] + c3 * v[0] - s3 * v[1], u[1] + s3 * v[0] + c3 * v[1])
    c2, s2 = turn_between(lever, x)
    return c2, s2, c3, s3


def on_ring(u: Pair, v: Pair, x: Pair, size: float, tol: Vector, growth: float) -> tuple[int, Vector]:
    """Return how many postures two planar links have that end at x, with the input of `elbow_turns`."""
    # FREE: links of the same length are folded and may point anywhere.
    first, second = math.sqrt(u[0] * u[0] + u[1] * u[1]), math.sqrt(v[0] * v[0] + v[1] * v[1])
    far = math.sqrt(x[0] * x[0] + x[1] * x[1])
    stretched, folded, free, edge = first + second, abs(first - second), tol[0] * size, tol[1] * size
    if is_hidden(far, size, tol, growth):
        return UNCERTAIN, (0.0, 0.0, 0.0)
    if far <= free and folded <= free:
        return FREE, (4.0 * first * second, 0.0, 0.0)
    if in_doubt(stretched - far, size, tol, growth) or in_doubt(far - folded, size, tol, growth):
        return UNCERTAIN, (0.0, 0.0, 0.0)
    if is_beyond(stretched - far, edge, tol) or is_beyond(far - folded, edge, tol):
        return NONE, (0.0, 0.0, 0.0)
    if stretched - far <= edge:
        return ONE, (0.0, 4.0 * first * second, 0.0)
    if far - folded <= edge:
        return ONE, (4.0 * first * second, 0.0, 0.0)
    out, in_ = (stretched - far) * (stretched + far), (far - folded) * (far + folded)
    return TWO, (out, in_, math.sqrt(out * in_))
