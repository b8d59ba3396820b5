"""Lesson 06: the axes of six joints, which of them a joint moves, and the lever arm of each entry of J_s."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib import codegen
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.arm_data import arm_data
from lessons_lib.course.live.control import Control
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.joints import configuration, joint_controls
from lessons_lib.course.live.link_shapes import skeleton_of
from lessons_lib.robots import ur10

__all__ = ["ColumnsFigure"]

START = (0.0, -60.0, 80.0, -50.0, 60.0, 0.0)
"""The initial angles, in degrees."""

CAME_FROM = (0.0, -110.0, 80.0, -50.0, 60.0, 0.0)
"""The angles, in degrees, before joint 2 turned to its initial angle."""

PICKED = (3, 3)
"""The row and the column of the Jacobian that are highlighted at first."""

HALF = 0.36
"""Half the drawn length of a joint axis, in m."""


@derived_once
def _source() -> str:
    import sympy as sp

    from lessons_lib.course.live.arm_kernel import arm_kernel
    from lessons_lib.symbolic import so3

    chain = ur10()
    e, omega, v = (sp.Matrix(sp.symbols(f"{name}0:3", real=True)) for name in ("e", "omega", "v"))
    s, t = sp.symbols("s t", real=True)
    foot = so3.hat(omega) * v  # point on the axis nearest to the origin
    feet = s * e, foot + t * omega
    way, normal = feet[1] - feet[0], so3.hat(omega) * e
    at = sp.solve([way.dot(e), way.dot(omega)], [s, t], dict=True)[0]
    sine = sp.sqrt(normal.dot(normal))
    arm = sp.Matrix([normal.dot(foot) / sine, sine])  # claim 6.7
    places = sp.Matrix([*feet[0], *feet[1]]).subs(at)
    given = {"e": e, "S": omega.col_join(v)}
    lever = codegen.Kernel("lever_kernel", given, {"feet": places, "lever": arm}, by=[so3.hat])
    return codegen.source([arm_kernel(chain, "arm_ur10"), lever], "javascript")


@dataclass(frozen=True)
class Lever:
    """Position of a joint axis relative to an axis of {s}."""

    feet: Array  # ends of the common perpendicular, on the axis of {s} and on the joint axis, (2, 3), m
    length: float  # of the common perpendicular, m
    sine: float  # of the angle between both axes


class ColumnsFigure(LiveFigure):
    """The UR10 with the axes of its six joints and its space Jacobian; each entry has a lever arm.

    Attributes:
        q1: Angle of the first joint, in degrees; and so on to q6.
    """

    view = "columns"
    bundle = "widget3d"
    shapes = ("ur10",)
    title = "Each column is a line carried by earlier joints"
    about = (
        "A six-joint arm with a line along the axis of each joint. When a joint turns, the lines after it sweep out "
        "pale fans. Next to the arm is a table with six rows and six columns. For the selected entry, the joint's line "
        "is highlighted, and a lever arm connects it to an axis of {s}."
    )
    question = (
        "Turn joint 2. Which lines and which columns do not change? Then select an entry of v that is zero. Where is "
        "its line relative to the axis of that row?"
    )
    answer = (
        "Lines 1 and 2 and columns 1 and 2 do not change, because a joint carries the lines after it, but not its own "
        "line. Up to sign, an entry of v is the lever arm (the distance between the line and the axis) times the "
        "sine of the angle between them. It is zero if the line intersects the axis or is parallel to it."
    )

    def __init__(self, **values: float) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        self.chain = ur10()
        controls = [
            Control(**{**vars(joint), "words": f"joint {i}", "low": -180.0, "high": 180.0})
            for i, joint in enumerate(joint_controls(self.chain, np.radians(START)), 1)
        ]
        data = {
            **arm_data(self.chain, "ur10"),
            "eye": [-1.7, -3.4, 1.7],
            "centre": [-0.38, -0.1, 0.48],
            "half": HALF,
            "from": CAME_FROM,
            "picked": PICKED,
        }
        super().__init__(controls, _source(), values, data)

    @property
    def q(self) -> Array:
        """The configuration set by the controls, shape (6,), rad."""
        return configuration(self.chain, self.values)

    def lever(self, axis: int, joint: int) -> Lever:
        """Return the position of a joint axis relative to the axis x, y or z of {s}, by NumPy's least squares.

        Args:
            axis: 0, 1 or 2.
            joint: From 0 on.
        """
        omega, v = np.split(self.chain.space_jacobian(self.q)[:, joint], 2)
        foot, e = np.cross(omega, v), np.eye(3)[axis]
        s, t = np.linalg.lstsq(np.column_stack([e, -omega]), foot)[0]
        feet = np.array([s * e, foot + t * omega])
        length = float(np.linalg.norm(feet[1] - feet[0]))
        return Lever(feet, length, float(np.linalg.norm(np.cross(e, omega))))

    def _line(self, q: Array, joint: int) -> Array:
        """Return the ends of a drawn joint axis, shape (3, 2), m, centred at the joint's corner of the body."""
        corner = skeleton_of(self.chain)
        omega = self.chain.space_jacobian(q)[:3, joint]
        at = corner.at(self.chain, q)[corner.joints[joint]]
        return np.stack([at - HALF * omega, at + HALF * omega], axis=1)
