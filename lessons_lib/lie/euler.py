"""Conversions of rotations from and to Euler angles in all 24 orders, and from an axis and an angle."""

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

AngleUnit = Literal["rad", "deg"]
"""Unit of arguments or results."""

RateFrame = Literal["space", "body"]
"""Frame of an angular velocity."""

GIMBAL_LOCK = 1e-14
"""Sine or cosine of the second angle below which the other two axes count as parallel: some rounding errors of R."""


@suggest_arguments
def euler_to_so3(angles: ArrayLike, order: str, unit: AngleUnit = "rad") -> Array:
    """Return the rotation R of three Euler angles, shape (3, 3).

    Capital letters denote rotations about moving axes (intrinsic): "ZYX" is R = R_z(θ₁) R_y(θ₂) R_x(θ₃). Small letters
    denote rotations about fixed axes (extrinsic): "xyz" is R = R_z(θ₃) R_y(θ₂) R_x(θ₁), the roll, pitch and yaw of URDF
    and ROS. SciPy uses the same names.

    >>> from lessons_lib import lie
    >>> T_sd = lie.pose(lie.euler_to_so3([90, 0, 180], "ZYX", unit="deg"), [0.4, 0.1, 0.3])
    >>> (T_sd[:3, :3] @ [1, 0, 0]).round(6).tolist()
    [0.0, 1.0, 0.0]

    Args:
        angles: Shape (3,), in the sequence of the letters.
        order: Three letters of "XYZ" or of "xyz"; adjacent letters differ.
        unit: "rad" or "deg".

    Raises:
        TransformError: The angles have another shape, are not finite, or their squares overflow; or order or unit is
            invalid.

    Source: Lynch & Park (2017), App. B.1.
    """
    return _kernel(angles, order, unit)[0]


@suggest_arguments
def so3_to_euler(R: ArrayLike, order: str, unit: AngleUnit = "rad") -> Array:
    """Return the Euler angles of a rotation R, shape (3,): the inverse of `euler_to_so3`.

    The first and the third angle are in [−π, π]. The second one is in [−π/2, π/2] if the letters differ, as in "ZYX",
    and in [0, π] if the first one is repeated, as in "ZYZ". At an end of its range (gimbal lock), R determines only the
    sum or the difference of the other two; the third angle is then zero.

    >>> from lessons_lib import lie
    >>> R = lie.euler_to_so3([0.3, 0.1, 0.2], "xyz")
    >>> lie.so3_to_euler(R, "ZYX").round(6).tolist()
    [0.2, 0.1, 0.3]

    Args:
        R: Rotation, shape (3, 3).
        order: As in `euler_to_so3`.
        unit: "rad" or "deg".

    Raises:
        TransformError: R is not a rotation, or order or unit is invalid.
    """
    array = finite(R, (3, 3), "R")
    check_rotation(array, "R")
    (i, j, k), extrinsic = _axes_of(order)
    factor = 1.0 / float(_in_rad(np.ones(()), unit))
    third = 3 - i - j  # the axis that completes i and j
    sign = 1.0 if (j - i) % 3 == 1 else -1.0  # e_i × e_j = sign e_third
    v = array[:, k]  # R e_k = R₁ R₂ e_k: the third rotation does not move its own axis
    apart = math.hypot(v[j], v[third])
    if i == k:
        first, second = math.atan2(v[j], -sign * v[third]), math.atan2(apart, v[i])
    else:
        first, second = math.atan2(-sign * v[j], v[third]), math.atan2(sign * v[i], apart)
    locked = apart < GIMBAL_LOCK
    if locked:  # only the sum of two angles matters; the caller's third angle is zero
        first = 0.0 if extrinsic else math.atan2(sign * array[third, j], array[j, j])
    w = array.T @ (math.cos(first) * np.eye(3)[j] + sign * math.sin(first) * np.eye(3)[third])  # R₃ᵀ e_j = Rᵀ R₁ e_j
    other, turned = 3 - j - k, 1.0 if (j - k) % 3 == 1 else -1.0  # e_k × e_j = turned e_other
    last = 0.0 if locked and not extrinsic else math.atan2(-turned * w[other], w[j])
    angles = [last, second, first] if extrinsic else [first, second, last]
    return np.array(angles) * factor


