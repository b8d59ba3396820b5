"""Where a point can be that an arm's joints carry: plain text, which runs here and, printed, on a page.

By hand: a loop over the joints of an arm that is given, so that its length is known at run time.
Held by: tests/pose_ik/causes/test_explain.py, tests/live/test_any_chain.py.
"""

from __future__ import annotations

import math

from lessons_lib.arrays import Array
from lessons_lib.robots.triples import cross, dot, minus


def between_spheres(screws: Array, turns: Array, travel: Array, point: Array, center: Array) -> tuple[float, float]:
    """Return the least and the most distance of a point from the center, which is written, m.

    From the point a way goes to the nearest point of the axis that carries it, from there to the axis before, and so on
    to the first. Its pieces keep their lengths, whatever the joints do; where joints slide they add their travel.

    Args:
        screws: Axes (ω, v) of the joints that carry the point, in {s} at q = 0, shape (n, 6).
        turns: 1 for each joint that turns, also along a screw, else 0, shape (n,).
        travel: How far each moves the point along its axis at most, m, shape (n,).
        point: In {s}, at q = 0, shape (3,), m.
        center: For the end of that way on the first axis, shape (3,), m.
    """
    here = (point[0], point[1], point[2])
    longest, whole, slid = 0.0, 0.0, 0.0
    joints = screws.shape[0]
    for k in range(joints):
        i = joints - 1 - k
        slid += travel[i]
        if turns[i] > 0.0:
            w, v = (screws[i, 0], screws[i, 1], screws[i, 2]), (screws[i, 3], screws[i, 4], screws[i, 5])
            foot = cross(w, v)
            along = dot(w, minus(here, foot))
            nearest = (foot[0] + along * w[0], foot[1] + along * w[1], foot[2] + along * w[2])
            way = minus(here, nearest)
            length = math.sqrt(dot(way, way))
            longest, whole = max(longest, length), whole + length
            here = nearest
    center[0], center[1], center[2] = here[0], here[1], here[2]
    return max(0.0, 2.0 * longest - whole - slid), whole + slid
