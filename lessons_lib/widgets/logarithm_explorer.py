"""Turn a frame towards half a turn and watch each logarithm try to find the way back."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import ipywidgets as widgets
import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.plots.arm import FrameArtist
from lessons_lib.plots.lesson_02 import NO_ANSWER, UNIT, round_trip_error
from lessons_lib.plots.theme import CYCLE, DASHES, GREY, INK, style
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.sliders import GridSlider

Logarithm = Callable[[Array], ArrayLike]

AXES: dict[str, tuple[float, float, float]] = {
    "oblique, (1, 2, 2)/3": (1 / 3, 2 / 3, 2 / 3),
    "diagonal, (1, −1, 0)/√2": (0.5**0.5, -(0.5**0.5), 0.0),
    "along x": (1.0, 0.0, 0.0),
    "along −z": (0.0, 0.0, -1.0),
}
"""The unit axes to choose from."""

GAPS = np.logspace(0.0, -12.0, 49)
"""π − θ of the curves, rad; four points a decade."""


class LogarithmExplorer(Explorer):
    """A rotated frame, the frame that each logarithm gives back, and the errors of the round trips."""

    caption: ClassVar[str] = "Solid: the frame that was turned. Dashed: where exp(log R) puts it."

    def __init__(self, logs: Mapping[str, Logarithm]) -> None:
        """Make the explorer.

        Args:
            logs: Name to logarithm, one to five; each takes R, shape (3, 3), and returns ω, shape (3,), rad.

        Raises:
            ParameterError: No logarithm, or more than there are colours and dashes to tell apart.
        """
        if not 1 <= len(logs) <= len(DASHES):
            raise ParameterError(f"an explorer compares 1 to {len(DASHES)} logarithms, got {len(logs)}")
        self._logs = dict(logs)
        wide = {"style": {"description_width": "9em"}, "layout": widgets.Layout(width="36em", max_width="100%")}
        self.closeness = GridSlider(1.0, 0.0, 12.0, 0.25, description="−log₁₀(π − θ)", **wide)
        self.half_turn = widgets.Checkbox(value=False, description="exactly half a turn", indent=False)
        self.axis = widgets.Dropdown(options=list(AXES), description="axis", **wide)
        self.shown = widgets.Dropdown(options=list(self._logs), description="dashed frame by", **wide)
        super().__init__([widgets.HBox([self.closeness, self.half_turn]), self.axis, self.shown], size=(7.2, 3.9))
        with style():
            self._make_frames()
            self._make_curves()
        self.redraw()

    @property
    def rotation(self) -> Array:
        """The rotation that the controls describe, shape (3, 3)."""
        a = np.array(AXES[self.axis.value])
        if self.half_turn.value:
            return 2.0 * np.outer(a, a) - np.eye(3)
        return lie.exp_so3((np.pi - 10.0**-self.closeness.value) * a)

    @property
    def errors(self) -> dict[str, float]:
        """Name to max |exp(log R) − R| of each logarithm at this rotation; infinite where it gave no number."""
        return {name: round_trip_error(log, self.rotation) for name, log in self._logs.items()}

    def paint(self) -> None:
        """Turn the frames and move the dots."""
        R, a = self.rotation, np.array(AXES[self.axis.value])
        self._turned.update(_pose(R))
        self._axis_line.set_data_3d(*np.outer(a, (-1.3, 1.3)))
        self._axis_name.set_position_3d(1.4 * a)
        self._paint_returned(R)
        self._paint_curves(a)

    def _make_frames(self) -> None:
        ax: Any = self.figure.add_subplot(1, 2, 1, projection="3d")
        ax.set(xlim=(-1, 1), ylim=(-1, 1), zlim=(-1, 1))
        ax.set_box_aspect((1, 1, 1), zoom=1.35)
        ax.view_init(elev=20, azim=-55)
        ax.set_axis_off()
        (self._axis_line,) = ax.plot([], [], [], color=GREY, linewidth=1.2, linestyle=(0, (6, 2, 1, 2)))
        self._axis_name = ax.text(0, 0, 0, "axis", color=GREY, fontsize=10)
        FrameArtist(ax, 1.0, alpha=0.18)
        self._turned = FrameArtist(ax, 1.0)
        self._returned = FrameArtist(ax, 1.25, linewidth=1.6, dashed=True)

    def _make_curves(self) -> None:
        self._plot = self.figure.add_subplot(1, 2, 2)
        self._plot.set(xscale="log", yscale="log", xlim=(3.0, 3e-13), ylim=(3e-18, 1e6))
        self._plot.set(xlabel="π − θ  [rad]", ylabel="|exp(log R) − R|")
        self._plot.axhline(UNIT, color=GREY, linewidth=1.0)
        looks = list(zip(CYCLE, DASHES, strict=False))[: len(self._logs)]
        self._curves = [self._plot.plot([], [], color=c, linestyle=d)[0] for c, d in looks]
        self._dots = [self._plot.plot([], [], "o", color=c, clip_on=False, zorder=5)[0] for c, _ in looks]
        self._curves_are_for: str | None = None

    def _paint_returned(self, R: Array) -> None:  # noqa: N803
        """Draw where the chosen logarithm puts the frame, or hide the frame where it gave no number."""
        log = self._logs[self.shown.value]
        answered = np.isfinite(round_trip_error(log, R))
        for line in self._returned.artists:
            line.set_visible(answered)
        if answered:
            with np.errstate(all="ignore"):
                self._returned.update(_pose(lie.exp_so3(np.asarray(log(R), dtype=np.float64))))

    def _paint_curves(self, a: Array) -> None:
        """Move the dots; draw the curves anew only when the axis has changed."""
        if self._curves_are_for != self.axis.value:
            rotations = [lie.exp_so3((np.pi - gap) * a) for gap in GAPS]
            for curve, log in zip(self._curves, self._logs.values(), strict=True):
                curve.set_data(GAPS, [_height(round_trip_error(log, R)) for R in rotations])
            self._curves_are_for = self.axis.value
        gap = GAPS[-1] if self.half_turn.value else 10.0**-self.closeness.value
        for dot, curve, (name, error) in zip(self._dots, self._curves, self.errors.items(), strict=True):
            dot.set_data([gap], [_height(error)])
            curve.set_label(f"{name}:  {_said(error)}")
        where = "θ = π" if self.half_turn.value else f"θ = π − {gap:.1e}"
        self._plot.legend(loc="upper left", title=where, alignment="left", labelcolor=INK)


def _pose(R: Array) -> Array:  # noqa: N803
    T = np.eye(4)
    T[:3, :3] = R
    return T


def _height(error: float) -> float:
    """Return where an error is drawn: no number above everything, and nothing below u."""
    return NO_ANSWER if not np.isfinite(error) else max(error, UNIT)


def _said(error: float) -> str:
    if not np.isfinite(error):
        return "no number"
    return f"{error:.0e}" if error > 0.0 else "exact"
