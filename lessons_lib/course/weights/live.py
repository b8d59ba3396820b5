"""Lesson 13: six weights for an unreachable target, and the errors of the compromise."""

import numpy as np
from numpy.typing import NDArray

from lessons_lib import lie
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.arm_data import PLANAR, SPATIAL, TAGS, TASKS, arm_data, script
from lessons_lib.course.live.control import Choice, Control, LogSlider
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.method_data import kind_of, stop_data
from lessons_lib.pose_ik import LevenbergMarquardt, Restarts, Stop, TrustRegion, pose, solve

__all__ = ["WeightFigure"]

STOP = Stop(max_iterations=200)
"""Enough steps for the trust-region method to converge."""

COMPONENTS = ("omega_x", "omega_y", "omega_z", "v_x", "v_y", "v_z")
"""The names of the weights, in order."""

COUNTS = {PLANAR: (False, False, True, True, True, False), SPATIAL: (True,) * 6}
"""The components that a planar motion of the arm can change."""

PLACES = (0.0, *(float(f"{digit}e{decade}") for decade in range(-3, 3) for digit in (1, 2, 5)), 1000.0)
"""The slider values: zero, then 1, 2 and 5 times the powers of ten."""

TOOLS = {
    "equal weights": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "pen (may spin)": (1.0, 1.0, 0.0, 1.0, 1.0, 1.0),
    "torch (may spin and lean)": (0.05, 0.05, 0.0, 1.0, 1.0, 1.0),
    "100 mm gripper": (0.0067, 0.0067, 0.0067, 1.0, 1.0, 1.0),
    "position only": (0.0, 0.0, 0.0, 1.0, 1.0, 1.0),
}
"""The held tool, which points along the z axis of {b}, with its weights; the gripper's are ⅔ a² with a = 0.1 m."""

OWN = "custom weights"
"""None of these tools."""

STARTS = {
    PLANAR: ((1.0, 2.0), (-0.5, -2.0), (-2.6, 1.0), (3.0, -1.0)),
    SPATIAL: (
        (0.0, -0.6, 0.9, -0.3, -0.3, 0.0),
        (2.8, -2.5, -0.9, 0.3, -1.5, 0.0),
        (1.5, -1.2, 1.5, -1.8, 1.5, 0.0),
        (-1.5, -1.0, 1.8, -0.8, 1.6, 1.5),
    ),
}
"""The starts, in rad; the figure shows the best result."""

BLOCKED = (1.3, 0.2, 0.6)
"""A position, in m, that the UR10's tip misses by 54 mm with a free orientation and by 64 mm with that of {s}."""


CAMERAS: dict[str, dict[str, list[float]]] = {
    PLANAR: {"eye": [0.75, -1.6, 6.2], "centre": [0.75, 0.3, 0.0]},
    SPATIAL: {"eye": [1.9, -3.9, 1.9], "centre": [0.52, 0.1, 0.36]},
}
"""A closer view: the arm stays on one side."""


METHOD = LevenbergMarquardt(TrustRegion(), derivative="exact")


@derived_once
def _source() -> str:
    return script(pose(TOOLS["pen (may spin)"], axes="twist").of(METHOD))


