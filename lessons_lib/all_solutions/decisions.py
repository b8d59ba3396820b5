"""Closed form of a 6R arm: its constants, the bits of a branch, and a decision tree with at most eight solutions."""
# PARALLEL solves q₁, then q₅ and q₆, then the two links; AFTER_… and BEFORE_… place the wrist with three joints, then
# rotate it. Decisions use cosines and sines. The same text runs on intervals (proof.py).

from lessons_lib.all_solutions.subproblems import (
    FREE,
    ONE,
    TWO,
    UNCERTAIN,
    Pair,
    Quad,
    branch_count,
    circle_angles,
    count_circle_solutions,
    count_elbow_solutions,
    count_plane_solutions,
    elbow_angles,
    elbow_sine,
    planar_rotation,
    plane_angle,
    rotation_coefficients,
    subtract_angles,
    wrist_angles,
)
from lessons_lib.arrays import Array, Integers
from lessons_lib.robots.vec3 import Vector, combine, dot, minus, plus, rotate_about

Rotation = tuple[Vector, Vector, Vector]

PARALLEL, AFTER_PARALLEL, BEFORE_PARALLEL, AFTER_MEETING, BEFORE_MEETING = 0, 1, 2, 3, 4
"""Kinds of arm: axes 2, 3, 4 are parallel; or the last three meet, and axes 2, 3 or 1, 2 are parallel or meet."""
K1, K2, K3, K4, K5, K6, O1, O2, O3, O4, P, MEET, G1, G2, H1, H2 = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
"""Rows of K, in {s} at q = 0 (recognition.py): directions of the axes; points on the first four; intersections of the
last axes, and of two of the first; two directions perpendicular to the parallel axes, and two to axis 4, right-handed.
"""
SHOULDER, ELBOW, WRIST = 1, 2, 4
"""Bits of a branch: its second solution. Times 8: the angle is free; times 64: two solutions merge."""
FREE_BITS = 56
MAX_SOLUTIONS, MAX_PLACES = 8, 4  # upper bounds: solutions, and ways for the first three joints to place the wrist
FLAGS, FIRST_SOLUTION, FIRST_PLACE = 0, 1, 9
"""Indices of the codes: bits of all decisions, also of branches without solution; first solution; first wrist place."""

NEEDS_EXTENDED_PRECISION = 8192  # bit of the flags: a decision is uncertain, or the rounding of an angle exceeds
ANGLE_TOLERANCE = 1e-7  # rad


def row(K: Array, i: int) -> Vector:
    return K[i, 0], K[i, 1], K[i, 2]


def directions(K: Array) -> tuple[Vector, Vector, Vector, Vector, Vector, Vector]:
    return row(K, K1), row(K, K2), row(K, K3), row(K, K4), row(K, K5), row(K, K6)


def rotate(R: Rotation, u: Vector) -> Vector:
    return dot(R[0], u), dot(R[1], u), dot(R[2], u)


def decision_bits(count: int, side: int, bit: int) -> int:
    """Return the bits of a decision; `bit` is that of its second solution."""
    if count == FREE:
        return 8 * bit
    return 64 * bit if count == ONE else bit * side


def record_decision(count: int, bit: int, codes: Integers) -> None:
    """Record a decision in the flags, whether or not it leads to a solution."""
    if count == UNCERTAIN:
        codes[FLAGS] = codes[FLAGS] | NEEDS_EXTENDED_PRECISION
    if count == FREE or count == ONE:  # noqa: SIM109 (compiled text knows no `in`)
        codes[FLAGS] = codes[FLAGS] | decision_bits(count, 0, bit)


def amplify_error(count: int, growth: float, part: float, tol: Vector) -> float:
    """Return the error growth after a decision; `part` is the sine between its two solutions."""
    return growth / part if count == TWO and tol[2] > 0.0 and part < 1.0 else growth


