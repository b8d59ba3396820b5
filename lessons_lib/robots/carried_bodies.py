"""Where an arm carries its bodies, how far they are from others, and how far they are from the axes that move them.

A row of `joints` is a joint: its unit axis, a point on it, how far and where a unit of its value slides, all at q = 0,
and 1 where it turns, 0 where it does not. A row of `bodies` is a capsule at q = 0: an end, the way to the other end,
its radius. What carries it is how many joints move it, 0 for one that stands still.

By hand: loops over joints, bodies and pairs, and how many there are is known at run time.
Held by: tests/robots/test_scene.py.
"""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.robots.segments import between
from lessons_lib.robots.triples import Vector, cross, dot, minus, plus, turned


def waves_of(joints: Array, q: Array, waves: Array) -> None:
    """Write cosine and sine of each joint's turn, and its value."""
    for i in range(q.shape[0]):
        angle = q[i] * joints[i, 9]
        waves[i, 0], waves[i, 1], waves[i, 2] = math.cos(angle), math.sin(angle), q[i]


def direction(joints: Array, waves: Array, count: int, k: Vector) -> Vector:
    """Return a direction after the first joints have turned it."""
    for i in range(count):
        j = count - 1 - i
        k = turned((joints[j, 0], joints[j, 1], joints[j, 2]), waves[j, 0], waves[j, 1], k)
    return k


def carried(joints: Array, waves: Array, count: int, x: Vector) -> Vector:
    """Return a point after the first joints have moved it."""
    for i in range(count):
        j = count - 1 - i
        axis = (joints[j, 0], joints[j, 1], joints[j, 2])
        on_axis = (joints[j, 3], joints[j, 4], joints[j, 5])
        moved = plus(on_axis, turned(axis, waves[j, 0], waves[j, 1], minus(x, on_axis)))
        far = waves[j, 2]
        x = (moved[0] + far * joints[j, 6], moved[1] + far * joints[j, 7], moved[2] + far * joints[j, 8])
    return x


def place(joints: Array, waves: Array, carriers: Integers, bodies: Array, placed: Array) -> None:
    """Write the bodies where the arm carries them."""
    for i in range(carriers.shape[0]):
        count = carriers[i]
        a = carried(joints, waves, count, (bodies[i, 0], bodies[i, 1], bodies[i, 2]))
        u = direction(joints, waves, count, (bodies[i, 3], bodies[i, 4], bodies[i, 5]))
        placed[i, 0], placed[i, 1], placed[i, 2] = a[0], a[1], a[2]
        placed[i, 3], placed[i, 4], placed[i, 5] = u[0], u[1], u[2]
        placed[i, 6] = bodies[i, 6]


def pair_distances(placed: Array, first: Integers, second: Integers, found: Array) -> None:
    """Write a row for each pair of bodies: the distance, the nearest points of both, the direction between."""
    for k in range(first.shape[0]):
        i, j = first[k], second[k]
        a, u = (placed[i, 0], placed[i, 1], placed[i, 2]), (placed[i, 3], placed[i, 4], placed[i, 5])
        b, v = (placed[j, 0], placed[j, 1], placed[j, 2]), (placed[j, 3], placed[j, 4], placed[j, 5])
        distance, p, q, n = between(a, u, placed[i, 6], b, v, placed[j, 6])
        found[k, 0] = distance
        found[k, 1], found[k, 2], found[k, 3] = p[0], p[1], p[2]
        found[k, 4], found[k, 5], found[k, 6] = q[0], q[1], q[2]
        found[k, 7], found[k, 8], found[k, 9] = n[0], n[1], n[2]


def from_axis(k: Vector, x: Vector, y: Vector) -> float:
    """Return how far a point is from the line through another one along a unit vector."""
    w = cross(k, minus(y, x))
    return math.sqrt(dot(w, w))


def levers(joints: Array, waves: Array, carriers: Integers, placed: Array, lever: Array) -> None:
    """Write how far the axis of each body reaches from that of each joint, which no later joint is asked about.

    The distance from a line is convex along a segment, so it is largest at an end. A unit of a joint moves no point of
    the body's axis by more than this and its slide together, as two sides of a right angle.
    """
    for i in range(joints.shape[0]):
        k = direction(joints, waves, i, (joints[i, 0], joints[i, 1], joints[i, 2]))
        x = carried(joints, waves, i, (joints[i, 3], joints[i, 4], joints[i, 5]))
        square = joints[i, 6] ** 2 + joints[i, 7] ** 2 + joints[i, 8] ** 2
        for body in range(carriers.shape[0]):
            a = (placed[body, 0], placed[body, 1], placed[body, 2])
            b = plus(a, (placed[body, 3], placed[body, 4], placed[body, 5]))
            far = max(from_axis(k, x, a), from_axis(k, x, b)) * joints[i, 9]
            lever[i, body] = math.sqrt(far * far + square)


def distances_at(
    joints: Array, q: Array, carriers: Integers, bodies: Array, first: Integers, second: Integers, found: Array
) -> None:
    """Write the rows of `pair_distances` at a configuration."""
    waves, placed = np.empty((q.shape[0], 3)), np.empty((carriers.shape[0], 7))
    waves_of(joints, q, waves)
    place(joints, waves, carriers, bodies, placed)
    pair_distances(placed, first, second, found)


def distances_of(
    joints: Array,
    Q: Array,
    carriers: Integers,
    bodies: Array,
    first: Integers,
    second: Integers,
    distance: Array,
    lever: Array,
) -> None:
    """Write the distances of all pairs at many configurations, and the levers at each, joints by bodies in a row."""
    n, m = joints.shape[0], carriers.shape[0]
    waves, placed, rows = np.empty((n, 3)), np.empty((m, 7)), np.empty((first.shape[0], 10))
    own = np.empty((n, m))
    for row in range(Q.shape[0]):
        waves_of(joints, Q[row], waves)
        place(joints, waves, carriers, bodies, placed)
        pair_distances(placed, first, second, rows)
        for k in range(first.shape[0]):
            distance[row, k] = rows[k, 0]
        if lever.shape[0] > 0:
            levers(joints, waves, carriers, placed, own)
            for i in range(n):
                for body in range(m):
                    lever[row, i * m + body] = own[i, body]


def joint_motion(joints: Array, q: Array, axes: Array) -> None:
    """Write each joint's unit axis where it is, a point on it, and the slide of a unit of its value."""
    waves = np.empty((q.shape[0], 3))
    waves_of(joints, q, waves)
    for i in range(q.shape[0]):
        k = direction(joints, waves, i, (joints[i, 0], joints[i, 1], joints[i, 2]))
        x = carried(joints, waves, i, (joints[i, 3], joints[i, 4], joints[i, 5]))
        slide = direction(joints, waves, i, (joints[i, 6], joints[i, 7], joints[i, 8]))
        axes[i, 0], axes[i, 1], axes[i, 2] = k[0] * joints[i, 9], k[1] * joints[i, 9], k[2] * joints[i, 9]
        axes[i, 3], axes[i, 4], axes[i, 5] = x[0], x[1], x[2]
        axes[i, 6], axes[i, 7], axes[i, 8] = slide[0], slide[1], slide[2]
