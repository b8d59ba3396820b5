"""Arms with a closed form: published tables and random arms, from the base and from the tip."""

import math

import numpy as np
from six_r_arms import HALF, PUMA_560, from_axes, from_table, from_the_tip, ur10

from lessons_lib import robots

KUKA_KR5 = (
    (0.18, -HALF, 0.4),
    (0.6, 0.0, 0.0),
    (0.12, -HALF, 0.0),
    (0.0, HALF, 0.62),
    (0.0, -HALF, 0.0),
    (0.0, 0.0, 0.115),
)
"""A spherical wrist and a shoulder offset of 0.18 m. Source: the KR5 arc of the Robotics Toolbox for Python."""


def random_arm(kind, rng):
    """Return a random arm whose axes satisfy the conditions of one of the five closed forms."""
    k, o = rng.normal(size=(6, 3)), rng.uniform(-1.0, 1.0, (6, 3))
    if kind == 0:
        k[2], k[3], o[5] = k[1], -k[1], o[4]
    else:
        o[4] = o[5] = o[3]
    if kind == 1:
        k[2] = k[1]
    elif kind == 2:
        k[1] = -k[0]
    elif kind == 3:
        o[1] = o[0]
    elif kind == 4:
        o[2] = o[1]
    return from_axes(k, o, rng.uniform(-1.0, 1.0, 3), name=f"random {kind}")


def closed_form_arms():
    """Return an arm for each closed form, and some of them reversed."""
    rng = np.random.default_rng(5)
    arms = [ur10(), from_table(PUMA_560, "PUMA 560"), from_table(KUKA_KR5, "KUKA KR5")]
    arms += [random_arm(kind, rng) for kind in range(5)]
    return arms + [from_the_tip(arm) for arm in (arms[0], arms[1], arms[-1])]


def ur10_on_a_turntable():
    """A 7R arm of which only the first joint leaves a closed form when it is locked."""
    arm, axis, point = robots.ur10(), np.array([0.48, 0.6, 0.64]), np.array([0.1, -0.2, 0.3])
    first = np.concatenate([axis, np.cross(point, axis)])
    return robots.from_screws(np.column_stack([first, arm.screws]), arm.home, limits=[(-3.0, 3.0)] * 7)


def largest_difference(a, b):
    """Return the largest difference of a joint in two configurations, modulo revolutions, rad."""
    return np.abs(np.remainder(np.asarray(a) - b + math.pi, 2 * math.pi) - math.pi).max()
