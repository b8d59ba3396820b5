"""The poses that a path goes through, as a caller gives them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import TransformError
from lessons_lib.pose_ik.arguments import check_target, first_off
from lessons_lib.pose_ik.layout import ROUNDED


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
    try:
        poses = floats(given, "waypoints must be poses, numbers of shape (k, 4, 4)", TransformError)  # type: ignore[arg-type]
    except TransformError:
        poses = np.empty(0)  # rows of different shapes, among others: the message shall name the first
    if poses.shape[1:] == (4, 4) and first_off(poses, ROUNDED) == len(poses):
        return poses
    rounded = [check_target(waypoint, f"waypoint {place}") for place, waypoint in enumerate(given, start=1)]
    return np.array(rounded)


def _listed(waypoints: ArrayLike | Iterable[ArrayLike]) -> list[ArrayLike]:
    try:
        return list(waypoints)  # type: ignore[arg-type]
    except TypeError as cause:
        raise TransformError(f"waypoints must be poses, shape (k, 4, 4), got {waypoints!r}") from cause
