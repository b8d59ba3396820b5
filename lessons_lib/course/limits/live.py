"""Lesson 16: the feasible joint rates of a step, the optimal ones, and a wall that is pushed into the arm."""

from typing import Any

import numpy as np

from lessons_lib import codegen
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.limits.tip_velocity import TipProgram, tip_program
from lessons_lib.course.live.control import Choice, Control
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.differential_ik import NoSolutionFound

__all__ = ["LimitFigure"]

STEP = 0.05
"""The duration of a step, in s."""

PART = 0.5
"""β, the fraction of the distance to a limit that a step may use."""

SPEED = 2.0
"""The velocity limit of each joint, in rad/s."""

SPAN = 4.6
"""Half the width of the displayed plane of joint rates, in rad/s."""

AHEAD = 20
"""The number of steps in the drawn trajectories."""

LIMITS = ("ranges, speeds and the wall", "ranges, speeds, accelerations and the wall")
"""The menu labels for the constraints."""


class LimitFigure(LiveFigure):
    """The planar arm below a wall, and the plane of its joint rates: desired, clipped, and optimal.

    Attributes:
        limits: Active kinds of constraints, one of `LIMITS`.
        q1: Angle of the first joint, in degrees.
        q2: Angle of the second joint, in degrees; far enough from 0 and 180 for the tip to move in every direction.
        ux: Desired velocity of the tip, in m/s; likewise uy.
        wall: Height y of the wall, in m.
        gain: γ of the wall, in 1/s.
        acceleration: Acceleration limit of each joint, in rad/s².
        last1: Rate of the first joint in the previous step, in rad/s; likewise last2.
    """

    view = "limits"
    title = "The best of what is allowed"
    about = (
        "On the left, a two-link arm below a hatched wall, with arrows for the requested tip velocity, the velocity "
        "after the joint rates are clipped, and the best allowed velocity. On the right, the plane of the joint rates: "
        "the shaded polygon is what the limits and the wall allow, and an ellipse of equal cost touches it at the best "
        "rates."
    )
    question = (
        "When the figure opens, the requested velocity is parallel to the wall. Why does clipping lead the tip into "
        "the wall, and where are the best rates?"
    )
    answer = (
        "Clipping slows only joint 2, so the velocity of the tip turns upwards. The best rates are at the corner of "
        "two orange edges, the velocity limit of joint 2 and the wall: the tip moves nearly along the wall, but more "
        "slowly."
    )

    def __init__(self, **values: float | str) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        more = ("limits", LIMITS[1])
        controls: list[Choice | Control] = [
            Choice("limits", "limits", LIMITS, LIMITS[0]),
            Control("q1", "joint 1", "q₁", "°", -180, 180, 1, 130),
            Control("q2", "joint 2", "q₂", "°", 10, 170, 1, 30),
            Control("ux", "requested", "x", "m/s", -2, 2, 0.05, 1),
            Control("uy", "requested", "y", "m/s", -2, 2, 0.05, 0),
            Control("wall", "wall", "y", "m", -2.2, 2.2, 0.001, 1.158),
            Control("gain", "gain", "γ", "1/s", 0.5, 20, 0.5, 2),
            Control("acceleration", "acceleration", "a", "rad/s²", 1, 40, 1, 10, more),
            Control("last1", "last rate", "q̇₁", "rad/s", -SPEED, SPEED, 0.05, 0, more),
            Control("last2", "last rate", "q̇₂", "rad/s", -SPEED, SPEED, 0.05, 0, more),
        ]
        data = {"dt": STEP, "speed": SPEED, "span": SPAN, "ahead": AHEAD, "more": LIMITS[1]}
        super().__init__(controls, _source(), values, {**data, "names": self._row_names()})

    @staticmethod
    def _row_names() -> tuple[str, ...]:
        """Return the names of the kernel's rows, in order."""
        return tip_program(np.array([0.0, 1.0]), [0.0, 0.0], wall=0.0, acceleration=1.0).names

    @property
    def q(self) -> Array:
        """The configuration, shape (2,), rad."""
        return np.radians([self.q1, self.q2])

    @property
    def program(self) -> TipProgram:
        """The program for the step."""
        more: dict[str, Any] = {}
        if self.limits == LIMITS[1]:
            more = {"acceleration": self.acceleration, "last": [self.last1, self.last2]}
        return tip_program(self.q, [self.ux, self.uy], self.wall, self.gain, STEP, **more)

    @property
    def best(self) -> tuple[Array, Array] | None:
        """The optimal rates, shape (2,), rad/s, and the multipliers of the rows; None if infeasible."""
        try:
            return self.program.solve()
        except NoSolutionFound:
            return None


@derived_once
def _source() -> str:
    from lessons_lib.course.limits.limit_kernels import kernels

    limits = np.array([[-np.pi, np.pi]] * 2)
    return codegen.source(kernels(limits, np.array([SPEED] * 2), PART), "javascript")
