"""Lesson 10: the damped step between two families of curves, and the same step on the L-curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib import codegen
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.damping.live_damping import RUNGS
from lessons_lib.course.live.control import Ladder
from lessons_lib.course.live.figure import LiveFigure

__all__ = ["TradeoffFigure"]

ERROR = (0.2, 0.5)
"""The error's part along the direction that gets lost, and along the other, whose singular value is 1."""

CONTROLS = (
    Ladder("damping", "damping factor", "λ", "", (0.0, *RUNGS), 0.1),
    Ladder("sigma", "singular value", "σ", "", tuple(rung for rung in RUNGS if 0.08 <= rung <= 1.0), 0.1),
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
    """A damped step in the singular directions.

    Attributes:
        newton: Newton's step, shape (2,), rad: along the direction that gets lost, and along the other.
        step: The damped one, shape (2,), rad.
        left: What the linear model leaves of the error, shape (2,).
    """

    newton: Array
    step: Array
    left: Array


class TradeoffFigure(LiveFigure):
    """The damped step between the level sets of what it leaves and of its length, and the L-curve of all dampings.

    Attributes:
        damping: λ, zero or more.
        sigma: Singular value of the direction that gets lost.
    """

    view = "tradeoff"
    title = "A step between two wishes"
    about = (
        "Above, the plane of the steps. Blue ellipses around Newton's step join those that leave equally much of the "
        "error, red circles around zero those that are equally long. The damped step is where one touches the other. "
        "Below, what each damping leaves, over the length of its step: a curve that falls steeply, then hardly."
    )
    question = (
        "Drag the step along its curve, from Newton's to zero. Which of its two parts goes first? And where on the "
        "curve below is λ when it equals σ?"
    )
    answer = (
        "The part along the lost direction goes first. At λ = σ = 0.1 half of it is gone, a whole radian, and of the "
        "other a hundredth; the error that is left has grown from 0 to 0.1. That is the flat part of the curve: much "
        "length for little error. Beyond the bend it is the other way round."
    )

    def __init__(self, **values: float) -> None:
        """Make the figure; `LiveFigure` says what the arguments are."""
        super().__init__(CONTROLS, _source(), values, {"error": ERROR, "places": [0.0, *RUNGS]})

    def damped(self, damping: float | None = None) -> Damped:
        """Return the step for a λ, or for that of the slider, by least squares of NumPy."""
        lamda, J = self.damping if damping is None else damping, np.diag([self.sigma, 1.0])
        stacked, wanted = np.vstack([J, lamda * np.eye(2)]), np.array([*ERROR, 0.0, 0.0])
        step: Array = np.linalg.lstsq(stacked, wanted)[0]
        return Damped(np.array(ERROR) / np.diag(J), step, np.array(ERROR) - J @ step)
