"""A quadruped whose trunk is moved with sliders while its feet stay where they are."""

from typing import Any

import ipywidgets as widgets
import numpy as np

from lessons_lib.plots.lesson_18 import HEIGHT, StancePicture
from lessons_lib.plots.theme import GREEN, INK, VERMILION, style
from lessons_lib.studies.stance import Stance, stand_at
from lessons_lib.studies.standing import LEGS, quadruped, trunk_pose
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.sliders import GridSlider

REACHED = (1e-3, 1e-3)
"""By which angle [rad] and distance [m] the trunk may miss its pose and count as there."""


class StanceExplorer(Explorer):
    """Move the trunk, or lift a foot, and see where the centre of mass is over the feet.

    Attributes:
        height: Slider of the trunk's height, m.
        forward: Slider of its way along x, m.
        left: Slider of its way along y, m.
        roll: Slider of its turn about x, degrees.
        pitch: Slider of its turn about y, degrees; positive lowers the nose.
        yaw: Slider of its turn about z, degrees.
        lifted: Menu of the foot that is lifted.
        stance: What is drawn.
    """

    caption = (
        "The disc in quarters: the centre of mass, and its plumb line. "
        "The polygon of the feet is green while it is under the centre of mass."
    )

    def __init__(self) -> None:
        """Make the sliders and the picture."""
        self.height = _slider("height [m]", 0.12, 0.38, 0.005, 0.3)
        self.forward = _slider("forward [m]", -0.12, 0.12, 0.005)
        self.left = _slider("left [m]", -0.12, 0.12, 0.005)
        self.roll = _slider("roll [°]", -25.0, 25.0, 1.0)
        self.pitch = _slider("pitch [°]", -25.0, 25.0, 1.0)
        self.yaw = _slider("yaw [°]", -35.0, 35.0, 1.0)
        names = [("none", None), *((leg.replace("_", " "), leg) for leg in LEGS)]
        self.lifted = widgets.Dropdown(options=names, description="lifted foot", style={"description_width": "80px"})
        shifts, turns = [self.height, self.forward, self.left], [self.roll, self.pitch, self.yaw]
        columns = widgets.HBox([widgets.VBox(shifts), widgets.VBox(turns)], layout=widgets.Layout(flex_flow="row wrap"))
        super().__init__([columns, self.lifted], size=(7.2, HEIGHT))
        with style():
            self._picture = StancePicture(self.figure, quadruped())
        self.moving = self._picture.artists
        self.stance: Stance = stand_at(trunk_pose())
        self.redraw()

    @property
    def message(self) -> str:
        """The words in the corner of the picture: whether it stands, and what the legs could not do."""
        mm = round(1e3 * abs(self.stance.margin))
        words = f"stands: {mm} mm inside" if self.stance.margin >= 0.0 else f"falls: {mm} mm outside"
        angle, distance = self.stance.short_of
        if angle > REACHED[0] or distance > REACHED[1]:
            return f"{words}\nthe legs end {np.degrees(angle):.0f}° and {1e3 * distance:.0f} mm before"
        return words

    def paint(self) -> None:
        """Stand as the sliders say, and draw it."""
        turns = {name: np.radians(getattr(self, name).value) for name in ("roll", "pitch", "yaw")}
        shifts = {name: getattr(self, name).value for name in ("height", "forward", "left")}
        self.stance = stand_at(trunk_pose(**shifts, **turns), self.lifted.value)
        self._picture.update(self.stance.q, self.message, self.stance.legs)
        reached = "\n" not in self._picture.words.get_text()
        self._picture.words.set_color((GREEN if self.stance.margin >= 0.0 else VERMILION) if reached else INK)


def _slider(name: str, low: float, high: float, step: float, value: float = 0.0) -> Any:
    return GridSlider(value, low, high, step, description=name, style={"description_width": "80px"})
