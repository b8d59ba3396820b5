"""Lesson 10: the damped step between two families of level sets, and on the L-curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib import codegen
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.damping.live_damping import PLACES
from lessons_lib.course.live.control import LogSlider
from lessons_lib.course.live.figure import LiveFigure

__all__ = ["TradeoffFigure"]

ERROR = (0.2, 0.5)
"""The components of the error along the direction with singular value σ, and along the one with singular value 1."""

CONTROLS = (
    LogSlider("damping", "damping factor", "λ", "", (0.0, *PLACES), 0.1),
    LogSlider("sigma", "singular value", "σ", "", tuple(place for place in PLACES if 0.1 <= place <= 1.0), 0.1),
)


@derived_once
def _source() -> str:
    import sympy as sp

    from lessons_lib.symbolic import damping

    e, sigmas = (sp.Matrix(sp.symbols(f"{name}_0:2", real=True)) for name in ("e", "sigma"))
    lamda, delta, r, angle = sp.symbols("lamda delta r angle", real=True)
    gain, part = damping.gain(delta, lamda), damping.part_left(delta, lamda)
    step = sp.Matrix([gain.subs(delta, sigma) * part_of for sigma, part_of in zip(sigmas, e, strict=True)])
    left = sp.Matrix([part.subs(delta, sigma) * part_of for sigma, part_of in zip(sigmas, e, strict=True)])
    around = sp.Matrix([r * sp.cos(angle), r * sp.sin(angle)])
    place = [sp.solve(e[i] - sigmas[i] * delta - around[i], delta)[0] for i in range(2)]
    given = {"sigmas": sigmas, "error": e}
    kernels = [
        codegen.Kernel("damped_kernel", {**given, "damping": sp.Matrix([lamda])}, {"step": step, "left": left}),
        codegen.Kernel("level_kernel", {**given, "polar": sp.Matrix([r, angle])}, {"place": sp.Matrix(place)}),
    ]
    return codegen.source(kernels, "javascript")


@dataclass(frozen=True)
class Damped:
    """A damped step in the singular directions: the one with singular value σ, and the other."""

    newton: Array  # Newton step, (2,), rad
    step: Array  # damped step, (2,), rad
    left: Array  # error that remains in the linear model, (2,)


class TradeoffFigure(LiveFigure):
    """The damped step between the level sets of its remaining error and its length, and the L-curve.

    Attributes:
        damping: λ, nonnegative.
        sigma: Singular value of the horizontal direction.
    """

    view = "tradeoff"
    title = "Remaining error against length of the step"
    about = (
        "Above, the plane of possible steps. Blue ellipses around Newton's step connect steps that leave the same "
        "error, and red circles around zero connect steps of the same length. The damped step is where an ellipse "
        "touches a circle. Below, the remaining error against the length of the step, for every λ; if σ is small, the "
        "curve falls steeply at first, and then slowly."
    )
    question = (
        "Drag the step along its curve, from Newton's step down to zero. Which of its two components shrinks first: "
        "the one along the nearly lost direction, or the other?"
    )
    answer = (
        "The component along the nearly lost direction. At λ = σ = 0.1, it has lost half of its length, a full radian, "
        "while the other component has lost only a hundredth of its length, and the remaining error has grown from 0 "
        "to 0.1. Beyond the bend in the lower curve, an even shorter step costs much more error."
    )

    def __init__(self, **values: float) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        super().__init__(CONTROLS, _source(), values, {"error": ERROR, "places": [0.0, *PLACES]})

    def compute_step(self) -> Damped:
        """Return the step for the λ of the slider, by NumPy's least squares."""
        J = np.diag([self.sigma, 1.0])
        stacked, wanted = np.vstack([J, self.damping * np.eye(2)]), np.array([*ERROR, 0.0, 0.0])
        step: Array = np.linalg.lstsq(stacked, wanted)[0]
        return Damped(np.array(ERROR) / np.diag(J), step, np.array(ERROR) - J @ step)
