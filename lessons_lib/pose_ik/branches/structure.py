"""What an arm's axes allow, recognised from its screws: which closed form, read from the base or from the tip.

Axes count as parallel, or as meeting, where they are so to EXACT of the arm's length; the answers are then those of the
arm in which they are so exactly, `off` away. An arm whose axes are off by up to NEAR, as those of a calibrated one are,
has the answers of the nearest such arm as starts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.branches.decisions import (
    AFTER_MEETING,
    AFTER_PARALLEL,
    BEFORE_MEETING,
    BEFORE_PARALLEL,
    PARALLEL,
)
from lessons_lib.robots import triples

EXACT, NEAR = 1e-12, 0.02
"""By how much axes may miss each other, in rad and in lengths of the arm."""

APART = 1e-3
"""Axes that shall not be parallel, and points that shall not be one, are so far apart: nearer, digits are lost."""

SENTENCES = {
    PARALLEL: "axes {2}, {3} and {4} are parallel, {5} and {6} meet",
    AFTER_PARALLEL: "axes {4}, {5} and {6} meet in a wrist, {2} and {3} are parallel",
    BEFORE_PARALLEL: "axes {4}, {5} and {6} meet in a wrist, {1} and {2} are parallel",
    AFTER_MEETING: "axes {4}, {5} and {6} meet in a wrist, {1} and {2} meet",
    BEFORE_MEETING: "axes {4}, {5} and {6} meet in a wrist, {2} and {3} meet",
}


@dataclass(frozen=True, eq=False)
class Structure:
    """A closed form of an arm with six hinges, and its constants.

    Attributes:
        kind: Of the closed form, see decisions.py.
        backwards: Whether its first axis is the arm's last.
        constants: K of decisions.py, shape (16, 3), m.
        signs: Of each turn about the constants' axes, in their order, shape (6,).
        length: Of the arm, m, by which rounding is measured.
        off: By how much the arm's axes miss what the closed form supposes, in rad and in lengths of the arm.
    """

    kind: int
    backwards: bool
    constants: Array
    signs: Array
    length: float
    off: float

    @property
    def sentence(self) -> str:
        """What the axes do, in words, the arm's own numbers of the joints."""
        order = range(6, 0, -1) if self.backwards else range(1, 7)
        return SENTENCES[self.kind].format(None, *order)


def structure_of(screws: Array, home: Array) -> Structure | None:
    """Return the closed form that fits an arm best, or None where none fits to NEAR.

    Args:
        screws: Axes (ω, v) of six hinges in {s}, at q = 0, shape (6, 6), m.
        home: Pose of the tip at q = 0, shape (4, 4).
    """
    directions, points = screws[:3].T, np.cross(screws[:3].T, screws[3:].T)
    length = length_of(directions, points, home)
    found = list(fits(directions, points, length, False)) + list(fits(directions[::-1], points[::-1], length, True))
    fitting = [one for one in found if one.off <= NEAR]
    return min(fitting, key=lambda one: (one.off > EXACT, one.off if one.off > EXACT else 0.0), default=None)


def length_of(directions: Array, points: Array, home: Array) -> float:
    """Return the distances from axis to axis, added up, and that from the last to the tip."""
    ways = [float(np.linalg.norm(points[0]))]
    ways += [distance(directions[i], points[i], directions[i + 1], points[i + 1]) for i in range(len(points) - 1)]
    return float(sum(ways) + np.abs(points).max() + np.linalg.norm(home[:3, 3]))


def distance(a: Array, p: Array, b: Array, q: Array) -> float:
    """Return how far two lines miss each other."""
    normal = cross(a, b)
    size = float(np.linalg.norm(normal))
    if size < APART:
        return float(np.linalg.norm(cross(a, q - p)))
    return float(abs(normal @ (q - p)) / size)


def cross(a: Array, b: Array) -> Array:
    """Return a × b: NumPy's takes ten times as long."""
    return np.array(triples.cross(tuple(a.tolist()), tuple(b.tolist())))


def crossing(a: Array, p: Array, b: Array, q: Array) -> Array:
    """Return the middle of the shortest way between two lines that are not parallel."""
    along = np.linalg.lstsq(np.stack([a, -b], axis=1), q - p, rcond=None)[0]
    middle: Array = 0.5 * (p + along[0] * a + q + along[1] * b)
    return middle


def fits(directions: Array, points: Array, length: float, backwards: bool) -> Iterator[Structure]:
    """Yield every closed form that an arm has to NEAR, in one direction of reading."""
    k, o = directions.copy(), points.copy()
    apart = [float(np.linalg.norm(cross(k[i], k[i + 1]))) for i in range(5)]
    if apart[4] < APART or apart[3] < APART:
        return
    p = crossing(k[4], o[4], k[5], o[5])
    meet = distance(k[4], o[4], k[5], o[5]) / length
    forms: list[tuple[int, float, tuple[int, ...], Array | None]] = []
    if apart[0] >= APART and max(apart[1], apart[2]) < NEAR:
        forms.append((PARALLEL, max(meet, apart[1], apart[2]), (1, 2, 3), None))
    wrist = max(meet, float(np.linalg.norm(cross(k[3], p - o[3]))) / length)
    if wrist < NEAR:
        if apart[1] < NEAR and apart[0] >= APART:
            forms.append((AFTER_PARALLEL, max(wrist, apart[1]), (1, 2), None))
        if apart[0] < NEAR and apart[1] >= APART:
            forms.append((BEFORE_PARALLEL, max(wrist, apart[0]), (0, 1), None))
        for kind, i in ((AFTER_MEETING, 0), (BEFORE_MEETING, 1)):
            miss = distance(k[i], o[i], k[i + 1], o[i + 1]) / length
            if apart[i] >= APART and miss < NEAR:
                forms.append((kind, max(wrist, miss), (), crossing(k[i], o[i], k[i + 1], o[i + 1])))
    for kind, off, parallel, meeting in forms:
        yield made(kind, off, k.copy(), o, p, parallel, meeting, length, backwards)


def made(
    kind: int,
    off: float,
    k: Array,
    o: Array,
    p: Array,
    parallel: tuple[int, ...],
    meeting: Array | None,
    length: float,
    backwards: bool,
) -> Structure:
    """Return a closed form with its constants, for the arm in which axes are parallel, and meet, exactly."""
    signs = np.full(6, -1.0 if backwards else 1.0)
    n = k[parallel[0]] if parallel else k[0]
    if parallel:
        same = [np.copysign(1.0, n @ k[i]) for i in parallel]
        if off > EXACT:
            n = sum(one * k[i] for one, i in zip(same, parallel, strict=True))
            n = n / np.linalg.norm(n)
        for one, i in zip(same, parallel, strict=True):
            k[i], signs[i] = n, signs[i] * one
    rows = [*k, o[0], o[1], o[2], o[3], p, p if meeting is None else meeting, *across(n), *across(k[3])]
    return Structure(kind, backwards, np.array(rows), signs, length, float(off))


def across(n: Array) -> tuple[Array, Array]:
    """Return two unit vectors that make a right-handed frame with n; of the axes of {s}, where n is one of them."""
    first = np.zeros(3)
    first[int(np.argmin(np.abs(n)))] = 1.0
    first -= (first @ n) * n
    first /= np.linalg.norm(first)
    return first, cross(n, first)
