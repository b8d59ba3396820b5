"""Lesson 16: velocities at a wall, and the maximum speed of a joint before its limit."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, GREEN, GREY, PALE, PURPLE, look

__all__ = [
    "VelocitiesArtist",
    "WallArtist",
    "draw_paths",
]


ARROW_COLOURS = (GREEN, PURPLE, BLUE)
"""The colours of the desired, clipped and optimal velocities, and of their points in the plane of joint rates."""


class WallArtist:
    """Shaded region above a height y; movable."""

    def __init__(self, ax: Axes, height: float = 0.0) -> None:
        """Shade the axes above a height in m without changing their limits."""
        self._ax = ax
        looks: dict[str, Any] = {"facecolor": PALE, "edgecolor": GREY, "hatch": "//", "linewidth": 1.6, "zorder": 0}
        self.body = ax.fill([], [], label="wall", **looks)[0]
        self.update(height)

    def update(self, height: float) -> None:
        """Move the wall to another height y, in m."""
        (left, right), top = self._ax.get_xlim(), self._ax.get_ylim()[1]
        beyond = 0.1 * (right - left)  # hides the outline at the sides
        x = np.array([left - beyond, right + beyond, right + beyond, left - beyond])
        self.body.set_xy(np.column_stack([x, [height, height, top + beyond, top + beyond]]))


class VelocitiesArtist:
    """Arrows for velocities of a point in the plane, each in its colour; movable."""

    def __init__(self, ax: Axes) -> None:
        """Add three arrows of zero length to the axes, scaled to 0.5 m of the drawing per 1 m/s."""
        looks: dict[str, Any] = {"angles": "xy", "scale_units": "xy", "scale": 2.0, "zorder": 7, "width": 0.012}
        pairs = zip(("requested", "clipped", "best"), ARROW_COLOURS, strict=True)
        self.arrows = [ax.quiver([0.0], [0.0], [0.0], [0.0], color=c, label=name, **looks) for name, c in pairs]

    def update(self, point: ArrayLike, *velocities: ArrayLike) -> None:
        """Move the arrows to a point, shape (2,), in m, and set the velocities, each of shape (2,), in m/s."""
        for arrow, velocity in zip(self.arrows, velocities, strict=True):
            arrow.set_offsets(np.asarray(point, dtype=np.float64)[None, :])
            arrow.set_UVC(*np.asarray(velocity, dtype=np.float64)[:, None])


def draw_paths(ax: Axes, paths: Mapping[str, ArrayLike], wall: float) -> list[Line2D]:
    """Draw paths of a hand from above, and a wall beyond a height y.

    Args:
        ax: Axes for x and y.
        paths: Paths by name, each of shape (k, 2), m; the first one, the target's, is drawn faint.
        wall: Height y of the wall, m.

    Returns:
        The lines, in order.

    Raises:
        ParameterError: A path has another shape, or there is none.
    """
    if not paths:
        raise ParameterError("paths must hold at least the target's path")
    lines: list[Line2D] = []
    for i, (name, path) in enumerate(paths.items()):
        points = np.asarray(path, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != 2:
            raise ParameterError(f"path {name!r} must have shape (k, 2), got {points.shape}")
        looks = look(i - 1) if i > 0 else {"color": GREY, "linewidth": 5.0, "alpha": 0.4}
        lines += ax.plot(*points.T, label=name, zorder=3 + i, **looks)
    ax.set(aspect="equal", xlabel="x [m]", ylabel="y [m]")
    ax.margins(0.12)
    ax.set(xlim=ax.get_xlim(), ylim=ax.get_ylim())
    WallArtist(ax, wall)
    return lines
