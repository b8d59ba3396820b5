"""Lesson 08: the error twist of the 2R and Newton's step, its projection onto the plane of the twists J δ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib import codegen, lie
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.control import Control
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.joints import angle_controls
from lessons_lib.robots import planar_2r

__all__ = ["ProjectionFigure"]

PLANAR = [2, 3, 4]
"""The components of a planar twist: ω_z, v_x, v_y."""

CONTROLS = (
    *angle_controls("q", "arm, joint", (60, 20)),
    *angle_controls("t", "target, joint", (-60, 120)),
    Control("frame", "frame, from tip to base", "s", "", 0, 1, 0.02, 0),
)


@derived_once
def _source() -> str:
    import sympy as sp

    from lessons_lib.symbolic import planar_2r, se3, so3

    q, t, V = (sp.Matrix(sp.symbols(f"{name}0:{n}", real=True)) for name, n in (("q", 2), ("t", 2), ("w", 3)))
    J = sp.Matrix(3, 2, sp.symbols("j0:6", real=True))
    phi, s = sp.symbols("phi s", real=True)
    elbow, tip = planar_2r.corners(q[0], q[1], 1, 1)
    goal = planar_2r.corners(t[0], t[1], 1, 1)[1]
    heading = q[0] + q[1]
    undo = so3.exp(sp.Matrix([0, 0, -heading]))[:2, :2]
    away = (undo * (goal - tip)).col_join(sp.zeros(1, 1))
    back = so3.left_jacobian_inverse(sp.Matrix([0, 0, phi])) * away
    columns = sp.ones(1, 2).col_join(undo * tip.jacobian(q))
    there = se3.pose(so3.exp(sp.Matrix([0, 0, s * heading])), s * tip.col_join(sp.zeros(1, 1)))
    Ad = se3.adjoint(there).extract(PLANAR, PLANAR)
    normal = (J.T * J).inv("ADJ") * J.T * V
    model = {"V": V, "J": sp.Matrix(list(J))}
    kernels = [
        codegen.Kernel(
            "missing_kernel",
            {"q": q, "t": t, "turn": sp.Matrix([phi])},
            {
                "corners": sp.Matrix([*elbow, *tip, *goal]),
                "V": sp.Matrix([phi, *back[:2]]),
                "J": sp.Matrix(list(columns)),
            },
        ),
        codegen.Kernel(
            "seen_kernel", {"q": q, "part": sp.Matrix([s]), **model}, {"e": Ad * V, "A": sp.Matrix(list(Ad * J))}
        ),
        codegen.Kernel("foot_kernel", model, {"step": normal, "foot": J * normal}),
    ]
    return codegen.source(kernels, "javascript")


@dataclass(frozen=True)
class Parts:
    """The drawn vectors, all in the chosen frame."""

    error: Array  # the error twist (ω_z, v_x, v_y), (3,), rad and m
    columns: Array  # of the Jacobian, (3, 2)
    step: Array  # Newton step of the joints, (2,), rad
    carried: Array  # projection computed in the body frame, expressed in the chosen frame, (3,)

    @property
    def foot(self) -> Array:
        """The projection: nearest point of the plane, shape (3,)."""
        return self.columns @ self.step


class ProjectionFigure(LiveFigure):
    """The error twist of a 2R and its projection onto the plane of twists that the joints can produce.

    Attributes:
        q1: Joint angle 1, in degrees; likewise q2.
        t1: The target is the pose at t1 and t2, in degrees.
        frame: Frame of the twists: 0 for the tip, 1 for the base.
    """

    view = "projection"
    bundle = "widget3d"
    title = "Newton's step is a projection"
    about = (
        "On the left, a two-link arm and its target frame. On the right, the space of planar twists, with ω on the "
        "vertical axis and the velocity in the horizontal plane: an arrow for the error, a flat patch spanned by the "
        "two columns of the Jacobian, and the projection of the error onto it."
    )
    question = (
        "Slide the frame from the tip to the base. Does the dotted line from the error to the body-frame step stay "
        "perpendicular to the patch?"
    )
    answer = (
        "In general, no: the adjoint preserves neither lengths nor right angles. In the space frame, a different point "
        "of the patch is nearest to the error, so Newton's step is different, unless the arm is outstretched or "
        "folded, or no residual remains."
    )

    def __init__(self, **values: float) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        super().__init__(CONTROLS, _source(), values)

    def parts(self) -> Parts:
        """Return the drawn vectors, by the library's logarithm, Jacobian and adjoint, and NumPy's least squares."""
        arm, q = planar_2r(), np.radians([self.q1, self.q2])
        T, goal = arm.forward_kinematics(q), arm.forward_kinematics(np.radians([self.t1, self.t2]))
        V, J = lie.log_se3(lie.inverse(T) @ goal)[PLANAR], arm.body_jacobian(q)[PLANAR]
        turned = lie.exp_so3(np.array([0.0, 0.0, self.frame * q.sum()]))
        Ad = lie.adjoint(lie.pose(turned, self.frame * T[:3, 3]))[np.ix_(PLANAR, PLANAR)]
        error, columns = Ad @ V, Ad @ J
        step = np.asarray(np.linalg.lstsq(columns, error)[0], dtype=np.float64)
        return Parts(error, columns, step, Ad @ J @ np.linalg.lstsq(J, V)[0])
