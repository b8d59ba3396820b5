"""Checks of arguments: finite arrays of a given shape, rotations, skew-symmetric matrices, poses."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.codegen import linker
from lessons_lib.codegen.compile_log import expect_compiling
from lessons_lib.codegen.linker import Plain, Recipe
from lessons_lib.errors import TransformError
from lessons_lib.lie.poses import ORTHONORMALIZE_TOLERANCE, ROUNDED, pose_deviation
from lessons_lib.other_libraries import how_to_pose, suggest_arguments

ORTHOGONALITY = 1e-6
"""Tolerance on RᵀR − I and on the last row of a pose; it accepts a pose from a file with seven digits."""

BOTTOM = (0.0, 0.0, 0.0, 1.0)
"""Last row of a pose."""

SKEWNESS = 1e-9
"""Tolerance on Ωᵀ + Ω, relative to its largest entry; it accepts rounding errors only."""


def finite(value: ArrayLike, shape: tuple[int, ...], what: str) -> Array:
    """Convert `value` to float64; raise TransformError unless it is finite and has the shape."""
    array = floats(value, f"{what} must be numbers in an array of shape {shape}", TransformError)
    if array.shape != shape:
        raise TransformError(f"{what} must have shape {shape}, got {array.shape}")
    if not np.isfinite(array).all():
        raise TransformError(f"{what} must be finite, got {array.tolist()}")
    return array


@np.errstate(over="ignore", invalid="ignore")
def check_rotation(R: Array, what: str) -> None:
    """Raise TransformError unless R, shape (3, 3), is a rotation to ORTHOGONALITY."""
    error = float(np.abs(R.T @ R - np.eye(3)).max())
    if not error <= ORTHOGONALITY:  # also if it overflowed
        raise TransformError(
            f"{what} is not a rotation: RᵀR must equal the identity to {ORTHOGONALITY:g}, but differs by {error:.3g}; "
            "lie.project_so3 returns the nearest rotation, lie.project_se3 the nearest pose"
        )
    if np.linalg.det(R) < 0:
        raise TransformError(f"{what} is a reflection: the determinant of a rotation must be +1, got −1")


def check_skew(Omega: Array, what: str) -> None:
    """Raise TransformError unless Ωᵀ = −Ω to SKEWNESS, relative to its size."""
    if np.abs(Omega / 2 + Omega.T / 2).max() > SKEWNESS / 2 * max(1.0, float(np.abs(Omega).max())):
        raise TransformError(f"{what} must be skew-symmetric (Ωᵀ = −Ω), got {Omega.tolist()}")


@suggest_arguments
def check_transform(T: ArrayLike, what: str = "transform") -> Array:
    """Check that T is a pose, and return a float64 copy with the last row exactly (0, 0, 0, 1).

    >>> from lessons_lib import lie
    >>> lie.check_transform([[1, 0, 0, 0.5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])[0].tolist()
    [1.0, 0.0, 0.0, 0.5]

    Args:
        T: Pose, shape (4, 4), position in m.
        what: Its name in error messages.

    Raises:
        TransformError: T has another shape, is not finite, or an entry of |RᵀR − I| or of |last row − (0, 0, 0, 1)|
            exceeds ORTHOGONALITY.
    """
    try:
        return _read_pose(T, what)
    except TransformError as error:
        if "masked" in str(error):  # NumPy would warn of a masked entry
            raise
        raise TransformError(f"{error}{how_to_pose(T, solving=False)}") from error


@np.errstate(over="ignore", invalid="ignore")
def _read_pose(T: ArrayLike, what: str) -> Array:
    array = finite(T, (4, 4), what)
    if not pose_deviation(array, 0) <= ORTHOGONALITY:
        if np.abs(array[3] - BOTTOM).max() > ORTHOGONALITY:
            raise TransformError(f"{what}: the last row must be [0, 0, 0, 1], got {array[3].tolist()}")
        check_rotation(array[:3, :3], f"the rotation part of {what}")
    array[3] = BOTTOM
    return array


def check_target(target: ArrayLike, name: str = "target") -> Array:
    """Check a target pose and return a copy, orthonormalized if RᵀR − I exceeds ROUNDED."""
    T_sd = read_target(target, name)
    if T_sd.shape == (4, 4) and first_invalid_pose(T_sd, ROUNDED):
        T_sd[3] = BOTTOM
        return T_sd
    try:
        T_sd = _read_pose(T_sd, name)
    except TransformError as error:
        raise TransformError(f"{error}{how_to_pose(target)}") from error
    with expect_compiling("a pose"):
        pose_module().orthonormalize(T_sd.reshape(16, 1), 0, 0)
    return T_sd


def read_target(target: ArrayLike, name: str = "target") -> Array:
    """Return the numbers of a target pose as a copy, float64 in C order, of any shape."""
    try:
        return floats(target, f"{name} must be numbers in an array of shape (4, 4)", TransformError)
    except TransformError as error:
        if "masked" in str(error):  # NumPy would warn of a masked entry
            raise
        raise TransformError(f"{error}{how_to_pose(target)}") from error


def check_targets(targets: ArrayLike, single: str) -> Array:
    """Check target poses and return them as float64 of shape (k, 4, 4), not orthonormalized.

    `single` is the function that the message names for one pose.
    """
    poses = _stack(targets, single)
    row = first_invalid_pose(poses, ORTHONORMALIZE_TOLERANCE)
    while row < len(poses):
        check_target(poses[row], f"target {row}")
        row += 1 + first_invalid_pose(poses[row + 1 :], ORTHONORMALIZE_TOLERANCE)
    return poses


def first_invalid_pose(poses: Array, tolerance: float) -> int:
    """Return the index of the first of k matrices whose `pose_deviation` exceeds a tolerance, or k."""
    with expect_compiling("a batch"):  # the batch reports the compilation of its search
        return int(pose_module().first_invalid_pose(poses.reshape(-1, 4), tolerance))


@lru_cache(maxsize=1)
def pose_module() -> ModuleType:
    return linker.load(Recipe("poses", (Plain("lessons_lib.lie.poses"),)))


def _stack(targets: ArrayLike, single: str) -> Array:
    if type(targets) is np.ndarray and targets.dtype == np.float64:
        poses: Array = np.ascontiguousarray(targets)
    else:
        poses = floats(targets, "targets must be poses, numbers of shape (k, 4, 4)", TransformError)
    if poses.size == 0 and poses.ndim in (1, 3):
        return np.empty((0, 4, 4))
    if poses.ndim != 3 or poses.shape[1:] != (4, 4):
        one = f"; {single} solves one pose" if poses.shape == (4, 4) else ""
        each = how_to_pose(poses[0]) if poses.ndim in (2, 3) and not one and len(poses) else one
        raise TransformError(f"targets must have shape (k, 4, 4), got {poses.shape}{each}")
    return poses
