"""Lesson 00: a map of the number of steps for each damping and weight, and the convergence of the chosen pair."""

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.control import LogSlider, Switch
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.method_data import kind_of, stop_data
from lessons_lib.pose_ik import Constant, LevenbergMarquardt, Restarts, Result, Stop, pose, solve
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.robots import ur10

__all__ = ["ConvergenceMapFigure"]

DAMPINGS = tuple(float(f"{2.0 ** (k / 2):.3g}") for k in range(-20, 7))
WEIGHTS = tuple(float(f"{2.0 ** (k / 2):.3g}") for k in range(-12, 21))
TARGET = (0.425, 0.225, 0.125)
"""The position of the target, in m; its axes are those of the base."""
SHIFT = 1e-9
"""The offset, in rad, that the switch adds to each initial angle."""
STOP = Stop(orientation=1e-6, position=1e-6, max_iterations=200)


def _method(damping: float, weight: float) -> StepMethod:
    goal = pose(weights=(1.0, 1.0, 1.0, weight, weight, weight))
    method: StepMethod = goal.of(LevenbergMarquardt(Constant(damping)))
    return method


@derived_once
def script() -> str:
    """Return the search for the UR10 as JavaScript."""
    from lessons_lib.course.live.search import source

    return source({"ur10": ur10()}, [_method(1.0, 2.0)])


class ConvergenceMapFigure(LiveFigure):
    """Number of steps of the damped method for each damping and weight, and the errors of the chosen pair.

    Attributes:
        damping: λ.
        weight: w, the position weight relative to the orientation weight.
        shifted: Whether each initial angle is 1e-9 rad instead of 0.
    """

    view = "convergence_map"
    title = "Steps for each damping factor and weight"
    about = (
        "A map with damping on the horizontal axis and weight on the vertical axis. The colour of a cell shows how "
        "many steps the solver needs there. A dot marks the chosen pair, and the curves next to the map "
        "show its errors at each step."
    )
    question = (
        "Find a pair that needs at most ten steps. Then shift the start by a billionth of a radian: in which part of "
        "the map do the numbers change?"
    )
    answer = (
        "76 of the 891 pairs need at most ten steps. After the shift, more than a fifth of all pairs need a different "
        "number of steps. The number does not change for any pair with λ above 0.4, and all of these pairs need at "
        "least twelve steps. In the empty part, the solver does not reach the target in 200 steps. Below w = 4, the "
        "edge of that part is a line of constant λ²/w, and the remaining |v_{b}| is larger than |ω_{b}|. Above "
        "w = 16, |ω_{b}| is larger, and more weight on position does not help."
    )

    def __init__(self, **values: float | bool) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        controls: list[LogSlider | Switch] = [
            LogSlider("damping", "damping", "λ", "", DAMPINGS, 0.25),
            LogSlider("weight", "position weight", "w", "", WEIGHTS, 1.0),
            Switch("shifted", "shift the start by 1e-9 rad"),
        ]
        data = {
            "dampings": DAMPINGS,
            "weights": WEIGHTS,
            "kind": kind_of(_method(1.0, 2.0)),
            "shift": SHIFT,
            "stop": stop_data(STOP),
            "target": self._target().tolist(),
        }
        super().__init__(controls, script(), values, data)

    @staticmethod
    def _target() -> Array:
        target = np.eye(4)
        target[:3, 3] = TARGET
        return target

    def solve(self, damping: float, weight: float, *, trace: bool = True) -> Result:
        """Return the result for one pair."""
        goal = pose(weights=(1.0, 1.0, 1.0, weight, weight, weight))
        method, start = LevenbergMarquardt(Constant(damping)), np.full(6, SHIFT if self.shifted else 0.0)
        once = Restarts(0)
        return solve(ur10(), self._target(), start, goal=goal, method=method, starts=once, stop=STOP, trace=trace)

    def counts(self) -> Array:
        """Return the number of steps of each pair, shape (weights, dampings); NaN if it does not converge."""
        results = [[self.solve(damping, weight, trace=False) for damping in DAMPINGS] for weight in WEIGHTS]
        return np.array([[one.iterations if one.converged else np.nan for one in row] for row in results])
