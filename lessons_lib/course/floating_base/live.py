"""Lesson 18: drag the trunk of a quadruped while its feet stay in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lessons_lib import codegen
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course import FEET, feet_of, trunk_pose
from lessons_lib.course.floating_base import standing
from lessons_lib.course.floating_base.stance import FINE, LIFT, RATE, SETTLE, STEPS, STILL, Stance, stand_at
from lessons_lib.course.live.control import Choice, Control
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.tree_data import tree_data
from lessons_lib.course.quadruped_parts import FOOT, LEGS, parts_of

if TYPE_CHECKING:
    from lessons_lib.codegen import Kernel


__all__ = ["StanceFigure"]

SHIFTS = {"forward": (-0.15, 0.15, 0.0), "left": (-0.15, 0.15, 0.0), "height": (0.08, 0.4, standing.HEIGHT)}
"""The lower limit, upper limit and initial value of each coordinate of the trunk's position, in m."""

TURNS = {"roll": 25, "pitch": 25, "yaw": 35}
"""The maximum rotation of the trunk to each side, in degrees."""

NONE = "none"


@derived_once
def _source() -> str:
    from lessons_lib.codegen import js_plain
    from lessons_lib.course.live.search import logarithm, se3_kernels
    from lessons_lib.course.live.tree_kernel import bounded_least_squares, free_kernels, tree_kernel

    robot = standing.quadruped()
    frames = dict.fromkeys(part.frame for part in parts_of(robot))
    kernels = [
        pose_kernel(),
        tree_kernel(robot, frames, points=FEET, bodies=[standing.TRUNK], centre=True, name="stance_kernel"),
        *free_kernels(),
        *(se3_kernels()[name] for name in ("exp_se3_kernel", "between_kernel", "left_jacobian_inverse_se3_kernel")),
    ]
    text: str = codegen.source(kernels, "javascript")
    return f"{text}\n{js_plain.source([logarithm(), bounded_least_squares()])}"


def pose_kernel() -> Kernel:
    """Return (forward, left, height, roll, pitch, yaw) → T of `trunk_pose`, m and rad."""
    import sympy as sp

    from lessons_lib.codegen import Kernel
    from lessons_lib.symbolic import open_chain, se3

    x, y, z, *angles = place = sp.symbols("x y z roll pitch yaw", real=True)
    turns = [open_chain.joint_exp(sp.eye(6)[:, axis], angle) for axis, angle in enumerate(angles)]
    T = se3.pose(sp.eye(3), sp.Matrix([x, y, z])) * turns[2] * turns[1] * turns[0]
    return Kernel("pose_kernel", {"place": sp.Matrix(place)}, {"T": T}, summary="Pose of the trunk.")


class StanceFigure(LiveFigure):
    """A quadruped on its feet, with an adjustable trunk pose.

    Attributes:
        forward: Trunk position along x, in m.
        left: Trunk position along y, in m.
        height: Trunk height above the feet's centres, in m.
        roll: Rotation about x, in degrees; positive lowers the right side.
        pitch: Rotation about y, in degrees; positive lowers the nose.
        yaw: Rotation about z, in degrees; positive turns the nose to the left.
        lifted: Name of the lifted foot, or "none".
    """

    view = "stance"
    bundle = "widget3d"
    title = "A quadruped on its feet"
    about = (
        "A quadruped on a floor with 10 cm squares. A quartered disc marks its centre of mass, with a plumb line "
        "down to the floor. The polygon formed by its feet is green while the robot stands and orange when it falls. "
        "The figure does not check whether knees touch the floor."
    )
    question = (
        "Lift a rear foot in the initial pose, and the robot falls. Where can the trunk go so that the robot stands on "
        "the other three feet?"
    )
    answer = (
        "Toward the triangle of the other three feet: it is enough to move 5 cm forward and 3 cm away from the side of "
        "the lifted foot."
    )

    def __init__(self, **values: float | str) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        controls: list[Choice | Control] = [
            Control(name, "trunk, " + name, axis, "m", low, high, 0.005, start)
            for axis, (name, (low, high, start)) in zip("xyz", SHIFTS.items(), strict=True)
        ]
        controls += [Control(name, name, "", "°", -end, end, 1, 0) for name, end in TURNS.items()]
        legs = [leg.replace("_", " ") for leg in LEGS]
        controls.append(Choice("lifted", "lifted foot", (NONE, *legs), NONE))
        robot, ease = standing.quadruped(), standing.at_ease()
        data = {
            "tree": tree_data(robot, parts_of(robot)),
            "trunk": standing.TRUNK,
            "begin": trunk_pose().tolist(),
            "ease": ease.q.tolist(),
            "feet": FEET,
            "places": feet_of(ease).tolist(),
            "lift": LIFT,
            "parts": STEPS,
            "fine": FINE,
            "settle": SETTLE,
            "period": 1.0 / RATE,
            "still": STILL,
            "legs": legs,
            "ground": -FOOT,
        }
        super().__init__(controls, _source(), values, data)

    @property
    def pose(self) -> Array:
        """Trunk pose set by the controls, shape (4, 4), position in m."""
        turns = {name: float(np.radians(getattr(self, name))) for name in TURNS}
        pose: Array = trunk_pose(**{name: getattr(self, name) for name in SHIFTS}, **turns)
        return pose

    @property
    def stance(self) -> Stance:
        """The resulting stance, as far as the legs reach."""
        return stand_at(self.pose, None if self.lifted == NONE else self.lifted.replace(" ", "_"))

    @property
    def room(self) -> Array:
        """Distance of each leg joint from its nearer limit, shape (12,), degrees."""
        robot, q = standing.quadruped(), self.stance.q
        return np.degrees(np.minimum(q - robot.lower, robot.upper - q)[7:])
