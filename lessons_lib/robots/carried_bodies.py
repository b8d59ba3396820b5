"""Where an arm carries its bodies, and how far they are from others, at one configuration.

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
from lessons_lib.robots.triples import Vector, minus, plus, turned


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


def moved(axis: Vector, on_axis: Vector, slide: Vector, c: float, s: float, far: float, x: Vector) -> Vector:
    """Return a point after a joint has moved it, by a turn with cosine c and sine s and by `far` slides."""
    y = plus(on_axis, turned(axis, c, s, minus(x, on_axis)))
    return y[0] + far * slide[0], y[1] + far * slide[1], y[2] + far * slide[2]


def carried(joints: Array, waves: Array, count: int, x: Vector) -> Vector:
    """Return a point after the first joints have moved it."""
    for i in range(count):
        j = count - 1 - i
        axis, on_axis = (joints[j, 0], joints[j, 1], joints[j, 2]), (joints[j, 3], joints[j, 4], joints[j, 5])
        slide = (joints[j, 6], joints[j, 7], joints[j, 8])
        x = moved(axis, on_axis, slide, waves[j, 0], waves[j, 1], waves[j, 2], x)
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


def distances_at(
    joints: Array, q: Array, carriers: Integers, bodies: Array, first: Integers, second: Integers, found: Array
) -> None:
    """Write the rows of `pair_distances` at a configuration."""
    waves, placed = np.empty((q.shape[0], 3)), np.empty((carriers.shape[0], 7))
    waves_of(joints, q, waves)
    place(joints, waves, carriers, bodies, placed)
    pair_distances(placed, first, second, found)
