"""Self-motion of an arm: ghosts of its postures over the paths of its joints."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.plots.arm import ArmArtist, in_space
from lessons_lib.plots.overlay import stand
from lessons_lib.plots.theme import AMBER, BLUE, INK, PURPLE, SKY, VERMILION
from lessons_lib.robots import Chain
from lessons_lib.robots.stick_figure import skeleton

__all__ = [
    "draw_self_motion",
]


WAY_COLOURS = (BLUE, VERMILION, PURPLE, AMBER, SKY)
"""Colours of the paths of joints."""

STILL = 1e-6
"""Paths of joints that move less are not drawn, m."""

MARGIN = 0.08
"""Margin around a planar arm, relative to its size."""


@suggest_arguments
def draw_self_motion(
    ax: Axes,
    chain: Chain,
    configurations: ArrayLike,
    q: ArrayLike,
    ghosts: int = 7,
    *,
    frame: bool = True,
    zoom: float = 1.1,
) -> None:
    """Draw an arm at q over its self-motion.

    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import plots, robots
    >>> ax, turns = Figure().add_subplot(projection="3d"), np.linspace(0.0, 0.5, 5)
    >>> configurations = [[turn, -1.2, 1.5, -0.6, 1.1, 0.4] for turn in turns]
    >>> plots.draw_self_motion(ax, robots.ur10(), configurations, configurations[0])

    Args:
        ax: Axes of matplotlib, 3D for an arm that moves in space.
        chain: The arm.
        configurations: The self-motion in order, shape (k, n), rad or m.
        q: Configuration of the drawn arm, shape (n,), rad or m.
        ghosts: Number of postures that are drawn as ghosts, from the first to the last; 0 for none.
        frame: Whether to draw the frame of the hand; otherwise a dot marks it.
        zoom: Magnification in space.

    Raises:
        ParameterError: Fewer than two configurations, or of another shape.
        ConfigurationError: A configuration, or q, has another shape or is not finite.
    """
    rows = np.asarray(configurations, dtype=np.float64)
    if rows.ndim != 2 or len(rows) < 2 or rows.shape[1] != chain.dof:
        raise ParameterError(
            f"configurations must have shape (k, {chain.dof}), k ≥ 2, for {chain.name}, got {rows.shape}"
        )
    bones = skeleton(chain)
    places = np.array([bones.at(chain, chain.check_configuration(row)) for row in rows])
    for i in np.linspace(0, len(rows) - 1, ghosts).round().astype(int):
        _draw_unclipped(ax, chain, rows[i], alpha=0.2, linewidth=3.0, frame=False)
    ways: list[Array] = []
    for corner in bones.joints:
        way = places[:, corner]
        if np.ptp(way, axis=0).max() > STILL and all(np.abs(way - other).max() > STILL for other in ways):
            ways.append(way)
    for way, colour in zip(ways, WAY_COLOURS, strict=False):
        _plot(ax, way, color=colour, zorder=2)
    _draw_unclipped(ax, chain, q, linewidth=4.5, frame=frame)
    if not frame:
        _plot(ax, places[:1, -1], marker="o", color=INK, markersize=9.0, zorder=7)
    low, high = places.min(axis=(0, 1)), places.max(axis=(0, 1))
    if in_space(ax):
        stand(ax, low, high, zoom)
        return
    room = MARGIN * float(np.max(high - low))
    ax.set(xlim=(low[0] - room, high[0] + room), ylim=(low[1] - room, high[1] + room))
    ax.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")


def _draw_unclipped(ax: Axes, chain: Chain, q: ArrayLike, **looks: Any) -> None:
    """Draw an arm that may exceed the square of 3D axes."""
    arm = ArmArtist(ax, chain, colour=INK, **looks)
    arm.update(q)
    for artist in arm.artists:
        artist.set_clip_on(False)
        artist.set_in_layout(False)


def _plot(ax: Axes, points: Array, **looks: Any) -> None:
    columns = points.T if in_space(ax) else points.T[:2]
    (line,) = ax.plot(*columns, linewidth=2.2, clip_on=False, **looks)
    line.set_in_layout(False)