@suggest_arguments
def euler_rate_jacobian(angles: ArrayLike, order: str, frame: RateFrame = "space", unit: AngleUnit = "rad") -> Array:
    """Return B, shape (3, 3), which maps the rates of Euler angles to the angular velocity: ω = B θ̇.

    B is singular if the first and the third axis are parallel (gimbal lock): at a second angle of ±90° if the letters
    differ, as in "ZYX", and of 0 or 180° if the first one is repeated, as in "ZYZ". Then no rates give an ω about the
    direction perpendicular to all three axes; nearby, the rates grow as 1 / |det B|, where |det B| is |cos θ₂| or
    |sin θ₂|.

    >>> from lessons_lib import lie
    >>> B = lie.euler_rate_jacobian([0, 90, 0], "ZYX", unit="deg")  # here x points down, along −z
    >>> (B @ [2, 0, 1]).round(6).tolist()
    [0.0, 0.0, 1.0]

    Args:
        angles: Shape (3,), in the sequence of the letters.
        order: As in `euler_to_so3`; column i of B belongs to its letter i.
        frame: Frame of ω: "space" for the fixed frame, "body" for the rotated one.
        unit: Unit of `angles`, "rad" or "deg". B has no unit: rates in rad/s give ω in rad/s.

    Raises:
        TransformError: The angles have another shape or are not finite; or order, frame or unit is invalid.

    Source: Lynch & Park (2017), Def. 5.1, for three revolute joints; App. B.2.
    """
    if not isinstance(frame, str) or frame not in get_args(RateFrame):
        raise TransformError(f"frame must be 'space' or 'body', got {frame!r}")
    R, B = _kernel(angles, order, unit)
    return B if frame == "space" else R.T @ B


@suggest_arguments
def axis_angle_to_so3(axis: ArrayLike, angle: float, unit: AngleUnit = "rad") -> Array:
    """Return the rotation by an angle about an axis, shape (3, 3).

    `log_so3` is the inverse: it returns the axis times the angle in rad.

    >>> from lessons_lib import lie
    >>> R = lie.axis_angle_to_so3([0, 0, 2], 45, unit="deg")
    >>> lie.log_so3(R).round(6).tolist()
    [0.0, 0.0, 0.785398]

    Args:
        axis: Shape (3,), of any nonzero length.
        angle: Right-handed about the axis.
        unit: "rad" or "deg".

    Raises:
        TransformError: An argument has another shape or is not finite, the axis is zero, or the unit is invalid.
    """
    direction, angle_rad = finite(axis, (3,), "axis"), float(_in_rad(finite(angle, (), "angle"), unit))
    length = math.hypot(*direction)
    if length == 0.0:
        raise TransformError("axis must not be zero, got [0.0, 0.0, 0.0]")
    R = np.empty((3, 3))
    kernels.module().exp_so3_kernel(direction / length * math.remainder(angle_rad, math.tau), R)
    return R


def _kernel(angles: ArrayLike, order: str, unit: AngleUnit) -> tuple[Array, Array]:
    """Return R and B_s."""
    (i, j, k), extrinsic = _axes_of(order)
    theta = _in_rad(finite(angles, (3,), "angles"), unit)
    R, B = np.empty((3, 3)), np.empty((3, 3))
    kernels.euler().euler_kernel(np.eye(3)[[i, j, k]], theta[::-1].copy() if extrinsic else theta, R, B)
    if not np.isfinite(R).all():
        raise TransformError(f"angles must have finite squares, got {theta.tolist()} rad")
    return R, B[:, ::-1].copy() if extrinsic else B


def _axes_of(order: str) -> tuple[list[int], bool]:
    """Return the axes in intrinsic sequence, 0 to 2, and whether the order is extrinsic."""
    letters = order.lower() if isinstance(order, str) else ""
    one_case = letters and order in (letters, letters.upper())
    if not one_case or len(letters) != 3 or set(letters) - set("xyz") or letters[1] in (letters[0], letters[2]):
        raise TransformError(
            f"order must be three letters such as 'ZYX' (intrinsic: about moving axes) or 'xyz' (extrinsic: about "
            f"fixed axes), adjacent ones different, got {order!r}"
        )
    extrinsic = order == letters
    axes = ["xyz".index(letter) for letter in letters]
    return axes[::-1] if extrinsic else axes, extrinsic


def _in_rad(angles: Array, unit: AngleUnit) -> Array:
    """Convert angles to rad; whole revolutions in degrees are subtracted first, without rounding."""
    if not isinstance(unit, str) or unit not in get_args(AngleUnit):
        raise TransformError(f"unit must be 'rad' or 'deg', got {unit!r}")
    return angles if unit == "rad" else np.radians(np.fmod(angles, 360.0))
