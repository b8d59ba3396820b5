"""Every answer of six hinges that one or more ways to read the arm find: what `all_solutions` runs for such an arm.

A way to read the arm gives starts (determinant.py, circle.py); Newton's method on the arm (newton.py) makes an answer
of each, or none. Which ways there are is told by any_hinges.py.
"""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.all_solutions.circle import (
    UNKNOWN,
    simple_zeros,
    value_and_slope,
    write_slope,
    write_waves,
    write_zeros,
)
from lessons_lib.all_solutions.determinant import (
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
from lessons_lib.all_solutions.every import NO_POSE, TURN, finished, motion
from lessons_lib.all_solutions.newton import REACHED, pivot, polished, write_system
from lessons_lib.arrays import Array, Integers
from lessons_lib.lie.poses import is_pose
from lessons_lib.robots.triples import turned

ANSWERS = 16
"""At most so many are isolated."""

SAME = 1e-6
"""Answers that are nearer are one, rad."""

SINGULAR = 0.01
"""A pivot below this part of the largest entry: the pose is beside a singular one, where ways lose answers."""

NEAR_BY, TOLD_APART, BETWEEN = 0.01, 40.0 * REACHED, 3.0 * REACHED
"""Of answers that are nearer, rad, it is asked whether they are two. Where two come together the derivative becomes
singular, with their distance d; what lies between misses the pose by about its least pivot times d. Below TOLD_APART
that is what Newton's method leaves, and they are one."""

CLEAR, GLANCES, RANK = 100.0, 300, 1e-6
"""Zeros are counted that stand out by so many times what the determinant is off; by so many arcs at most; and where the
least pivot of what is undone is above this part of the largest: without rank eight an answer may make no zero."""

ASIDE = 1e-2
"""How far from the pose another one is whose answers are starts as well, rad and lengths of the arm."""

LOOKED_AT = 0.7
"""Where it is looked how far a determinant is off, rad, besides at its zeros."""


def known(Q: Array, count: int, q: Array, backwards: bool) -> int:
    """Return which of some answers a configuration is, whole turns aside, or UNKNOWN."""
    for k in range(count):
        if distance(Q[k], q, backwards) < SAME:
            return k
    return UNKNOWN


def distance(a: Array, q: Array, backwards: bool) -> float:
    """Return how far a configuration is from another one, which may be read from the tip, whole turns aside."""
    total = 0.0
    for j in range(6):
        between = a[5 - j if backwards else j] - q[j]
        between -= TURN * math.floor(between / TURN + 0.5)
        total += between * between
    return math.sqrt(total)


def merged(Q: Array, count: int, q: Array, backwards: bool, axes: Array, X: Array) -> int:
    """Return which of some answers one is, or cannot be told apart from; or UNKNOWN."""
    J, other, middle = np.empty((6, 7)), np.empty(6), np.empty(6)
    for k in range(count):
        far = distance(Q[k], q, backwards)
        if far < NEAR_BY:
            for j in range(6):
                between = Q[k, 5 - j if backwards else j] - q[j]
                other[j] = q[j] + between - TURN * math.floor(between / TURN + 0.5)
                middle[j] = 0.5 * (q[j] + other[j])
            flat = far * max(pivot(axes, X, q), pivot(axes, X, other)) < TOLD_APART
            if far < SAME or flat or write_system(axes, X, middle, J) < BETWEEN:
                return k
    return UNKNOWN


def write_starts(X: Array, axes: Array, left: Array, around: Array, first: int, kept: int, Q: Array) -> tuple[int, int]:
    """Write a configuration near each answer that one way to read the arm finds, in its order.

    Return how many; and how many zeros the determinant has, or UNKNOWN, where what it is off by may hide some.

    Args:
        X: The motion, twelve numbers.
        axes: See `write_equations`.
        left: Likewise.
        around: See `write_zeros`.
        first: Of the three joints of the left side, the first for 0.
        kept: Which of their angles is kept.
        Q: For the starts, (k, 6).
    """
    places = around.shape[1]
    E, A, v, y = np.empty((EQUATIONS, RIGHT + LEFT)), np.empty((SIZE, SIZE)), np.empty(SIZE), np.empty(RIGHT)
    write_equations(X, axes, first, left, E)
    reflect(E)
    least, most = abs(E[0, 0]), 0.0
    for k in range(RIGHT):
        least, most = min(least, abs(E[k, k])), max(most, abs(E[k, k]))
    values, waves, slope = np.empty(places), np.empty(places), np.empty(places)
    for i in range(places):
        write_matrix(E, around[i, 2], around[i, 1], A)
        values[i] = factor(A)
    largest = write_waves(values, around, waves)
    if not 0.0 < largest < math.inf:
        return 0, UNKNOWN
    write_slope(waves, slope)
    angles = np.empty(len(Q))
    count = write_zeros(waves, slope, around, angles)
    write_matrix(E, math.sin(LOOKED_AT), math.cos(LOOKED_AT), A)
    off = abs(factor(A) - value_and_slope(waves, LOOKED_AT)[0])
    for n in range(count):
        q = Q[n]
        write_matrix(E, math.sin(angles[n]), math.cos(angles[n]), A)
        off = max(off, abs(factor(A) - value_and_slope(waves, angles[n])[0]))
        write_null_vector(A, v)
        others = half_angles(v)
        q[first + kept] = angles[n]
        q[first + (1 if kept == 0 else 0)], q[first + (1 if kept == 2 else 2)] = others  # noqa: PLR2004
        write_right(E, angles[n], others[0], others[1], y)
        near, far = math.atan2(y[2], y[5]), math.atan2(y[6], y[7])
        q[5 if first == 1 else 0], q[0 if first == 1 else 1] = near, far
        q[first + 3] = last_angle(axes, first, X, q)
    return count, simple_zeros(waves, CLEAR * off, GLANCES) if least > RANK * most else UNKNOWN


def every_answer(
    targets: Array,
    back: Array,
    length: float,
    ways: Integers,
    axes: Array,
    left: Array,
    low: Array,
    high: Array,
    least: int,
    limits: Array,
    Q: Array,
    counts: Integers,
) -> None:
    """Write every answer within the limits that is found for each of many poses, in order, and how many, or NO_POSE.

    Args:
        targets: The poses, shape (k, 4, 4).
        back: M⁻¹, shape (4, 4).
        length: Of the arm, m.
        ways: To read the arm, a row each: from the tip or not, first joint of the three, which angle is kept.
        axes: See `write_starts`, for each way; likewise left.
        left: Likewise.
        low: What `write_starts` is told of the circle, for a first angle.
        high: The same for the others.
        least: So many ways are asked, each of the pose itself and of one ASIDE of it; beside a singular pose thrice
            as many. Others are asked until two of these looks have found each answer that is known, an even number, as
            but for singular poses answers come in pairs, and no fewer than the least number of zeros that one has
            counted. None is asked after one that finds an answer for each zero of its determinant at the pose itself;
            not beside a singular pose. A way may lose answers that share a kept angle, as those of arms with right
            angles do: a pose beside parts them.
        limits: Of the joints, (6, 2).
        Q: For the answers, (k, 16, 6).
        counts: For how many they are, (k,).
    """
    X, Y, found, starts = np.empty(12), np.empty(12), np.empty((ANSWERS, 6)), np.empty((24, 6))
    X_near, Y_near, flattest = np.empty(12), np.empty(12), np.empty(1)
    last, times = np.empty(ANSWERS), np.empty(ANSWERS)
    for i in range(targets.shape[0]):
        if not is_pose(targets[i], 0):
            counts[i] = NO_POSE
            continue
        write_motion(targets[i], back, length, X, Y)
        write_aside(X, X_near)
        write_inverse(X_near, Y_near)
        count, most, flattest[0] = 0, UNKNOWN, 1.0
        for look in range(2 * len(ways)):
            way, is_aside = look // 2, look % 2 == 1
            least_looks = 6 * least if flattest[0] <= SINGULAR else 2 * least
            if count >= most and is_enough(times, count, look, least_looks):
                break
            told, around = ways[way], low if ways[way, 2] == 0 else high
            motion_there = (Y_near if is_aside else Y) if told[0] == 1 else X_near if is_aside else X
            total, zeros = write_starts(motion_there, axes[way], left[way], around, told[1], told[2], starts)
            Z = Y if told[0] == 1 else X
            count = add_answers(starts, total, axes[way], Z, told[0] == 1, look, found, count, last, times, flattest)
            if zeros == count and flattest[0] > SINGULAR and not is_aside:
                break
            if zeros != UNKNOWN:
                most = zeros if most == UNKNOWN else min(most, zeros)
        counts[i] = sorted_within(found, count, limits, Q[i])


def add_answers(
    starts: Array,
    total: int,
    axes: Array,
    Z: Array,
    backwards: bool,
    look: int,
    found: Array,
    count: int,
    last: Array,
    times: Array,
    flattest: Array,
) -> int:
    """Add the answers to which some starts lead, and return how many there are then.

    Args:
        starts: Configurations in the order in which the arm is read, (k, 6).
        total: How many they are.
        axes: See `write_starts`.
        Z: The motion in this order, twelve numbers.
        backwards: Whether the arm is read from the tip.
        look: Number of the look that gave the starts.
        found: The answers, (16, 6).
        count: How many they are.
        last: The last look that found each.
        times: How many looks did.
        flattest: The least pivot of all, see `polished`.
    """
    for n in range(total):
        q = starts[n]
        place = known(found, count, q, backwards)
        if place == UNKNOWN and polished(axes, Z, q, flattest):
            place = merged(found, count, q, backwards, axes, Z)
            if place == UNKNOWN and count < ANSWERS:
                for j in range(6):
                    angle = q[5 - j if backwards else j]
                    found[count, j] = angle - TURN * math.ceil(angle / TURN - 0.5)
                place, last[count], times[count] = count, UNKNOWN, 0.0
                count += 1
        if place != UNKNOWN and last[place] != look:
            last[place] = look
            times[place] += 1.0
    return count


def is_enough(times: Array, count: int, asked: int, least: int) -> bool:
    """Return whether no more ways are asked: two have found each answer that is known, an even number of them."""
    if asked < least or count % 2 == 1:
        return False
    for k in range(count):
        if times[k] < 2.0:
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
    write_inverse(X, Y)


def write_inverse(X: Array, Y: Array) -> None:
    """Write the motion back."""
    for i in range(3):
        for j in range(3):
            Y[4 * i + j] = X[4 * j + i]
        Y[4 * i + 3] = -(X[i] * X[3] + X[4 + i] * X[7] + X[8 + i] * X[11])


def write_aside(X: Array, Z: Array) -> None:
    """Write a motion turned by ASIDE about an axis that is along none of an arm, and moved as far."""
    c, s, k = math.cos(ASIDE), math.sin(ASIDE), (0.48, 0.6, 0.64)
    for j in range(4):
        Z[j], Z[4 + j], Z[8 + j] = turned(k, c, s, (X[j], X[4 + j], X[8 + j]))
    Z[3], Z[7], Z[11] = Z[3] + ASIDE * k[1], Z[7] + ASIDE * k[2], Z[11] + ASIDE * k[0]


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
