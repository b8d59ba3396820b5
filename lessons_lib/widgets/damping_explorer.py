"""Move the damping: the gain of every singular direction on the left, what becomes of the solve on the right."""

from collections.abc import Mapping

import ipywidgets as widgets
import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.lie import check_transform
from lessons_lib.plots.convergence import ConvergenceArtist
from lessons_lib.plots.lesson_10 import GainArtist
from lessons_lib.plots.theme import GREEN, GREY, VERMILION, style
from lessons_lib.pose_ik import Constant, LevenbergMarquardt, Result, Stop, solve
from lessons_lib.robots import Chain, ur10
from lessons_lib.studies.matlab_library import DAMPING, ur10_waypoints
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.sliders import log_slider

STOP = Stop(max_iterations=60, restarts=0)
"""One start, as many steps as the curve has room for."""

REACHABLE, TOO_FAR = "the first waypoint", "four times as far"


class DampingExplorer(Explorer):
    """Solve one pose with a constant damping λ that a slider moves.

    Attributes:
        chain: The arm.
        targets: T_sd by the name that the menu shows, each shape (4, 4), position in m.
        start: Where each solve begins, shape (n,), rad or m.
        damping: The slider of λ, logarithmic.
        target: The menu of the targets.
        result: The last `Result`, with its trace.
    """

    caption = "Left, the gain at the start. Right, the errors of the solve. Run this cell to move λ."

    def __init__(
        self,
        chain: Chain | None = None,
        targets: Mapping[str, ArrayLike] | None = None,
        q0: ArrayLike | None = None,
    ) -> None:
        """Make the controls and the picture.

        Args:
            chain: The arm; the UR10 when left out.
            targets: T_sd by name; may be left out with the UR10, for the first waypoint and one out of reach.
            q0: Where every solve begins, shape (n,), rad or m; zero when left out.

        Raises:
            ParameterError: Another chain without targets, or no target at all.
            TransformError: A target is not a pose.
            ConfigurationError: q0 has another shape, is not finite, or is outside the limits.
        """
        if targets is None and chain is not None:
            raise ParameterError(f"no targets for {chain.name}; give at least one pose by name, {{'name': T_sd}}")
        given = ur10_targets() if targets is None else targets
        if not given:
            raise ParameterError("targets are empty; give at least one pose by name, {'name': T_sd}")
        self.chain = chain if chain is not None else ur10()
        self.targets = {name: check_transform(T, f"target {name!r}") for name, T in given.items()}
        self.start: Array = self.chain.check_within_limits(np.zeros(self.chain.dof) if q0 is None else q0)
        self._singular_values = np.linalg.svd(self.chain.body_jacobian(self.start), compute_uv=False)
        self.damping = log_slider(DAMPING, 0.001, 3.15, description="damping λ")
        self.target = widgets.Dropdown(options=list(self.targets), description="target")
        super().__init__([widgets.HBox([self.damping, self.target])], size=(7.6, 4.0))
        self.result: Result | None = None
        self._draw()
        self.redraw()

    def paint(self) -> None:
        """Solve with the λ of the slider, and show how far and how fast."""
        damping, target = float(self.damping.value), self.targets[self.target.value]
        method = LevenbergMarquardt(Constant(damping))
        self.result = solve(self.chain, target, self.start, method=method, stop=STOP, trace=True)
        assert self.result.trace is not None  # asked for
        self._gain.update(damping, self._singular_values)
        self._errors.update(self.result.trace, self.result.iterations)
        self._text.set_text(self._sentence(self.result))
        self._text.set_color(GREEN if self.result.converged else VERMILION)

    @property
    def message(self) -> str:
        """The line above the picture: how the solve ended, after how many steps, and the largest of them."""
        return str(self._text.get_text())

    @property
    def largest_step(self) -> float:
        """The largest step of a joint in the last solve, rad or m."""
        assert self.result is not None
        assert self.result.trace is not None
        return float(np.abs(np.diff(self.result.trace.q, axis=0)).max(initial=0.0))

    def _sentence(self, result: Result) -> str:
        ending = "converged in" if result.converged else f"{result.status.name.lower().replace('_', ' ')}:"
        steps = f"{result.iterations} step{'' if result.iterations == 1 else 's'}"
        return f"{ending} {steps}, the largest {self.largest_step:.2f} rad; gain at most {0.5 / self.damping.value:.2f}"

    def _draw(self) -> None:
        with style():
            gain, errors = self.figure.subplots(1, 2, width_ratios=(1.0, 0.95))
            self._gain, self._errors = GainArtist(gain), ConvergenceArtist(errors, STOP)
            errors.set_ylim(1e-11, 30.0)
            place = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "ha": "right"}
            errors.annotate("tolerance", (1.0, STOP.position), xytext=(-2, 3), fontsize=10, color=GREY, **place)
            self._text = self.figure.suptitle(" ", x=0.01, ha="left", fontsize=12)
        moved = [*self._errors.curves.values(), *self._errors.markers.values()]
        self.moving = [*self._gain.artists, *moved, self._text]


def ur10_targets() -> dict[str, Array]:
    """Return the MATLAB library's first waypoint, and the same pose four times as far from the base."""
    near = ur10_waypoints()[0]
    far = near.copy()
    far[:3, 3] *= 4.0  # 1.99 m away, where the flange of the stretched arm never comes
    return {REACHABLE: near, TOO_FAR: far}
