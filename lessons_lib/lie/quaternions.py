"""Conversions between rotations and unit quaternions of either sign, with the real part first or last."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import TransformError
from lessons_lib.lie import kernels
from lessons_lib.lie.checks import check_rotation, finite
from lessons_lib.other_libraries import suggest_arguments

QuaternionOrder = Literal["xyzw", "wxyz"]
"""Real part last, as in ROS, SciPy, Pinocchio and this library's trees, or first, as in MuJoCo."""

LENGTH_TOLERANCE = 1e-6
"""Tolerance on the length of a quaternion; it accepts one with seven digits."""


@suggest_arguments
def quaternion_to_so3(quaternion: ArrayLike, order: QuaternionOrder = "xyzw") -> Array:
    """Return the rotation R of a unit quaternion, shape (3, 3).

    >>> from lessons_lib import lie
    >>> lie.quaternion_to_so3([0, 0, 1, 0], order="xyzw").tolist()  # half a revolution about z
    [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]

    Args:
        quaternion: Shape (4,), of length 1 to 1e-6; its negative is the same rotation.
        order: "xyzw", the real part last, or "wxyz".

    Raises:
        TransformError: The quaternion has another shape or length or is not finite, or the order is invalid.
    """
    numbers = _in_order(finite(quaternion, (4,), "quaternion"), order, -1)
    length = math.hypot(*numbers)
    if abs(length - 1.0) > LENGTH_TOLERANCE:
        raise TransformError(
            f"quaternion must have length 1, got {np.asarray(quaternion).tolist()} of length {length:.9g}; divide it "
            "by its length"
        )
    R = np.empty((3, 3))
    kernels.quaternions().rotation_of_quaternion_kernel(numbers, R)
    return R


@suggest_arguments
def so3_to_quaternion(R: ArrayLike, order: QuaternionOrder = "xyzw") -> Array:
    """Return the unit quaternion of a rotation R, shape (4,), with a nonnegative real part.

    >>> from lessons_lib import lie
    >>> lie.so3_to_quaternion(lie.exp_so3([0, 0, 1]), order="wxyz").round(6).tolist()
    [0.877583, 0.0, 0.0, 0.479426]

    Args:
        R: Rotation, shape (3, 3).
        order: "xyzw", the real part last, or "wxyz".

    Raises:
        TransformError: R is not a rotation, or the order is invalid.
    """
    T, omega, quaternion = np.eye(4), np.empty(3), np.empty(4)
    T[:3, :3] = finite(R, (3, 3), "R")
    check_rotation(T[:3, :3], "R")
    kernels.module().log_rotation_kernel(T, omega)
    kernels.quaternions().quaternion_of_vector_kernel(omega, quaternion)
    return _in_order(quaternion, order, 1)


def _in_order(quaternion: Array, order: QuaternionOrder, shift: int) -> Array:
    if not isinstance(order, str) or order not in get_args(QuaternionOrder):
        raise TransformError(f"order must be 'xyzw' or 'wxyz', got {order!r}")
    return quaternion if order == "xyzw" else np.roll(quaternion, shift)
