"""The picture of the task explorer: the body from above, and a bar for each error that it keeps."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import Configuration
from lessons_lib.plots.lesson_17 import GOAL_COLOURS, BodyArtist, GoalArtist, look_from_above
from lessons_lib.plots.theme import GREEN, INK, PAPER, SHADOW, VERMILION, style
from lessons_lib.studies import two_hands

LONGEST, WIDEST = 420.0, 200.0
"""Where the scales of the bars end, mm and degrees."""

REACHED = 1.0
"""A hand that is nearer, mm, is written as being there."""


class TaskPicture:
    """The artists: made once, moved at every change."""

    def __init__(self, figure: Figure, farthest: float) -> None:
        """Fill an empty figure, with room for a box as far away as `farthest`, m."""
        tree, ready = two_hands.body(), two_hands.ready()
        with style():
            grid = figure.add_gridspec(2, 2, width_ratios=(1.1, 1.0), height_ratios=(2.0, 1.0))
            above = figure.add_subplot(grid[:, 0])
            ghost = BodyArtist(above, tree, two_hands.LIMBS, colour=SHADOW)
            ghost.update(ready)
            self._body = BodyArtist(above, tree, two_hands.LIMBS, colour=INK)
            self._goals = GoalArtist(above, len(two_hands.HANDS))
            look_from_above(above, np.array([[-0.05, 0.33, 0.0], [farthest, -0.33, 0.0]]))
            self._hands = _Bars(figure.add_subplot(grid[0, 1]), ("left", "right"), GOAL_COLOURS, LONGEST)
            self._hands.ax.set_title("hand off by [mm]", fontsize=12, fontweight="normal")
            self._posture = _Bars(figure.add_subplot(grid[1, 1]), ("joints",), (INK,), WIDEST)
            self._posture.ax.set_title("posture off by [°]", fontsize=12, fontweight="normal")
            self._text = figure.suptitle(" ", x=0.01, ha="left", fontsize=12)

    @property
    def text(self) -> str:
        """The line above the picture."""
        return str(self._text.get_text())

    @property
    def values(self) -> list[str]:
        """The three numbers beside the bars, as they are written."""
        return [*self._hands.values, *self._posture.values]

    def show(self, configuration: Configuration, points: Array, steps: int) -> None:
        """Show where the body has come in so many steps, and what it still owes to the points, shape (2, 3), m."""
        ends = np.array([configuration.get_transform_frame_to_world(hand)[:3, 3] for hand in two_hands.HANDS])
        off = 1e3 * np.linalg.norm(ends - points, axis=1)
        self._body.update(configuration.q)
        self._goals.update(points, ends)
        self._hands.update(off)
        self._posture.update(np.degrees([np.linalg.norm(configuration.q - two_hands.ready())]))
        there = bool(off.max() < REACHED)
        ending = "both hands are there" if there else "a compromise"
        waist = f"{round(float(np.degrees(configuration.q[0])), 1) + 0.0:.1f}".replace("-", "−")
        moving = ", still moving" if steps == two_hands.MOST_STEPS else ""
        self._say(f"{ending}; waist at {waist}°, {steps} steps{moving}", there)

    def refuse(self, points: Array) -> None:
        """Say that the constraints have no solution, and leave the body where it was."""
        ends = np.array([limb[-1] for limb in self._body.points[: len(points)]])
        self._goals.update(points, ends)
        self._hands.update(np.full(len(points), np.nan))
        self._posture.update(np.full(1, np.nan))
        self._say("no solution: the constraints cannot hold, and the robot stops", good=False)

    def _say(self, text: str, good: bool) -> None:
        self._text.set_text(text)
        self._text.set_color(GREEN if good else VERMILION)


class _Bars:
    """Bars with their numbers at a fixed place."""

    def __init__(self, ax: Axes, names: tuple[str, ...], colours: tuple[str, ...], largest: float) -> None:
        rows = np.arange(float(len(names)))
        self.ax = ax
        self._bars: Any = ax.barh(rows, np.zeros(len(names)), height=0.5, color=colours, zorder=3)
        looks: dict[str, Any] = {"transform": ax.get_yaxis_transform(), "ha": "right", "va": "center", "zorder": 5}
        looks["bbox"] = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.5}  # so that no grid line crosses a number
        self._numbers = [ax.text(1.0, row, "", **looks) for row in rows]
        ax.set(yticks=rows, yticklabels=names, xlim=(0.0, 1.25 * largest), ylim=(len(names) - 0.4, -0.6))
        ax.grid(visible=False, axis="y")

    @property
    def values(self) -> list[str]:
        """The numbers, as they are written."""
        return [str(number.get_text()) for number in self._numbers]

    def update(self, lengths: Array) -> None:
        """Set the bars and the numbers beside them; what is not a number is shown as a dash."""
        for bar, number, length in zip(self._bars, self._numbers, lengths, strict=True):
            bar.set_width(length if np.isfinite(length) else 0.0)
            number.set_text(f"{length:.1f}" if np.isfinite(length) else "–")
