"""Which closed form the axes of six hinges allow, and its constants: plain text, which runs here and on a page."""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.all_solutions.decisions import (
    AFTER_MEETING,
    AFTER_PARALLEL,
    BEFORE_MEETING,
    BEFORE_PARALLEL,
    G1,
    G2,
    H1,
    H2,
    K1,
    MEET,
    O1,
    PARALLEL,
    P,
    row,
)
from lessons_lib.arrays import Array
from lessons_lib.robots.triples import Vector, cross, dot, minus

EXACT, NEAR = 1e-12, 0.02
"""By how much axes may miss each other, in rad and in lengths of the arm."""

APART = 1e-3
"""Axes that shall not be parallel, and points that shall not be one, are so far apart: nearer, digits are lost."""

NO_FORM, FORMS = -1, 5

LONGER = 6
"""Ways to put a sixth hinge behind five."""


def recognised(screws: Array, away: float, K: Array, signs: Array) -> tuple[int, int, float, float]:
    """Write the constants of the closed form that fits an arm best, and the sign of each turn.

    Return which form, or NO_FORM where none fits to NEAR; 1 where it begins at the tip, else 0; the arm's length, by
    which rounding is measured; and by how much its axes miss what the form supposes, in rad and in lengths of the arm.

    Args:
        screws: Axes (ω, v) of six hinges in {s}, at q = 0, shape (6, 6), one a row, m.
        away: How far the tip is from {s} there, m.
        K: For the constants, see decisions.py, shape (16, 3), m.
        signs: For the signs, shape (6,).
    """
    k, o = np.empty((6, 3)), np.empty((6, 3))
    read_axes(screws, 0, k, o)
    length = length_of(k, o, away)
    best, reading, best_off = NO_FORM, 0, NEAR
    for i in range(2 * FORMS):
        form, backwards = i % FORMS, i // FORMS
        read_axes(screws, backwards, k, o)
        off = missed(form, k, o, length)
        if off <= best_off and (best == NO_FORM or (best_off > EXACT and off < best_off)):
            best, reading, best_off = form, backwards, off
    if best != NO_FORM:
        read_axes(screws, reading, k, o)
        write_constants(best, reading, best_off, k, o, K, signs)
    return best, reading, length, best_off


def read_axes(screws: Array, backwards: int, k: Array, o: Array) -> None:
    """Write directions of the axes and a point on each, the nearest one to {s}, in the order of reading."""
    joints = screws.shape[0]
    for i in range(joints):
        j = joints - 1 - i if backwards == 1 else i
        w = (screws[j, 0], screws[j, 1], screws[j, 2])
        point = cross(w, (screws[j, 3], screws[j, 4], screws[j, 5]))
        k[i, 0], k[i, 1], k[i, 2] = w
        o[i, 0], o[i, 1], o[i, 2] = point


def size_of(u: Vector) -> float:
    """Return |u|."""
    return math.sqrt(dot(u, u))


def length_of(k: Array, o: Array, away: float) -> float:
    """Return the distances from axis to axis, added up, and that from the last to the tip."""
    found, farthest = size_of(row(o, 0)) + away, 0.0
    for i in range(k.shape[0]):
        farthest = max(farthest, max(abs(o[i, 0]), max(abs(o[i, 1]), abs(o[i, 2]))))
        if i > 0:
            found += distance(row(k, i - 1), row(o, i - 1), row(k, i), row(o, i))
    return found + farthest


def distance(a: Vector, p: Vector, b: Vector, q: Vector) -> float:
    """Return how far two lines miss each other."""
    normal = cross(a, b)
    size = size_of(normal)
    if size < APART:
        return size_of(cross(a, minus(q, p)))
    return abs(dot(normal, minus(q, p))) / size


def crossing(a: Vector, p: Vector, b: Vector, q: Vector) -> Vector:
    """Return the middle of the shortest way between two lines that are not parallel."""
    normal, way = cross(a, b), minus(q, p)
    square = dot(normal, normal)
    s, t = dot(cross(way, b), normal) / square, dot(cross(way, a), normal) / square
    return (
        0.5 * (p[0] + s * a[0] + q[0] + t * b[0]),
        0.5 * (p[1] + s * a[1] + q[1] + t * b[1]),
        0.5 * (p[2] + s * a[2] + q[2] + t * b[2]),
    )


def missed(form: int, k: Array, o: Array, length: float) -> float:
    """Return by how much axes miss what a form supposes; 1 where others are too near to be told apart."""
    first = form == PARALLEL or form == AFTER_PARALLEL or form == AFTER_MEETING  # noqa: PLR1714
    needed = turn_apart(k, 0 if first else 1)
    if min(needed, min(turn_apart(k, 3), turn_apart(k, 4))) < APART:
        return 1.0
    meet = distance(row(k, 4), row(o, 4), row(k, 5), row(o, 5)) / length
    if form == PARALLEL:
        return max(meet, max(turn_apart(k, 1), turn_apart(k, 2)))
    p = crossing(row(k, 4), row(o, 4), row(k, 5), row(o, 5))
    wrist = max(meet, size_of(cross(row(k, 3), minus(p, row(o, 3)))) / length)
    if form == AFTER_PARALLEL:
        return max(wrist, turn_apart(k, 1))
    if form == BEFORE_PARALLEL:
        return max(wrist, turn_apart(k, 0))
    i = 0 if form == AFTER_MEETING else 1
    return max(wrist, distance(row(k, i), row(o, i), row(k, i + 1), row(o, i + 1)) / length)