class WeightFigure(LiveFigure):
    """The best compromise for six weights, and its remaining error in each component.

    Attributes:
        arm: "2R of Example 6.1" or "UR10".
        tool: Held tool, one of `TOOLS`, which sets the weights.
        omega_x: Weight of the first component of the error twist, nonnegative; and omega_y, omega_z, v_x, v_y, v_z.
        x: Target position of the 2R, in m; likewise y.
        turn: Target angle of the 2R, in degrees.
        ur_x: Target position of the UR10, in m; likewise ur_y and ur_z. Its orientation is that of {s}.
    """

    view = "weights"
    bundle = "widget3d"
    shapes = ("ur10",)
    folded = ("omega_x", "omega_y", "x", "y", "turn", "ur_x", "ur_y", "ur_z")
    title = "What the arm gives up"
    about = (
        "An arm cannot reach its target, which is drawn as a frame. The arm is at the best compromise found for the "
        "chosen weights, and a line joins its tip to the target. Bars show the remaining errors in angle and position."
    )
    question = (
        "On the 2R, multiply the weight of ω_{z} by ten. Which error shrinks, and which one grows? Then multiply all "
        "three weights by ten. Does anything move? On the UR10, which choice of tool comes closest to the target?"
    )
    answer = (
        "The angle error shrinks, and the position errors grow. If you multiply all three weights by the same factor, "
        "nothing moves, because only their ratios matter. If the weight of ω_{z} is zero, the tip reaches the point. "
        "On the UR10, “position only” misses by 54 mm, the gripper by 56 mm, and the torch by 61 mm. The pen misses "
        "by 64 mm, as with six equal weights, because the last joint removes the spin error anyway."
    )

    def __init__(self, **values: float | str) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        controls: list[Choice | Control | LogSlider] = [Choice("arm", "arm", tuple(TASKS), PLANAR)]
        sets = {tool: dict(zip(COMPONENTS, weights, strict=True)) for tool, weights in TOOLS.items()}
        controls.append(Choice("tool", "tool", (*TOOLS, OWN), next(iter(TOOLS)), sets))
        for name, planar in zip(COMPONENTS, COUNTS[PLANAR], strict=True):
            letter, axis = name.replace("omega", "ω").split("_")
            only = None if planar else ("arm", SPATIAL)
            controls.append(LogSlider(name, f"weight of {letter}_{{{axis}}}", "", "", PLACES, 1.0, only))
        controls.append(Control("x", "target", "x", "m", -2.2, 2.2, 0.01, 1.5, ("arm", PLANAR)))
        controls.append(Control("y", "target", "y", "m", -2.2, 2.2, 0.01, 0.5, ("arm", PLANAR)))
        controls.append(Control("turn", "target angle", "", "°", -180, 180, 1, 0, ("arm", PLANAR)))
        for axis, at in zip("xyz", BLOCKED, strict=True):
            controls.append(Control(f"ur_{axis}", "target", axis, "m", -1.6, 1.6, 0.01, at, ("arm", SPATIAL)))
        tasks = [
            arm_data(task.chain, TAGS[name], name=name, begins=STARTS[name], counts=COUNTS[name], **CAMERAS[name])
            for name, task in TASKS.items()
        ]
        kind = kind_of(pose(TOOLS["pen (may spin)"], axes="twist").of(METHOD))
        method = {"name": "trust-region", "kind": kind, "parameter": TrustRegion().initial}
        super().__init__(controls, _source(), values, {"tasks": tasks, "stop": stop_data(STOP), "method": method})

    @property
    def weights(self) -> tuple[float, ...]:
        """The six weights (ω, v); zero for components that a planar arm cannot change."""
        return tuple(
            getattr(self, name) if own else 0.0 for name, own in zip(COMPONENTS, COUNTS[self.arm], strict=True)
        )

    @property
    def target(self) -> NDArray[np.float64]:
        """T_sd, shape (4, 4), position in m."""
        T = np.eye(4)
        if self.arm == PLANAR:
            T = lie.exp_se3([0.0, 0.0, np.radians(self.turn), 0.0, 0.0, 0.0])
            T[:2, 3] = self.x, self.y
        else:
            T[:3, 3] = self.ur_x, self.ur_y, self.ur_z
        return T

    @property
    def q(self) -> NDArray[np.float64]:
        """The best compromise, shape (n,), rad; the first start if all weights are zero."""
        starts = np.array(STARTS[self.arm])
        if not any(self.weights):
            return np.array(starts[0])
        chain = TASKS[self.arm].chain
        goal, once = pose(self.weights, axes="twist"), Restarts(0)
        ends = [solve(chain, self.target, q, goal=goal, method=METHOD, starts=once, stop=STOP).q for q in starts]
        return np.array(min(ends, key=lambda q: float(np.array(self.weights) @ self._error_at(q) ** 2)))

    @property
    def error_twist(self) -> NDArray[np.float64]:
        """Remaining V_b of the compromise, shape (6,), rad and m."""
        return self._error_at(self.q)

    def _error_at(self, q: NDArray[np.float64]) -> NDArray[np.float64]:
        return lie.log_se3(lie.inverse(TASKS[self.arm].chain.forward_kinematics(q)) @ self.target)
