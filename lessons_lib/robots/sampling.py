"""Which limits count as none, and where random configurations are drawn from."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lessons_lib.arrays import Array

FAR_ANGLE = 200.0 * np.pi
"""A revolute joint's limit beyond this, 100 turns [rad], says that it has none: the cables of no arm allow so many."""

FAR_DISTANCE = 1e3
"""The same for a prismatic joint [m]."""

FAR_SCREW = 1e5
"""The same for a helical joint [rad], the spindle of which may have thousands of turns."""

_FAR = {"revolute": FAR_ANGLE, "prismatic": FAR_DISTANCE, "helical": FAR_SCREW}
_REACH = {"revolute": np.pi, "prismatic": 1.0, "helical": np.pi}


def finite_limits(lower: Array, upper: Array, kinds: Sequence[str]) -> Array:
    """Return limits with a stand-in where there is none, shape (n, 2): π rad or 1 m from zero.

    Beside a limit on the other side, the stand-in is at least a full turn or 2 m away from it. What some files write in
    place of none, ±1e12 or ±1e16, is none: of a joint that may stand anywhere there, all but one in a billion places
    would be useless, and its pose lost in rounding.

    Args:
        lower: Lower limits, −inf where there is none, shape (n,).
        upper: Upper limits, shape (n,).
        kinds: n times "revolute", "prismatic" or "helical".
    """
    reach = np.array([_REACH[kind] for kind in kinds])
    below, above = without_end(lower, upper, kinds)
    low = np.where(below, np.maximum(np.minimum(-reach, upper - 2 * reach), lower), lower)
    high = np.where(above, np.minimum(np.maximum(reach, lower + 2 * reach), upper), upper)
    return np.column_stack([low, high])


def without_end(lower: Array, upper: Array, kinds: Sequence[str]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return whether each joint has no lower limit, and whether it has no upper one; arguments as `finite_limits`."""
    far = np.array([_FAR[kind] for kind in kinds])
    return lower <= -far, upper >= far
