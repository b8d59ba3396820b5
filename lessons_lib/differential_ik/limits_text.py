"""The box of the limits as compiled code: what their `compute_bounds` say in NumPy, narrowed in place.

kernels.py joins this text to the others; tests/differential_ik/test_two_objectives.py holds both forms together.
"""

from typing import Any

import numba


@numba.njit(cache=True, nogil=True, error_model="numpy")
def narrow(indices: Any, low: Any, high: Any, lower: Any, upper: Any) -> None:
    """Narrow the box lower ≤ Δq ≤ upper to that of a limit, low ≤ Δq[indices] ≤ high."""
    for k in range(indices.size):
        i = indices[k]
        lower[i] = max(lower[i], low[k])
        upper[i] = min(upper[i], high[k])


@numba.njit(cache=True, nogil=True, error_model="numpy")
def narrow_to_range(
    indices: Any, coordinates: Any, low: Any, high: Any, gain: float, q: Any, lower: Any, upper: Any
) -> None:
    """Narrow the box to a part of the way that is left to the joints' limits, low ≤ q[coordinates] ≤ high."""
    for k in range(indices.size):
        i, value = indices[k], q[coordinates[k]]
        lower[i] = max(lower[i], gain * (low[k] - value))
        upper[i] = min(upper[i], gain * (high[k] - value))


@numba.njit(cache=True, nogil=True, error_model="numpy")
def narrow_to_speed(indices: Any, largest: Any, dt: float, lower: Any, upper: Any) -> None:
    """Narrow the box to what the largest speeds allow in dt."""
    for k in range(indices.size):
        i = indices[k]
        lower[i] = max(lower[i], -dt * largest[k])
        upper[i] = min(upper[i], dt * largest[k])
