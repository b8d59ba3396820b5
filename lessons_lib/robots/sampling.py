"""Ranges from which random configurations are drawn, and the characteristic length of an arm."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lessons_lib.arrays import Array

FAR_ANGLE = 200.0 * np.pi
"""Beyond 100 revolutions [rad] a limit of a revolute joint counts as none: no arm's cables allow as many."""

FAR_DISTANCE = 1e3
"""The same for a prismatic joint, relative to the length of the arm: 1 km for an arm of some metres."""

FAR_ALONE = 1e5
"""The same if the arm has no other length, in the unit of the robot: 100 m for a gantry in mm."""

FAR_SCREW = 1e5
"""The same for a coupled coordinate and a helical joint [rad], whose spindle may make thousands of revolutions."""

_FAR = {"revolute": FAR_ANGLE, "prismatic": FAR_DISTANCE, "helical": FAR_SCREW, "coupled": FAR_SCREW}
_REACH = {"revolute": np.pi, "prismatic": 1.0, "helical": np.pi, "coupled": 2.0 * np.pi}


def finite_limits(lower: Array, upper: Array, kinds: Sequence[str], length: float = 1.0) -> Array:
    """Return limits, shape (n, 2), each missing one replaced by a finite bound: π rad or one length from zero."""
    # If only one limit is missing, its substitute is at least one revolution or two lengths away from the other. Some
    # files write ±1e12 or ±1e16 for no limit: in such a range nearly all configurations would be useless, and their
    # poses lost in rounding.
    reach = np.array([_REACH[kind] * (length if kind == "prismatic" else 1.0) for kind in kinds])
    below, above = unlimited_sides(lower, upper, kinds, length)
    low = np.where(below, np.maximum(np.minimum(-reach, upper - 2 * reach), lower), lower)
    high = np.where(above, np.minimum(np.maximum(reach, lower + 2 * reach), upper), upper)
    return np.column_stack([low, high])


def unlimited_sides(
    lower: Array, upper: Array, kinds: Sequence[str], length: float = 1.0
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return whether each joint has no lower limit, and whether it has no upper one."""
    far = np.array([_FAR[kind] * (length if kind == "prismatic" else 1.0) for kind in kinds])
    return lower <= -far, upper >= far


def characteristic_length(screws: Array, home: Array, limits: Array, kinds: Sequence[str]) -> float:
    """Return the length of an arm as a power of 32, so that dividing by it does not round: 1 m from 0.25 to 8 m."""
    # It is the path from the tip to the innermost axis over the nearest points of the axes, plus prismatic travel,
    # except travel beyond `FAR_DISTANCE` times all that is shorter. It scales with the unit of length.
    point, total = home[:3, 3], 0.0
    for i in reversed([i for i, kind in enumerate(kinds) if kind != "prismatic"]):
        foot = np.cross(screws[:3, i], screws[3:, i])
        nearest = foot + screws[:3, i] * float(screws[:3, i] @ (point - foot))
        total += math.hypot(*(point - nearest))
        point = nearest
    travels = [float(np.abs(limits[i]).max()) for i, kind in enumerate(kinds) if kind == "prismatic"]
    for travel in sorted(travels):
        if travel <= (FAR_DISTANCE * total if total > 0.0 else FAR_ALONE):
            total += travel
    if not 0.0 < total < math.inf:
        return 1.0
    return 32.0 ** ((math.frexp(total)[1] + 1) // 5)
