"""Margins of the branches of a 6R arm to the ends of their families: with a free angle, or of a 7R arm with a lock."""

import math
from typing import Any

import numpy as np

from lessons_lib.all_solutions.closed_form import solve_closed_form
from lessons_lib.all_solutions.decisions import FIRST_SOLUTION, MAX_SOLUTIONS
from lessons_lib.all_solutions.recognition import EXACT, NO_FORM, norm, recognize
from lessons_lib.all_solutions.subproblems import FORCE
from lessons_lib.arrays import Array, Integers
from lessons_lib.robots.revolutions import wrap_joint
from lessons_lib.robots.vec3 import cross, minus, plus, rotate_about

BRANCHES, MERGED = 64, 64  # number of branches; factor of the bits of a code for merged solutions
LEAST_MISS = 2.2250738585072014e-308  # smallest negative margin, of a missing solution
Problem = Any  # a tuple of arrays and numbers, see `margin_at`


def is_in_branch(code: int, branch: int) -> bool:
    """Return whether a solution belongs to a branch; a merged solution belongs to both."""
    merged = code // MERGED & (MAX_SOLUTIONS - 1)
    return (branch ^ code) & (BRANCHES - 1 - merged) == 0


def angular_difference(a: float, b: float) -> float:
    return abs(wrap_joint(a - b, 0.0, -math.pi, math.pi, 2.0 * math.pi))


def limit_margin(q: Array, limits: Array) -> float:
    """Return the margin of a configuration to its limits modulo revolutions, rad, at most π."""
    margin = math.pi
    for j in range(q.shape[0]):
        half = 0.5 * (limits[j, 1] - limits[j, 0])
        middle = 0.5 * (limits[j, 0] + limits[j, 1]) if math.isfinite(half) else 0.0
        margin = min(margin, min(half, math.pi) - angular_difference(q[j], middle))
    return margin


def pose_error(q: Array, screws: Array, home: Array, T: Array) -> float:
    """Return the largest entry of |e^[S_1]q_1 … e^[S_6]q_6 M − T|; `screws` (6, 6) has rows (ω, v)."""
    columns, error = home[:3].copy(), 0.0
    for i in range(6):
        j = 5 - i
        w, c, s = (screws[j, 0], screws[j, 1], screws[j, 2]), math.cos(q[j]), math.sin(q[j])
        o = cross(w, (screws[j, 3], screws[j, 4], screws[j, 5]))
        for k in range(4):
            p = (columns[0, k], columns[1, k], columns[2, k])
            p = rotate_about(w, c, s, p) if k < 3 else plus(o, rotate_about(w, c, s, minus(p, o)))
            columns[0, k], columns[1, k], columns[2, k] = p
    for k in range(4):
        for i in range(3):
            error = max(error, abs(columns[i, k] - T[i, k]))
    return error


def write_margins(
    listed: Integers,
    count: int,
    forced: Integers,
    forced_count: int,
    Q: Array,
    screws: Array,
    home: Array,
    T: Array,
    limits: Array,
    margins: Array,
) -> None:
    """Write the margin of each branch, numbered by its code; −∞ if it has no solution at all."""
    # `listed` are the codes of the solutions within the limits, `forced` those of the rows of Q, which include branches
    # just out of reach. A branch without solution has a negative margin: its error of the pose, rad and m, or of the
    # limits, rad.
    for branch in range(margins.shape[0]):
        margins[branch] = -math.inf
    for k in range(forced_count):
        within, miss = limit_margin(Q[k], limits), -1.0
        for branch in range(BRANCHES):
            if is_in_branch(forced[FIRST_SOLUTION + k], branch):
                is_listed = False
                for i in range(count):
                    is_listed = is_listed or is_in_branch(listed[FIRST_SOLUTION + i], branch)
                if is_listed:
                    apart = math.pi
                    for i in range(forced_count):
                        if is_beside(forced[FIRST_SOLUTION + i], branch):
                            largest = 0.0
                            for j in range(6):
                                largest = max(largest, angular_difference(Q[i, j], Q[k, j]))
                            apart = min(apart, largest)
                    margins[branch % margins.shape[0]] = max(min(within, apart), 0.0)
                else:
                    if miss < 0.0:
                        miss = max(pose_error(Q[k], screws, home, T), max(-within, LEAST_MISS))
                    margins[branch % margins.shape[0]] = -miss if math.isfinite(miss) else -math.inf


def is_beside(code: int, branch: int) -> bool:
    """Return whether a solution belongs to a branch that differs from this one in one decision."""
    return is_in_branch(code, branch ^ 1) or is_in_branch(code, branch ^ 2) or is_in_branch(code, branch ^ 4)


