"""Move a frame beside a screw, and read the same motion in two sets of six numbers."""

from typing import Any, ClassVar

import ipywidgets as widgets
import numpy as np
from numpy.typing import NDArray

from lessons_lib import lie
from lessons_lib.plots.theme import style
from lessons_lib.plots.twists import screw_of, screw_twist
from lessons_lib.plots.two_frames import TwoFramesArtist
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.sliders import GridSlider

Array = NDArray[np.float64]

DISTANCE = 0.6
"""How far the axis passes from the origin of {s}, along x, m."""

ROWS = 11
"""Of the table: a heading, six numbers, what stays the same, and two that are empty."""

DEGREE = np.pi / 180.0


class FrameExplorer(Explorer):
    """A body turns at 1 rad/s about a fixed axis; four sliders place the frame {b}, two shape the screw.

    Attributes:
        x: Where {b} stands, along x of {s}, m.
        y: Where {b} stands, along y of {s}, m.
        turn: How far {b} is turned about z, degrees.
        lean: How far {b} is then turned about its own x axis, degrees.
        tilt: How far the screw axis leans from z towards y, degrees.
        pitch: Slide along the axis per angle, m/rad.
        no_lever: Whether v_s is drawn at {b} too, dotted, as if there were no lever arm.
    """

    caption: ClassVar[str] = (
        "Chain-dotted: the axis; dotted: the distances from it. Purple arrows: what "
        "each frame calls v; thin arcs: the way of the point there in one second."
    )

    def __init__(
        self,
        x: float = 0.9,
        y: float = 0.5,
        turn: float = -20.0,
        lean: float = 0.0,
        tilt: float = 0.0,
        pitch: float = 0.1,
    ) -> None:
        """Make the explorer; the arguments say where the sliders stand at first, as in the attributes."""
        self.x = _slider("x of {b} [m]", x, -0.4, 1.0, 0.05)
        self.y = _slider("y of {b} [m]", y, -0.6, 0.6, 0.05)
        self.turn = _slider("turn {b} about z [°]", turn, -180.0, 180.0, 5.0)
        self.lean = _slider("then about its x [°]", lean, -90.0, 90.0, 5.0)
        self.tilt = _slider("tilt of the axis [°]", tilt, -40.0, 40.0, 5.0)
        self.pitch = _slider("pitch [m/rad]", pitch, -0.3, 0.3, 0.02)
        self.no_lever = widgets.Checkbox(value=False, description="draw v_s at {b} too (no lever arm)", indent=False)
        columns = [widgets.VBox(half) for half in ([self.x, self.y, self.turn], [self.lean, self.tilt, self.pitch])]
        layout = widgets.Layout(flex_flow="row wrap")
        super().__init__([widgets.HBox(columns, layout=layout), self.no_lever], size=(6.4, 4.2))
        with style():
            grid = self.figure.add_gridspec(1, 2, width_ratios=(1.0, 2.0))
            text = self.figure.add_subplot(grid[0])
            text.set_axis_off()
            look: dict[str, Any] = {"va": "baseline", "family": "monospace", "fontsize": 12.5}
            self._says = [text.text(0.0, 0.92 - 0.066 * row, "", **look) for row in range(ROWS)]
            ax = self.figure.add_subplot(grid[1], projection="3d")
            self._scene = TwoFramesArtist(ax, 0.32)
        self.redraw()

    @property
    def V_s(self) -> Array:
        """The twist of the body in {s}, shape (6,), rad/s and m/s."""
        lean = self.tilt.value * DEGREE
        return screw_twist((DISTANCE, 0.0, 0.0), (0.0, np.sin(lean), np.cos(lean)), self.pitch.value, 1.0)

    @property
    def T_sb(self) -> Array:
        """The pose of {b}, shape (4, 4), m."""
        T = np.eye(4)
        T[:3, :3] = lie.exp_so3([0.0, 0.0, self.turn.value * DEGREE]) @ lie.exp_so3(
            [self.lean.value * DEGREE, 0.0, 0.0]
        )
        T[:2, 3] = self.x.value, self.y.value
        return T

    @property
    def V_b(self) -> Array:
        """The same twist in {b}, shape (6,): Ad of T_sb's inverse times V_s."""
        return lie.adjoint(lie.inverse(self.T_sb)) @ self.V_s

    def paint(self) -> None:
        """Move the frames and the arrows, and write both columns of numbers."""
        self._scene.update(self.V_s, self.T_sb, copy=self.no_lever.value)
        rows = [f"{'':4}{'in {s}':>7}{'in {b}':>8}"]
        for name, s, b in zip(("ωx", "ωy", "ωz", "vx", "vy", "vz"), self.V_s, self.V_b, strict=True):
            rows.append(f"{name:4}{_two(s):>7}{_two(b):>8}")
            rows += [""] if name == "ωz" else []
        lengths = [float(np.linalg.norm(V[:3])) for V in (self.V_s, self.V_b)]
        pitches = [screw_of(V)[2] for V in (self.V_s, self.V_b)]
        rows += ["", f"{'|ω|':4}{_two(lengths[0]):>7}{_two(lengths[1]):>8}"]
        rows += [f"{'h':4}{_two(pitches[0]):>7}{_two(pitches[1]):>8}"]
        for text, row in zip(self._says, rows, strict=True):
            text.set_text(row)


def _slider(description: str, value: float, low: float, high: float, step: float) -> GridSlider:
    return GridSlider(
        value, low, high, step, description=description,
        style={"description_width": "9em"}, layout=widgets.Layout(width="23em", max_width="100%"),
    )  # fmt: skip


def _two(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}"
