"""Placement, distances and motion bounds of the bodies that an arm carries, in groups of LANES (SIMD)."""
# A row of `joints` is a joint at q = 0: unit axis, a point on it, translation for a unit of its value, and 1 if it
# rotates, else 0. A row of `bodies` is a capsule at q = 0: an end, the vector to the other end, the radius. `carriers`
# is the number of joints that move each body, 0 for a fixed one. The axes of the joints are carried like bodies, in
# rows of a point, the unit axis and the translation for a unit. In SIMD functions the rows of one array w have LANES
# numbers; a body takes seven rows. They are compiled without fused multiply-add, so that the results equal Python's to
# the last bit.

from __future__ import annotations

import math

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.collisions.segments import capsule_contact, capsule_distance
from lessons_lib.robots.vec3 import Vector, cross, dot, minus, plus, rotate_about

LANES = 8


def move_point(axis: Vector, on_axis: Vector, slide: Vector, c: float, s: float, far: float, x: Vector) -> Vector:
    """Return a point after a joint's rotation with cosine c and sine s and its translation by `far` units."""
    y = plus(on_axis, rotate_about(axis, c, s, minus(x, on_axis)))
    return y[0] + far * slide[0], y[1] + far * slide[1], y[2] + far * slide[2]


def move_axis(w: Array) -> None:
    """Move a point and a direction, rows 0 to 5 of w, with a joint."""
    # rows 6 to 14: the joint's axis, a point on it and its translation; 15 to 17: cosine, sine and value
    for lane in range(LANES):
        x = w[0, lane], w[1, lane], w[2, lane]
        u = w[3, lane], w[4, lane], w[5, lane]
        axis = w[6, lane], w[7, lane], w[8, lane]
        on_axis = w[9, lane], w[10, lane], w[11, lane]
        slide = w[12, lane], w[13, lane], w[14, lane]
        c, s, far = w[15, lane], w[16, lane], w[17, lane]
        w[0, lane], w[1, lane], w[2, lane] = move_point(axis, on_axis, slide, c, s, far, x)
        w[3, lane], w[4, lane], w[5, lane] = rotate_about(axis, c, s, u)


def pair_distance(w: Array) -> None:
    """Write the distance of two bodies, rows 0 to 6 and 7 to 13, into row 14."""
    for lane in range(LANES):
        a = w[0, lane], w[1, lane], w[2, lane]
        u = w[3, lane], w[4, lane], w[5, lane]
        b = w[7, lane], w[8, lane], w[9, lane]
        v = w[10, lane], w[11, lane], w[12, lane]
        w[14, lane] = capsule_distance(a, u, w[6, lane], b, v, w[13, lane])


def pair_contact(w: Array) -> None:
    """Write the distance of two bodies, their nearest points and the direction between them into rows 14 to 23."""
    for lane in range(LANES):
        a = w[0, lane], w[1, lane], w[2, lane]
        u = w[3, lane], w[4, lane], w[5, lane]
        b = w[7, lane], w[8, lane], w[9, lane]
        v = w[10, lane], w[11, lane], w[12, lane]
        distance, p, q, n = capsule_contact(a, u, w[6, lane], b, v, w[13, lane])
        w[14, lane] = distance
        w[15, lane], w[16, lane], w[17, lane] = p
        w[18, lane], w[19, lane], w[20, lane] = q
        w[21, lane], w[22, lane], w[23, lane] = n


def lever_arm(w: Array) -> None:
    """Write into row 14 the largest speed of a body's axis, rows 0 to 6, for a unit rate of a joint, rows 7 to 13."""
    for lane in range(LANES):
        a = w[0, lane], w[1, lane], w[2, lane]
        b = plus(a, (w[3, lane], w[4, lane], w[5, lane]))
        x = w[7, lane], w[8, lane], w[9, lane]
        k = w[10, lane], w[11, lane], w[12, lane]
        # convex along the segment, so largest at an end; rotation and translation are perpendicular
        slide, here, there = w[13, lane], distance_from_axis(k, x, a), distance_from_axis(k, x, b)
        far = here if here > there else there
        w[14, lane] = math.sqrt(far * far + slide * slide)


def distance_from_axis(k: Vector, x: Vector, y: Vector) -> float:
    """Return the distance of a point y from the line through x along the unit vector k."""
    w = cross(k, minus(y, x))
    return math.sqrt(dot(w, w))


