"""Lesson 14: paths between two poses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import TransformError
from lessons_lib.lie import check_transform
from lessons_lib.plots.arm import draw_frame
from lessons_lib.plots.theme import DASHES, GREY, INK, PURPLE

__all__ = [
    "draw_interpolations",
    "off_the_line",
]


COLOURS = (PURPLE, INK, GREY)
"""The colours of the paths, in order; none of them is the colour of a drawn axis."""

FRAMES = 5
"""The number of frames along a path, including both ends."""


def off_the_line(points: ArrayLike, start: ArrayLike, end: ArrayLike) -> Array:
    """Return the distances of points from the straight line through two others, shape (m,), m.

    Args:
        points: Shape (m, 3), m.
        start: Shape (3,), m.
        end: Shape (3,), m; if it equals the start, distances from that point are returned.
    """
    begin = np.asarray(start, dtype=np.float64)
    along, away = np.asarray(end, dtype=np.float64) - begin, np.asarray(points, dtype=np.float64) - begin
    length = float(np.linalg.norm(along))
    if length > 0.0:
        away = away - np.outer(away @ along, along) / length**2
    distances: Array = np.linalg.norm(away, axis=1)
    return distances


def draw_interpolations(ax: Axes, paths: Mapping[str, ArrayLike]) -> list[Line2D]:
    """Draw paths in the x-y plane of {s}, with frames at equal parameter steps.

    Args:
        ax: Axes for x and y.
        paths: Poses along each path by name, shape (m, 4, 4), m ≥ 2, position in m.

    Returns:
        The line of each path.

    Raises:
        TransformError: A path has another shape or contains an invalid pose.
    """
    lines = []
    for i, (name, poses) in enumerate(paths.items()):
        path = np.asarray(poses, dtype=np.float64)
        if path.ndim != 3 or len(path) < 2:
            raise TransformError(
                f"the path {name!r} must be an array of poses of shape (m, 4, 4) with m ≥ 2, got {path.shape}"
            )
        look: dict[str, Any] = {"color": COLOURS[i % len(COLOURS)], "linestyle": DASHES[i % len(DASHES)]}
        for place in np.linspace(0, len(path) - 1, FRAMES).round().astype(int):
            draw_frame(ax, check_transform(path[place], f"pose {place} of {name}"), 0.12, linewidth=1.8, alpha=0.9)
        lines += ax.plot(*path[:, :2, 3].T, label=name, linewidth=2.2, zorder=3, **look)
    ax.relim()
    ax.autoscale_view()  # the frames' arrows were moved after they had been added
    ax.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    return lines
