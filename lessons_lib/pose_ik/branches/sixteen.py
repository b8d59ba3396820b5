"""Every answer of six hinges that one or more ways to read the arm find: what `all_solutions` runs for such an arm.

A way to read the arm gives starts (determinant.py, circle.py); Newton's method on the arm makes an answer of each, or
none. Which ways there are is told by any_hinges.py.

By hand: a search with choices.
Held by: tests/pose_ik/branches/test_any_hinges.py.
"""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.branches.circle import write_slope, write_waves, write_zeros
from lessons_lib.pose_ik.branches.determinant import (
    EQUATIONS,
    LEFT,
    RIGHT,
    SIZE,
    factor,
    half_angles,
    last_angle,
    reflect,
    write_equations,
    write_matrix,
    write_null_vector,
    write_right,
)
from lessons_lib.pose_ik.branches.every import NO_POSE, TURN, finished, is_pose, motion
from lessons_lib.robots.triples import Vector, cross, minus, turned

ANSWERS = 16
"""At most so many are isolated."""

NEWTON, REACHED = 20, 1e-13
"""Steps at most; the error at which it ends, rad and lengths of the arm."""

SAME = 1e-6
"""Answers that are nearer are one, rad."""

SINGULAR = 0.01
"""A pivot below this part of the largest entry: the pose is beside a singular one, where ways lose answers."""

UNKNOWN = -1
"""No place among the answers."""

FLAT = 1e-15
"""A pivot below this part of the largest entry is taken for it: the step along it is long, and is cut."""


def step(J: Array) -> tuple[float, float]:
    """Write the solution of six equations into the last column; return its largest entry, and the least pivot.

    The pivot is told as a part of the largest entry of the matrix.
    """
    largest = 0.0
    for i in range(6):
        for j in range(6):
            largest = max(largest, abs(J[i, j]))
    least = largest
    for k in range(6):
        top = k
        for i in range(k + 1, 6):
            if abs(J[i, k]) > abs(J[top, k]):
                top = i
        if top != k:
            for j in range(k, 7):
                J[k, j], J[top, j] = J[top, j], J[k, j]
        if abs(J[k, k]) < FLAT * largest:
            J[k, k] = FLAT * largest
        least = min(least, abs(J[k, k]))
        for i in range(k + 1, 6):
            part = J[i, k] / J[k, k]
            for j in range(k + 1, 7):
                J[i, j] -= part * J[k, j]
    size = 0.0
    for n in range(6):
        k = 5 - n
        for j in range(k + 1, 6):
            J[k, 6] -= J[k, j] * J[j, 6]
        J[k, 6] /= J[k, k]
        size = max(size, abs(J[k, 6]))
    return size, least / largest


def polished(axes: Array, X: Array, q: Array, flattest: Array) -> bool:
    """Move a configuration to an answer by Newton's method; return whether it gets there.

    Args:
        axes: Of the joints, a direction and a point each, (6, 6), in lengths of the arm.
        X: The motion that the joints shall do, twelve numbers.
        q: From where, and the answer, rad.
        flattest: One number; lowered to the least pivot of the last step, where there is an answer.
    """
    least = 1.0
    J, placed = np.empty((6, 7)), np.empty((6, 6))
    for _ in range(NEWTON):
        x, y, z, p = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
        for j in range(6):
            a, b = (axes[j, 0], axes[j, 1], axes[j, 2]), (axes[j, 3], axes[j, 4], axes[j, 5])
            k = combined(x, y, z, a)
            o = combined(x, y, z, b)
            o = (o[0] + p[0], o[1] + p[1], o[2] + p[2])
            c, s = math.cos(q[j]), math.sin(q[j])
            x, y, z = turned(k, c, s, x), turned(k, c, s, y), turned(k, c, s, z)
            around = turned(k, c, s, minus(p, o))
            p = (o[0] + around[0], o[1] + around[1], o[2] + around[2])
            placed[j, 0], placed[j, 1], placed[j, 2] = k
            placed[j, 3], placed[j, 4], placed[j, 5] = o
        first, second, third = (X[0], X[4], X[8]), (X[1], X[5], X[9]), (X[2], X[6], X[10])
        if max(apart(first, x), apart(second, y), apart(third, z), apart((X[3], X[7], X[11]), p)) < REACHED:
            flattest[0] = min(flattest[0], least)
            return True
        u, v, w = cross(x, first), cross(y, second), cross(z, third)
        J[0, 6], J[1, 6], J[2, 6] = X[3] - p[0], X[7] - p[1], X[11] - p[2]
        J[3, 6], J[4, 6] = 0.5 * (u[0] + v[0] + w[0]), 0.5 * (u[1] + v[1] + w[1])
        J[5, 6] = 0.5 * (u[2] + v[2] + w[2])
        for j in range(6):
            k = (placed[j, 0], placed[j, 1], placed[j, 2])
            lever = cross(k, (p[0] - placed[j, 3], p[1] - placed[j, 4], p[2] - placed[j, 5]))
            J[0, j], J[1, j], J[2, j] = lever
            J[3, j], J[4, j], J[5, j] = k
        size, least = step(J)
        part = 1.0 / max(1.0, size)
        for j in range(6):
            q[j] += part * J[j, 6]
    return False