def place_lanes(joints: Array, Q: Array, top: int, carriers: Integers, bodies: Array, w: Array, placed: Array) -> None:
    """Write the bodies in LANES configurations, from row `top` on; the last configuration fills the group."""
    n = joints.shape[0]
    for body in range(carriers.shape[0]):
        for i in range(7):
            for lane in range(LANES):
                placed[7 * body + i, lane] = bodies[body, i]
    for k in range(n):
        j = n - 1 - k
        for i in range(9):
            for lane in range(LANES):
                w[6 + i, lane] = joints[j, i]
        for lane in range(LANES):
            value = Q[min(top + lane, Q.shape[0] - 1), j]
            angle = value * joints[j, 9]
            w[15, lane], w[16, lane], w[17, lane] = math.cos(angle), math.sin(angle), value
        for body in range(carriers.shape[0]):
            if carriers[body] > j:
                copy_rows(placed, 7 * body, w, 0, 6)
                move_axis(w)
                copy_rows(w, 0, placed, 7 * body, 6)


def copy_pair(placed: Array, i: int, j: int, w: Array) -> None:
    """Copy two bodies to rows 0 to 13."""
    copy_rows(placed, 7 * i, w, 0, 7)
    copy_rows(placed, 7 * j, w, 7, 7)


def copy_rows(source: Array, at: int, to: Array, there: int, rows: int) -> None:
    """Copy rows of an array to rows of another."""
    for i in range(rows):
        for lane in range(LANES):
            to[there + i, lane] = source[at + i, lane]


def place_bodies(joints: Array, Q: Array, carriers: Integers, bodies: Array, placed: Array) -> None:
    """Write the bodies at configurations Q, shape (r, n), as rows, shape (r, m, 7)."""
    w = np.empty(18 * LANES).reshape((-1, LANES))
    lanes = np.empty(7 * LANES * carriers.shape[0]).reshape((-1, LANES))
    for group in range((Q.shape[0] + LANES - 1) // LANES):
        top = LANES * group
        place_lanes(joints, Q, top, carriers, bodies, w, lanes)
        for body in range(carriers.shape[0]):
            for i in range(7):
                for lane in range(min(LANES, Q.shape[0] - top)):
                    placed[top + lane, body, i] = lanes[7 * body + i, lane]


def pair_distances(bodies: Array, first: Integers, second: Integers, contacts: Array) -> None:
    """Write a row for each pair of bodies: distance, nearest points of both, direction between them."""
    w, count = np.empty(24 * LANES).reshape((-1, LANES)), first.shape[0]
    for group in range((count + LANES - 1) // LANES):
        top = LANES * group
        for lane in range(LANES):
            k = min(top + lane, count - 1)
            for i in range(7):
                w[i, lane] = bodies[first[k], i]
                w[7 + i, lane] = bodies[second[k], i]
        pair_contact(w)
        for lane in range(min(LANES, count - top)):
            for i in range(10):
                contacts[top + lane, i] = w[14 + i, lane]


def distances_of(
    joints: Array,
    Q: Array,
    carriers: Integers,
    bodies: Array,
    first: Integers,
    second: Integers,
    change: Array,
    distance: Array,
    motion: Array,
) -> None:
    """Write the distances of all pairs at configurations Q, (r, n), and bounds on their change, (r, k), m."""
    # `bodies` is followed by the axes of the n joints if `motion` has rows; `first` are the bodies of the pairs that
    # fewer joints move; `change` is the largest change of each joint, rad or m
    n, rows, with_motion = joints.shape[0], Q.shape[0], motion.shape[0] > 0
    own = carriers.shape[0] - n if with_motion else carriers.shape[0]
    w = np.empty(24 * LANES).reshape((-1, LANES))
    placed = np.empty(7 * LANES * carriers.shape[0]).reshape((-1, LANES))
    lever_arms = np.empty(own * n * LANES).reshape((-1, LANES))
    for group in range((rows + LANES - 1) // LANES):
        top = LANES * group
        filled = min(LANES, rows - top)
        place_lanes(joints, Q, top, carriers, bodies, w, placed)
        for k in range(first.shape[0]):
            copy_pair(placed, first[k], second[k], w)
            pair_distance(w)
            for lane in range(filled):
                distance[top + lane, k] = w[14, lane]
        if with_motion:
            for body in range(own):
                for i in range(carriers[body]):
                    copy_pair(placed, body, own + i, w)
                    lever_arm(w)
                    copy_rows(w, 14, lever_arms, n * body + i, 1)
            for k in range(first.shape[0]):
                for lane in range(filled):
                    far = 0.0
                    for i in range(carriers[first[k]], carriers[second[k]]):
                        far += change[i] * lever_arms[n * second[k] + i, lane]
                    motion[top + lane, k] = far
