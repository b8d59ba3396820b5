"""Lesson 18: paths of a walking quadruped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, GREY, VERMILION

__all__ = [
    "draw_walk",
]

WAY_COLOURS, WAY_MARKERS = (VERMILION, BLUE), ("o", "D")
"""The line styles of the paths, in order."""

HEADING = 0.16
"""The length of the heading mark as a fraction of the circle's radius."""


def draw_walk(ax: Axes, radius: float, ways: Mapping[str, ArrayLike]) -> list[Line2D]:
    """Draw paths of a floating base over the circle that they should follow.

    Args:
        ax: Axes for x and y.
        radius: Radius of the circle, m; it touches the x-axis at the origin and lies to its left.
        ways: One or two paths by name, rows (x, y, heading), shape (m, 3), m and rad.

    Returns:
        Lines of the paths, in order.

    Raises:
        ParameterError: There is no path or more than two, or a path has another shape.
    """
    if not 1 <= len(ways) <= len(WAY_COLOURS):
        raise ParameterError(f"ways must hold one or two paths, got {len(ways)}")
    angles = np.linspace(0.0, 2.0 * np.pi, 181)
    ax.plot(radius * np.sin(angles), radius * (1.0 - np.cos(angles)), color=GREY, linewidth=1.4, label="circle")
    lines = []
    for (name, way), colour, marker in zip(ways.items(), WAY_COLOURS, WAY_MARKERS, strict=False):
        rows = np.asarray(way, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != 3:
            raise ParameterError(f"path {name!r} must have shape (m, 3): x, y and heading, got {rows.shape}")
        ends = rows[:, :2] + HEADING * radius * np.column_stack([np.cos(rows[:, 2]), np.sin(rows[:, 2])])
        for start, end in zip(rows[:, :2], ends, strict=True):
            ax.plot(*zip(start, end, strict=True), color=colour, linewidth=1.8)
        look: dict[str, Any] = {"color": colour, "marker": marker, "linestyle": (0, (1, 2)), "linewidth": 1.0}
        lines += ax.plot(rows[:, 0], rows[:, 1], label=name, markersize=5.5, **look)
    ax.set(xlabel="x [m]", ylabel="y [m]")
    ax.set_aspect("equal", adjustable="datalim")
    return lines
