"""The block diagram of a closed loop: boxes in a row, and wires with arrows between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch
from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, GREY, INK, PAPER

WIDTH, HEIGHT = 1.3, 0.62
"""Of a box, in the units of its place."""


def draw_diagram(
    ax: Axes, boxes: Mapping[str, tuple[float, float]], wires: Sequence[tuple[ArrayLike, str]]
) -> tuple[list[Any], list[Any]]:
    """Draw boxes, with their names in them, and wires.

    Args:
        ax: Where to draw; its axes are taken away.
        boxes: The middle of each box by its name, which may have several lines.
        wires: Corners of each wire, shape (m, 2), m ≥ 2, with an arrow at the last one, and what goes along it, which
            is written above its first stretch that lies flat; "" for nothing.

    Returns:
        The boxes and the lines of the wires.

    Raises:
        ParameterError: A wire has fewer than two corners, or corners that are no points.
    """
    drawn, lines = [], []
    for name, (x, y) in boxes.items():
        look: dict[str, Any] = {"boxstyle": "round,pad=0,rounding_size=0.08", "facecolor": PAPER, "edgecolor": BLUE}
        corner = (x - WIDTH / 2, y - HEIGHT / 2)
        drawn.append(ax.add_patch(FancyBboxPatch(corner, WIDTH, HEIGHT, linewidth=1.8, zorder=3, **look)))
        ax.text(x, y, name, ha="center", va="center", fontsize=10, color=INK, zorder=4, linespacing=1.15)
    for corners, name in wires:
        points = np.asarray(corners, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
            raise ParameterError(f"wire {name!r} needs two corners (x, y) or more, got shape {points.shape}")
        lines += ax.plot(*points.T, color=GREY, linewidth=1.6, zorder=1, solid_joinstyle="round")
        arrow: dict[str, Any] = {"arrowstyle": "-|>", "color": GREY, "linewidth": 1.6, "mutation_scale": 13.0}
        ax.annotate("", points[-1], points[-2], arrowprops=arrow | {"shrinkA": 0.0, "shrinkB": 0.0}, zorder=2)
        if name:
            _name(ax, points, name)
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.margins(0.03)
    return drawn, lines


def _name(ax: Axes, points: Any, name: str) -> None:
    flat = np.flatnonzero(np.isclose(points[:-1, 1], points[1:, 1]))
    first = int(flat[0]) if len(flat) else 0
    x, y = points[first : first + 2].mean(axis=0)
    ax.annotate(
        name, (x, y), (0, 4), textcoords="offset points", ha="center", va="bottom", fontsize=10, color=INK, zorder=5
    )
