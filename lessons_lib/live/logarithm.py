"""Lesson 02: turn a body, and watch the arrow of the turn go through the wall of the ball of radius π."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from lessons_lib import codegen, lie, plots
from lessons_lib.arrays import Array
from lessons_lib.codegen.loader import run
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.lie import kernels as lie_kernels
from lessons_lib.live.control import Control, Ladder
from lessons_lib.live.figure import LiveFigure
from lessons_lib.plots.lesson_02 import UNIT

__all__ = ["LogarithmFigure"]

SHORT = (0.0, *(float(f"{digit}e{decade}") for decade in range(-12, -1) for digit in (1, 3)), 0.1)
"""Places of δ, rad."""

CONTROLS = (
    Control("turn", "turn", "θ", "°", 0.0, 360.0, 1.0, 140.0),
    Ladder("short", "less by", "δ", "rad", SHORT, 0.0),
    Control("azimuth", "axis, azimuth", "", "°", -180.0, 180.0, 1.0, -20.0),
    Control("elevation", "axis, elevation", "", "°", -90.0, 90.0, 1.0, 35.0),
)

GAPS = tuple(10.0 ** (-k / 4) for k in range(-1, 49))
"""π − θ of the curves, rad; four points a decade."""


def kernels() -> list[codegen.Kernel]:
    """Return arrow_kernel(setting) → θ a, textbook_kernel(R) → ω by the arc cosine, and the library's own."""
    import sympy as sp

    from lessons_lib.lie import derivations
    from lessons_lib.symbolic import so3

    azimuth, elevation, angle = setting = sp.symbols("azimuth elevation angle", real=True)
    flat = sp.cos(elevation)
    axis = sp.Matrix([flat * sp.cos(azimuth), flat * sp.sin(azimuth), sp.sin(elevation)])
    R = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"R{i}{j}", real=True))
    theta = sp.Symbol("theta", real=True)
    by_cosine = {"omega": theta / sp.sin(theta) * so3.sine_vector(R)}
    exp = next(kernel for kernel in derivations.kit() if kernel.name == "exp_so3_kernel")
    return [
        codegen.Kernel("arrow_kernel", {"setting": sp.Matrix(setting)}, {"arrow": angle * axis}, summary="θ a."),
        codegen.Kernel("textbook_kernel", {"R": R}, by_cosine, [(theta, sp.acos(so3.cosine(R)))], "By the arc cosine."),
        exp,
    ]


@derived_once
def script() -> str:
    """Return the kernels as JavaScript, with the library's logarithm, `log_rotation_kernel`."""
    from lessons_lib.codegen import js_plain

    log = "log_rotation_kernel", lie_kernels.module().log_rotation_kernel, ("f2", "f1")
    return f"{codegen.source(kernels(), 'javascript')}\n{js_plain.source([log])}"


@lru_cache(maxsize=1)
def _textbook() -> Any:
    (kernel,) = (kernel for kernel in kernels() if kernel.name == "textbook_kernel")
    return run(codegen.source([kernel], "numpy"), "<textbook_kernel>")[kernel.name]


def textbook_log(R: Array) -> Array:  # noqa: N803
    """Return the rotation vector by the arc cosine of the trace, shape (3,), rad; not finite where it gives no number.

    Args:
        R: Rotation matrix, shape (3, 3).

    Source: Lynch & Park, Modern Robotics (2017), §3.2.3.
    """
    with np.errstate(all="ignore"):
        omega: Array = _textbook()(R)
    return omega


class LogarithmFigure(LiveFigure):
    """A rotation as an arrow in the ball of radius π, beside the body that it turns, and what two logarithms lose.

    Attributes:
        turn: How far the body is turned, degrees.
        short: δ, by how much less than that, rad: what brings θ as near to half a turn as a reader likes.
        azimuth: Direction of the axis a in the x-y plane, degrees.
        elevation: Its height above that plane, degrees.
    """

    view = "logarithm"
    bundle = "widget3d"
    title = "The arrow of a rotation"
    about = (
        "Left, a glass ball of radius π with an arrow from its centre: the logarithm of a rotation. Its tip can be "
        "dragged. Right, a box turned by that rotation. Below, the errors of two logarithms near half a turn."
    )
    question = "Drag the arrow out through the wall of the ball. Where does it come in again, and where does it vanish?"
    answer = (
        "At the opposite point: a turn by π + ε about a is one by π − ε about −a. After a whole turn nothing is left "
        "of it, for R is I again, whose logarithm is zero."
    )

    def __init__(self, **values: float) -> None:
        """Make the figure; `LiveFigure` says what the arguments are."""
        super().__init__(CONTROLS, script(), values, {"gaps": GAPS, "unit": UNIT})

    @property
    def axis(self) -> Array:
        """The unit axis a, shape (3,)."""
        azimuth, elevation = np.radians([self.azimuth, self.elevation])
        flat = np.cos(elevation)
        return np.array([flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation)])

    @property
    def arrow(self) -> Array:
        """θ a, the turn that was made, shape (3,), rad; longer than π beyond the wall."""
        arrow: Array = (np.radians(self.turn) - self.short) * self.axis
        return arrow

    @property
    def rotation(self) -> Array:
        """R = exp [θ a], shape (3, 3)."""
        return lie.exp_so3(self.arrow)

    @property
    def logarithms(self) -> dict[str, Array]:
        """The rotation vector by atan2, which is the library's, and by arccos, shape (3,) each, rad."""
        return {"atan2": lie.log_so3(self.rotation), "arccos": textbook_log(self.rotation)}

    @property
    def errors(self) -> dict[str, float]:
        """Max |exp(log R) − R| of both; infinite where there was no number."""
        logs = {"atan2": lie.log_so3, "arccos": textbook_log}
        return {name: plots.round_trip_error(log, self.rotation) for name, log in logs.items()}

    def draw(self, figure: Figure) -> None:
        """Draw the ball with the arrow, and the turned frame."""
        ball: Any = figure.add_subplot(1, 2, 1, projection="3d")
        plots.draw_ball(ball, self.arrow, lie.log_so3(self.rotation))
        body: Any = figure.add_subplot(1, 2, 2, projection="3d")
        plots.draw_turned(body, self.rotation, self.axis)
