"""All solutions of a pose by a closed form: decisions.py in doubles, with angles wrapped into the limits."""

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.all_solutions.decisions import FIRST_SOLUTION, FLAGS, Rotation, row, solve_branches
from lessons_lib.arrays import Array, Integers
from lessons_lib.lie.poses import is_pose
from lessons_lib.robots.revolutions import wrap_joint
from lessons_lib.robots.vec3 import Vector, combine, dot

if TYPE_CHECKING:
    from lessons_lib.all_solutions.angle_code import angle_of


NOT_A_POSE = -1  # result for a matrix that is not a pose to rounding; the caller orthonormalizes it
OUTSIDE_LIMITS = 4096  # bit of the flags: a solution is outside the limits
FREE_BAND, EDGE_BAND, NOISE = 2e-14, 2e-14, 1e-15
"""`tol` of subproblems.py for doubles: motions below 2e-14 of the length are not resolved."""
EXACT_EDGE_BAND = 1e-15  # edge in extended precision: the rounding of the pose itself
LIMIT_SLACK = 1e-12  # rad; a joint outside its limits by less is at the limit
REVOLUTION = 2.0 * math.pi


def motion(T: Array, home_inverse: Array) -> tuple[Rotation, Vector]:
    """Return T M⁻¹ as a rotation and a translation."""
    H = home_inverse
    B, p = (row(H, 0), row(H, 1), row(H, 2)), (H[0, 3], H[1, 3], H[2, 3])
    a, b, c = row(T, 0), row(T, 1), row(T, 2)
    t = (dot(a, p) + T[0, 3], dot(b, p) + T[1, 3], dot(c, p) + T[2, 3])
    return (combine(B, a), combine(B, b), combine(B, c)), t


def invert_motion(R: Rotation, t: Vector) -> tuple[Rotation, Vector]:
    x, y, z = combine(R, t)
    first, second, third = (R[0][0], R[1][0], R[2][0]), (R[0][1], R[1][1], R[2][1]), (R[0][2], R[1][2], R[2][2])
    return (first, second, third), (-x, -y, -z)


def solve_closed_form(
    T: Array,
    home_inverse: Array,
    kind: int,
    backwards: bool,
    K: Array,
    signs: Array,
    limits: Array,
    length: float,
    free_angle: float,
    noise: float,
    Q: Array,
    codes: Integers,
) -> int:
    """Write the solutions within the limits (6, 2); return their number, or NOT_A_POSE."""
    # `home_inverse` is M⁻¹; kind, backwards, K and signs (6,) are those of a `Structure`; `free_angle` is the value of
    # an arbitrary angle, rad; `noise` is NOISE, 0 to decide everything in doubles, or FORCE. Outputs: Q (8, 6), codes
    # (13,).
    if not is_pose(T, 0):
        return NOT_A_POSE
    R, t = motion(T, home_inverse)
    if backwards:
        R, t = invert_motion(R, t)
    W, rotations = np.empty((4, 7)), np.empty((8, 12))
    tol, free = (FREE_BAND, EDGE_BAND, noise), (math.cos(free_angle), math.sin(free_angle))
    count = solve_branches(kind, R, t, K, length, tol, free, rotations, W, codes)
    return write_solutions(rotations, count, signs, backwards, limits, Q, codes)


def write_solutions(
    rotations: Array, count: int, signs: Array, backwards: bool, limits: Array, Q: Array, codes: Integers
) -> int:
    """Write the solutions within the limits, and their codes; return their number."""
    angles, q, kept = np.empty(6), np.empty(6), 0
    for i in range(count):
        for j in range(6):
            angles[j] = angle_of(rotations[i, 2 * j], rotations[i, 2 * j + 1])
        if wrap_into_limits(angles, signs, backwards, limits, q):
            for j in range(6):
                Q[kept, j] = q[j]
            codes[FIRST_SOLUTION + kept] = codes[FIRST_SOLUTION + i]
            kept += 1
        else:
            codes[FLAGS] = codes[FLAGS] | OUTSIDE_LIMITS
    return kept


def wrap_into_limits(rotations: Array, signs: Array, backwards: bool, limits: Array, q: Array) -> bool:
    """Write a configuration in the arm's joint order, wrapped into the limits; return False if a joint is outside."""
    for i in range(6):
        j = 5 - i if backwards else i
        x, lower, upper = signs[i] * rotations[i], limits[j, 0], limits[j, 1]
        if x < lower - LIMIT_SLACK or x > upper + LIMIT_SLACK:
            x = wrap_joint(x, 0.0, lower - LIMIT_SLACK, upper + LIMIT_SLACK, REVOLUTION)
        if x < lower - LIMIT_SLACK or x > upper + LIMIT_SLACK:
            return False
        q[j] = min(max(x, lower), upper)
    return True


def solve_closed_form_batch(
    targets: Array,
    home_inverse: Array,
    kind: int,
    backwards: bool,
    K: Array,
    signs: Array,
    limits: Array,
    length: float,
    Q: Array,
    counts: Integers,
    codes: Integers,
) -> None:
    """Solve k poses; outputs are Q (k, 8, 6), counts (k,) and codes (k, 13)."""
    for i in range(targets.shape[0]):
        counts[i] = solve_closed_form(
            targets[i], home_inverse, kind, backwards, K, signs, limits, length, 0.0, NOISE, Q[i], codes[i]
        )
