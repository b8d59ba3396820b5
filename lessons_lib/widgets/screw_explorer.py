"""Place a screw in space, set its pitch, and drive a frame along it."""

from typing import Any, ClassVar

import ipywidgets as widgets
import numpy as np
from numpy.typing import NDArray

from lessons_lib import lie
from lessons_lib.plots.theme import style
from lessons_lib.plots.twists import ScrewArtist, fit_space, pair_motion, screw_twist
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.sliders import GridSlider

Array = NDArray[np.float64]

CORNERS = np.array([[-0.6, -0.8, -0.4], [1.3, 0.8, 1.3]])
"""The drawn part of space, m."""

DEGREE = np.pi / 180.0


class ScrewExplorer(Explorer):
    """A frame that starts at the origin and moves along a screw: four sliders say which, one says how far."""

    caption: ClassVar[str] = "Chain-dotted: the screw axis. Dotted: where the pair (exp ω, v) would take the origin."

    def __init__(self, distance: float = 0.5, tilt: float = 0.0, pitch: float = 0.1, angle: float = 360.0) -> None:
        """Make the explorer.

        Args:
            distance: How far the axis passes from the frame at its start, m, along x.
            tilt: How far the axis leans from z towards y, degrees.
            pitch: Slide along the axis per angle, m/rad.
            angle: How far the frame turns, degrees.
        """
        self.distance = _slider("distance of the axis [m]", distance, 0.0, 1.0, 0.05)
        self.tilt = _slider("tilt of the axis [°]", tilt, -60.0, 60.0, 5.0)
        self.pitch = _slider("pitch [m/rad]", pitch, -0.1, 0.2, 0.01)
        self.angle = _slider("angle [°]", angle, 0.0, 540.0, 10.0)
        self.naive = widgets.Checkbox(value=False, description="show the pair (exp ω, v)", indent=False)
        sliders = [self.distance, self.tilt, self.pitch, self.angle]
        super().__init__([*sliders, self.naive], size=(7.2, 4.4))
        with style():
            grid = self.figure.add_gridspec(1, 2, width_ratios=(1.0, 3.6))
            text = self.figure.add_subplot(grid[0])
            text.set_axis_off()
            self._says = text.text(0.0, 0.98, "", va="top", family="monospace", fontsize=11)
            ax: Any = self.figure.add_subplot(grid[1], projection="3d")
            fit_space(ax, CORNERS, 0.0, zoom=1.1)
            self._screw = ScrewArtist(ax, 0.22)
        self.redraw()

    @property
    def twist(self) -> Array:
        """The twist ξ = (ω, v) of the whole motion, shape (6,), rad and m."""
        lean = self.tilt.value * DEGREE
        direction = (0.0, np.sin(lean), np.cos(lean))
        return screw_twist((self.distance.value, 0.0, 0.0), direction, self.pitch.value, self.angle.value * DEGREE)

    @property
    def pose(self) -> Array:
        """Where the frame ends, exp [ξ], shape (4, 4), m."""
        return lie.exp_se3(self.twist)

    @property
    def gap(self) -> float:
        """Distance between the true end of the origin and the end that the pair (exp ω, v) gives, m."""
        return float(np.linalg.norm(self.pose[:3, 3] - pair_motion(self.twist)[:3, 3]))

    def paint(self) -> None:
        """Move the screw and say its numbers."""
        self._screw.update(self.twist, straight=self.naive.value)
        lines = [
            *_column("ω [rad]", self.twist[:3]),
            *_column("v [m]", self.twist[3:]),
            *_column("p [m]", self.pose[:3, 3]),
        ]
        if self.naive.value:
            lines += ["the pair ends", f"{self.gap:.2f} m away"]
        self._says.set_text("\n".join(lines))


def _slider(description: str, value: float, low: float, high: float, step: float) -> GridSlider:
    return GridSlider(
        value, low, high, step, description=description,
        style={"description_width": "12em"}, layout=widgets.Layout(width="38em", max_width="100%"),
    )  # fmt: skip


def _column(name: str, values: Array) -> list[str]:
    return [name, *(f"  {round(value, 2) + 0.0:6.2f}" for value in values), ""]
