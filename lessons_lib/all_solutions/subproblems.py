"""Subproblems: rotate a point into a plane, or (Paden-Kahan) onto another one, onto a circle, or to a distance."""
# `tol` is (free, edge, noise) relative to a size: below `free` the angle is arbitrary, within `edge` of the boundary of
# reach two solutions merge, `noise` is the rounding error and `growth` its amplification by earlier ill-conditioned
# angles. UNCERTAIN requests more digits, with which `noise` is 0 or small against `edge`; with the noise FORCE nothing
# is out of reach. Source: Paden (1986), Kahan; Elias and Wen, IK-Geo, Mechanism and Machine Theory 209 (2025).

import math

from lessons_lib.robots.vec3 import Vector, cross, dot, rotate_about

NONE, ONE, TWO, FREE, UNCERTAIN = 0, 1, 2, 3, 4  # number of solutions
FORCE = -1.0
"""Noise with which an unreachable point gets the nearest angle, to measure its error."""
SMALL_RADIUS = 1.0 / 64.0
"""Below this ratio of two radii the smaller circle decides, since rounding of the larger one would hide it."""
NEGLIGIBLE = 1.0 / 64.0  # rounding errors below this share of the edge decide nothing
Pair = tuple[float, float]
Quad = tuple[float, float, float, float]


def rotation_coefficients(b: Vector, k: Vector, u: Vector) -> Vector:
    """Return A, B, D with b · Rot(k, θ) u = A cos θ + B sin θ + D, for a unit vector k."""
    along = dot(b, k) * dot(k, u)
    return dot(b, u) - along, dot(b, cross(k, u)), along


def solve_plane(A: float, B: float, C: float, w: float, square: float) -> Pair:
    """Return cosine and sine of θ with A cos θ + B sin θ = C."""
    # `w` is one of the two roots of A² + B² − C², `square` is A² + B².
    return (A * C - B * w) / square, (B * C + A * w) / square


def is_uncertain(gap: float, size: float, tol: Vector, growth: float) -> bool:
    """Return whether rounding may change the sign of a gap."""
    wide = tol[2] * growth
    return wide > NEGLIGIBLE * tol[1] and abs(gap) <= max(tol[1], wide) * size


def is_out_of_reach(gap: float, edge: float, tol: Vector) -> bool:
    return gap < -edge and tol[2] >= 0.0


def is_zero_uncertain(radius: float, size: float, tol: Vector, growth: float) -> bool:
    """Return whether a radius may be zero, to rounding."""
    wide = tol[2] * growth
    return wide > tol[0] and radius <= wide * size


def count_plane_solutions(
    A: float, B: float, C: float, size: float, tol: Vector, growth: float
) -> tuple[int, float, float]:
    """Count the θ with A cos θ + B sin θ = C; return also w ≥ 0 and A² + B² for `solve_plane`."""
    # `size` bounds the terms of A, B and C; rounding is relative to it.
    square = A * A + B * B
    length, free, edge = math.sqrt(square), tol[0] * size, tol[1] * size
    gap = length - abs(C)
    if is_zero_uncertain(length, size, tol, growth):
        return UNCERTAIN, 0.0, square
    if length <= free:
        return (FREE if abs(C) <= free else NONE), 0.0, square
    if is_uncertain(gap, size, tol, growth):
        return UNCERTAIN, 0.0, square
    if is_out_of_reach(gap, edge, tol):
        return NONE, 0.0, square
    if gap <= edge:
        return ONE, 0.0, square
    return TWO, math.sqrt(gap * (length + abs(C))), square


def planar_rotation(p: Pair, x: Pair) -> Pair:
    """Return cosine and sine of the planar rotation from p to x, which have the same length to rounding."""
    square = math.sqrt((p[0] * p[0] + p[1] * p[1]) * (x[0] * x[0] + x[1] * x[1]))
    return (p[0] * x[0] + p[1] * x[1]) / square, (p[0] * x[1] - p[1] * x[0]) / square


def count_circle_solutions(
    p: Vector, q: Vector, ka: Vector, kb: Vector, tol: Vector, growth: float
) -> tuple[int, Quad, Vector]:
    """Count the intersections of the circles of p about ka and q about kb, |p| = |q|, for `solve_circles`."""
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
    if other < SMALL_RADIUS * radius:
        small, near = other, abs(alpha)
    gap = small - near
    if is_zero_uncertain(radius, size, tol, growth) or is_zero_uncertain(other, size, tol, growth):
        return UNCERTAIN, places, (0.0, alpha, beta)
    if radius <= free or other <= free:
        return (NONE if is_out_of_reach(gap, free, tol) else FREE), places, (0.0, alpha, beta)
    if is_uncertain(gap, size, tol, growth):
        return UNCERTAIN, places, (0.0, alpha, beta)
    if is_out_of_reach(gap, edge, tol):
        return NONE, places, (0.0, alpha, beta)
    if gap <= edge:
        return ONE, places, (0.0, alpha, beta)
    return TWO, places, (math.sqrt(gap * (small + near)), alpha, beta)


def solve_circles(places: Quad, x: float, alpha: float, beta: float) -> Quad:
    """Return cosine and sine of both angles, about ka and kb, that bring p to q; the two solutions have x and −x."""
    px, py, qx, qy = places
    ca, sa = planar_rotation((px, py), (x, -beta))
    cb, sb = planar_rotation((qx, qy), (x, alpha))
    return ca, sa, cb, sb