def check_precision(count: int, growth: float, part: float, tol: Vector, codes: Integers) -> None:
    """Flag a branch whose last angles are not known to ANGLE_TOLERANCE."""
    if tol[2] * amplify_error(count, growth, part, tol) > ANGLE_TOLERANCE:
        codes[FLAGS] = codes[FLAGS] | NEEDS_EXTENDED_PRECISION


def offset_in_plane(K: Array, i: int, j: int) -> Pair:
    """Return the vector between two points of the arm, in the plane perpendicular to the parallel axes."""
    way = minus(row(K, j), row(K, i))
    return dot(way, row(K, G1)), dot(way, row(K, G2))


def write_angles(rotations: Array, first: Quad, second: Quad, third: Quad) -> None:
    rotations[0], rotations[1], rotations[2], rotations[3] = first
    rotations[4], rotations[5], rotations[6], rotations[7] = second
    rotations[8], rotations[9], rotations[10], rotations[11] = third


def write_place(W: Array, i: int, first: Pair, second: Pair, third: Pair, growth: float) -> None:
    """Write cosines and sines of q₁, q₂, q₃, and the error growth."""
    W[i, 6] = growth
    W[i, 0], W[i, 1] = first
    W[i, 2], W[i, 3] = second
    W[i, 4], W[i, 5] = third


def place_wrist_parallel(
    before: bool, x: Vector, K: Array, length: float, tol: Vector, free: Pair, W: Array, codes: Integers
) -> int:
    """Write up to four solutions of the first three angles, for parallel axes 2 and 3, or `before` 1 and 2."""
    # The wrist's height along the parallel axes gives the third angle; two links in the plane give the other two.
    o1, o3, g1, g2 = row(K, O1), row(K, O3), row(K, G1), row(K, G2)
    n, k = row(K, K1 if before else K2), row(K, K3 if before else K1)
    u = minus(row(K, P), o3) if before else minus(x, o1)
    coefficients = rotation_coefficients(n, k, u) if before else rotation_coefficients(u, k, n)
    height = dot(n, minus(x, o3) if before else minus(row(K, P), o1)) - coefficients[2]
    shoulders, w, square = count_plane_solutions(coefficients[0], coefficients[1], height, length, tol, 1.0)
    record_decision(shoulders, SHOULDER, codes)
    link, forearm, shift = offset_in_plane(K, O1, O2), offset_in_plane(K, O2, O3), minus(x, o1)
    reach = (dot(shift, g1), dot(shift, g2))
    count = 0
    for i in range(branch_count(shoulders)):
        growth = amplify_error(shoulders, 1.0, w / length, tol)
        c, s = plane_angle(coefficients, height, -w if i else w, square, shoulders, free)
        end = rotate_about(k, c, s if before else -s, u)
        end1, end2 = dot(end, g1), dot(end, g2)
        upper = link if before else forearm
        lower = (forearm[0] + end1, forearm[1] + end2) if before else offset_in_plane(K, O3, P)
        target = reach if before else (end1 - link[0], end2 - link[1])
        elbows, ring = count_elbow_solutions(upper, lower, target, length, tol, growth)
        record_decision(elbows, ELBOW, codes)
        for j in range(branch_count(elbows)):
            ca, sa, cb, sb = elbow_angles(elbows, upper, lower, target, ring, j, free)
            after = amplify_error(elbows, growth, elbow_sine(ring), tol)
            if before:
                write_place(W, count, (ca, sa), (cb, sb), (c, s), after)
            else:
                write_place(W, count, (c, s), (ca, sa), (cb, sb), after)
            codes[FIRST_PLACE + count] = decision_bits(shoulders, i, SHOULDER) | decision_bits(elbows, j, ELBOW)
            count += 1
    return count


