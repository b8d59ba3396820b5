"""Where random configurations are drawn from."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def finite_limits(lower: Array, upper: Array, reach: Array) -> Array:
    """Return limits with a finite stand-in where there is none, shape (n, 2): `reach` from zero, rad or m.

    Beside a limit on the other side, the stand-in is at least twice the reach away from it.
    """
    low = np.where(np.isinf(lower), np.minimum(-reach, upper - 2 * reach), lower)
    high = np.where(np.isinf(upper), np.maximum(reach, lower + 2 * reach), upper)
    return np.column_stack([low, high])
