"""An arm on its path: targets, tip path and joint curves."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, FigureBase
from numpy.typing import ArrayLike

from lessons_lib.arrays import floats
from lessons_lib.errors import ConfigurationError, ParameterError, TransformError
from lessons_lib.lie import check_transform
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.plots.arm import draw_arm, draw_frame, is_planar, polyline, set_points
from lessons_lib.plots.theme import BLUE, as_text, look
from lessons_lib.robots import Chain
from lessons_lib.robots.stick_figure import skeleton

__all__ = [
    "draw_path",
]


PIECES = 24
"""Segments of the tip path between two configurations."""


@suggest_arguments
def draw_path(figure: Figure, chain: Chain, waypoints: ArrayLike, configurations: ArrayLike) -> Axes:
    """Draw an arm on its path: targets as frames, tip path, the arm at the end, and the curve of every joint.

    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import plots, robots
    >>> arm, configurations = robots.planar_2r(), [[0.5, 0.8], [0.6, 0.9], [0.7, 1.0]]
    >>> targets = [arm.forward_kinematics(q) for q in configurations]
    >>> ax = plots.draw_path(Figure(), arm, targets, configurations)

    Args:
        figure: Figure of matplotlib, about twice as wide as high.
        chain: The arm.
        waypoints: The targets, shape (k, 4, 4), position in m; k may be 0.
        configurations: The configurations of the path, shape (m, n), m ≥ 1, rad or m, such as
            `trace(…).configurations`.

    Returns:
        The axes of the arm.

    Raises:
        ConfigurationError: The configurations have another shape or are not finite.
        TransformError: A waypoint is not a pose.
        ParameterError: `figure` is not a figure.
    """
    if not isinstance(figure, FigureBase):
        raise ParameterError(f"figure must be a Figure of matplotlib, got {figure!r}; the figure of axes is ax.figure")
    expected = f"configurations of {chain.name} must be numbers of shape (m, {chain.dof}), m ≥ 1"
    rows = floats(configurations, expected, ConfigurationError)
    if rows.ndim != 2 or rows.shape[1] != chain.dof or len(rows) == 0:
        raise ConfigurationError(f"{expected}, got {rows.shape}")
    poses = floats(waypoints, "waypoints must be poses, shape (k, 4, 4)", TransformError)
    if poses.size and poses.ndim != 3:
        raise TransformError(f"waypoints must have shape (k, 4, 4), got {poses.shape}")
    targets = [check_transform(pose, f"waypoint {place}") for place, pose in enumerate(poses, start=1)]
    places = figure.add_gridspec(2, 2, width_ratios=(1.15, 1.0), height_ratios=(1.0, 0.22))
    looks: Any = {} if is_planar(chain) else {"projection": "3d"}
    ax: Axes = figure.add_subplot(places[:, 0], **looks)
    curves, names = figure.add_subplot(places[0, 1]), figure.add_subplot(places[1, 1])
    draw_arm(ax, chain, rows[-1])
    for T in targets:
        draw_frame(ax, T, 0.07 * skeleton(chain).reach, linewidth=1.6)
    numbers, between = np.arange(1, 1 + len(rows)), 1.0 + np.arange((len(rows) - 1) * PIECES + 1) / PIECES
    way = np.column_stack([np.interp(between, numbers, column) for column in rows.T])
    tip = polyline(ax, solid_joinstyle="round", color=BLUE, linewidth=2.6, zorder=5)
    set_points(tip, np.array([chain.forward_kinematics(q)[:3, 3] for q in way]))
    for i, name in enumerate(chain.joint_names):
        curves.plot(numbers, rows[:, i], **look(i), label=as_text(name), linewidth=1.8, marker="o", markersize=3.5)
    unit = "rad or m" if "prismatic" in chain.joint_types else "rad"
    curves.set(xlabel="configuration", ylabel=f"joint [{unit}]")
    curves.set_xticks(numbers[:: max(1, len(numbers) // 10)])
    names.set_axis_off()
    names.legend(*curves.get_legend_handles_labels(), fontsize=9, ncols=2, loc="center", borderpad=0.0)
    return ax
