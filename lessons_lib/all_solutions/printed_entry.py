"""Entry points of a printed closed form: check the pose, solve, and keep the isolated solutions."""

import numpy as np

from lessons_lib.all_solutions.branch_margins import lock_closed_form
from lessons_lib.all_solutions.closed_form import LIMIT_SLACK, NOISE, NOT_A_POSE, solve_closed_form
from lessons_lib.all_solutions.decisions import FIRST_SOLUTION, FLAGS, FREE_BITS, NEEDS_EXTENDED_PRECISION
from lessons_lib.all_solutions.recognition import NO_FORM
from lessons_lib.arrays import Array, Integers
from lessons_lib.lie.poses import ORTHONORMALIZE_TOLERANCE, is_pose, orthonormalize, pose_deviation

NO_CLOSED_FORM = -2  # result if the value of the locked joint is outside its limits, or makes two axes nearly coincide
DECIDED_BY_ROUNDING, HAS_FAMILY = 1, 2  # bits of the flags


def read_pose(T: Array, numbers: Array) -> bool:
    """Write the 16 numbers of the pose, its rotation orthonormalized; return False if it is not a pose."""
    if not pose_deviation(T, 0) <= ORTHONORMALIZE_TOLERANCE:
        return False
    for k in range(16):
        numbers[k] = T[k // 4, k % 4]
    if not is_pose(T, 0):
        orthonormalize(numbers.reshape((16, 1)), 0, 0)
    return True


def keep_isolated(count: int, codes: Integers, rows: Array, joint: int, value: float, q: Array) -> int:
    """Write the solutions without a free angle, with the value of a locked joint, and the flags; return the number."""
    flags, kept = DECIDED_BY_ROUNDING if codes[FLAGS] & NEEDS_EXTENDED_PRECISION != 0 else 0, 0
    for k in range(count):
        if codes[FIRST_SOLUTION + k] & FREE_BITS != 0:
            flags = flags | HAS_FAMILY
        else:
            for j in range(q.shape[1]):
                if j == joint:
                    q[kept, j] = value
                else:
                    q[kept, j] = rows[k, j - 1 if joint >= 0 and j > joint else j]
            kept += 1
    codes[FLAGS] = flags
    return kept


def solve_six(
    T: Array,
    home_inverse: Array,
    kind: int,
    backwards: bool,
    K: Array,
    signs: Array,
    limits: Array,
    length: float,
    q: Array,
    codes: Integers,
) -> int:
    """Write the isolated solutions of a 6R arm, and the flags to codes[FLAGS]; return their number, or NOT_A_POSE."""
    numbers, rows = np.empty(16), np.empty((8, 6))
    codes[FLAGS] = 0
    if not read_pose(T, numbers):
        return NOT_A_POSE
    count = solve_closed_form(
        numbers.reshape((4, 4)), home_inverse, kind, backwards, K, signs, limits, length, 0.0, NOISE, rows, codes
    )
    return keep_isolated(count, codes, rows, -1, 0.0, q)


def solve_seven(
    T: Array, value: float, screws: Array, home: Array, joint: int, limits: Array, q: Array, codes: Integers
) -> int:
    """Write the isolated solutions of a 7R arm with a joint locked; return their number, or a negative result."""
    numbers, rows = np.empty(16), np.empty((8, 6))
    six, moved_home, inverse = np.empty((6, 6)), np.empty((4, 4)), np.empty((4, 4))
    K, signs, others = np.empty((16, 3)), np.empty(6), np.empty((6, 2))
    codes[FLAGS] = 0
    if not read_pose(T, numbers):
        return NOT_A_POSE
    if not limits[joint, 0] - LIMIT_SLACK <= value or not value <= limits[joint, 1] + LIMIT_SLACK:
        return NO_CLOSED_FORM
    at = min(max(value, limits[joint, 0]), limits[joint, 1])
    for i in range(6):
        k = i if i < joint else i + 1
        others[i, 0], others[i, 1] = limits[k, 0], limits[k, 1]
    kind, backwards, length = lock_closed_form(screws, home, joint, at, six, moved_home, inverse, K, signs)
    if kind == NO_FORM:
        return NO_CLOSED_FORM
    count = solve_closed_form(
        numbers.reshape((4, 4)), inverse, kind, backwards, K, signs, others, length, 0.0, NOISE, rows, codes
    )
    return keep_isolated(count, codes, rows, joint, at, q)
