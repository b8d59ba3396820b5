"""Numeric SE(3): functions of rotations, poses and twists, generated from `symbolic` and compiled at the first call.

Twists are (ω, v), in rad and m; a pose T_sb has shape (4, 4). Every function accepts all that NumPy can convert to
float64, leaves its arguments unchanged, and returns new arrays.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import TransformError
from lessons_lib.lie import kernels
from lessons_lib.lie.checks import ORTHOGONALITY, SKEWNESS, check_rotation, check_skew, check_transform, finite
from lessons_lib.lie.euler import axis_angle_to_so3, euler_rate_jacobian, euler_to_so3, so3_to_euler
from lessons_lib.lie.nearest import project_se3, project_so3
from lessons_lib.lie.quaternions import quaternion_to_so3, so3_to_quaternion
from lessons_lib.lie.twists import screw_axis, swap_halves, swap_map
from lessons_lib.other_libraries import how_to_rotate, suggest_arguments

NEAR_A_TURN = 1e-6
"""Smallest distance of an angle from 2π, rad: closer, 1 − cos θ ≈ d²/2 has fewer than three digits."""

__all__ = [
    "NEAR_A_TURN",
    "ORTHOGONALITY",
    "SKEWNESS",
    "adjoint",
    "axis_angle_to_so3",
    "check_transform",
    "euler_rate_jacobian",
    "euler_to_so3",
    "exp_se3",
    "exp_so3",
    "hat_se3",
    "hat_so3",
    "inverse",
    "left_jacobian_inverse_se3",
    "left_jacobian_se3",
    "left_jacobian_so3",
    "log_se3",
    "log_so3",
    "pose",
    "project_se3",
    "project_so3",
    "quaternion_to_so3",
    "right_jacobian_se3",
    "right_jacobian_so3",
    "screw_axis",
    "so3_to_euler",
    "so3_to_quaternion",
    "swap_halves",
    "swap_map",
    "vee_se3",
    "vee_so3",
]


def _run(name: str, argument: Array, shape: tuple[int, ...]) -> Array:
    result = np.empty(shape)
    kernel: Any = getattr(kernels.jacobians() if "jacobian" in name else kernels.module(), name)
    kernel(argument, result)
    if not np.isfinite(result).all():
        raise TransformError(f"entries must have finite squares, got {argument.tolist()}")
    return result


@suggest_arguments
def pose(R: ArrayLike, p: ArrayLike) -> Array:
    """Return T = (R, p), shape (4, 4).

    >>> from lessons_lib import lie
    >>> lie.pose([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [0.4, 0.1, 0.3])[0].tolist()
    [0.0, -1.0, 0.0, 0.4]

    Args:
        R: Rotation, shape (3, 3); `euler_to_so3`, `axis_angle_to_so3`, `quaternion_to_so3` and `exp_so3` convert other
            forms.
        p: Position, shape (3,), m.

    Raises:
        TransformError: R is not a rotation, or p has another shape or is not finite.
    """
    T = np.eye(4)
    try:
        T[:3, :3] = finite(R, (3, 3), "R")
    except TransformError as error:
        raise TransformError(f"{error}{how_to_rotate(R)}") from error
    T[:3, 3] = finite(p, (3,), "p")
    check_rotation(T[:3, :3], "R")
    return T


def hat_so3(omega: ArrayLike) -> Array:
    """Return [ω], shape (3, 3), with [ω] p = ω × p.

    >>> from lessons_lib import lie
    >>> lie.hat_so3([1, 2, 3]).tolist()
    [[0.0, -3.0, 2.0], [3.0, 0.0, -1.0], [-2.0, 1.0, 0.0]]

    Args:
        omega: Rotation vector, shape (3,), rad.

    Raises:
        TransformError: ω has another shape than (3,) or is not finite.
    """
    return _run("hat_so3_kernel", finite(omega, (3,), "omega"), (3, 3))


def vee_so3(Omega: ArrayLike) -> Array:
    """Return ω, shape (3,), of a skew-symmetric matrix [ω]: the inverse of `hat_so3`.

    >>> from lessons_lib import lie
    >>> lie.vee_so3([[0, -3, 2], [3, 0, -1], [-2, 1, 0]]).tolist()
    [1.0, 2.0, 3.0]

    Args:
        Omega: Skew-symmetric matrix, shape (3, 3).

    Raises:
        TransformError: Ω has another shape than (3, 3), is not finite, or not skew-symmetric to 1e-9 of its size.
    """
    array = finite(Omega, (3, 3), "Omega")
    check_skew(array, "Omega")
    return _run("vee_so3_kernel", array, (3,))


def hat_se3(xi: ArrayLike) -> Array:
    """Return [ξ], shape (4, 4), of a twist ξ = (ω, v).

    >>> from lessons_lib import lie
    >>> lie.hat_se3([1, 2, 3, 4, 5, 6])[0].tolist()
    [0.0, -3.0, 2.0, 4.0]

    Args:
        xi: Twist ξ = (ω, v), shape (6,), rad and m.

    Raises:
        TransformError: ξ has another shape than (6,) or is not finite.
    """
    return _run("hat_se3_kernel", finite(xi, (6,), "xi"), (4, 4))


def vee_se3(X: ArrayLike) -> Array:
    """Return ξ = (ω, v), shape (6,), of [ξ]: the inverse of `hat_se3`.

    >>> from lessons_lib import lie
    >>> lie.vee_se3(lie.hat_se3([1, 2, 3, 4, 5, 6])).tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]

    Args:
        X: Matrix [ξ], shape (4, 4).

    Raises:
        TransformError: X has another shape than (4, 4), is not finite, its upper left part is not skew-symmetric, or
            its last row is not zero.
    """
    array = finite(X, (4, 4), "X")
    if array[3].any():
        raise TransformError(f"X: the last row of a matrix in se(3) must be zero, got {array[3].tolist()}")
    check_skew(array[:3, :3], "the upper left part of X")
    return _run("vee_se3_kernel", array, (6,))


def exp_so3(omega: ArrayLike) -> Array:
    """Return the rotation exp [ω], shape (3, 3), for a rotation vector ω in rad.

    >>> from lessons_lib import lie
    >>> R = lie.exp_so3([0, 0, 1.5707963267948966])  # a quarter of a revolution about z
    >>> (R @ [1, 0, 0]).round(6).tolist()
    [0.0, 1.0, 0.0]

    Args:
        omega: Rotation vector, shape (3,), rad.

    Raises:
        TransformError: ω has another shape than (3,) or is not finite.

    Source: Lynch & Park (2017), Prop. 3.11.
    """
    return _run("exp_so3_kernel", finite(omega, (3,), "omega"), (3, 3))


def log_so3(R: ArrayLike) -> Array:
    """Return the rotation vector ω of R, shape (3,), in rad, with ‖ω‖ ≤ π.

    At exactly π both signs are correct; the first nonzero component of ω is then positive.

    >>> from lessons_lib import lie
    >>> lie.log_so3([[0, -1, 0], [1, 0, 0], [0, 0, 1]]).round(6).tolist()
    [0.0, 0.0, 1.570796]

    Args:
        R: Rotation, shape (3, 3).

    Raises:
        TransformError: R is not a rotation.
    """
    array = finite(R, (3, 3), "R")
    check_rotation(array, "R")
    T = np.eye(4)
    T[:3, :3] = array
    return _run("log_rotation_kernel", T, (3,))


def exp_se3(xi: ArrayLike) -> Array:
    """Return the pose exp [ξ], shape (4, 4), for a twist ξ = (ω, v) in rad and m.

    >>> from lessons_lib import lie
    >>> axis = lie.screw_axis(point=[1, 0, 0], direction=[0, 0, 1])
    >>> T = lie.exp_se3(1.5707963267948966 * axis)  # a quarter of a revolution about it
    >>> (T @ [2, 0, 0, 1]).round(6).tolist()
    [1.0, 1.0, 0.0, 1.0]

    Args:
        xi: Twist ξ = (ω, v), shape (6,), rad and m.

    Raises:
        TransformError: ξ has another shape than (6,) or is not finite.

    Source: Lynch & Park (2017), Prop. 3.25.
    """
    return _run("exp_se3_kernel", finite(xi, (6,), "xi"), (4, 4))


def log_se3(T: ArrayLike) -> Array:
    """Return the twist ξ = (ω, v) with exp [ξ] = T, shape (6,), rad and m, ‖ω‖ ≤ π (at π as in `log_so3`).

    >>> from lessons_lib import lie
    >>> lie.log_se3(lie.exp_se3([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])).round(6).tolist()
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]

    Args:
        T: Pose, shape (4, 4), position in m.

    Raises:
        TransformError: T is not a pose.
    """
    return _run("log_se3_kernel", check_transform(T, "T"), (6,))


def adjoint(T: ArrayLike) -> Array:
    """Return the adjoint Ad_T, shape (6, 6), which changes the frame of a twist: V_s = Ad(T_sb) V_b.

    >>> from lessons_lib import lie
    >>> T_sb = lie.pose([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [2, 0, 0])
    >>> (lie.adjoint(T_sb) @ [0, 0, 1, 0, 0, 0]).tolist()
    [0.0, 0.0, 1.0, 0.0, -2.0, 0.0]

    Args:
        T: Pose, shape (4, 4), position in m.

    Raises:
        TransformError: T is not a pose.

    Source: Lynch & Park (2017), Def. 3.20.
    """
    return _run("adjoint_kernel", check_transform(T, "T"), (6, 6))


def inverse(T: ArrayLike) -> Array:
    """Return T⁻¹, shape (4, 4), as (Rᵀ, −Rᵀp).

    >>> from lessons_lib import lie
    >>> T = lie.exp_se3([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    >>> bool(abs(lie.inverse(T) @ T - lie.exp_se3([0] * 6)).max() < 1e-14)
    True

    Args:
        T: Pose, shape (4, 4), position in m.

    Raises:
        TransformError: T is not a pose.
    """
    return _run("inverse_kernel", check_transform(T, "T"), (4, 4))


def left_jacobian_so3(omega: ArrayLike) -> Array:
    """Return J_l(ω), shape (3, 3): exp(ω + δ) ≈ exp(J_l δ) exp(ω).

    >>> from lessons_lib import lie
    >>> omega, delta = [0.1, 0.2, 0.3], [0, 0, 1e-6]
    >>> R = lie.exp_so3(lie.left_jacobian_so3(omega) @ delta) @ lie.exp_so3(omega)
    >>> bool(abs(lie.log_so3(R) - [0.1, 0.2, 0.300001]).max() < 1e-12)
    True

    Args:
        omega: Rotation vector, shape (3,), rad.

    Raises:
        TransformError: ω has another shape than (3,) or is not finite.
    """
    return _run("left_jacobian_so3_kernel", finite(omega, (3,), "omega"), (3, 3))


def right_jacobian_so3(omega: ArrayLike) -> Array:
    """Return J_r(ω) = J_l(−ω), shape (3, 3): exp(ω + δ) ≈ exp(ω) exp(J_r δ).

    >>> from lessons_lib import lie
    >>> omega, delta = [0.1, 0.2, 0.3], [0, 0, 1e-6]
    >>> R = lie.exp_so3(omega) @ lie.exp_so3(lie.right_jacobian_so3(omega) @ delta)
    >>> bool(abs(lie.log_so3(R) - [0.1, 0.2, 0.300001]).max() < 1e-12)
    True

    Args:
        omega: Rotation vector, shape (3,), rad.

    Raises:
        TransformError: ω has another shape than (3,) or is not finite.
    """
    return left_jacobian_so3(-finite(omega, (3,), "omega"))


def left_jacobian_se3(xi: ArrayLike) -> Array:
    """Return J_l(ξ), shape (6, 6): exp(ξ + δ) ≈ exp(J_l δ) exp(ξ).

    >>> from lessons_lib import lie
    >>> lie.left_jacobian_se3([0, 0, 0, 1, 0, 0])[4].tolist()
    [0.0, 0.0, -0.5, 0.0, 1.0, 0.0]

    Args:
        xi: Twist ξ = (ω, v), shape (6,), rad and m.

    Raises:
        TransformError: ξ has another shape than (6,) or is not finite.
    """
    return _run("left_jacobian_se3_kernel", finite(xi, (6,), "xi"), (6, 6))


def right_jacobian_se3(xi: ArrayLike) -> Array:
    """Return J_r(ξ) = J_l(−ξ), shape (6, 6): exp(ξ + δ) ≈ exp(ξ) exp(J_r δ).

    >>> from lessons_lib import lie
    >>> (lie.right_jacobian_se3([0, 0, 0, 1, 0, 0])[4] + 0.0).tolist()
    [0.0, 0.0, 0.5, 0.0, 1.0, 0.0]

    Args:
        xi: Twist ξ = (ω, v), shape (6,), rad and m.

    Raises:
        TransformError: ξ has another shape than (6,) or is not finite.
    """
    return left_jacobian_se3(-finite(xi, (6,), "xi"))


def left_jacobian_inverse_se3(xi: ArrayLike) -> Array:
    """Return J_l(ξ)⁻¹, shape (6, 6), for ‖ω‖ ≤ 2π − 1e-6: log(exp(δ) exp(ξ)) ≈ ξ + J_l⁻¹ δ.

    The error is below 1e-12 up to ‖ω‖ = 6; a logarithm has ‖ω‖ ≤ π. At a distance d from 2π, where J_l is singular, the
    relative error is 4e-16/d², and an argument that leaves fewer than three digits raises an error.

    >>> from lessons_lib import lie
    >>> xi = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    >>> (lie.left_jacobian_inverse_se3(xi) @ lie.left_jacobian_se3(xi)).round(12).trace().item()
    6.0

    Args:
        xi: Twist ξ = (ω, v), shape (6,), rad and m.

    Raises:
        TransformError: ξ has another shape than (6,), is not finite, or ‖ω‖ > 2π − 1e-6.
    """
    array = finite(xi, (6,), "xi")
    angle = math.hypot(*array[:3])
    if angle > 2 * np.pi - NEAR_A_TURN:
        raise TransformError(
            f"the rotation must be at most 2π − {NEAR_A_TURN:g} rad, got {angle:.16g}: J_l is singular at 2π, and "
            "nearby rounding spoils its inverse"
        )
    return _run("left_jacobian_inverse_se3_kernel", array, (6, 6))
