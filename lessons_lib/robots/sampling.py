"""Which limits count as none, and where random configurations are drawn from."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lessons_lib.arrays import Array

FAR_ANGLE = 200.0 * np.pi
"""A revolute joint's limit beyond this, 100 turns [rad], says that it has none: the cables of no arm allow so many."""

FAR_DISTANCE = 1e3
"""The same for a prismatic joint, in lengths of the arm: 1 km for an arm of some metres."""

FAR_ALONE = 1e5
"""The same where no length tells of the arm's, in the unit of the robot: 100 m for a gantry in mm."""

FAR_SCREW = 1e5
"""The same for a helical joint [rad], whose spindle may have thousands of turns, and for a coupled coordinate."""

_FAR = {"revolute": FAR_ANGLE, "prismatic": FAR_DISTANCE, "helical": FAR_SCREW, "coupled": FAR_SCREW}
_REACH = {"revolute": np.pi, "prismatic": 1.0, "helical": np.pi, "coupled": 2.0 * np.pi}


def finite_limits(lower: Array, upper: Array, kinds: Sequence[str], length: float = 1.0) -> Array:
    """Return limits with a stand-in where there is none, shape (n, 2): π rad or one length from zero.

    Beside a limit on the other side, the stand-in is at least a full turn or two lengths away from it. What some files
    write in place of none, ±1e12 or ±1e16, is none: of a joint that may stand anywhere there, all but one in a billion
    places would be useless, and its pose lost in rounding.

    Args:
        lower: Lower limits, −inf where there is none, shape (n,).
        upper: Upper limits, shape (n,).
        kinds: n times "revolute", "prismatic", "helical" or "coupled".
        length: Of the arm, m, as `characteristic_length` has it.
    """
    reach = np.array([_REACH[kind] * (length if kind == "prismatic" else 1.0) for kind in kinds])
    below, above = unlimited_sides(lower, upper, kinds, length)
    low = np.where(below, np.maximum(np.minimum(-reach, upper - 2 * reach), lower), lower)
    high = np.where(above, np.minimum(np.maximum(reach, lower + 2 * reach), upper), upper)
    return np.column_stack([low, high])


def unlimited_sides(
    lower: Array, upper: Array, kinds: Sequence[str], length: float = 1.0
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return whether each joint has no lower limit, and whether it has no upper one; arguments as `finite_limits`."""
    far = np.array([_FAR[kind] * (length if kind == "prismatic" else 1.0) for kind in kinds])
    return lower <= -far, upper >= far


def characteristic_length(screws: Array, home: Array, limits: Array, kinds: Sequence[str]) -> float:
    """Return about how long an arm is, a power of 32, so that dividing by it rounds nothing: 1 m from 0.25 to 8 m.

    That is the way from the tip to the innermost axis, each axis at the point nearest to the one before, and all travel
    but what is beyond `FAR_DISTANCE` times what is shorter. In another unit of length it is as long.

    Args:
        screws: (ω, v) in {s} at zero, shape (6, n).
        home: Pose of the tip at zero, shape (4, 4), m.
        limits: Shape (n, 2), rad or m.
        kinds: As in `finite_limits`.
    """
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
