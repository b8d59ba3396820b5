"""Every configuration within the limits of an arm with a closed form, for one pose or many."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.all_solutions.closed_forms import closed_form
from lessons_lib.all_solutions.decisions import LEAF, SEEN, Rotation, applied_back
from lessons_lib.arrays import Array, Integers
from lessons_lib.lie.poses import is_pose
from lessons_lib.robots.triples import Vector

if TYPE_CHECKING:
    from lessons_lib.all_solutions.angle_code import angle_of

NO_POSE = -1
"""Returned where a matrix is no pose to rounding: it is then looked at with care."""

EXCLUDED = 4096
"""Bit of what was seen on the way: a configuration lies outside the limits."""

FREE_BAND, EDGE_BAND, NOISE = 2e-14, 2e-14, 1e-15
"""`blur` of crossings.py for doubles: what moves the arm by less than 2e-14 of its length is not told apart."""

EXACT_EDGE_BAND = 1e-15
"""The same with numbers of more digits: as the pose itself is rounded."""

SLACK = 1e-12
"""A joint so little outside its limits, rad, stands at the limit."""

TURN = 2.0 * math.pi


def motion(T: Array, back: Array) -> tuple[Rotation, Vector]:
    """Return T · back as a rotation and a translation."""
    a = (entry(T, back, 0, 0), entry(T, back, 0, 1), entry(T, back, 0, 2))
    b = (entry(T, back, 1, 0), entry(T, back, 1, 1), entry(T, back, 1, 2))
    c = (entry(T, back, 2, 0), entry(T, back, 2, 1), entry(T, back, 2, 2))
    t = (entry(T, back, 0, 3) + T[0, 3], entry(T, back, 1, 3) + T[1, 3], entry(T, back, 2, 3) + T[2, 3])
    return (a, b, c), t


def entry(T: Array, back: Array, i: int, j: int) -> float:
    """Return an entry of the product of the first three columns and rows."""
    return float(T[i, 0] * back[0, j] + T[i, 1] * back[1, j] + T[i, 2] * back[2, j])


def undone(R: Rotation, t: Vector) -> tuple[Rotation, Vector]:
    """Return the inverse of a motion."""
    x, y, z = applied_back(R, t)
    first, second, third = (R[0][0], R[1][0], R[2][0]), (R[0][1], R[1][1], R[2][1]), (R[0][2], R[1][2], R[2][2])
    return (first, second, third), (-x, -y, -z)


def every(
    T: Array,
    back: Array,
    kind: int,
    backwards: bool,
    K: Array,
    signs: Array,
    limits: Array,
    length: float,
    at: float,
    noise: float,
    Q: Array,
    codes: Integers,
) -> int:
    """Write every configuration within the limits that brings the tip to a pose; return how many, or NO_POSE.

    Args:
        T: Target, shape (4, 4).
        back: M⁻¹, shape (4, 4).
        kind: Of the closed form.
        backwards: Whether it begins at the tip.
        K: Its constants.
        signs: Of its turns, shape (6,).
        limits: Of the arm's joints, shape (6, 2).
        length: Of the arm.
        at: Value of a turn that is free.
        noise: NOISE; or 0, where no decision is to be left to numbers of more digits; or ANYWAY of crossings.py.
        Q: For the configurations, shape (8, 6).
        codes: For what was decided on the way, shape (13,).
    """
    if not is_pose(T, 0):
        return NO_POSE
    R, t = motion(T, back)
    if backwards:
        R, t = undone(R, t)
    W, turns, angles, q = np.empty((4, 7)), np.empty((8, 12)), np.empty(6), np.empty(6)
    blur, free = (FREE_BAND, EDGE_BAND, noise), (math.cos(at), math.sin(at))
    found = closed_form(kind, R, t, K, length, blur, free, turns, W, codes)
    kept = 0
    for i in range(found):
        for j in range(6):
            angles[j] = angle_of(turns[i, 2 * j], turns[i, 2 * j + 1])
        if finished(angles, signs, backwards, limits, q):
            for j in range(6):
                Q[kept, j] = q[j]
            codes[LEAF + kept] = codes[LEAF + i]
            kept += 1
        else:
            codes[SEEN] = codes[SEEN] | EXCLUDED
    return kept


def finished(turns: Array, signs: Array, backwards: bool, limits: Array, q: Array) -> bool:
    """Write a configuration in the arm's own order, each joint within its limits if a whole turn brings it there."""
    for i in range(6):
        j = 5 - i if backwards else i
        x, lower, upper = signs[i] * turns[i], limits[j, 0], limits[j, 1]
        if x < lower - SLACK:
            x += TURN * math.ceil((lower - SLACK - x) / TURN)
        elif x > upper + SLACK:
            x -= TURN * math.ceil((x - upper - SLACK) / TURN)
        if x < lower - SLACK or x > upper + SLACK:
            return False
        q[j] = min(max(x, lower), upper)
    return True


def every_of_many(
    targets: Array,
    back: Array,
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
    """Write what `every` does for each target: Q has shape (k, 8, 6), codes (k, 13), counts (k,)."""
    for i in range(targets.shape[0]):
        counts[i] = every(targets[i], back, kind, backwards, K, signs, limits, length, 0.0, NOISE, Q[i], codes[i])
