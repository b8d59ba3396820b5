"""Lesson 10: the same solve with three damping factors side by side, and its cost for every other one."""

import numpy as np
from numpy.typing import NDArray

from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.arm_data import PLANAR, SPATIAL, TAGS, TASKS, arm_data, script
from lessons_lib.course.live.control import Choice, Control, LogSlider, Switch
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.joints import angle_controls
from lessons_lib.course.live.method_data import kind_of, stop_data
from lessons_lib.pose_ik import Constant, LevenbergMarquardt, Restarts, Result, Stop, solve

__all__ = ["DampingFigure"]

STOP = Stop(max_iterations=200)
"""Enough steps for slow convergence."""

PLACES = tuple(
    float(f"{digit}e{decade}")
    for decade in range(-3, 1)
    for digit in (1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8)
    if float(f"{digit}e{decade}") <= 3.15
)
"""Ten damping factors per decade, each about a quarter larger than the one before it (ISO 3, series R 10)."""

FARTHER = {PLANAR: 1.6, SPATIAL: 4.0}
"""The factor by which a target's position is multiplied to move it out of reach."""


METHOD = LevenbergMarquardt(Constant())


@derived_once
def _source() -> str:
    return script(METHOD)


class DampingFigure(LiveFigure):
    """One solve with λ = 0, an adjustable λ and λ = 1; below, the number of steps and the largest step for each λ.

    Attributes:
        damping: λ of the middle picture, nonnegative.
        arm: "2R of Example 6.1" or "UR10".
        far: Whether the target is out of reach.
        q1: Start angle of the 2R's first joint, in degrees.
        q2: Start angle of the 2R's second joint, in degrees.
    """

    view = "damping"
    bundle = "widget3d"
    shapes = ("ur10",)
    title = "One solve with three damping factors"
    about = (
        "Three pictures of the same arm and of the target's axes: without damping, with the chosen damping "
        "factor, and with a factor of one. In each, pale lines show the arm's iterates, from the grey start."
    )
    question = (
        "Find the smallest λ at which no step of the UR10 turns a joint by more than one revolution. What does a "
        "larger λ cost?"
    )
    answer = (
        "With the target within reach, λ = 0.1 is enough. Above it, a larger λ generally makes the steps shorter but "
        "requires more of them: 17 steps with λ = 0.2, 51 with λ = 0.5, and 168 with λ = 1."
    )

    def __init__(self, **values: float | str | bool) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        first = np.degrees(TASKS[PLANAR].start).round().tolist()
        controls: list[Control | LogSlider | Choice | Switch] = [
            Choice("arm", "arm", tuple(TASKS), SPATIAL),
            LogSlider("damping", "damping factor", "λ", "", (0.0, *PLACES), 0.125),
            *angle_controls("q", "start, joint", first, only=("arm", PLANAR)),
            Switch("far", "target out of reach"),
        ]
        tasks = [
            {
                **arm_data(task.chain, TAGS[name], name=name),
                "targets": [self._target(name, far).tolist() for far in (False, True)],
                "start": task.start.tolist(),
                "turned": name == PLANAR,
            }
            for name, task in TASKS.items()
        ]
        method = {"name": "constant", "kind": kind_of(METHOD)}
        data = {"tasks": tasks, "stop": stop_data(STOP), "ladder": PLACES, "method": method}
        super().__init__(controls, _source(), values, data)

    @property
    def start(self) -> NDArray[np.float64]:
        """Start of the solve, shape (n,), rad."""
        return np.radians([self.q1, self.q2]) if self.arm == PLANAR else TASKS[self.arm].start

    @property
    def target(self) -> NDArray[np.float64]:
        """T_sd, shape (4, 4), position in m."""
        return self._target(self.arm, self.far)

    @staticmethod
    def _target(name: str, far: bool) -> NDArray[np.float64]:
        target = TASKS[name].target.copy()
        target[:3, 3] *= FARTHER[name] if far else 1.0
        return target

    def solve(self, damping: float) -> Result:
        """Return the result for a damping, with its trace."""
        method = LevenbergMarquardt(Constant(damping))
        chain, once = TASKS[self.arm].chain, Restarts(0)
        return solve(chain, self.target, self.start, method=method, starts=once, stop=STOP, trace=True)
