"""Small and sliding arms: robots of textbooks, with the number of solutions of a pose away from singular ones.

Sources: Spong, Hutchinson and Vidyasagar, Robot Modeling and Control (2006), ch. 3: spherical, cylindrical, Cartesian
and Stanford arm; Pieper (1968): four solutions of three skew axes.
"""

import math

import numpy as np

from lessons_lib import lie, robots

X, Y, Z = np.eye(3)
ROUND, AHEAD = (-math.pi, math.pi), (-3.0, 3.0)


def arm_of(name, joints, tip):
    """Return an arm; a joint is ("R", direction, point) or ("P", direction)."""
    columns, limits = [], []
    for kind, direction, *point in joints:
        k = np.array(direction, dtype=float) / np.linalg.norm(direction)
        columns.append(np.concatenate([k, np.cross(point[0], k)] if kind == "R" else [np.zeros(3), k]))
        limits.append(ROUND if kind == "R" else AHEAD)
    home = lie.pose(np.eye(3), tip)
    return robots.from_screws(np.array(columns).T, home, limits=limits, name=name)


def turn(k, x=0.0, y=0.0, z=0.0):
    return "R", k, (x, y, z)


def slide(k):
    return "P", k


def wrist(x, y, z):
    return [turn(X, x, y, z), turn(Y, x, y, z), turn(X, x, y, z)]


ELBOW = [turn(Z), turn(Y, 0, 0, 0.4), turn(Y, 0.5, 0, 0.4)]
SHOULDER = [turn(Z), turn(Y, 0.1, 0, 0.4), turn(Y, 0.6, 0, 0.4)]
SKEW = [turn((0.1, 0.2, 1.0)), turn((0.3, 1, 0.1), 0.2, 0.1, 0.4), turn((0.2, 1.0, -0.4), 0.6, 0.1, 0.4)]
TIP = (0.9, 0.1, 0.4)
POSITIONS = {
    "3R elbow": (arm_of("3R elbow", ELBOW, TIP), 4),
    "3R shoulder": (arm_of("3R shoulder", SHOULDER, TIP), 4),
    "3R skew": (arm_of("3R skew", SKEW, TIP), 4),
    "RRP spherical": (arm_of("RRP spherical", [turn(Z), turn(Y, 0, 0, 0.4), slide(X)], (0.3, 0.1, 0.4)), 4),
    "RPP cylindrical": (arm_of("RPP cylindrical", [turn(Z), slide(Z), slide(X)], (0.3, 0.1, 0.4)), 2),
    "PRR rail": (arm_of("PRR rail", [slide(Z), turn(Z), turn(Z, 0.5)], (0.9, 0.1, 0.4)), 2),
    "PRR elbow": (arm_of("PRR elbow", [slide(X), turn(Z), turn(Y, 0.1, 0, 0.4)], (0.7, 0.1, 0.4)), 4),
    "PPP": (arm_of("PPP", [slide(X), slide(Y), slide(Z)], TIP), 1),
    "oblique PPP": (arm_of("oblique PPP", [slide((1, 1, 0)), slide(Y), slide((1, 0, 2))], TIP), 1),
    "RPR": (arm_of("RPR", [turn(Z), slide(Z), turn(Z, 0.5)], TIP), 2),
    "RPR across": (arm_of("RPR across", [turn(Z), slide(X), turn(Y, 0.5)], TIP), 4),
    "oblique RPR": (arm_of("oblique RPR", [turn(Z), slide((1, 0, 1)), turn((1, 0.3, 1), 0.5)], TIP), 2),
    "oblique PRR": (arm_of("oblique PRR", [slide((1, 0, 1)), turn(Z), turn((0.2, 1, 0.3), 0.5)], TIP), 4),
    "skew RRP": (arm_of("skew RRP", [*SKEW[:2], slide((0.3, 0.4, 0.5))], TIP), 4),
    "oblique PRP": (arm_of("oblique PRP", [slide((1, 0, 1)), turn(Z), slide((0.5, 0.2, 1))], TIP), 2),
    "PPR": (arm_of("PPR", [slide(X), slide(Y), turn((0, 1, 1), 0.5)], TIP), 2),
    "RPP oblique": (arm_of("RPP oblique", [turn(Z), slide((1, 0, 1)), slide((0, 1, 1))], TIP), 2),
}
"""Arms of three joints, with the largest number of solutions of a position."""

WHOLE = {
    "Stanford": (
        arm_of("Stanford", [turn(Z), turn(Y, 0, 0.1, 0.4), slide(Z), *wrist(0, 0.15, 0.6)], (0, 0.15, 0.9)),
        8,
    ),
    "gantry": (arm_of("gantry", [slide(X), slide(Y), slide(Z), *wrist(0.4, 0.1, 0.2)], (0.6, 0.1, 0.2)), 2),
    "cylindrical": (arm_of("cylindrical", [turn(Z), slide(Z), slide(X), *wrist(0.4, 0.1, 0.2)], (0.6, 0.1, 0.2)), 4),
    "rail": (arm_of("rail", [slide(Y), turn(Z), turn(Y, 0.1, 0, 0.4), *wrist(0.8, 0, 0.4)], (1.0, 0, 0.4)), 8),
    "PPP and two": (
        arm_of("PPP and two", [slide(X), slide(Y), slide(Z), turn(Z, 0.3), turn(Y, 0.3)], (0.5, 0, 0.1)),
        1,
    ),
    "palletizer": (arm_of("palletizer", [*SHOULDER, turn(Z, 1.0, 0.0)], (1.1, 0.0, 0.3)), 1),
    "level 4R": (arm_of("level 4R", [*SHOULDER, turn(Y, 1.0, 0.0, 0.4)], (1.1, 0.0, 0.3)), 2),
}
"""Arms that reach a whole pose, with the number of its solutions."""