def turn_apart(k: Array, i: int) -> float:
    """Return the sine of the angle between an axis and the next one."""
    return size_of(cross(row(k, i), row(k, i + 1)))


def write_constants(form: int, backwards: int, off: float, k: Array, o: Array, K: Array, signs: Array) -> None:
    """Write a closed form's constants, of the arm in which axes are parallel, and meet, exactly."""
    p = crossing(row(k, 4), row(o, 4), row(k, 5), row(o, 5))
    for i in range(6):
        signs[i] = -1.0 if backwards == 1 else 1.0
    meeting, n = p, row(k, 0)
    if form == AFTER_MEETING:
        meeting = crossing(row(k, 0), row(o, 0), row(k, 1), row(o, 1))
    elif form == BEFORE_MEETING:
        meeting = crossing(row(k, 1), row(o, 1), row(k, 2), row(o, 2))
    elif form == BEFORE_PARALLEL:
        n = made_parallel(off, k, signs, 0, 1)
    else:
        n = made_parallel(off, k, signs, 1, 3 if form == PARALLEL else 2)
    for i in range(6):
        for j in range(3):
            K[K1 + i, j] = k[i, j]
            if i < 4:
                K[O1 + i, j] = o[i, j]
    K[P, 0], K[P, 1], K[P, 2] = p
    K[MEET, 0], K[MEET, 1], K[MEET, 2] = meeting
    write_across(n, G1, G2, K)
    write_across(row(k, 3), H1, H2, K)


def made_parallel(off: float, k: Array, signs: Array, first: int, last: int) -> Vector:
    """Turn axes into one direction, their middle where they are off, and the signs with them; return it."""
    n = row(k, first)
    x, y, z = 0.0, 0.0, 0.0
    for i in range(first, last + 1):
        same = -1.0 if dot(n, row(k, i)) < 0.0 else 1.0
        signs[i] = signs[i] * same
        x, y, z = x + same * k[i, 0], y + same * k[i, 1], z + same * k[i, 2]
    if off > EXACT:
        size = size_of((x, y, z))
        n = (x / size, y / size, z / size)
    for i in range(first, last + 1):
        k[i, 0], k[i, 1], k[i, 2] = n
    return n


def write_across(n: Vector, first: int, second: int, K: Array) -> None:
    """Write two unit vectors that make a right-handed frame with n; of the axes of {s}, where n is one of them."""
    K[second, 0], K[second, 1], K[second, 2] = n
    least = 0
    for j in range(1, 3):
        if abs(K[second, j]) < abs(K[second, least]):
            least = j
    along = K[second, least]
    for j in range(3):
        K[first, j] = (1.0 if j == least else 0.0) - along * K[second, j]
    size = size_of(row(K, first))
    for j in range(3):
        K[first, j] = K[first, j] / size
    K[second, 0], K[second, 1], K[second, 2] = cross(n, row(K, first))


def write_longer(screws: Array, tip: Array, way: int, longer: Array) -> None:
    """Write the axes of five hinges, and a sixth that is parallel to no axis of a usual arm.

    Args:
        screws: Axes of the five in {s}, at q = 0, shape (5, 6), one a row, m.
        tip: Place of the tip there, shape (3,), m.
        way: One of LONGER. Of two that follow each other the first goes through the point of the last axis that is
            nearest to the axis before, the second through the tip.
        longer: For the six, shape (6, 6).
    """
    k, o = np.empty((5, 3)), np.empty((5, 3))
    read_axes(screws, 0, k, o)
    place = row(o, 4)
    normal = cross(row(k, 3), row(k, 4))
    square = dot(normal, normal)
    if way % 2 == 1:
        place = (tip[0], tip[1], tip[2])
    elif square > EXACT:
        along = dot(cross(minus(place, row(o, 3)), row(k, 3)), normal) / square
        place = (place[0] + along * k[4, 0], place[1] + along * k[4, 1], place[2] + along * k[4, 2])
    direction = (-0.6, 0.64, 0.48)
    if way < 4:
        direction = (0.48, -0.6, 0.64) if way < 2 else (0.64, 0.6, 0.48)
    for i in range(5):
        for j in range(6):
            longer[i, j] = screws[i, j]
    longer[5, 0], longer[5, 1], longer[5, 2] = direction
    longer[5, 3], longer[5, 4], longer[5, 5] = cross(place, direction)
