"""Where random configurations are drawn from."""

from collections.abc import Sequence

import numpy as np

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
    far, reach = (np.array([table[kind] for kind in kinds]) for table in (_FAR, _REACH))
    low = np.where(lower <= -far, np.maximum(np.minimum(-reach, upper - 2 * reach), lower), lower)
    high = np.where(upper >= far, np.minimum(np.maximum(reach, lower + 2 * reach), upper), upper)
    return np.column_stack([low, high])
