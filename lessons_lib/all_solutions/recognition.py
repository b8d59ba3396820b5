"""Recognize the closed form of a 6R arm, from its base or from its tip, and compute its constants."""
# Axes that are parallel or meet to EXACT are made exactly so; `off` is their deviation.

import math
from collections.abc import Sequence
from dataclasses import dataclass

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
from lessons_lib.all_solutions.module import module
from lessons_lib.arrays import Array
from lessons_lib.codegen.linker import compiled
from lessons_lib.robots.vec3 import Vector, cross, dot, minus

EXACT, TOLERANCE = 1e-12, 0.02  # of parallel and meeting axes, rad and lengths of the arm
MIN_SEPARATION = 1e-3  # least distance of points, and sine between axes, that must differ
NO_FORM, FORMS = -1, 5

EXTENSIONS = 6  # ways to append a sixth axis to a 5R arm


@compiled
def recognize(screws: Array, tip_distance: float, K: Array, signs: Array) -> tuple[int, int, float, float]:
    """Write the constants of the best closed form and the sign of each angle."""
    # Return the form or NO_FORM; 1 if it begins at the tip, else 0; the arm's length; and the deviation of its axes.
    # `screws` (6, 6) has rows (ω, v), `tip_distance` is the tip's distance from {s}; outputs are K (16, 3), signs (6,).
    k, o = np.empty((6, 3)), np.empty((6, 3))
    read_axes(screws, 0, k, o)
    length = arm_length(k, o, tip_distance)
    best, reading, best_off = NO_FORM, 0, TOLERANCE
    for i in range(2 * FORMS):
        form, backwards = i % FORMS, i // FORMS
        read_axes(screws, backwards, k, o)
        off = misalignment(form, k, o, length)
        if off <= best_off and (best == NO_FORM or (best_off > EXACT and off < best_off)):
            best, reading, best_off = form, backwards, off
    if best != NO_FORM:
        read_axes(screws, reading, k, o)
        write_constants(best, reading, best_off, k, o, K, signs)
    return best, reading, length, best_off


@compiled
def read_axes(screws: Array, backwards: int, k: Array, o: Array) -> None:
    """Write the direction of each axis and its point nearest to {s}, from the base or `backwards` from the tip."""
    joints = screws.shape[0]
    for i in range(joints):
        j = joints - 1 - i if backwards == 1 else i
        w = (screws[j, 0], screws[j, 1], screws[j, 2])
        point = cross(w, (screws[j, 3], screws[j, 4], screws[j, 5]))
        k[i, 0], k[i, 1], k[i, 2] = w
        o[i, 0], o[i, 1], o[i, 2] = point


@compiled
def norm(u: Vector) -> float:
    return math.sqrt(dot(u, u))


@compiled
def arm_length(k: Array, o: Array, tip_distance: float) -> float:
    """Return the sum of the distances from axis to axis and to the tip."""
    length, farthest = norm(row(o, 0)) + tip_distance, 0.0
    for i in range(k.shape[0]):
        farthest = max(farthest, max(abs(o[i, 0]), max(abs(o[i, 1]), abs(o[i, 2]))))
        if i > 0:
            length += line_distance(row(k, i - 1), row(o, i - 1), row(k, i), row(o, i))
    return length + farthest


@compiled
def line_distance(a: Vector, p: Vector, b: Vector, q: Vector) -> float:
    normal = cross(a, b)
    size = norm(normal)
    if size < MIN_SEPARATION:
        return norm(cross(a, minus(q, p)))
    return abs(dot(normal, minus(q, p))) / size


@compiled
def common_midpoint(a: Vector, p: Vector, b: Vector, q: Vector) -> Vector:
    """Return the middle of the shortest segment between two lines that are not parallel."""
    normal, option = cross(a, b), minus(q, p)
    square = dot(normal, normal)
    s, t = dot(cross(option, b), normal) / square, dot(cross(option, a), normal) / square
    return (
        0.5 * (p[0] + s * a[0] + q[0] + t * b[0]),
        0.5 * (p[1] + s * a[1] + q[1] + t * b[1]),
        0.5 * (p[2] + s * a[2] + q[2] + t * b[2]),
    )


@compiled
def misalignment(form: int, k: Array, o: Array, length: float) -> float:
    """Return the deviation of the axes from a form; 1 if other axes are too close to parallel."""
    first = form == PARALLEL or form == AFTER_PARALLEL or form == AFTER_MEETING  # noqa: PLR1714
    needed = axis_sine(k, 0 if first else 1)
    if min(needed, min(axis_sine(k, 3), axis_sine(k, 4))) < MIN_SEPARATION:
        return 1.0
    meet = line_distance(row(k, 4), row(o, 4), row(k, 5), row(o, 5)) / length
    if form == PARALLEL:
        return max(meet, max(axis_sine(k, 1), axis_sine(k, 2)))
    p = common_midpoint(row(k, 4), row(o, 4), row(k, 5), row(o, 5))
    wrist = max(meet, norm(cross(row(k, 3), minus(p, row(o, 3)))) / length)
    if form == AFTER_PARALLEL:
        return max(wrist, axis_sine(k, 1))
    if form == BEFORE_PARALLEL:
        return max(wrist, axis_sine(k, 0))
    i = 0 if form == AFTER_MEETING else 1
    return max(wrist, line_distance(row(k, i), row(o, i), row(k, i + 1), row(o, i + 1)) / length)


@compiled
def axis_sine(k: Array, i: int) -> float:
    """Return the sine of the angle between an axis and the next one."""
    return norm(cross(row(k, i), row(k, i + 1)))


