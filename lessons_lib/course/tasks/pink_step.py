"""One step of Pink: the 2R with a hand task and a posture task.

The course runs without Pink; its test suite runs lesson 17's program for Pink and compares these values.

Source: Caron et al., Pink: Python inverse kinematics based on Pinocchio, version 4.4.0 (2026), with Pinocchio and DAQP.
"""

from dataclasses import dataclass

import numpy as np

from lessons_lib.arrays import Array

VERSION = "4.4.0"
"""Version of Pink that computed the values."""


@dataclass(frozen=True)
class PinkStep:
    """Pink's values for one step.

    Attributes:
        error: The hand's error, shape (6,), in Pink's order (v, ω), m and rad.
        H: Matrix of the quadratic program, shape (2, 2), [cost]² per rad².
        c: Vector of the quadratic program, shape (2,), [cost]² per rad.
        v: The velocity, shape (2,), rad/s; the second joint is at its limit.
    """

    error: Array
    H: Array
    c: Array
    v: Array


def target() -> Array:
    """Return the target of the 2R's hand, T_sd, shape (4, 4), m: rotated by a right angle, at (1, 1.3)."""
    return np.array([[0.0, -1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.3], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])


def pink_step() -> PinkStep:
    """Return Pink's values to twelve decimals."""
    return PinkStep(
        error=np.array([-0.073756330171, 0.276185846806, 0.0, 0.0, 0.0, 0.370796326795]),
        H=np.array([[12.661781174584, 6.231291514913], [6.231291514913, 4.045010960024]]),
        c=np.array([-0.717391362515, -0.606091084310]),
        v=np.array([-0.417687632708, 2.0]),
    )