def lock_joint(screws: Array, home: Array, joint: int, value: float, six: Array, moved_home: Array) -> None:
    """Write the screws (6, 6) and home of a 7R arm with a joint locked at a value, rad; screws have rows (ω, v)."""
    w = (screws[joint, 0], screws[joint, 1], screws[joint, 2])
    o, c, s = cross(w, (screws[joint, 3], screws[joint, 4], screws[joint, 5])), math.cos(value), math.sin(value)
    t = minus(o, rotate_about(w, c, s, o))
    for i in range(7):
        k = i if i < joint else i - 1
        u, v = (screws[i, 0], screws[i, 1], screws[i, 2]), (screws[i, 3], screws[i, 4], screws[i, 5])
        if i > joint:
            u = rotate_about(w, c, s, u)
            v = plus(rotate_about(w, c, s, v), cross(t, u))
        if i != joint:
            six[k, 0], six[k, 1], six[k, 2] = u
            six[k, 3], six[k, 4], six[k, 5] = v
    for column in range(4):
        p = rotate_about(w, c, s, (home[0, column], home[1, column], home[2, column]))
        if column == 3:
            p = plus(p, t)
        moved_home[0, column], moved_home[1, column], moved_home[2, column] = p
        moved_home[3, column] = home[3, column]


def invert_pose(T: Array, inverse: Array) -> None:
    for i in range(3):
        for j in range(3):
            inverse[i, j] = T[j, i]
        inverse[i, 3] = -(T[0, i] * T[0, 3] + T[1, i] * T[1, 3] + T[2, i] * T[2, 3])
        inverse[3, i] = 0.0
    inverse[3, 3] = 1.0


def lock_closed_form(
    screws: Array,
    home: Array,
    joint: int,
    value: float,
    six: Array,
    moved_home: Array,
    inverse: Array,
    K: Array,
    signs: Array,
) -> tuple[int, bool, float]:
    """Write the closed form of a 7R arm with a joint locked; return its kind or NO_FORM, direction, and length."""
    lock_joint(screws, home, joint, value, six, moved_home)
    invert_pose(moved_home, inverse)
    tip = (moved_home[0, 3], moved_home[1, 3], moved_home[2, 3])
    kind, backwards, length, off = recognize(six, norm(tip), K, signs)
    return kind if off <= EXACT else NO_FORM, backwards == 1, length


def solve_slice(
    T: Array, screws: Array, home: Array, joint: int, value: float, limits: Array, Q: Array, codes: Integers
) -> int:
    """Solve a 7R arm with a joint locked; write solutions and codes; return their number."""
    # Two axes may nearly coincide at the value; then there is no solution, and all margins are −∞.
    six, moved_home, inverse = np.empty((6, 6)), np.empty((4, 4)), np.empty((4, 4))
    K, signs = np.empty((16, 3)), np.empty(6)
    kind, backwards, length = lock_closed_form(screws, home, joint, value, six, moved_home, inverse, K, signs)
    if kind == NO_FORM:
        return 0
    return solve_closed_form(T, inverse, kind, backwards, K, signs, limits, length, 0.0, 0.0, Q, codes)


def margin_at(problem: Problem, value: float) -> float:
    """Return the margin of a branch at a value of the free joint, rad; see `find_branch_intervals`."""
    T, screws, home, joint, limits, unlimited, inverse, kind, backwards, K, signs, length, sign, branch, memo = problem
    (values, margins), at = memo, sign * value
    count = int(values[0])
    for i in range(1, count + 1):
        if values[i] == at:
            return float(margins[i, branch])
    six, moved_home, angle = screws, home, at
    if joint >= 0:
        six, moved_home, inverse, angle = np.empty((6, 6)), np.empty((4, 4)), np.empty((4, 4)), 0.0
        K, signs = np.empty((16, 3)), np.empty(6)
        kind, backwards, length = lock_closed_form(screws, home, joint, at, six, moved_home, inverse, K, signs)
    Q, forced_Q, listed_count, forced_count = np.empty((8, 6)), np.empty((8, 6)), 0, 0
    codes, forced = np.zeros(13, dtype=np.int64), np.zeros(13, dtype=np.int64)
    if kind != NO_FORM:
        listed_count = solve_closed_form(T, inverse, kind, backwards, K, signs, limits, length, angle, 0.0, Q, codes)
        forced_count = solve_closed_form(
            T, inverse, kind, backwards, K, signs, unlimited, length, angle, FORCE, forced_Q, forced
        )
    i = min(count + 1, values.shape[0] - 1)
    values[0], values[i] = i, at
    write_margins(codes, listed_count, forced, forced_count, forced_Q, six, moved_home, T, limits, margins[i])
    return float(margins[i, branch])
