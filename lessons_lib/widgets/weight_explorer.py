"""Six weights for a target that cannot be reached, and the errors that the compromise keeps."""

from typing import Any

import ipywidgets as widgets
import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.lie import check_transform
from lessons_lib.plots.arm import is_planar
from lessons_lib.pose_ik import LevenbergMarquardt, Result, Stop, TrustRegion, evaluate, solve
from lessons_lib.robots import Chain, planar_2r
from lessons_lib.studies.matlab_library import planar_waypoints
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.weight_picture import COMPONENTS, WeightPicture

STOP = Stop(max_iterations=60, restarts=30)
"""Enough for the trust region to come to rest, from enough starts to find the better side of the arm."""

WEIGHTS = (0.0, *(float(digit * 10.0**power) for power in range(-3, 3) for digit in (1, 2, 5)), 1000.0)
"""What a slider offers: zero, then 1, 2 and 5 times the powers of ten from a thousandth to a thousand."""

BENT = (1.0, -1.0)
"""Where the search of the 2R starts, rad: bent to the side on which it can come nearest."""


class WeightExplorer(Explorer):
    """Change the weights, and see which error the best compromise keeps.

    Attributes:
        chain: The arm.
        target: T_sd, shape (4, 4), position in m.
        weights: Six sliders in the order (ω, v), on a logarithmic scale that begins with an exact zero. On a planar arm
            those for which there is neither an error nor a motion are switched off.
        result: The last `Result`; None when the weights are all zero.
        error_twist: V_b of the drawn arm, shape (6,), rad and m.
    """

    caption = "Broad pale axes: the target. Thin axes: the tip. Bars: what is left of the six components of the error."

    def __init__(
        self, chain: Chain | None = None, target: ArrayLike | None = None, q0: ArrayLike | None = None
    ) -> None:
        """Make the sliders and the picture.

        Args:
            chain: The arm; the 2R when left out.
            target: T_sd, shape (4, 4), m; may be left out with the 2R, for a pose that asks three things of its two
                joints: the MATLAB library's first waypoint.
            q0: Where the search starts, shape (n,), rad or m; zero when left out, bent for the 2R.

        Raises:
            ParameterError: A chain without a target.
            TransformError: The target is not a pose.
            ConfigurationError: q0 has another shape, is not finite, or lies outside the limits.
        """
        if chain is not None and target is None:
            raise ParameterError(f"a target for {chain.name} is missing; only the 2R has one of its own")
        self.chain = chain if chain is not None else planar_2r()
        self.target = check_transform(planar_waypoints()[0] if target is None else target, "target")
        start = BENT if chain is None else np.zeros(self.chain.dof)
        self._start = self.chain.check_within_limits(start if q0 is None else q0)
        self.result: Result | None = None
        self.weights = [_slider(name) for name in COMPONENTS]
        if is_planar(self.chain) and is_in_plane(self.target):
            for slider in np.array(self.weights)[[0, 1, 5]]:
                slider.disabled = True
        columns = [widgets.VBox(self.weights[:3]), widgets.VBox(self.weights[3:])]
        super().__init__([widgets.HBox(columns, layout=widgets.Layout(flex_flow="row wrap"))], size=(7.6, 4.2))
        self._picture = WeightPicture(self.figure, self.chain, self.target, self._largest_errors())
        self.redraw()

    @property
    def error_twist(self) -> Array:
        """V_b of the drawn arm, shape (6,), rad and m."""
        return evaluate(self.chain, self.target, self._start if self.result is None else self.result.q).error_twist

    @property
    def message(self) -> str:
        """The line above the picture: both errors, or what the sliders ask for that cannot be."""
        return self._picture.text

    def paint(self) -> None:
        """Solve with the weights that the sliders show, and draw the answer with its errors."""
        try:
            self.result = self._solve([slider.value for slider in self.weights])
        except ParameterError as error:
            self.result = None
            self._picture.say(str(error), good=False)
            return
        self._picture.show(self.result, self.error_twist)

    def _solve(self, weights: list[float]) -> Result:
        method = LevenbergMarquardt(TrustRegion(), weights=weights, derivative="exact")
        return solve(self.chain, self.target, self._start, method=method, stop=STOP)

    def _largest_errors(self) -> tuple[float, float]:
        """Return |ω_b| with position only and |v_b| with orientation only, for the scales of the bars, rad and m."""
        position, orientation = self._solve([0.0] * 3 + [1.0] * 3), self._solve([1.0] * 3 + [1e-3] * 3)
        return position.orientation_error, orientation.position_error


def is_in_plane(target: Array) -> bool:
    """Return whether a target asks nothing that a motion in the x-y plane of {s} could not do."""
    return bool(np.array_equal(target[2], (0.0, 0.0, 1.0, 0.0)))


def _slider(name: str) -> Any:
    return widgets.SelectionSlider(
        options=[(f"{value:g}", value) for value in WEIGHTS],
        value=1.0,
        description=name,
        style={"description_width": "40px"},
        layout=widgets.Layout(width="300px"),
    )
