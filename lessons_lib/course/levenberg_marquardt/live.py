"""Lesson 11: compare two methods from one start to one target, iterate by iterate."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.arm_data import PLANAR, SPATIAL, TAGS, TASKS, arm_data, script
from lessons_lib.course.live.control import Choice, Control, LogSlider
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.joints import angle_controls
from lessons_lib.course.live.method_data import kind_of, stop_data
from lessons_lib.pose_ik import BatchResult, Restarts, Result, Stop, solve, solve_batch
from lessons_lib.studies import METHODS

__all__ = ["RaceFigure"]

STOP = Stop(max_iterations=60)
"""No more steps than a reader will step through."""

RACERS = {choice.label.replace(", body", ""): choice for choice in METHODS.values() if choice.in_figures}
"""The methods, keyed by their menu labels."""

NEWTON, CONSTANT = next(iter(RACERS)), next(label for label, choice in RACERS.items() if choice.name == "constant")
DAMPED = tuple(label for label, choice in RACERS.items() if choice.damped)

PLACES = (*(float(f"{digit}e{decade}") for decade in range(-6, 1) for digit in (1, 1.25, 2, 4, 6.3)), 10.0)
"""The slider values of λ, w and τ."""

REACH = 2.0
"""The reach of the 2R, in m."""

OFFSETS = np.random.default_rng(11).uniform(-1.0, 1.0, (240, 6)).round(3)
"""The swarm's offsets from the grey start, as multiples of the spread."""


@derived_once
def _source() -> str:
    return script(*(choice.build() for choice in RACERS.values()))


class RaceFigure(LiveFigure):
    """Two methods on one arm, iterate by iterate, with their errors.

    Attributes:
        arm: "2R of Example 6.1" or "UR10".
        method_1: First method, blue, by its label.
        damping_1: Its λ, w or τ, if it has one.
        method_2: Second method, orange.
        damping_2: Its λ, w or τ.
        s1: Start angle of the 2R's first joint, in degrees; likewise s2.
        t1: The target is the pose of the 2R at t1 and t2, in degrees.
        beyond: Displacement of the target beyond that pose, away from the base, in m.
        u1: Start angle of the UR10's first joint, in degrees; and so on to u6.
        x: Position of the UR10's target, in m; likewise y and z. Its orientation is that of {s}.
        spread: Largest offset of a joint in the swarm's starts, in degrees.
    """

    view = "race"
    bundle = "widget3d"
    shapes = ("ur10",)
    folded = ("s1", "s2", "t1", "t2", *(f"u{i}" for i in range(1, 7)), *"xyz")
    title = "Two methods race"
    about = (
        "An arm in the two postures, blue and orange, that two methods have reached, with pale lines for the earlier "
        "iterates. The start is grey, and the target is a frame; both can be dragged. One chart shows the errors. The "
        "other shows each of 240 starts around the grey one as a dot at its number of steps, and the grey start as a "
        "ring."
    )
    question = (
        "On the UR10 from its outstretched home, which of the two methods wins, and do the dots agree? Then find a "
        "start from which the other one wins."
    )
    answer = (
        "Constant damping wins, and its dots lie closer together, while Newton's are spread over dozens of steps. But "
        "from about a third of these starts Newton needs fewer steps. From a bent start, such as u₂ = −90°, u₃ = 90°, "
        "u₄ = −90°, u₅ = 90°, Newton wins, six steps to nine. Damping bounds the step; it does not win every race."
    )

    def __init__(self, **values: float | str) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        controls: list[Choice | Control | LogSlider] = [Choice("arm", "arm", tuple(TASKS), PLANAR)]
        for i, (label, colour) in enumerate(((NEWTON, "blue"), (CONSTANT, "orange")), 1):
            controls.append(Choice(f"method_{i}", colour, tuple(RACERS), label))
        for i, colour in enumerate(("blue", "orange"), 1):
            only = (f"method_{i}", *DAMPED)
            controls.append(LogSlider(f"damping_{i}", f"damping, {colour}", "", "", PLACES, 0.125, only))
        first, own = np.degrees(TASKS[PLANAR].start).round().tolist(), ("arm", PLANAR)
        controls += angle_controls("s", "start, joint", first, only=own)
        controls += angle_controls("t", "target, joint", [30.0, 90.0], only=own)
        controls.append(Control("beyond", "target, moved outward", "", "m", 0.0, 1.0, 0.05, 0.0, ("arm", PLANAR)))
        controls.append(Control("spread", "swarm spread", "", "°", 0, 90, 1, 30))
        controls += angle_controls("u", "start, joint", [0.0] * 6, only=("arm", SPATIAL))
        for name, at in zip("xyz", TASKS[SPATIAL].target[:3, 3].tolist(), strict=True):
            controls.append(Control(name, "target", name, "m", -2.0, 2.0, 0.005, round(at, 3), ("arm", SPATIAL)))
        arms = [
            {
                **arm_data(task.chain, TAGS[name], name=name),
                "starts": [f"{'s' if name == PLANAR else 'u'}{i + 1}" for i in range(task.chain.dof)],
                "flat": name == PLANAR,
            }
            for name, task in TASKS.items()
        ]
        racers = [
            {"words": label, "name": choice.name, "kind": kind_of(choice.build())} for label, choice in RACERS.items()
        ]
        data = {"tracks": arms, "stop": stop_data(STOP), "racers": racers, "reach": REACH, "offsets": OFFSETS.tolist()}
        super().__init__(controls, _source(), values, data)

    @property
    def start(self) -> NDArray[np.float64]:
        """Common start, shape (n,), rad."""
        names = ("s1", "s2") if self.arm == PLANAR else tuple(f"u{i + 1}" for i in range(6))
        return np.radians([getattr(self, name) for name in names])

    @property
    def target(self) -> NDArray[np.float64]:
        """T_sd, shape (4, 4), position in m."""
        if self.arm == SPATIAL:
            T = np.eye(4)
            T[:3, 3] = self.x, self.y, self.z
            return T
        T = TASKS[PLANAR].chain.forward_kinematics(np.radians([self.t1, self.t2]))
        T[:2, 3] *= 1.0 + self.beyond / max(float(np.hypot(*T[:2, 3])), 1e-9)
        return T

    def solve(self, which: int) -> Result:
        """Return the result of the first or the second method, with its trace."""
        method, chain = self._method(which), TASKS[self.arm].chain
        return solve(chain, self.target, self.start, method=method, starts=Restarts(0), stop=STOP, trace=True)

    def swarm(self, which: int) -> BatchResult:
        """Return the results of a method from all starts of the swarm, each within half a revolution."""
        method, chain = self._method(which), TASKS[self.arm].chain
        around = self.start + np.radians(self.spread) * OFFSETS[:, : chain.dof]
        starts, targets = np.clip(around, -np.pi, np.pi), np.broadcast_to(self.target, (len(around), 4, 4))
        return solve_batch(chain, targets, starts, method=method, starts=Restarts(0), stop=STOP)

    def _method(self, which: int) -> Any:
        return RACERS[getattr(self, f"method_{which}")].build(getattr(self, f"damping_{which}"))
