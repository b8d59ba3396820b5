"""Lesson 22: a hand on a line past the base, its speed at each position, and the joint that limits it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lessons_lib import codegen
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course import joints_on_line
from lessons_lib.course.live.control import Control
from lessons_lib.course.live.figure import LiveFigure

if TYPE_CHECKING:
    from lessons_lib.codegen import Kernel

__all__ = ["TimingFigure"]

SPAN = 1.2
"""The hand moves from −SPAN to SPAN, in m."""

SPEED, ACCELERATION = 2, 6
"""The velocity and acceleration limits of each joint, in rad/s and rad/s²."""

TOP = 2.6
"""The highest hand speed drawn, in m/s."""

STARTS = (1.4, 1.2, 0.6, 0.9, 1.5)
"""The hand's initial speeds at the draggable points, in m/s; the points are equally spaced between the ends."""

LINK = 1
"""The length of each link, in m."""

FINE = 24
"""The number of segments between two points."""


class TimingFigure(LiveFigure):
    """The planar arm with its hand on a line past the base, and the hand's speed against its position.

    Between two points of the curve the path acceleration is constant; at both ends the hand is at rest.

    Attributes:
        d: Distance of the line from the base, in m.
        s: Position of the drawn hand, in m.
        v1: Speed at the first draggable point, in m/s; likewise v2 to v5.
    """

    view = "timing"
    title = "Which joint's limit sets the speed?"
    about = (
        "On the left, the hand of a two-link arm moves along a horizontal line past the base. On the right, the hand's "
        "speed is plotted against its position, as a curve with draggable points, together with the bounds set by each "
        "joint's limits. Where a joint exceeds a limit, the curve has that joint's colour."
    )
    question = "Make the motion as short as you can within all limits. Which joint's limit sets the speed, and where?"
    answer = (
        "On the line with d = 0.2 m, the speed limit of joint 1 sets the speed in the middle: the hand may move at no "
        "more than 0.4 m/s. On both sides, the speed limit of joint 2 does. With speeds of 1.87, 0.84, 0.25, 0.96 and "
        "1.87 m/s, the motion satisfies all limits and takes 2.83 s. The fastest motion, a curve with more points, "
        "takes 2.4 s; where neither speed limit sets its speed, an acceleration limit does. A curve below the dashed "
        "ones can still be too steep: with 0.05 m/s in the middle and 1.05 m/s at the point to the right, joint 1 "
        "exceeds its acceleration limit at s = 0."
    )

    def __init__(self, **values: float | str) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        controls = [
            Control("d", "line", "d", "m", 0.05, 1.0, 0.01, 0.2),
            Control("s", "hand", "s", "m", -SPAN, SPAN, 0.01, -0.6),
        ]
        for i, start in enumerate(STARTS):
            controls.append(Control(f"v{i + 1}", f"speed {i + 1}", f"ṡ{'₁₂₃₄₅'[i]}", "m/s", 0.05, TOP, 0.01, start))
        data = {"span": SPAN, "points": len(STARTS), "speed": SPEED, "acceleration": ACCELERATION, "top": TOP}
        super().__init__(controls, _source(), values, data | {"fine": FINE})

    @property
    def speeds(self) -> Array:
        """ṡ at the points of the curve and both ends, shape (7,), m/s."""
        return np.array([0.0, *(getattr(self, f"v{i + 1}") for i in range(len(STARTS))), 0.0])

    @property
    def points(self) -> Array:
        """Positions of these points, shape (7,), m."""
        return np.linspace(-SPAN, SPAN, len(STARTS) + 2)

    @property
    def duration(self) -> float:
        """Duration of the motion, s."""
        return float(np.sum(2.0 * np.diff(self.points) / (self.speeds[:-1] + self.speeds[1:])))

    @property
    def motion(self) -> tuple[Array, Array, Array, Array]:
        """s, ṡ, q̇ and q̈ at all samples, segment after segment: two of shape (k,), two of (k, 2)."""
        squares, points = self.speeds**2, self.points
        parts = np.linspace(0.0, 1.0, FINE + 1)
        s = (points[:-1, None] + parts * np.diff(points)[:, None]).ravel()
        x = (squares[:-1, None] + parts * np.diff(squares)[:, None]).ravel()
        push = np.repeat(np.diff(squares) / (2.0 * np.diff(points)), FINE + 1)
        _, first, second = joints_on_line(s, self.d)
        speed = np.sqrt(x)
        return s, speed, first * speed[:, None], first * push[:, None] + second * x[:, None]

    @property
    def largest(self) -> Array:
        """The largest |q̇| and |q̈| of each joint, one row each, shape (2, 2), rad/s and rad/s²."""
        _, _, v, a = self.motion
        return np.column_stack([np.abs(v).max(axis=0), np.abs(a).max(axis=0)])


def motion_kernel() -> Kernel:
    """Return (place, line, along) → q, rates, accelerations, corners, ceilings."""
    # place is s, line d, both m; along contains ṡ² and s̈; the ceilings are the largest ṡ allowed by the speed of joint
    # 1, that of joint 2 and both accelerations
    import sympy as sp

    from lessons_lib.codegen import Kernel
    from lessons_lib.course.retime import straight_line_motion
    from lessons_lib.symbolic.planar_2r import corners

    s, d, x, push = sp.symbols("s d x u", real=True)
    slopes = sp.Matrix(2, 2, sp.symbols("f_1 f_2 g_1 g_2", real=True))  # q′ and q″, one row each
    first, second = straight_line_motion.slopes(s, d)
    named = [*zip(slopes, [*first, *second], strict=True)]
    f, g = slopes[0, :].T, slopes[1, :].T
    q = straight_line_motion.joints(s, d)
    bend = sp.Abs(f[1] * g[0] - f[0] * g[1])
    both = sp.sqrt(ACCELERATION * (sp.Abs(f[0]) + sp.Abs(f[1])) / bend)
    outputs = {
        "q": q,
        "rates": f * sp.sqrt(x),
        "accelerations": f * push + g * x,
        "corners": sp.Matrix.hstack(*corners(q[0], q[1], sp.Integer(LINK), sp.Integer(LINK))).T,
        "ceilings": sp.Matrix([SPEED / sp.Abs(f[0]), SPEED / sp.Abs(f[1]), both]),
    }
    inputs = {"place": sp.Matrix([s]), "line": sp.Matrix([d]), "along": sp.Matrix([x, push])}
    by = [straight_line_motion.joints, straight_line_motion.slopes]
    return Kernel("motion_kernel", inputs, outputs, named, "The joint angles at a point on the line.", by=by)


@derived_once
def _source() -> str:
    return codegen.source([motion_kernel()], "javascript")
