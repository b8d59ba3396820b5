"""Drag a target through the ring that a planar 2R reaches, and see both elbows, one of them, or none."""

import ipywidgets as widgets
import numpy as np
from numpy.typing import NDArray

from lessons_lib.plots.lesson_01 import draw_reach
from lessons_lib.plots.theme import style
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.sliders import GridSlider

LENGTH_1 = 1.0
"""Length of the first link, m."""

LONGEST = 1.3
"""The most that the second link can be made, m."""

_ROOM = 2.5  # m: the longest arm and its hand


class ElbowExplorer(Explorer):
    """A target, the ring that the arm reaches, and an arm for each answer.

    Attributes:
        x: Slider of the target's x, m.
        y: Slider of the target's y, m.
        length_2: Slider of the second link's length, m; the first link is 1 m long.
    """

    caption = "Blue: the answer with q₂ > 0. Vermilion: the one with q₂ < 0. Shaded: all that the tip can reach."

    def __init__(self, tip: tuple[float, float] = (1.1, 0.7), length_2: float = 0.7) -> None:
        """Make the sliders and the picture.

        Args:
            tip: Where the target is at first, m.
            length_2: The second link's length at first, m.
        """
        self.x, self.y = (
            GridSlider(value, -2.4, 2.4, 0.01, description=f"{name} [m]") for name, value in zip("xy", tip, strict=True)
        )
        self.length_2 = GridSlider(length_2, 0.1, LONGEST, 0.01, description="L₂ [m]")
        super().__init__([widgets.VBox([self.x, self.y, self.length_2])], size=(7.2, 6.2))
        with style():
            self._ax = self.figure.add_subplot()
            self._reach = draw_reach(self._ax, self.tip, LENGTH_1, self.length_2.value)
            self._ax.set(xlim=(-_ROOM, _ROOM), ylim=(-_ROOM, _ROOM))
        self.redraw()

    @property
    def tip(self) -> NDArray[np.float64]:
        """The target, (x, y), m."""
        return np.array([self.x.value, self.y.value])

    @property
    def solutions(self) -> NDArray[np.float64]:
        """The configurations that are drawn, shape (k, 2), rad."""
        return self._reach.solutions

    @property
    def status(self) -> str:
        """What there is to say about the target, in a line."""
        degrees = [
            f"({q_1:.0f}°, {q_2:.0f}°)".replace("-", "−") for q_1, q_2 in np.degrees(self.solutions).round() + 0.0
        ]
        r, stretched = float(np.hypot(*self.tip)), LENGTH_1 + self.length_2.value
        if len(degrees) == 2:
            return f"Two answers: {degrees[0]} and {degrees[1]}"
        if len(degrees) == 0:
            side, edge = ("far", stretched) if r > stretched else ("near", abs(LENGTH_1 - self.length_2.value))
            return f"No answer: {r:.2f} m from the base is too {side}, the ring ends at {edge:.2f} m"
        if self._reach.is_free(LENGTH_1, self.length_2.value):
            return "The tip is at the base: joint 1 may have any angle"
        posture = "stretched" if abs(self.solutions[0, 1]) < 1.0 else "folded"
        return f"One answer: {degrees[0]}, the arm is {posture}"

    def paint(self) -> None:
        """Move the target and the arms, and say how many answers there are."""
        self._reach.update(self.tip, LENGTH_1, self.length_2.value)
        self._ax.set_title(self.status, fontsize=12, fontweight="normal")
