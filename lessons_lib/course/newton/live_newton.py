"""Lesson 08: Newton's steps on the 2R of Example 6.1, iterate by iterate."""

from typing import Any

import numpy as np

from lessons_lib import lie, plots
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.arm_data import PLANAR, TASKS
from lessons_lib.course.live.control import Choice, Control
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.joints import angle_controls
from lessons_lib.course.live.method_data import kind_of, stop_data
from lessons_lib.pose_ik import GaussNewton, NewtonRaphson, Restarts, Result, Stop, Trace, pose
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.pose_ik.weights import weights_of
from lessons_lib.robots.derivations import planar_2r

__all__ = ["NewtonFigure"]

CHAIN = TASKS[PLANAR].chain

STOP = Stop(max_iterations=20)
"""No more steps than a reader will look at."""

REACH = 2.0
"""The reach of the 2R, in m; each link is half as long."""

ASKED: dict[str, dict[str, Any]] = {
    "pose, body frame": {"method": NewtonRaphson("body")},
    "pose, space frame": {"method": NewtonRaphson("space")},
    "position only": {"method": GaussNewton(), "goal": pose((0.0, 0.0, 0.0, 1.0, 1.0, 1.0), axes="space")},
}
"""The solver's options for each error: V_b, V_s, or p_d − p, which has two components, as q has."""

POINT = "position only"

CONTROLS: tuple[Choice | Control, ...] = (
    Choice("error", "error", tuple(ASKED), next(iter(ASKED))),
    *angle_controls("s", "start, joint", (0, 30)),
    *angle_controls("t", "target, joint", (30, 90)),
)


@derived_once
def script() -> str:
    """Return the search for the 2R, with its closed form, and both ways between a twist and a pose."""
    from lessons_lib.course.live.search import logarithm, se3_kernels, source

    twists = [se3_kernels()[name] for name in ("exp_se3_kernel", "between_kernel")]
    return source({"planar": CHAIN}, map(_make_method, ASKED), [*planar_2r(), *twists], [logarithm()])


def _make_method(error: str) -> Any:
    """Return the method that reduces an error, with the weights of its goal."""
    asked = ASKED[error]
    return asked["goal"].of(asked["method"]) if "goal" in asked else asked["method"]


class NewtonFigure(LiveFigure):
    """One Newton step: the prediction of the linear model, the actual motion, and the remaining error.

    Attributes:
        error: Error that a step reduces: "pose, body frame", "pose, space frame" or "position only".
        s1: Start angle of the first joint, in degrees; likewise s2.
        t1: The target is the pose at t1 and t2, in degrees.
    """

    view = "newton"
    title = "One Newton step"
    about = (
        "A two-link arm, its target frame, and the next step. An arrow shows the velocity of the tip in the linear "
        "model. For a pose error, a dotted arc shows the predicted path. A solid line shows the actual path, which "
        "ends at the tip of a pale arm. You can drag the start and the target."
    )
    question = (
        "Drag the target closer to the tip, then farther away. When does the step end where the dotted curve predicts?"
    )
    answer = (
        "When the step is short. Close to a target pose, the prediction and the motion agree, and each error is "
        "at most a constant times the square of the previous one. A long step usually ends elsewhere. A step may even "
        "end farther from the target than it began."
    )

    def __init__(self, **values: float | str) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        methods = {
            error: {
                "name": "undamped",
                "kind": kind_of(_make_method(error)),
                "parameter": 0.0,
                "weights": weights_of(_make_method(error)).tolist(),
                "point": error == POINT,
            }
            for error in ASKED
        }
        data = {"stop": stop_data(STOP), "reach": REACH, "methods": methods}
        super().__init__(CONTROLS, script(), values, data)

    @property
    def target(self) -> Array:
        """T_sd, shape (4, 4), position in m."""
        return CHAIN.forward_kinematics(np.radians([self.t1, self.t2]))

    @property
    def result(self) -> Result:
        """Result of Newton's method, with its trace."""
        start = np.radians([self.s1, self.s2])
        return solve_in_python(
            CHAIN, self.target, start, **ASKED[self.error], starts=Restarts(0), stop=STOP, trace=True
        )

    @property
    def trace(self) -> Trace:
        """The iterates."""
        trace = self.result.trace
        assert trace is not None  # asked for
        return trace

    def errors(self, step: int = 0) -> Array:
        """Return the errors before a step, of the linear model's prediction, and after it, shape (3, 6), rad and m.

        For a pose, the prediction is T exp [J_b Δq]; its remaining error is a twist that differs from the residual V_b
        - J_b Δq. For a point, the prediction is p + J_p Δq.
        """
        (before, end), (now, after) = self.trace.q[step : step + 2], self.trace.error_twists[step : step + 2]
        if self.error == POINT:
            left = now - np.concatenate([np.zeros(3), plots.tip_jacobian(CHAIN, before) @ (end - before)])
        else:
            predicted = CHAIN.forward_kinematics(before) @ lie.exp_se3(CHAIN.body_jacobian(before) @ (end - before))
            left = lie.log_se3(lie.inverse(predicted) @ self.target)
        return np.array([now, left, after])

    @property
    def facts(self) -> dict[str, float]:
        """The numbers; the larger and the smaller error of a start angle, degrees; and the error after one step."""
        gaps = np.radians([self.s1 - self.t1, self.s2 - self.t2])
        off = np.degrees(np.abs(np.arctan2(np.sin(gaps), np.cos(gaps))))
        far, near = float(off.max()), float(off.min())
        twist = self.trace.error_twists[:2][-1]
        turned, left = np.degrees(np.linalg.norm(twist[:3])), 1e3 * np.linalg.norm(twist[3:])
        return {**super().facts, "far": far, "near": near, "left": float(left), "turned": float(turned)}