def place_wrist_meeting(
    before: bool, x: Vector, K: Array, length: float, tol: Vector, free: Pair, W: Array, codes: Integers
) -> int:
    """Write up to four solutions of the first three angles, if axes 1 and 2 meet, or `before` 2 and 3."""
    # The wrist's distance from the intersection gives the third angle, its direction the other two.
    k1, k2, k3, o = row(K, K1), row(K, K2), row(K, K3), row(K, MEET)
    near, far = (k3, k1) if before else (k1, k3)
    b = minus(o, row(K, O1)) if before else minus(row(K, O3), o)
    u = minus(x, row(K, O1)) if before else minus(row(K, P), row(K, O3))
    v = minus(row(K, P), o) if before else minus(x, o)
    coefficients = rotation_coefficients(u, far, b) if before else rotation_coefficients(b, far, u)
    half = 0.5 * (dot(v, v) - dot(b, b) - dot(u, u))
    half = (-half if before else half) - coefficients[2]
    first, second = (SHOULDER, ELBOW) if before else (ELBOW, SHOULDER)
    thirds, w, square = count_plane_solutions(coefficients[0], coefficients[1], half, length * length, tol, 1.0)
    record_decision(thirds, first, codes)
    count = 0
    for i in range(branch_count(thirds)):
        growth = amplify_error(thirds, 1.0, w / (length * length), tol)
        c, s = plane_angle(coefficients, half, -w if i else w, square, thirds, free)
        y = minus(rotate_about(far, c, -s, u), b) if before else plus(b, rotate_about(far, c, s, u))
        pairs, places, where = count_circle_solutions(v, y, near, k2, tol, growth)
        record_decision(pairs, second, codes)
        for j in range(branch_count(pairs)):
            ca, sa, cb, sb = circle_angles(pairs, places, where, j, v, y, near, k2, free)
            after = amplify_error(pairs, growth, where[0] / length, tol)
            if before:
                write_place(W, count, (c, s), (cb, -sb), (ca, sa), after)
            else:
                write_place(W, count, (ca, -sa), (cb, sb), (c, s), after)
            codes[FIRST_PLACE + count] = decision_bits(thirds, i, first) | decision_bits(pairs, j, second)
            count += 1
    return count


def solve_branches(
    kind: int,
    R: Rotation,
    t: Vector,
    K: Array,
    length: float,
    tol: Vector,
    free: Pair,
    rotations: Array,
    W: Array,
    codes: Integers,
) -> int:
    """Write cosine and sine of each joint of every solution; return the number of solutions."""
    # R and t are the motion T M⁻¹, K (16, 3) the constants of the arm, `free` is cosine and sine of an arbitrary angle.
    # Outputs: rotations (8, 12) and codes (13,): flags, code of each solution, code of each wrist position; W (4, 7) is
    # scratch.
    codes[FLAGS] = 0
    if kind == PARALLEL:
        return solve_parallel_axes(R, t, K, length, tol, free, rotations, codes)
    x = plus(rotate(R, row(K, P)), t)
    if kind < AFTER_MEETING:
        count = place_wrist_parallel(kind == BEFORE_PARALLEL, x, K, length, tol, free, W, codes)
    else:
        count = place_wrist_meeting(kind == BEFORE_MEETING, x, K, length, tol, free, W, codes)
    return solve_wrist(R, K, tol, free, W, count, rotations, codes)