def solve_free_circle(places: Quad, p: Vector, q: Vector, ka: Vector, kb: Vector, free: Pair) -> Quad:
    """Return the angles of `solve_circles` if p lies on ka or q on kb; the arbitrary angle is `free`."""
    px, py, qx, qy = places
    e = cross(ka, kb)
    if px * px + py * py <= qx * qx + qy * qy:
        z = rotate_about(ka, free[0], free[1], p)
        cb, sb = planar_rotation((qx, qy), (dot(z, e), dot(z, cross(kb, e))))
        return free[0], free[1], cb, sb
    z = rotate_about(kb, free[0], free[1], q)
    ca, sa = planar_rotation((px, py), (dot(z, e), dot(z, cross(ka, e))))
    return ca, sa, free[0], free[1]


def solve_elbow(u: Pair, v: Pair, x: Pair, out: float, in_: float, root: float) -> Quad:
    """Return cosine and sine of q₂ and q₃ with R(q₂) (u + R(q₃) v) = x in a plane."""
    # out = (|u| + |v|)² − |x|², in_ = |x|² − (|u| − |v|)²; `root` is a root of out · in_, its sign the side of the
    # elbow.
    total = out + in_  # 4 |u| |v|
    c, s = (in_ - out) / total, 2.0 * root / total  # of the angle between the links
    uv, across = u[0] * v[0] + u[1] * v[1], u[0] * v[1] - u[1] * v[0]
    lengths = 0.25 * total
    c3, s3 = (c * uv + s * across) / lengths, (s * uv - c * across) / lengths
    lever = (u[0] + c3 * v[0] - s3 * v[1], u[1] + s3 * v[0] + c3 * v[1])
    c2, s2 = planar_rotation(lever, x)
    return c2, s2, c3, s3


def count_elbow_solutions(u: Pair, v: Pair, x: Pair, size: float, tol: Vector, growth: float) -> tuple[int, Vector]:
    """Count the postures of two planar links that reach x; return inputs of `solve_elbow`."""
    # FREE: links of the same length are folded and may point anywhere.
    first, second = math.sqrt(u[0] * u[0] + u[1] * u[1]), math.sqrt(v[0] * v[0] + v[1] * v[1])
    far = math.sqrt(x[0] * x[0] + x[1] * x[1])
    stretched, folded, free, edge = first + second, abs(first - second), tol[0] * size, tol[1] * size
    if is_zero_uncertain(far, size, tol, growth):
        return UNCERTAIN, (0.0, 0.0, 0.0)
    if far <= free and folded <= free:
        return FREE, (4.0 * first * second, 0.0, 0.0)
    if is_uncertain(stretched - far, size, tol, growth) or is_uncertain(far - folded, size, tol, growth):
        return UNCERTAIN, (0.0, 0.0, 0.0)
    if is_out_of_reach(stretched - far, edge, tol) or is_out_of_reach(far - folded, edge, tol):
        return NONE, (0.0, 0.0, 0.0)
    if stretched - far <= edge:
        return ONE, (0.0, 4.0 * first * second, 0.0)
    if far - folded <= edge:
        return ONE, (4.0 * first * second, 0.0, 0.0)
    out, in_ = (stretched - far) * (stretched + far), (far - folded) * (far + folded)
    return TWO, (out, in_, math.sqrt(out * in_))


def branch_count(count: int) -> int:
    """Return the number of branches of a decision; a free angle is one branch."""
    return 2 if count == TWO else 1 if count == ONE or count == FREE else 0  # noqa: SIM109, PLR1714


def subtract_angles(a: Pair, b: Pair) -> Pair:
    return a[0] * b[0] + a[1] * b[1], a[1] * b[0] - a[0] * b[1]


def plane_angle(coefficients: Vector, C: float, w: float, square: float, count: int, free: Pair) -> Pair:
    """Return an angle: `free` if it is arbitrary, the nearest one at the boundary of reach."""
    if count == ONE:
        far = math.sqrt(square)
        return solve_plane(coefficients[0], coefficients[1], far if C > 0.0 else -far, 0.0, square)
    return free if count == FREE else solve_plane(coefficients[0], coefficients[1], C, w, square)


def circle_angles(
    count: int, places: Quad, where: Vector, side: int, p: Vector, q: Vector, ka: Vector, kb: Vector, free: Pair
) -> Quad:
    """Return the angles found by `count_circle_solutions`, about ka and about kb."""
    if count == FREE:
        return solve_free_circle(places, p, q, ka, kb, free)
    return solve_circles(places, -where[0] if side else where[0], where[1], where[2])


def elbow_angles(count: int, u: Pair, v: Pair, x: Pair, ring: Vector, side: int, free: Pair) -> Quad:
    """Return the angles found by `count_elbow_solutions`; the first one is `free` if the links are folded."""
    if count == FREE:
        c3, s3 = planar_rotation(v, (-u[0], -u[1]))
        return free[0], free[1], c3, s3
    return solve_elbow(u, v, x, ring[0], ring[1], -ring[2] if side else ring[2])


def elbow_sine(ring: Vector) -> float:
    """Return the sine of the angle between two links, from the result of `count_elbow_solutions`."""
    return 2.0 * ring[2] / (ring[0] + ring[1]) if ring[2] > 0.0 else 0.0


def wrist_angles(
    count: int, places: Quad, where: Vector, side: int, back: Vector, n: Vector, k5: Vector, k6: Vector, free: Pair
) -> Quad:
    """Return q₅ and q₆ with Rot(k₆, q₆) back = Rot(k₅, −q₅) n."""
    c6, s6, c5, s5 = circle_angles(count, places, where, side, back, n, k6, k5, free)
    return c5, -s5, c6, s6
