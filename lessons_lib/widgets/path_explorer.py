"""Carry the hand from one pose to another, on one of three ways, and see where it is on the way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import ipywidgets as widgets
import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import lie, robots
from lessons_lib.arrays import Array
from lessons_lib.plots.lesson_14 import off_the_line
from lessons_lib.robots import Chain
from lessons_lib.trajectories import interpolate, trace
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.path_picture import PathPicture
from lessons_lib.widgets.sliders import GridSlider

PARTS = 40
"""Into how many parts a way is cut."""

TURN = 2.0 * np.pi / 3.0
"""By how much the hand turns about the vertical, rad."""

KINDS = ("screw", "decoupled", "joints")
"""The ways: the hand along one screw, the hand straight ahead, or each joint straight from its value to the other."""

STARTS: dict[str, tuple[tuple[float, ...], tuple[float, float, float]]] = {
    "UR10": ((-2.27, -1.22, 1.66, -2.01, -1.57, 0.0), (-0.9, -0.1, 0.15)),
    "Panda": ((-0.5, 0.3, 0.0, -1.9, 0.0, 2.2, 0.3), (0.0, 0.5, 0.1)),
}
"""Where each arm begins, rad, and by how much its hand moves, m."""


@dataclass(frozen=True, eq=False)
class Way:
    """One way of one arm, in `PARTS` equal parts.

    Attributes:
        q: Configurations, shape (PARTS + 1, n), rad.
        off: Distance of the tip from the straight line, shape (PARTS + 1,), m.
        error: What the solver left: |ω_b| in rad and |v_b| in m, shape (PARTS + 1, 2); zero where nothing was solved.
    """

    q: Array
    off: Array
    error: Array


class PathExplorer(Explorer):
    """Move along the way.

    Attributes:
        arm: "UR10" or "Panda".
        kind: "screw", "decoupled" or "joints".
        s: The part of the way, 0 to 1.
    """

    caption: ClassVar[str] = "Frames: both poses. Dashed: the straight line between them."

    def __init__(self, arm: str = "UR10", kind: str = "screw", s: float = 0.5) -> None:
        """Make the controls and the picture.

        Args:
            arm: "UR10" or "Panda".
            kind: "screw", "decoupled" or "joints".
            s: The part of the way at first.
        """
        self.arm = widgets.Dropdown(options=list(STARTS), value=arm, description="arm")
        self.kind = widgets.ToggleButtons(options=KINDS, value=kind, description="way")
        layout = widgets.Layout(width="34em", max_width="100%")
        self.s = GridSlider(s, 0.0, 1.0, 1.0 / PARTS, description="s", layout=layout)
        super().__init__([self.arm, self.kind, self.s], size=(7.6, 4.2))
        self._picture, self._drawn = PathPicture(self.figure), ("", "")
        self.redraw()

    @property
    def way(self) -> Way:
        """The way that is drawn."""
        return way_of(self.arm.value, self.kind.value)

    @property
    def place(self) -> int:
        """Which of the way's configurations is drawn."""
        return round(float(self.s.value) * PARTS)

    @property
    def message(self) -> str:
        """The line above the picture."""
        return self._picture.text

    def paint(self) -> None:
        """Move the arm; draw another way where arm or kind have changed."""
        chosen, way = (self.arm.value, self.kind.value), self.way
        if chosen != self._drawn:
            chain, start, end = poses_of(self.arm.value)
            tips = np.array([chain.forward_kinematics(q)[:3, 3] for q in way.q])
            others = {kind: way_of(self.arm.value, kind).off for kind in KINDS}
            self._picture.set_way(chain, (start, end), tips, others, self.kind.value)
            self._drawn = chosen
        angle, distance = way.error[self.place]
        left = "" if self.kind.value == "joints" else f"; the solver left {_small(distance, angle)}"
        text = f"s = {self.place / PARTS:.3f}: {1e3 * way.off[self.place]:.1f} mm off the straight line{left}"
        self._picture.move(way.q[self.place], self.place / PARTS, 1e3 * way.off[self.place], text)


@cache
def poses_of(arm: str) -> tuple[Chain, Array, Array]:
    """Return an arm and the two poses between which it carries its hand, shape (4, 4), m."""
    chain: Any = {"UR10": robots.ur10, "Panda": robots.panda}[arm]()
    q0, shift = STARTS[arm]
    start = chain.forward_kinematics(q0)
    end = start.copy()
    end[:3, :3] = lie.exp_so3([0.0, 0.0, TURN]) @ start[:3, :3]
    end[:3, 3] += shift
    return chain, start, end


@cache
def way_of(arm: str, kind: str) -> Way:
    """Return a way, traced once: of "joints" the straight line, in joint space, to where "screw" ends."""
    chain, start, end = poses_of(arm)
    q0, parts = np.array(STARTS[arm][0]), np.linspace(0.0, 1.0, PARTS + 1)
    if kind == "joints":
        q: ArrayLike = q0 + np.outer(parts, way_of(arm, "screw").q[-1] - q0)
        error = np.zeros((PARTS + 1, 2))
    else:
        path = trace(chain, interpolate(start, end, parts, kind), q0)
        q, error = path.q, np.column_stack([path.orientation_error, path.position_error])
    rows = np.array(q)  # a path's own rows are read-only
    tips = np.array([chain.forward_kinematics(row)[:3, 3] for row in rows])
    return Way(rows, off_the_line(tips, start[:3, 3], end[:3, 3]), error)


def _small(distance: float, angle: float) -> str:
    """Return whether what is left is below a thousandth of a millimetre and of a milliradian."""
    small = max(distance, angle) <= 1e-6
    return "less than 1 µm and 1 µrad" if small else f"{1e3 * distance:.3f} mm and {1e3 * angle:.3f} mrad"
