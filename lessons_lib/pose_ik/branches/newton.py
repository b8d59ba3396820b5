"""Newton's method on an arm, from a start that is near an answer."""

from __future__ import annotations

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.lie import log_se3
from lessons_lib.robots import Chain

STEPS, REACHED = 20, 1e-13
"""Steps at most; the error at which it ends, rad and lengths of the arm."""


def refined(arm: Chain, target: Array, start: Array, length: float) -> Array | None:
    """Return where Newton's method leads from a start, or None where that is no answer.

    Args:
        arm: The arm.
        target: T_sd, shape (4, 4).
        start: Configuration, shape (n,).
        length: Of the arm, m.
    """
    q, unit = start.copy(), np.repeat([1.0, length], 3)
    for _ in range(STEPS):
        T, J_b = arm.pose_and_jacobian(q)
        error = log_se3(np.linalg.inv(T) @ target)
        if np.abs(error / unit).max() < REACHED:
            return q
        step = np.linalg.lstsq(J_b, error, rcond=None)[0]
        q = q + step * min(1.0, 1.0 / max(float(np.abs(step).max()), 1e-300))
    return None
