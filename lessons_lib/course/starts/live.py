"""Lesson 12: the solution that each start of the 2R leads to. Click a start while a million are computed."""

from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.damping.live_damping import PLACES
from lessons_lib.course.live.control import Choice, Control, LogSlider
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.method_data import kind_of, stop_data
from lessons_lib.course.starts.basins import ASKED, ONE_START, Basins, basins, methods
from lessons_lib.pose_ik import LevenbergMarquardt, Result, TrustRegion, solve
from lessons_lib.pose_ik.damping import Constant
from lessons_lib.robots import planar_2r
from lessons_lib.robots.derivations import planar_2r as closed_form

__all__ = ["BasinFigure"]

STRIDES = (40, 8, 4, 2, 1)
"""The spacings of the computed starts on the finished map, from coarse to fine: 25, 125, 250, 500, 1000 per side."""

SIZE = 1000
"""The number of starts along each side of the finished map."""

OWN = "LM, constant λ"
"""The method whose damping the reader sets."""

ITERATIONS: dict[str, tuple[str, float | None]] = {
    OWN: ("constant", None),
    "Newton-Raphson": ("gauss-newton", 0.0),
    "LM, Chan": ("chan", 0.1),
    "LM, trust region": ("trust-region", TrustRegion().initial),
}
"""For each label in the menu, the name of the iteration and its parameter, which is None if the reader sets it."""


@derived_once
def script() -> str:
    """Return the search for the 2R and its closed form."""
    from lessons_lib.course.live.search import source

    return source({"planar": planar_2r()}, map(_make_method, ITERATIONS), closed_form())


def _make_method(words: str) -> Any:
    """Return a method of the menu, with the weights of the map."""
    return ASKED["goal"].of(LevenbergMarquardt(Constant()) if words == OWN else methods()[words])


class BasinFigure(LiveFigure):
    """Every start of the 2R, coloured by the elbow of its solution, and the iterates from one of them.

    Attributes:
        method: Name of the method in `ITERATIONS`.
        damping: λ of the constant damping.
        distance: Distance of the target from the base, in m; it is on the x axis.
        q1: Start angle of the first joint, in degrees; likewise q2.
    """

    view = "basin"
    title = "Where each start leads"
    about = (
        "The map on the left shows all starts of a two-link arm: blue starts lead to one elbow position, vermilion "
        "starts to the other; a stronger colour means more steps. On the right, the arm is drawn at the iterates from "
        "the chosen start."
    )
    question = (
        "With the target at 1.4 m, raise the constant λ, and treat opposite edges of the map as joined. At what value "
        "does each basin become one piece, and how many more steps does a solve take? Compare with Newton-Raphson and "
        "with Chan’s damping."
    )
    answer = (
        "Each basin is one piece for λ from 0.16 to 1, and a solve takes six to forty steps on average. As λ grows "
        "further, the solver fails to converge within 100 steps from more and more starts. Newton’s basins break into "
        "many small pieces, because Newton’s step is unbounded near a configuration where the derivative of v_{b} "
        "loses rank. With Chan’s damping, each basin is also one piece, and a solve takes four steps on average."
    )

    def __init__(self, **values: float | str) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        controls: list[Choice | Control | LogSlider] = [
            Choice("method", "method", tuple(ITERATIONS), OWN),
            LogSlider("damping", "damping factor", "λ", "", PLACES, 0.125, ("method", OWN)),
            Control("distance", "target", "|p|", "m", 0.1, 1.95, 0.05, 1.4),
            Control("q1", "start", "q₁", "°", -180, 180, 1, 57),
            Control("q2", "start", "q₂", "°", -180, 180, 1, 143),
        ]
        methods = [
            {"words": words, "name": name, "kind": kind_of(_make_method(words)), "parameter": p}
            for words, (name, p) in ITERATIONS.items()
        ]
        data = {
            "methods": methods,
            "weights": ASKED["goal"].weights,
            "stop": stop_data(ONE_START),
            "size": SIZE,
            "strides": STRIDES,
        }
        super().__init__(controls, script(), values, data)

    @property
    def chosen(self) -> Any:
        """The method of `pose_ik`."""
        if self.method == OWN:
            return LevenbergMarquardt(Constant(self.damping))
        return methods()[self.method]

    @property
    def start(self) -> Array:
        """Start of the solve, shape (2,), rad."""
        return np.radians([self.q1, self.q2])

    @property
    def result(self) -> Result:
        """Result from the start, with its trace."""
        target = np.eye(4)
        target[0, 3] = self.distance
        return solve(planar_2r(), target, self.start, method=self.chosen, trace=True, **ASKED)

    @property
    def facts(self) -> dict[str, float]:
        """The numbers, and the elbow of the start's solution: 1 for q₂ > 0, -1 for q₂ < 0, 0 for none."""
        result = self.result
        return {**super().facts, "ends": float(np.sign(np.sin(result.q[1]))) if result.converged else 0.0}

    def basins(self, size: int) -> Basins:
        """Return the outcome of every start on a grid with `size` starts per side."""
        return basins(self.chosen, tip=(self.distance, 0.0), size=size)
