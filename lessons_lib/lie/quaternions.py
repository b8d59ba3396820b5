"""Unit quaternions in and out: both orders that are in use, either sign, and no other length than one."""

from __future__ import annotations

import math
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import TransformError
from lessons_lib.lie import kernels
from lessons_lib.lie.checks import check_rotation, finite

QuaternionOrder = Literal["xyzw", "wxyz"]
"""Real part last, as ROS, SciPy, Pinocchio and this library's trees have it, or first, as MuJoCo and Eigen's text."""

LENGTH_TOLERANCE = 1e-6
"""How far the length of a quaternion may be from 1: what is left of one that was typed with seven digits."""


def quaternion_to_so3(quaternion: ArrayLike, order: QuaternionOrder = "xyzw") -> Array:
    """Return the rotation R of a unit quaternion, shape (3, 3).

    Args:
        quaternion: Shape (4,), of length one; its negative is the same rotation.
        order: "xyzw", the real part last, or "wxyz".

    Raises:
        TransformError: Another shape, not finite, a length farther from 1 than LENGTH_TOLERANCE, or no such order.
    """
    numbers = _in_order(finite(quaternion, (4,), "quaternion"), order, -1)
    length = math.hypot(*numbers)
    if abs(length - 1.0) > LENGTH_TOLERANCE:
        raise TransformError(
            f"quaternion {np.asarray(quaternion).tolist()} has length {length:.9g}; one of a rotation has length 1: "
            "divide by it if that is what is meant"
        )
    R, kernel = np.empty((3, 3)), kernels.quaternions()
    kernel.rotation_of_quaternion_kernel(numbers, R)
    return R


def so3_to_quaternion(R: ArrayLike, order: QuaternionOrder = "xyzw") -> Array:
    """Return the unit quaternion of a rotation R, shape (4,), its real part zero or more.

    Args:
        R: Rotation, shape (3, 3).
        order: "xyzw", the real part last, or "wxyz".

    Raises:
        TransformError: R is not a rotation, or there is no such order.
    """
    T, omega, quaternion = np.eye(4), np.empty(3), np.empty(4)
    T[:3, :3] = finite(R, (3, 3), "R")
    check_rotation(T[:3, :3], "R")
    logarithm: Any = kernels.module()
    logarithm.log_rotation_kernel(T, omega)
    kernels.quaternions().quaternion_of_vector_kernel(omega, quaternion)
    return _in_order(quaternion, order, 1)


def _in_order(quaternion: Array, order: QuaternionOrder, shift: int) -> Array:
    if not isinstance(order, str) or order not in get_args(QuaternionOrder):
        raise TransformError(f"order is {order!r}; a quaternion is in the order 'xyzw' or 'wxyz'")
    return quaternion if order == "xyzw" else np.roll(quaternion, shift)
