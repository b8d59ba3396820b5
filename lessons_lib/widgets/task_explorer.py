"""Two hands, one waist and a posture: put a price on each error, and see which of them the body pays."""

from typing import Any

import ipywidgets as widgets
import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik import Configuration, NoSolutionFound
from lessons_lib.studies import two_hands
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.sliders import GridSlider
from lessons_lib.widgets.task_picture import TaskPicture

COSTS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""What a slider offers."""

FARTHEST = 0.8
"""Largest distance of the box, m; the arms are too short for it."""

SLOW = 3.0
"""lm_damping of the hands: no step is longer than 1/(2√3) rad, so that the body also settles before a box too far."""

SOFT, HARD = "a price", "a constraint"


class TaskExplorer(Explorer):
    """Change what the hands and the posture cost, and where the box is.

    Attributes:
        left: Slider of the cost of the left hand, [cost]/m.
        right: Slider of the cost of the right hand, [cost]/m.
        posture: Slider of the cost of the posture, [cost]/rad.
        distance: Slider of the distance of the box, m.
        hands: Whether each hand has its price, or both are constraints.
        configuration: Where the body has come; None when the constraints have no solution.
    """

    caption = "Crosses: where the hands should be. Pale: the posture that the body would like to keep. Seen from above."

    def __init__(self) -> None:
        """Make the sliders and the picture."""
        self.left, self.right = _slider("left hand", 3.0), _slider("right hand", 1.0)
        self.posture = _slider("posture", 0.1)
        self.distance = GridSlider(0.7, 0.4, FARTHEST, 0.02, description="box [m]", **_LOOKS)
        self.hands = widgets.ToggleButtons(options=[SOFT, HARD], description="the hands")
        self.configuration: Configuration | None = None
        columns = [widgets.VBox([self.left, self.right]), widgets.VBox([self.posture, self.distance])]
        box = widgets.HBox(columns, layout=widgets.Layout(flex_flow="row wrap"))
        super().__init__([box, self.hands], size=(7.6, 4.4))
        self._picture = TaskPicture(self.figure, FARTHEST)
        self.redraw()

    @property
    def centre(self) -> Array:
        """Where the middle of the box is, shape (3,), m."""
        return np.array([self.distance.value, *two_hands.BOX[1:]])

    @property
    def message(self) -> str:
        """The line above the picture."""
        return self._picture.text

    def paint(self) -> None:
        """Let the body come to rest with the costs that the sliders show, and draw it with its errors."""
        for slider in (self.left, self.right):
            slider.disabled = self.hands.value == HARD
        try:
            self.configuration, steps = self._settle()
        except NoSolutionFound:
            self.configuration = None
            self._picture.refuse(two_hands.sides(self.centre))
            return
        self._picture.show(self.configuration, two_hands.sides(self.centre), steps)

    def _settle(self) -> tuple[Configuration, int]:
        posture = two_hands.posture_task(self.posture.value)
        if self.hands.value == HARD:
            posture.gain = 0.3  # a longer step beside the constraints would leave them: they hold to first order only
            return two_hands.settle([posture], two_hands.hand_tasks(self.centre, gain=0.5))
        costs = self.left.value, self.right.value
        return two_hands.settle([*two_hands.hand_tasks(self.centre, costs, lm_damping=SLOW), posture])


_LOOKS: dict[str, Any] = {"style": {"description_width": "80px"}, "layout": widgets.Layout(width="330px")}


def _slider(name: str, value: float) -> Any:
    options = [(f"{cost:g}", cost) for cost in COSTS]
    return widgets.SelectionSlider(options=options, value=value, description=name, **_LOOKS)