def solve_parallel_axes(
    R: Rotation, t: Vector, K: Array, length: float, tol: Vector, free: Pair, rotations: Array, codes: Integers
) -> int:
    """Solve an arm with three parallel axes: shoulder, wrist, elbow."""
    k1, n, _k3, _k4, k5, k6 = directions(K)
    o1, p, g1, g2 = row(K, O1), row(K, P), row(K, G1), row(K, G2)
    link, forearm, before = offset_in_plane(K, O2, O3), offset_in_plane(K, O3, O4), offset_in_plane(K, O1, O2)
    u = minus(plus(rotate(R, p), t), o1)
    coefficients = rotation_coefficients(u, k1, n)
    height = dot(n, minus(p, o1)) - coefficients[2]
    shoulders, w, square = count_plane_solutions(coefficients[0], coefficients[1], height, length, tol, 1.0)
    record_decision(shoulders, SHOULDER, codes)
    count = 0
    for i in range(branch_count(shoulders)):
        growth = amplify_error(shoulders, 1.0, w / length, tol)
        c1, s1 = plane_angle(coefficients, height, -w if i else w, square, shoulders, free)
        m1, m2 = rotate_about(k1, c1, s1, g1), rotate_about(k1, c1, s1, g2)
        back = combine(R, rotate_about(k1, c1, s1, n))
        wrists, places, where = count_circle_solutions(back, n, k6, k5, tol, growth)
        record_decision(wrists, WRIST, codes)
        for j in range(branch_count(wrists)):
            growth = amplify_error(wrists, growth, where[0], tol) if j == 0 else growth
            c5, s5, c6, s6 = wrist_angles(wrists, places, where, j, back, n, k5, k6, free)
            y = rotate(R, rotate_about(k6, c6, -s6, k5))
            whole = planar_rotation((dot(k5, g1), dot(k5, g2)), (dot(y, m1), dot(y, m2)))
            last = rotate_about(k6, c6, -s6, rotate_about(k5, c5, -s5, minus(row(K, O4), p)))
            end = plus(u, rotate(R, last))
            reach = (dot(end, m1) - before[0], dot(end, m2) - before[1])
            elbows, ring = count_elbow_solutions(link, forearm, reach, length, tol, growth)
            record_decision(elbows, ELBOW, codes)
            check_precision(elbows, growth, elbow_sine(ring), tol, codes)
            for k in range(branch_count(elbows)):
                c2, s2, c3, s3 = elbow_angles(elbows, link, forearm, reach, ring, k, free)
                c4, s4 = subtract_angles(subtract_angles(whole, (c2, s2)), (c3, s3))
                write_angles(rotations[count], (c1, s1, c2, s2), (c3, s3, c4, s4), (c5, s5, c6, s6))
                codes[FIRST_SOLUTION + count] = (
                    decision_bits(shoulders, i, SHOULDER)
                    | decision_bits(wrists, j, WRIST)
                    | decision_bits(elbows, k, ELBOW)
                )
                count += 1
    return count


def solve_wrist(
    R: Rotation, K: Array, tol: Vector, free: Pair, W: Array, count: int, rotations: Array, codes: Integers
) -> int:
    """Solve the wrist, for each of its positions."""
    k1, k2, k3, k4, k5, k6 = directions(K)
    h1, h2 = row(K, H1), row(K, H2)
    solution_count = 0
    for i in range(count):
        c1, s1, c2, s2, c3, s3, growth = W[i, 0], W[i, 1], W[i, 2], W[i, 3], W[i, 4], W[i, 5], W[i, 6]
        m = rotate_about(k1, c1, s1, rotate_about(k2, c2, s2, rotate_about(k3, c3, s3, k4)))
        m1 = rotate_about(k1, c1, s1, rotate_about(k2, c2, s2, rotate_about(k3, c3, s3, h1)))
        m2 = rotate_about(k1, c1, s1, rotate_about(k2, c2, s2, rotate_about(k3, c3, s3, h2)))
        back = combine(R, m)
        wrists, places, where = count_circle_solutions(back, k4, k6, k5, tol, growth)
        record_decision(wrists, WRIST, codes)
        check_precision(wrists, growth, where[0], tol, codes)
        for j in range(branch_count(wrists)):
            c5, s5, c6, s6 = wrist_angles(wrists, places, where, j, back, k4, k5, k6, free)
            y = rotate(R, rotate_about(k6, c6, -s6, k5))
            c4, s4 = planar_rotation((dot(k5, h1), dot(k5, h2)), (dot(y, m1), dot(y, m2)))
            write_angles(rotations[solution_count], (c1, s1, c2, s2), (c3, s3, c4, s4), (c5, s5, c6, s6))
            codes[FIRST_SOLUTION + solution_count] = codes[FIRST_PLACE + i] | decision_bits(wrists, j, WRIST)
            solution_count += 1
    return solution_count
