"""Move the target and the damping, and see the basins of attraction of the planar 2R change."""

import ipywidgets as widgets
import numpy as np

from lessons_lib.plots.lesson_12 import draw_basins
from lessons_lib.plots.theme import style
from lessons_lib.pose_ik import Constant, LevenbergMarquardt
from lessons_lib.studies.basins import POSITION, Basins, basins, methods
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.sliders import GridSlider, log_slider

SIZE = 90
"""Starts a side: few enough that a slider feels light."""

OWN = "LM, constant λ"
"""The method whose damping the slider sets; the others have their own."""


class BasinExplorer(Explorer):
    """Every start of a planar 2R, coloured by the elbow that it leads to.

    Attributes:
        method: Which method steps.
        damping: Slider of λ, for the constant damping alone.
        distance: Slider of the target's distance from the base, m; it lies on the x axis.
    """

    caption = "Blue: the start leads to q₂ > 0. Vermilion: to q₂ < 0. Dark: to neither, within a hundred steps."

    def __init__(self, method: str = OWN, damping: float = 0.125, distance: float = 1.4) -> None:
        """Make the controls and the picture.

        Args:
            method: "Newton-Raphson", "LM, constant λ", "LM, Chan" or "LM, trust region".
            damping: λ at first.
            distance: Of the target from the base at first, m.
        """
        names = [OWN if name.startswith(OWN) else name for name in methods()]
        self.method = widgets.Dropdown(options=names, value=method, description="method")
        self.damping = log_slider(damping, 0.01, 3.15, description="λ", continuous_update=False)
        self.distance = GridSlider(distance, 0.1, 1.95, 0.05, description="|p| [m]", continuous_update=False)
        super().__init__([widgets.VBox([self.method, self.damping, self.distance])], size=(7.2, 6.4))
        with style():
            self._ax = self.figure.add_subplot()
            seen = self._seen = self._look()
            self._image = draw_basins(self._ax, seen.led_to, seen.solutions)
            self._marks = self._ax.lines
        self.redraw()

    @property
    def seen(self) -> Basins:
        """What is drawn."""
        return self._seen

    def paint(self) -> None:
        """Follow every start anew, and say how many lead where."""
        self.damping.disabled = self.method.value != OWN
        self._seen = self._look()
        self._image.set_data(self._seen.led_to)
        for mark, solution in zip(self._marks, self._seen.solutions, strict=True):
            mark.set_data([solution[0]], [solution[1]])
        nowhere, positive, negative = (f"{100 * share:.0f} %" for share in self._seen.shares)
        steps = "-" if np.isnan(self._seen.mean_steps) else f"{self._seen.mean_steps:.1f}"
        title = f"q₂ > 0: {positive}, q₂ < 0: {negative}, neither: {nowhere}; {steps} steps in the mean"
        self._ax.set_title(title, fontsize=12, fontweight="normal")

    def _look(self) -> Basins:
        name = self.method.value
        chosen = LevenbergMarquardt(Constant(self.damping.value), weights=POSITION) if name == OWN else methods()[name]
        return basins(chosen, tip=(self.distance.value, 0.0), size=SIZE)
