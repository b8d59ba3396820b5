"""Numbers that establish causes, in the subset of Python that is also printed as JavaScript for a page."""

from __future__ import annotations

import math

from lessons_lib.arrays import Array
from lessons_lib.robots.vec3 import Vector, cross, dot, minus

FULL = 2.0 * math.pi

ROUNDING = 1e-9
"""Largest sine of the angle between parallel axes, and largest motion along them that counts as zero."""


def bounding_shell(
    screws: Array, is_rotation: Array, travel: Array, point: Array, center: Array
) -> tuple[float, float]:
    """Write the center of a shell that contains a point, given at q = 0; return its inner and outer radius."""
    # Segments lead from the point to the nearest point of the last axis, from there to the axis before, and so on to
    # the center on the first axis. Their lengths are constant; prismatic and helical joints add their travel.
    here = (point[0], point[1], point[2])
    longest, total, added = 0.0, 0.0, 0.0
    joints = screws.shape[0]
    for k in range(joints):
        i = joints - 1 - k
        added += travel[i]
        if is_rotation[i] > 0.0:
            w, v = (screws[i, 0], screws[i, 1], screws[i, 2]), (screws[i, 3], screws[i, 4], screws[i, 5])
            foot = cross(w, v)
            along = dot(w, minus(here, foot))
            nearest = (foot[0] + along * w[0], foot[1] + along * w[1], foot[2] + along * w[2])
            segment = minus(here, nearest)
            length = math.sqrt(dot(segment, segment))
            longest, total = max(longest, length), total + length
            here = nearest
    center[0], center[1], center[2] = here[0], here[1], here[2]
    return max(0.0, 2.0 * longest - total - added), total + added


def out_of_plane(screws: Array, is_rotation: Array, home: Array, target: Array) -> tuple[float, float]:
    """Return a target's tilt, rad, and distance from the plane of the tip; 0 unless the tip moves in a plane."""
    joints, first = screws.shape[0], -1
    for i in range(joints):
        if is_rotation[joints - 1 - i] > 0.0:
            first = joints - 1 - i
    if first < 0:
        return 0.0, 0.0
    n = (screws[first, 0], screws[first, 1], screws[first, 2])
    moves = 0.0
    for i in range(joints):
        sine = cross(n, (screws[i, 0], screws[i, 1], screws[i, 2]))
        if is_rotation[i] > 0.0 and math.sqrt(dot(sine, sine)) >= ROUNDING:
            return 0.0, 0.0
        moves = max(moves, abs(dot(n, (screws[i, 3], screws[i, 4], screws[i, 5]))))
    before, after = rotate_into_tip(home, n), rotate_into_tip(target, n)
    normal = cross(before, after)
    tilt = math.atan2(math.sqrt(dot(normal, normal)), dot(before, after))
    offset = minus((target[0, 3], target[1, 3], target[2, 3]), (home[0, 3], home[1, 3], home[2, 3]))
    return tilt, abs(dot(n, offset)) if moves < ROUNDING else 0.0


def rotate_into_tip(T: Array, n: Vector) -> Vector:
    """Return Rᵀ n."""
    return (
        T[0, 0] * n[0] + T[1, 0] * n[1] + T[2, 0] * n[2],
        T[0, 1] * n[0] + T[1, 1] * n[1] + T[2, 1] * n[2],
        T[0, 2] * n[0] + T[1, 2] * n[1] + T[2, 2] * n[2],
    )


def limit_violations(q: Array, limits: Array, is_revolute: Array, over: Array) -> float:
    """Write each joint's distance outside its limits, whole revolutions of revolute joints removed; return the sum."""
    total = 0.0
    for j in range(q.shape[0]):
        low, high, least = limits[j, 0], limits[j, 1], math.inf
        for k in range(7):
            x = q[j] + (FULL * (k - 3) if is_revolute[j] > 0.0 else 0.0)
            least = min(least, max(max(low - x, x - high), 0.0))
        over[j] = least
        total += least
    return total


def relative_gradient(J: Array, e: Array) -> float:
    """Return |Jᵀe| / (|J| |e|), the gradient relative to its upper bound; 1 without an error."""
    gradient, error, size = 0.0, 0.0, 0.0
    for j in range(J.shape[1]):
        entry = 0.0
        for i in range(J.shape[0]):
            entry += J[i, j] * e[i]
            size += J[i, j] * J[i, j]
        gradient += entry * entry
    for i in range(J.shape[0]):
        error += e[i] * e[i]
    largest = math.sqrt(error * size)
    return math.sqrt(gradient) / largest if largest > 0.0 else 1.0
