"""Bring your robot: the page reads a URDF or a table, draws the chain from its screws, and solves it."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lessons_lib import lie, robots
from lessons_lib.all_solutions import (
    closed_form,
    entry,
    five_joint_arm,
    general_arm,
    recognition,
    seven_joint_arm,
)
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.control import Control, LogSlider, Switch
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.joints import configuration, joint_controls
from lessons_lib.course.live.method_data import stop_data
from lessons_lib.pose_ik import Chan, LevenbergMarquardt, Stop, all_solutions, pose
from lessons_lib.pose_ik.explanation import explanation
from lessons_lib.pose_ik.in_python import steps_from
from lessons_lib.pose_ik.result import Status, Trace
from lessons_lib.robots import Chain

__all__ = ["RobotFigure"]

STOP = Stop(max_iterations=100)
"""One start, and no more steps than a reader will step through."""

PLACES = tuple(float(f"{digit}e{decade}") for decade in range(-4, 1) for digit in (1, 2, 5))
"""The slider values for λ."""

TARGET = ("x", "y", "z", "wx", "wy", "wz")
"""The controls for the target: its position in m, and its rotation vector in degrees."""

POSTURES: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "panda": ((0, -45, 0, -135, 0, 90, 45), (0.45, 0.3, 0.35, 160, 20, 0)),
    "ur10": ((0, -60, 90, -120, -90, 0), (-0.75, 0.2, 0.45, 120, 120, 0)),
}
"""The files that come with the page: the initial joint angles in degrees, and the target."""

SAMPLES = {
    name: {f"q{i + 1}": angle for i, angle in enumerate(angles)} | dict(zip(TARGET, target, strict=True))
    for name, (angles, target) in POSTURES.items()
}
"""The same postures as control values."""

FIRST = "panda"

ROWS = """\
0        90°  0.1273
-0.612   0    0
-0.5723  0    0
0        90°  0.163941
0       -90°  0.1157
0        0    0.0922"""
"""The initial Denavit-Hartenberg rows in the text box: the manufacturer's rows for the UR10."""


@derived_once
def script() -> str:
    """Return the functions with which a page places, differentiates and solves a given chain, as JavaScript."""
    from lessons_lib.course.live import any_chain
    from lessons_lib.course.live.search import logarithm, source

    plain = [logarithm(), *any_chain.explanation_functions(), *any_chain.closed_form_functions()]
    return source({}, more=any_chain.kernels(), plain=plain)


def form_data() -> dict[str, object]:
    """Return descriptions of the closed forms and the settings of their search."""
    forms = {str(kind): says for kind, says in recognition.SENTENCES.items()}
    held = {
        "held": seven_joint_arm.SENTENCE,
        "order": seven_joint_arm.LOCK_ORDER,
        "values": seven_joint_arm.LOCK_VALUES,
    }
    others = f"for such an arm this page finds one solution; the library finds all solutions for {entry.SUPPORTED}"
    said = {"forms": forms, "nearly": "{form}, except for {off}", "any": general_arm.SENTENCE, "others": others}
    five = {
        "longer": five_joint_arm.SENTENCE,
        "ways": recognition.EXTENSIONS,
        "still": [five_joint_arm.REACHED, five_joint_arm.ZERO_ANGLE],
    }
    return {**said, **held, **five, "exact": recognition.EXACT, "noise": closed_form.NOISE}


class RobotFigure(LiveFigure):
    """The robot of a URDF: its screws, its Jacobian and singular values, and a solve from a start to a target.

    In Python the figure is the Panda's; a file dropped into the page is read and kept only there.

    Attributes:
        q1: Start angle of the first joint, in degrees; and so on to q7.
        x: Target position along x of {s}, in m; likewise y and z.
        wx: First component of its rotation vector, in degrees; likewise wy and wz.
        oriented: Whether the orientation counts, or only the position.
        every: Whether all solutions are drawn, with the seventh joint fixed.
        damping: λ of Chan's rule, D = λE.
    """

    view = "robot"
    bundle = "widget3d"
    shapes = ("ur10", "panda")
    folded = (*TARGET[3:], *(f"q{i}" for i in range(1, 8)))
    title = "Bring your robot"
    about = (
        "The arm from a URDF is drawn in its final posture, with its joint axes in purple, a grey line for the start, "
        "and pale lines for the steps in between. The target is a frame."
    )
    question = (
        "Move the Panda's target outward along x. What is the largest x at which it is reached, and what is the "
        "largest x if its orientation does not count?"
    )
    answer = (
        "The pose is reached up to x = 0.72 m, and the position alone up to 0.80 m. Beyond that, the arm is "
        "outstretched, or joint 4 is at a limit."
    )

    def __init__(self, **values: float | bool) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        start = SAMPLES[FIRST]
        controls: list[Control | LogSlider | Switch] = [
            *joint_controls(self.chain, np.radians(POSTURES[FIRST][0])),
            *(Control(axis, "target", axis, "m", -1.5, 1.5, 0.01, start[axis]) for axis in "xyz"),
            *(Control(f"w{axis}", f"target, ω_{{{axis}}}", "", "°", -180, 180, 1, start[f"w{axis}"]) for axis in "xyz"),
        ]
        controls += [
            LogSlider("damping", "damping factor", "λ", "", PLACES, 0.1),
            Switch("oriented", "include the orientation", True),
            Switch("every", "show all solutions (pale)", False),
        ]
        samples = [
            {"name": name, "urdf": robots.urdf_file(name).read_text("utf-8"), "starts": starts}
            for name, starts in SAMPLES.items()
        ]
        texts = {"forms": form_data(), "causes": explanation.page_messages()}
        data = {"samples": samples, "stop": stop_data(STOP), "rows": ROWS, **texts}
        super().__init__(controls, script(), values, data)

    @cached_property
    def chain(self) -> Chain:
        """The arm of the first file."""
        return robots.from_urdf(robots.urdf_file(FIRST))

    @property
    def start(self) -> NDArray[np.float64]:
        """Start of the solve, shape (7,), rad."""
        return configuration(self.chain, self.values)

    @property
    def target(self) -> NDArray[np.float64]:
        """T_sd, shape (4, 4), position in m."""
        T = np.eye(4)
        T[:3, :3] = lie.exp_so3(np.radians([self.wx, self.wy, self.wz]))
        T[:3, 3] = self.x, self.y, self.z
        return T

    @property
    def answers(self) -> NDArray[np.float64]:
        """All solutions with the seventh joint fixed, shape (k, 7), rad."""
        return all_solutions(self.chain, self.target).slice(float(self.start[-1])).q

    def solve(self) -> tuple[Status, Trace]:
        """Return the status of the solve and its iterates."""
        return solve_as_page(self.chain, self.target, self.start, self.damping, self.oriented)


def solve_as_page(
    chain: Chain, target: NDArray[np.float64], start: NDArray[np.float64], damping: float, oriented: bool
) -> tuple[Status, Trace]:
    """Solve as the page does: one start, Chan's damping, steps bounded by the joint limits."""
    method = pose((float(oriented),) * 3 + (1.0,) * 3).of(LevenbergMarquardt(Chan(damping)))
    joints = np.column_stack([chain.limits, np.zeros(chain.dof)])  # not even if whole revolutions would lead back
    return steps_from(chain, target, start, method, STOP, joints)
