"""What a configuration does at every step, as compiled code. kernels.py joins this text to the kernels of trees."""

import math
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

if TYPE_CHECKING:  # from robots.tree_kernels

    def integrate(q_of_v: Any, q: Any, v: Any, ahead: Any) -> None: ...  # noqa: D103


@numba.njit(cache=True, nogil=True, error_model="numpy")
def advance(q_of_v: Any, q: Any, velocity: Any, dt: float, ahead: Any) -> bool:
    """Write the configuration that is reached from q in dt, and return whether the way there is finite."""
    step = np.empty(velocity.size)
    finite = True
    for i in range(velocity.size):
        step[i] = velocity[i] * dt
        finite = finite and math.isfinite(step[i])
    if finite:
        integrate(q_of_v, q, step, ahead)
    return finite


@numba.njit(cache=True, nogil=True, error_model="numpy")
def is_within(q: Any, lower: Any, upper: Any, tolerance: float) -> bool:
    """Return whether every value is within its limits; a range of no width is no limit, and NaN is never within."""
    for i in range(q.size):
        if upper[i] > lower[i] + tolerance and not lower[i] - tolerance <= q[i] <= upper[i] + tolerance:
            return False
    return True