@compiled
def write_constants(form: int, backwards: int, off: float, k: Array, o: Array, K: Array, signs: Array) -> None:
    """Write the constants of a closed form, with exactly parallel and meeting axes."""
    p = common_midpoint(row(k, 4), row(o, 4), row(k, 5), row(o, 5))
    for i in range(6):
        signs[i] = -1.0 if backwards == 1 else 1.0
    meeting, n = p, row(k, 0)
    if form == AFTER_MEETING:
        meeting = common_midpoint(row(k, 0), row(o, 0), row(k, 1), row(o, 1))
    elif form == BEFORE_MEETING:
        meeting = common_midpoint(row(k, 1), row(o, 1), row(k, 2), row(o, 2))
    elif form == BEFORE_PARALLEL:
        n = align_axes(off, k, signs, 0, 1)
    else:
        n = align_axes(off, k, signs, 1, 3 if form == PARALLEL else 2)
    for i in range(6):
        for j in range(3):
            K[K1 + i, j] = k[i, j]
            if i < 4:
                K[O1 + i, j] = o[i, j]
    K[P, 0], K[P, 1], K[P, 2] = p
    K[MEET, 0], K[MEET, 1], K[MEET, 2] = meeting
    write_perpendicular(n, G1, G2, K)
    write_perpendicular(row(k, 3), H1, H2, K)


@compiled
def align_axes(off: float, k: Array, signs: Array, first: int, last: int) -> Vector:
    """Give axes their mean direction, adjust their signs, and return the direction."""
    n = row(k, first)
    x, y, z = 0.0, 0.0, 0.0
    for i in range(first, last + 1):
        same = -1.0 if dot(n, row(k, i)) < 0.0 else 1.0
        signs[i] = signs[i] * same
        x, y, z = x + same * k[i, 0], y + same * k[i, 1], z + same * k[i, 2]
    if off > EXACT:
        size = norm((x, y, z))
        n = (x / size, y / size, z / size)
    for i in range(first, last + 1):
        k[i, 0], k[i, 1], k[i, 2] = n
    return n


@compiled
def write_perpendicular(n: Vector, first: int, second: int, K: Array) -> None:
    """Write two unit vectors that make a right-handed frame with n; axes of {s} if n is one."""
    K[second, 0], K[second, 1], K[second, 2] = n
    least = 0
    for j in range(1, 3):
        if abs(K[second, j]) < abs(K[second, least]):
            least = j
    along = K[second, least]
    for j in range(3):
        K[first, j] = (1.0 if j == least else 0.0) - along * K[second, j]
    size = norm(row(K, first))
    for j in range(3):
        K[first, j] = K[first, j] / size
    K[second, 0], K[second, 1], K[second, 2] = cross(n, row(K, first))


@compiled
def append_joint(screws: Array, tip: Array, option: int, longer: Array) -> None:
    """Write the axes of a 5R arm and a sixth axis that is parallel to no axis of a usual arm."""
    # For even `option` it goes through the point of axis 5 nearest to axis 4, for odd `option` through the tip. Shapes:
    # screws (5, 6), tip (3,), longer (6, 6).
    k, o = np.empty((5, 3)), np.empty((5, 3))
    read_axes(screws, 0, k, o)
    place = row(o, 4)
    normal = cross(row(k, 3), row(k, 4))
    square = dot(normal, normal)
    if option % 2 == 1:
        place = (tip[0], tip[1], tip[2])
    elif square > EXACT:
        along = dot(cross(minus(place, row(o, 3)), row(k, 3)), normal) / square
        place = (place[0] + along * k[4, 0], place[1] + along * k[4, 1], place[2] + along * k[4, 2])
    direction = (-0.6, 0.64, 0.48)
    if option < 4:
        direction = (0.48, -0.6, 0.64) if option < 2 else (0.64, 0.6, 0.48)
    for i in range(5):
        for j in range(6):
            longer[i, j] = screws[i, j]
    longer[5, 0], longer[5, 1], longer[5, 2] = direction
    longer[5, 3], longer[5, 4], longer[5, 5] = cross(place, direction)


SENTENCES = {
    PARALLEL: "axes {2}, {3} and {4} are parallel, {5} and {6} meet",
    AFTER_PARALLEL: "axes {4}, {5} and {6} meet in one point, {2} and {3} are parallel",
    BEFORE_PARALLEL: "axes {4}, {5} and {6} meet in one point, {1} and {2} are parallel",
    AFTER_MEETING: "axes {4}, {5} and {6} meet in one point, {1} and {2} meet",
    BEFORE_MEETING: "axes {4}, {5} and {6} meet in one point, {2} and {3} meet",
}


@dataclass(frozen=True, eq=False)
class Structure:
    """Closed form of a 6R arm and its constants."""

    kind: int  # of the closed form, see decisions.py
    backwards: bool  # whether it begins at the tip
    constants: Array  # K of decisions.py, shape (16, 3), m
    signs: Array  # of each angle, shape (6,)
    length: float  # of the arm, m
    off: float  # deviation of the axes from the form, rad and lengths of the arm

    @property
    def sentence(self) -> str:
        return self.sentence_for(range(1, 7))

    def sentence_for(self, numbers: Sequence[int]) -> str:
        """Describe the axes, with other numbers of the six joints."""
        return SENTENCES[self.kind].format(None, *(reversed(numbers) if self.backwards else numbers))


def recognize_structure(screws: Array, home: Array) -> Structure | None:
    """Return the closed form that fits the screws (6, 6) of an arm to EXACT, or None."""
    K, signs = np.empty((16, 3)), np.empty(6)
    rows, tip_distance = np.ascontiguousarray(screws.T), norm((home[0, 3], home[1, 3], home[2, 3]))
    kind, backwards, length, off = module().recognize(rows, tip_distance, K, signs)
    is_exact = kind != NO_FORM and off <= EXACT
    return Structure(kind, backwards == 1, K, signs, length, off) if is_exact else None
