"""The picture of the path explorer: the arm between two poses, and how far each way leaves the straight line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from lessons_lib.arrays import Array
from lessons_lib.plots.arm import ArmArtist, draw_frame, give_room, look_closer
from lessons_lib.plots.theme import BLUE, CYCLE, DASHES, GREY, INK, style
from lessons_lib.robots import Chain

MARGIN = 1.15
"""The scale of distances ends this much beyond the largest one."""


class PathPicture:
    """The artists of one way: made anew for another way, moved along it."""

    def __init__(self, figure: Figure) -> None:
        """Fill an empty figure."""
        with style():
            grid = figure.add_gridspec(1, 2, width_ratios=(1.15, 1.0))
            self._space: Any = figure.add_subplot(grid[0], projection="3d")
            self._curves = figure.add_subplot(grid[1])
            self._title = figure.suptitle(" ", x=0.01, ha="left", fontsize=11.5)

    @property
    def text(self) -> str:
        """The line above the picture."""
        return str(self._title.get_text())

    def set_way(
        self, chain: Chain, ends: tuple[Array, Array], tips: Array, off: Mapping[str, Array], kind: str
    ) -> None:
        """Draw another way.

        Args:
            chain: Whose arm.
            ends: First and last pose, shape (4, 4), m.
            tips: The tip along this way, shape (m, 3), m.
            off: Distance from the straight line along every way, shape (m,), m, by its kind.
            kind: Which of them this way is.
        """
        space, curves = self._space, self._curves
        space.clear()
        space.set_gid(None)  # so that the floor is laid again
        curves.clear()
        give_room(space, chain)
        look_closer(space, 1.9, azimuth=-30.0, elevation=24.0)
        for pose in ends:
            draw_frame(space, pose, 0.18, linewidth=3.0, alpha=0.6)
        straight = np.array([pose[:3, 3] for pose in ends])
        space.plot(*straight.T, color=GREY, linestyle=(0, (4, 3)), linewidth=1.4)
        space.plot(*tips.T, color=BLUE, linewidth=2.4)
        self._arm = ArmArtist(space, chain)
        parts = np.linspace(0.0, 1.0, len(tips))
        for i, (name, distances) in enumerate(off.items()):
            width = 3.0 if name == kind else 1.5
            look: dict[str, Any] = {"color": CYCLE[i], "linestyle": DASHES[i], "linewidth": width}
            curves.plot(parts, 1e3 * distances, label=name, **look)
        (self._mark,) = curves.plot([], [], "o", color=INK, markersize=8.0, zorder=6)
        highest = MARGIN * 1e3 * max(float(distances.max()) for distances in off.values())
        curves.set(xlabel="s", xlim=(0.0, 1.0), ylim=(-0.03 * highest, highest))
        curves.set_title("off the straight line [mm]", fontsize=12, fontweight="normal")
        curves.legend(loc="lower center", bbox_to_anchor=(0.5, 0.08), fontsize=10, handlelength=3.0)

    def move(self, q: Array, s: float, off: float, text: str) -> None:
        """Put the arm at q, the mark at (s, off [mm]), and write the line above."""
        self._arm.update(q)
        self._mark.set_data([s], [off])
        self._title.set_text(text)
