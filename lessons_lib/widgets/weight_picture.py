"""The picture of the weight explorer: the arm at its compromise, and a bar for each component of the error left."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lessons_lib.arrays import Array
from lessons_lib.plots.arm import FrameArtist, draw_arm, is_planar
from lessons_lib.plots.stick_figure import skeleton
from lessons_lib.plots.theme import AXIS_COLOURS, GREEN, GREY, INK, PAPER, VERMILION, style
from lessons_lib.pose_ik import Result
from lessons_lib.robots import Chain

COMPONENTS = ("ω_x", "ω_y", "ω_z", "v_x", "v_y", "v_z")
"""The six components of the error twist, in the order of the weights."""

ROOM = 2.1
"""A scale of bars ends this much beyond the largest error that the two one-sided compromises keep, for the numbers."""

AROUND = 0.24
"""Room beside the arm's root and the target, as a part of the arm's reach."""


class WeightPicture:
    """The artists of one compromise: made once, moved at every change."""

    def __init__(self, figure: Figure, chain: Chain, target: Array, largest: tuple[float, float]) -> None:
        """Fill an empty figure.

        Args:
            figure: Where to draw.
            chain: The arm.
            target: T_sd, shape (4, 4), position in m.
            largest: Where the scales of the bars end, but for some room, rad and m.
        """
        with style():
            grid = figure.add_gridspec(2, 2, width_ratios=(1.0, 0.7))
            arms = figure.add_subplot(grid[:, 0], projection=None if is_planar(chain) else "3d")
            self._goal = FrameArtist(arms, 0.18 * skeleton(chain).reach, linewidth=7.0, alpha=0.35)
            self._goal.update(target)
            self._arm = draw_arm(arms, chain, np.zeros(chain.dof), colour=INK)
            _look_at(arms, target, skeleton(chain).reach)
            degrees, millimetres = np.degrees(largest[0]), 1e3 * largest[1]
            self._turns = _Bars(figure.add_subplot(grid[0, 1]), COMPONENTS[:3], "orientation error [°]", degrees)
            self._shifts = _Bars(figure.add_subplot(grid[1, 1]), COMPONENTS[3:], "position error [mm]", millimetres)
            self._text = figure.suptitle(" ", x=0.01, ha="left", fontsize=12)

    def show(self, result: Result, error_twist: Array) -> None:
        """Show the arm of a result, and the error twist V_b that it keeps, shape (6,), rad and m."""
        self._arm.update(result.q)
        self._turns.update(np.degrees(error_twist[:3]))
        self._shifts.update(1e3 * error_twist[3:])
        angle, distance = np.degrees(result.orientation_error), 1e3 * result.position_error
        ending = "all that counts is reached" if result.converged else "a compromise"
        self.say(f"orientation off by {angle:.2f}°, position by {distance:.1f} mm: {ending}", good=result.converged)

    @property
    def text(self) -> str:
        """The line above the picture."""
        return str(self._text.get_text())

    @property
    def values(self) -> list[str]:
        """The six numbers beside the bars, as they are written."""
        return [*self._turns.values, *self._shifts.values]

    def say(self, text: str, good: bool) -> None:
        """Write a line above the picture."""
        self._text.set_text(text)
        self._text.set_color(GREEN if good else VERMILION)


class _Bars:
    """Three bars to both sides of zero, in the colours of the axes, with their numbers at a fixed place."""

    def __init__(self, ax: Axes, names: tuple[str, ...], title: str, largest: float) -> None:
        end = ROOM * max(largest, 1e-3)
        rows = (0.0, 1.0, 2.0)
        self._bars: Any = ax.barh(rows, np.zeros(3), height=0.55, color=AXIS_COLOURS, zorder=3)
        looks: dict[str, Any] = {"transform": ax.get_yaxis_transform(), "ha": "right", "va": "center", "zorder": 5}
        looks["bbox"] = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.5}  # so that no grid line crosses a number
        self._numbers = [ax.text(1.0, row, "", **looks) for row in rows]
        ax.axvline(0.0, color=GREY, linewidth=0.9, zorder=2)
        ax.set(yticks=rows, yticklabels=[f"${name[0].replace('ω', chr(92) + 'omega')}_{name[2]}$" for name in names])
        ax.set(xlim=(-end, end), ylim=(2.6, -0.6))
        ax.set_title(title, fontsize=12, fontweight="normal")
        ax.grid(visible=False, axis="y")

    @property
    def values(self) -> list[str]:
        """The numbers, as they are written."""
        return [str(number.get_text()) for number in self._numbers]

    def update(self, lengths: Array) -> None:
        """Set the three bars, and the numbers beside them."""
        for bar, number, length in zip(self._bars, self._numbers, lengths, strict=True):
            bar.set_width(length)
            number.set_text(f"{round(float(length), 1) + 0.0:.1f}".replace("-", "−"))


def _look_at(ax: Any, target: Array, reach: float) -> None:
    """Turn to the part of a plane between the root and the target; in space, step back until all of the arm is seen."""
    if ax.name == "3d":
        ax.set_box_aspect((2.0, 2.0, 1.5), zoom=1.25)
        return
    corners = np.array([np.zeros(2), target[:2, 3]])
    middle, half = corners.mean(axis=0), np.ptp(corners, axis=0).max() / 2.0 + AROUND * reach
    ax.set(xlim=middle[0] + half * np.array([-1.0, 1.0]), ylim=middle[1] + half * np.array([-1.0, 1.0]))
