"""Two arms at the same joint angles, drawn over each other, with the distance of their tips."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.plots.arm import ArmArtist, give_room, in_space, polyline, set_points
from lessons_lib.plots.theme import GREY, INK, PALE, PURPLE, VERMILION
from lessons_lib.robots import Chain
from lessons_lib.robots.stick_figure import skeleton

__all__ = [
    "draw_overlay",
    "tip_gap",
]


SQUARE = 0.25
"""Side of the squares on the floor, m."""


@suggest_arguments
def tip_gap(right: Chain, wrong: Chain, q: ArrayLike) -> float:
    """Return the distance between the tips of two chains at the same configuration, m.

    >>> from lessons_lib import plots, robots
    >>> round(plots.tip_gap(robots.planar_2r(), robots.planar_2r(1.0, 1.1), [0, 0]), 6)
    0.1

    Args:
        right: One chain.
        wrong: Another, with as many joints.
        q: Configuration, shape (n,), rad or m.

    Raises:
        ConfigurationError: q is not a configuration of one of them.
    """
    return float(np.linalg.norm(_tip(right, q) - _tip(wrong, q)))


@suggest_arguments
def draw_overlay(ax: Axes, right: Chain, wrong: Chain, q: ArrayLike, zoom: float = 1.1) -> float:
    """Draw one arm over another, the right one wide and pale, with a dashed line between their tips and a legend.

    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import plots, robots
    >>> arm, model = robots.planar_2r(), robots.planar_2r(1.0, 1.1)
    >>> round(plots.draw_overlay(Figure().subplots(), arm, model, [0.5, 0.8]), 6)
    0.1

    Args:
        ax: 3D axes for arms that move in space, any axes for planar ones.
        right: The real arm.
        wrong: The arm of the model, with as many joints.
        q: Configuration of both, shape (n,), rad or m.
        zoom: Magnification in space; 1 keeps matplotlib's margins.

    Returns:
        The distance between the tips, m.

    Raises:
        ParameterError: The chains have different numbers of joints.
        ConfigurationError: q is not a configuration of these arms.
    """
    if right.dof != wrong.dof:
        raise ParameterError(
            f"both arms must have as many joints, got {right.dof} of {right.name} and {wrong.dof} of {wrong.name}"
        )
    broad = ArmArtist(ax, right, colour=INK, linewidth=8.0, alpha=0.35, frame=False, label="arm")
    broad.joints.set(markersize=9.0, markeredgewidth=1.5)
    slim = ArmArtist(ax, wrong, colour=VERMILION, linewidth=3.2, frame=False, label="model")
    if slim.shadow is not None:
        slim.shadow.set_visible(False)  # one shadow for both arms
    for arm in (broad, slim):
        arm.update(q)
    gap = tip_gap(right, wrong, q)
    looks: dict[str, Any] = {"color": PURPLE, "linewidth": 2.2, "linestyle": (0, (2, 1.2)), "zorder": 8}
    line = polyline(ax, marker="o", markersize=5.0, label=f"gap {gap:.3f} m", **looks)
    set_points(line, np.array([_tip(chain, q) for chain in (right, wrong)]))
    for artist in (*broad.artists, *slim.artists, line):
        artist.set_clip_on(False)  # an arm may exceed the square of the 3D axes
        artist.set_in_layout(False)
    ax.legend(loc="upper left", fontsize=11, handlelength=1.5, borderaxespad=0.0)
    if in_space(ax):
        corners = np.vstack([skeleton(chain).at(chain, np.asarray(q, dtype=float)) for chain in (right, wrong)])
        stand(ax, corners.min(axis=0), corners.max(axis=0), zoom)
    else:
        give_room(ax, max(right, wrong, key=lambda chain: skeleton(chain).reach))
    return gap


def stand(ax: Any, low: Array, high: Array, zoom: float = 1.1) -> None:
    """Set equal scales of 3D axes for a box given by two corners, shape (3,), m, and draw a floor of squares."""
    square = SQUARE
    first = np.floor(np.minimum(low[:2], -0.1) / square).astype(int)
    last = np.ceil(np.maximum(high[:2], 0.1) / square).astype(int)
    (x_0, y_0), (x_1, y_1) = square * first, square * last
    parallel_to_y = [([x, x], [y_0, y_1]) for x in square * np.arange(first[0], last[0] + 1)]
    parallel_to_x = [([x_0, x_1], [y, y]) for y in square * np.arange(first[1], last[1] + 1)]
    for xs, ys in parallel_to_y + parallel_to_x:
        (line,) = ax.plot(xs, ys, [0.0, 0.0], color=PALE, linewidth=0.9, zorder=0, clip_on=False)
        line.set_in_layout(False)  # corners of a large floor may exceed the axes
    ax.text(x_1 + 0.25 * square, y_0, 0.0, "x", color=GREY, ha="center", va="center")
    ax.text(x_1, y_1 + 0.25 * square, 0.0, "y", color=GREY, ha="center", va="center")
    ax.text(
        0.5 * (x_0 + x_1), y_0 - 0.6 * square, 0.0, f"squares of {square:g} m", color=GREY, fontsize=10, ha="center"
    )
    bottom, top = min(low[2], 0.0), max(high[2], 2.0 * square)
    ax.set(xlim=(x_0, x_1), ylim=(y_0, y_1), zlim=(bottom, top))
    ax.set_box_aspect((x_1 - x_0, y_1 - y_0, top - bottom), zoom=zoom)
    ax.view_init(elev=18, azim=-58)
    ax.set_axis_off()


def _tip(chain: Chain, q: ArrayLike) -> Array:
    return chain.forward_kinematics(q)[:3, 3]
