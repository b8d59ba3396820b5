"""One solve, looked at from all sides: method, damping, weights, start, and every iterate on the way."""

from typing import Any

import ipywidgets as widgets
import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import Result, Stop, solve
from lessons_lib.robots import Chain
from lessons_lib.studies.menu import MENU
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.sliders import GridSlider, log_slider
from lessons_lib.widgets.solver_picture import SolverPicture

STOP = Stop(max_iterations=30, restarts=0)
"""One start, as many steps as the curve has room for."""

WEIGHT_NAMES = ("ω_x", "ω_y", "ω_z", "v_x", "v_y", "v_z")


class SolverExplorer(Explorer):
    """Solve one pose again at every touch of a slider, and look at any iterate.

    Attributes:
        chain: The arm.
        target: T_sd, shape (4, 4), position in m.
        result: The last `Result`, with its trace; None when the weights are all zero.
        method, damping, iteration: The menu, the slider of λ (w, τ), and the scrubber.
        weights, start: The six weight sliders in the order (ω, v), and a slider for each joint.
    """

    def __init__(self, chain: Chain, target: ArrayLike | None = None, q0: ArrayLike | None = None) -> None:
        """Make the explorer.

        Args:
            chain: Any chain.
            target: T_sd, shape (4, 4), position in m; the pose of a random configuration when left out.
            q0: Where the start sliders stand, shape (n,), rad or m, the nearest hundredth; another random configuration
                when left out.

        Raises:
            TransformError: The target is not a pose.
            ConfigurationError: q0 has another shape, is not finite, or is outside the limits.
        """
        self._rng = np.random.default_rng(11)
        drawn = chain.forward_kinematics(chain.random_configuration(self._rng))
        self.chain = chain
        self.target = lie.check_transform(drawn if target is None else target, "target")
        begin = chain.random_configuration(self._rng) if q0 is None else chain.check_within_limits(q0)
        self.result: Result | None = None
        self._make_controls(begin)
        super().__init__([self._arrange()], size=(7.6, 4.0))
        self._picture = SolverPicture(self.figure, chain, self.target, STOP)
        self.moving = self._picture.moving
        self._random.on_click(lambda button: self.draw_start())
        self.redraw()

    def paint(self) -> None:
        """Solve, and show the iterate that the scrubber points at."""
        choice = MENU[self.method.value]
        self.damping.disabled = not choice.damped
        self.damping.description = f"damping {choice.symbol}".strip()
        for slider in self.weights:
            slider.disabled = choice.name.startswith("newton")
        try:
            weights = [slider.value for slider in self.weights]
            method = choice.build(self.damping.value, weights)
        except ParameterError as error:
            self.result = None
            self._picture.say(str(error), good=False)
            return
        q0 = np.clip([slider.value for slider in self.start], *self.chain.limits.T)
        self.result = solve(self.chain, self.target, q0, method=method, stop=STOP, trace=True)
        self._picture.show(self.result, self._scrub(self.result.iterations))

    def _scrub(self, last: int) -> int:
        """Fit the scrubber to the number of iterates; if it stood at the end, it stays at the end."""
        holding, self._holding = self._holding, True
        try:
            at_end = self.iteration.value == self.iteration.max
            self.iteration.max = self._play.max = last
            if at_end:
                self.iteration.value = last
        finally:
            self._holding = holding
        return int(self.iteration.value)

    def _make_controls(self, begin: Array) -> None:
        options = [(choice.label, choice.name) for choice in MENU.values()]
        self.method = widgets.Dropdown(options=options, value="constant", description="method", **_LOOK)
        self.damping = log_slider(0.125, 1e-6, 10.0, description="damping λ", **_LOOK)
        self.iteration = widgets.IntSlider(value=0, min=0, max=0, description="iteration", **_LOOK)
        self._play = widgets.Play(value=0, min=0, max=0, interval=400, layout=widgets.Layout(width="auto"))
        widgets.jslink((self._play, "value"), (self.iteration, "value"))
        self.weights = [GridSlider(1.0, 0.0, 5.0, 0.1, description=name, **_LOOK) for name in WEIGHT_NAMES]
        self._random = widgets.Button(description="random start", tooltip="draw a start from the joint limits")
        self.start = [
            GridSlider(value, lower, upper, 0.01, description=f"q{i + 1}", **_LOOK)
            for i, (value, (lower, upper)) in enumerate(zip(begin, self.chain.sampling_limits, strict=True))
        ]

    def _arrange(self) -> widgets.Box:
        """Return the controls in columns that fall below each other where there is no room."""
        columns = [
            [widgets.HTML("<b>Method</b>"), self.method, self.damping, self.iteration, self._play],
            [widgets.HTML("<b>Weights</b> of the error"), *self.weights],
            [widgets.HBox([widgets.HTML("<b>Start</b>"), self._random]), *self.start],
        ]
        boxes = [widgets.VBox(column, layout=widgets.Layout(width="246px")) for column in columns]
        return widgets.Box(boxes, layout=widgets.Layout(flex_flow="row wrap"))

    @property
    def message(self) -> str:
        """The line above the picture: how the solve ended, or what the controls ask for that cannot be."""
        return self._picture.text

    @property
    def drawn_tip(self) -> Array:
        """Where the tip of the drawn arm is, m, shape (2,) for a planar chain and (3,) for any other."""
        return self._picture.tip

    def draw_start(self) -> None:
        """Set the start sliders to a random configuration within the limits, and solve from there."""
        self._holding = True
        try:
            for slider, value in zip(self.start, self.chain.random_configuration(self._rng), strict=True):
                slider.value = value
        finally:
            self._holding = False
        self.redraw()

    def __repr__(self) -> str:
        """Return the name and the robot."""
        return f"SolverExplorer({self.chain.name})"


_LOOK: dict[str, Any] = {
    "style": {"description_width": "70px"},
    "layout": widgets.Layout(width="240px"),
}
