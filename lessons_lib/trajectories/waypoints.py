"""The poses that a path goes through: read from a caller, or made from positions."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array, floats
from lessons_lib.errors import TransformError
from lessons_lib.pose_ik.arguments import FEW, check_target, nearly_poses
from lessons_lib.pose_ik.layout import ROUNDED


def poses_at(positions: ArrayLike, orientation: ArrayLike | None = None) -> Array:
    """Return a pose for each position, all with the same orientation.

    Args:
        positions: Shape (k, 3), m, in {s}.
        orientation: R_sd, shape (3, 3); that of {s} when left out.

    Returns:
        Shape (k, 4, 4).

    Raises:
        TransformError: The positions have another shape or are not finite, or `orientation` is not a rotation.
    """
    points = floats(positions, "positions must be numbers of shape (k, 3)", TransformError)
    if points.ndim != 2 or points.shape[1] != 3:
        raise TransformError(f"positions must have shape (k, 3), a row (x, y, z) for each; got {points.shape}")
    if not np.isfinite(points).all():
        row = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
        raise TransformError(f"position {row} must be finite, got {points[row].tolist()}")
    pose = np.eye(4)
    if orientation is not None:
        pose[:3, :3] = floats(orientation, "orientation must be numbers of shape (3, 3)", TransformError)
        pose = lie.check_transform(pose, "orientation")
    poses = np.tile(pose, (len(points), 1, 1))
    poses[:, :3, 3] = points
    return poses


def check_waypoints(waypoints: ArrayLike | Iterable[ArrayLike]) -> Array:
    """Return the waypoints as an array of poses, shape (k, 4, 4), k ≥ 1, each rounded rotation made the nearest one.

    Args:
        waypoints: An array, a list or any other finite row of poses, such as a generator.

    Raises:
        TransformError: There is none, or one is not a pose; the message names it by its place, from 1.
    """
    given = waypoints if isinstance(waypoints, np.ndarray) else _listed(waypoints)
    if isinstance(given, np.ndarray) and given.ndim != 3 and given.size:
        raise TransformError(f"waypoints must be poses, shape (k, 4, 4), got an array of shape {given.shape}")
    if not len(given):
        raise TransformError("there is no waypoint; a path needs at least one pose, shape (k, 4, 4) with k ≥ 1")
    if len(given) <= FEW:
        return np.array([check_target(waypoint, f"waypoint {place}") for place, waypoint in enumerate(given, start=1)])
    try:
        poses = floats(given, "waypoints must be poses, numbers of shape (k, 4, 4)", TransformError)  # type: ignore[arg-type]
    except TransformError:
        poses = np.empty(0)  # rows of different shapes, among others: the message shall name the first
    exact = nearly_poses(poses, ROUNDED) if poses.shape[1:] == (4, 4) else np.zeros(len(given), dtype=np.bool_)
    if exact.all():
        return poses
    rounded = [check_target(waypoint, f"waypoint {place}") for place, waypoint in enumerate(given, start=1)]
    return np.array(rounded)


def _listed(waypoints: ArrayLike | Iterable[ArrayLike]) -> list[ArrayLike]:
    try:
        return list(waypoints)  # type: ignore[arg-type]
    except TypeError as cause:
        raise TransformError(f"waypoints must be poses, shape (k, 4, 4), got {waypoints!r}") from cause