def combined(x: Vector, y: Vector, z: Vector, u: Vector) -> Vector:
    """Return u[0] x + u[1] y + u[2] z."""
    return (
        u[0] * x[0] + u[1] * y[0] + u[2] * z[0],
        u[0] * x[1] + u[1] * y[1] + u[2] * z[1],
        u[0] * x[2] + u[1] * y[2] + u[2] * z[2],
    )


def apart(u: Vector, v: Vector) -> float:
    """Return the largest difference of two triples."""
    return max(abs(u[0] - v[0]), abs(u[1] - v[1]), abs(u[2] - v[2]))


def known(Q: Array, count: int, q: Array, backwards: bool) -> int:
    """Return which of some answers a configuration is, whole turns aside, or UNKNOWN."""
    for k in range(count):
        total = 0.0
        for j in range(6):
            between = Q[k, 5 - j if backwards else j] - q[j]
            between -= TURN * math.floor(between / TURN + 0.5)
            total += between * between
        if total < SAME * SAME:
            return k
    return UNKNOWN


def write_starts(
    X: Array,
    axes: Array,
    lines: Array,
    undone: Array,
    left: Array,
    around: Array,
    first: int,
    kept: int,
    Q: Array,
) -> int:
    """Write a configuration near each answer that one way to read the arm finds, in its order; return how many.

    Args:
        X: The motion, twelve numbers.
        axes: A direction and a point of each joint, in the order of reading, (6, 6).
        lines: See `write_equations`.
        undone: Likewise.
        left: Likewise.
        around: See `write_zeros`.
        first: Of the three joints of the left side, the first for 0.
        kept: Which of their angles is kept.
        Q: For the starts, (k, 6).
    """
    places = around.shape[1]
    E, A, v, y = np.empty((EQUATIONS, RIGHT + LEFT)), np.empty((SIZE, SIZE)), np.empty(SIZE), np.empty(RIGHT)
    write_equations(X, lines, undone, left, E)
    reflect(E)
    values, waves, slope = np.empty(places), np.empty(places), np.empty(places)
    for i in range(places):
        write_matrix(E, around[i, 2], around[i, 1], A)
        values[i] = factor(A)
    largest = write_waves(values, around, waves)
    if not 0.0 < largest < math.inf:
        return 0
    write_slope(waves, slope)
    angles = np.empty(len(Q))
    count = write_zeros(waves, slope, around, angles)
    for n in range(count):
        q = Q[n]
        write_matrix(E, math.sin(angles[n]), math.cos(angles[n]), A)
        factor(A)
        write_null_vector(A, v)
        others = half_angles(v)
        q[first + kept] = angles[n]
        q[first + (1 if kept == 0 else 0)], q[first + (1 if kept == 2 else 2)] = others  # noqa: PLR2004
        write_right(E, angles[n], others[0], others[1], y)
        near, far = math.atan2(y[2], y[5]), math.atan2(y[6], y[7])
        q[5 if first == 1 else 0], q[0 if first == 1 else 1] = near, far
        q[first + 3] = last_angle(axes, first, X, q)
    return count


