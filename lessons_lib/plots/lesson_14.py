"""Lesson 14: paths between two poses, and what a loop around them does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError, TransformError
from lessons_lib.lie import check_transform
from lessons_lib.plots.arm import draw_frame
from lessons_lib.plots.theme import BLUE, CYCLE, DASHES, GREY, INK, PAPER, PURPLE

__all__ = [
    "draw_diagram",
    "draw_shrinking",
    "draw_tip_errors",
    "draw_interpolations",
    "off_the_line",
]


COLOURS = (PURPLE, INK, GREY)
"""Of the paths, in order; none is the colour of a drawn axis."""

FRAMES = 5
"""Frames along a path, both ends counted."""


def off_the_line(points: ArrayLike, start: ArrayLike, end: ArrayLike) -> Array:
    """Return how far points lie from the straight line through two others, shape (m,), m.

    Args:
        points: Shape (m, 3), m.
        start: Shape (3,), m.
        end: Shape (3,), m; where it is the start, the distance from that point is returned.
    """
    begin = np.asarray(start, dtype=np.float64)
    along, away = np.asarray(end, dtype=np.float64) - begin, np.asarray(points, dtype=np.float64) - begin
    length = float(np.linalg.norm(along))
    if length > 0.0:
        away = away - np.outer(away @ along, along) / length**2
    distances: Array = np.linalg.norm(away, axis=1)
    return distances


def draw_interpolations(ax: Axes, paths: Mapping[str, ArrayLike], length: float = 0.12) -> list[Line2D]:
    """Draw paths in the x-y plane of {s}, with frames at equal parts of each.

    Args:
        ax: Where to draw.
        paths: Poses along each path, shape (m, 4, 4), m ≥ 2, position in m, by its name.
        length: Of a frame's arrows, m.

    Returns:
        The line of each path.

    Raises:
        TransformError: A path has another shape, or what it holds is not a pose.
    """
    lines = []
    for i, (name, poses) in enumerate(paths.items()):
        path = np.asarray(poses, dtype=np.float64)
        if path.ndim != 3 or len(path) < 2:
            raise TransformError(f"the path {name!r} must be poses, shape (m, 4, 4) with m ≥ 2, got {path.shape}")
        look: dict[str, Any] = {"color": COLOURS[i % len(COLOURS)], "linestyle": DASHES[i % len(DASHES)]}
        for place in np.linspace(0, len(path) - 1, FRAMES).round().astype(int):
            draw_frame(ax, check_transform(path[place], f"pose {place} of {name}"), length, linewidth=1.8, alpha=0.9)
        lines += ax.plot(*path[:, :2, 3].T, label=name, linewidth=2.2, zorder=3, **look)
    ax.relim()
    ax.autoscale_view()  # the frames' arrows were moved after they had been added
    ax.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    return lines


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


MARKERS = ("o", "s", "^", "D", "v", "P", "X")

FLOOR = 1e-9
"""Errors below it are drawn at it: a logarithm has no zero."""


def draw_shrinking(ax: Axes, seen: Mapping[str, ArrayLike], factors: Mapping[str, float]) -> list[Line2D]:
    """Draw errors sample by sample, over the first one, and behind each the line of a constant factor a sample.

    Args:
        ax: Where to draw.
        seen: Errors at the samples 0, 1, 2, … by name; shape (m,), m ≥ 1, the first one positive.
        factors: By how much each sample is said to multiply the error; a name without one gets no line.

    Returns:
        The markers of each name, in order.

    Raises:
        ParameterError: Errors of another shape, negative, not finite, or zero at first.
    """
    drawn = []
    for i, (name, values) in enumerate(seen.items()):
        errors = np.asarray(values, dtype=np.float64)
        if errors.ndim != 1 or not errors.size or not (np.isfinite(errors) & (errors >= 0.0)).all() or not errors[0]:
            wanted = "shape (m,), zero or more, the first positive"
            raise ParameterError(f"errors of {name} must be of {wanted}, got {values!r}")
        samples, colour = np.arange(errors.size), CYCLE[i % len(CYCLE)]
        marker = MARKERS[i % len(MARKERS)]
        parts = np.maximum(errors / errors[0], FLOOR)
        drawn += ax.plot(samples, parts, marker, color=colour, label=name, markersize=5.0, zorder=4)
        if name in factors:
            said = np.maximum(np.abs(factors[name]) ** samples, FLOOR)
            ax.plot(samples, said, color=colour, linestyle=DASHES[2], linewidth=1.5, zorder=3)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="tick", ylabel="error over the first error", yscale="log")
    return drawn


def draw_tip_errors(ax: Axes, runs: Mapping[str, tuple[ArrayLike, ArrayLike]], changes: ArrayLike = ()) -> list[Line2D]:
    """Draw the tip's distance from its pose over time, on a logarithmic scale.

    Args:
        ax: Where to draw.
        runs: Moments [s] and distances [m] by name, each of shape (m,).
        changes: When the pose changes, s, shape (k,): a fine upright line each.

    Returns:
        A line a run.

    Raises:
        ParameterError: Moments and distances of a run differ in shape.
    """
    drawn = []
    for when in np.atleast_1d(np.asarray(changes, dtype=np.float64)):
        ax.axvline(when, color=GREY, linewidth=0.8, linestyle=DASHES[2], zorder=1)
    for i, (name, (moments, distances)) in enumerate(runs.items()):
        t, missed = np.asarray(moments, dtype=np.float64), np.asarray(distances, dtype=np.float64)
        if t.ndim != 1 or t.shape != missed.shape:
            raise ParameterError(f"{name} has moments of shape {t.shape} and distances of shape {missed.shape}")
        look: dict[str, Any] = {"color": CYCLE[i % len(CYCLE)], "linestyle": DASHES[i % len(DASHES)], "linewidth": 1.7}
        drawn += ax.plot(t, np.maximum(missed, FLOOR), label=name, zorder=3 + i, **look)
    ax.set(xlabel="time [s]", ylabel="tip to its pose [m]", yscale="log")
    return drawn