def every_answer(
    T: Array,
    back: Array,
    length: float,
    ways: Integers,
    axes: Array,
    lines: Array,
    undone: Array,
    left: Array,
    low: Array,
    high: Array,
    least: int,
    limits: Array,
    Q: Array,
) -> int:
    """Write every answer within the limits that is found, in order; return how many, or NO_POSE.

    Args:
        T: Target, shape (4, 4).
        back: M⁻¹, shape (4, 4).
        length: Of the arm, m.
        ways: To read the arm, a row each: from the tip or not, first joint of the three, which angle is kept.
        axes: See `write_starts`, for each way; likewise lines, undone and left.
        lines: Likewise.
        undone: Likewise.
        left: Likewise.
        low: What `write_starts` is told of the circle, for a first angle.
        high: The same for the others.
        least: So many ways are asked, beside a singular pose three times as many, and others until one finds all that
            are known, an even number: but for singular poses answers come in pairs.
        limits: Of the joints, (6, 2).
        Q: For the answers, (16, 6).
    """
    if not is_pose(T):
        return NO_POSE
    X, Y, found, starts, count = np.empty(12), np.empty(12), np.empty((ANSWERS, 6)), np.empty((24, 6)), 0
    write_motion(T, back, length, X, Y)
    seen, flattest = np.empty(ANSWERS), np.empty(1)  # the last way that has found an answer; the least pivot of all
    flattest[0] = 1.0
    for way in range(len(ways)):
        if is_enough(seen, count, way, least if flattest[0] > SINGULAR else 3 * least):
            break
        backwards, first, kept = ways[way, 0] == 1, ways[way, 1], ways[way, 2]
        Z = Y if backwards else X
        around = low if kept == 0 else high
        total = write_starts(Z, axes[way], lines[way], undone[way], left[way], around, first, kept, starts)
        for n in range(total):
            q = starts[n]
            place = known(found, count, q, backwards)
            if place == UNKNOWN and polished(axes[way], Z, q, flattest):
                place = known(found, count, q, backwards)
                if place == UNKNOWN and count < ANSWERS:
                    for j in range(6):
                        angle = q[5 - j if backwards else j]
                        found[count, j] = angle - TURN * math.ceil(angle / TURN - 0.5)
                    place = count
                    count += 1
            if place != UNKNOWN:
                seen[place] = way
    return sorted_within(found, count, limits, Q)


def is_enough(seen: Array, count: int, asked: int, least: int) -> bool:
    """Return whether no more ways are asked: the last found all that are known, an even number."""
    if asked < least or count % 2 == 1:
        return False
    for k in range(count):
        if seen[k] != asked - 1:
            return False
    return True


def write_motion(T: Array, back: Array, length: float, X: Array, Y: Array) -> None:
    """Write the motion from home to a pose, in lengths of the arm, and the motion back."""
    R, t = motion(T, back)
    for i in range(3):
        X[4 * i + 3] = (t[0] if i == 0 else t[1] if i == 1 else t[2]) / length
    X[0], X[1], X[2] = R[0]
    X[4], X[5], X[6] = R[1]
    X[8], X[9], X[10] = R[2]
    for i in range(3):
        for j in range(3):
            Y[4 * i + j] = X[4 * j + i]
        Y[4 * i + 3] = -(X[i] * X[3] + X[4 + i] * X[7] + X[8 + i] * X[11])


def sorted_within(found: Array, count: int, limits: Array, Q: Array) -> int:
    """Write the answers that the limits leave, by their first joints; return how many."""
    kept, signs, q = 0, np.empty(6), np.empty(6)
    for j in range(6):
        signs[j] = 1.0
    for i in range(count):
        if finished(found[i], signs, False, limits, q):
            place = kept
            while place > 0 and is_before(q, Q[place - 1]):
                for j in range(6):
                    Q[place, j] = Q[place - 1, j]
                place -= 1
            for j in range(6):
                Q[place, j] = q[j]
            kept += 1
    return kept


def is_before(a: Array, b: Array) -> bool:
    """Return whether a row of numbers comes before another one, by the first that differ."""
    for j in range(len(a)):
        if a[j] != b[j]:
            return bool(a[j] < b[j])
    return False


def every_answer_of_many(
    targets: Array,
    back: Array,
    length: float,
    ways: Integers,
    axes: Array,
    lines: Array,
    undone: Array,
    left: Array,
    low: Array,
    high: Array,
    least: int,
    limits: Array,
    Q: Array,
    counts: Integers,
) -> None:
    """Write what `every_answer` does for each target: Q has shape (k, 16, 6), counts (k,)."""
    for i in range(targets.shape[0]):
        counts[i] = every_answer(
            targets[i], back, length, ways, axes, lines, undone, left, low, high, least, limits, Q[i]
        )
