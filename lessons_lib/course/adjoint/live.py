"""Lesson 04: move a frame near a screw axis and compare the twists of one motion in two frames."""

from __future__ import annotations

import numpy as np

from lessons_lib import codegen, lie
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.control import Control, Switch
from lessons_lib.course.live.figure import LiveFigure

__all__ = ["TwoFramesFigure"]

DISTANCE = 0.6
"""The distance of the axis from the origin of {s} along x, in m."""

CONTROLS = (
    Control("x", "position of {b}", "x", "m", -0.4, 1.0, 0.05, 0.9),
    Control("y", "position of {b}", "y", "m", -0.6, 0.6, 0.05, 0.5),
    Control("turn", "turn about z", "", "°", -180.0, 180.0, 5.0, -20.0),
    Control("lean", "then about x", "", "°", -90.0, 90.0, 5.0, 0.0),
    Control("tilt", "axis tilt", "", "°", -40.0, 40.0, 5.0, 0.0),
    Control("pitch", "pitch", "h", "m/rad", -0.3, 0.3, 0.02, 0.1),
    Switch("no_lever", "v_{s} at {b}, without lever arm"),
)


def kernels() -> list[codegen.Kernel]:
    """Return twist_kernel(axis) → V_s, frame_kernel(place) → T, seen_kernel(T, V_s) → V_b and exp_kernel(xi) → T."""
    import sympy as sp

    from lessons_lib.symbolic import open_chain, se3, so3

    tilt, pitch = sp.symbols("tilt pitch", real=True)
    omega = sp.Matrix([0, sp.sin(tilt), sp.cos(tilt)])
    V_s = omega.col_join(so3.hat(sp.Matrix([DISTANCE, 0, 0])) * omega + pitch * omega)
    x, y, turn, lean = place = sp.symbols("x y turn lean", real=True)
    turned = [open_chain.joint_exp(sp.eye(6)[:, axis], angle) for axis, angle in ((2, turn), (0, lean))]
    R = se3.rotation(turned[0] * turned[1])
    T = sp.Matrix(4, 4, lambda i, j: sp.Symbol(f"T{i}{j}", real=True) if i < 3 else int(i == j))
    twist = sp.Matrix(sp.symbols("omega0:3 v0:3", real=True))
    seen = se3.adjoint(se3.inverse(T)) * twist
    return [
        codegen.Kernel("twist_kernel", {"axis": sp.Matrix([tilt, pitch])}, {"V_s": V_s}, summary="The twist in {s}."),
        codegen.Kernel("frame_kernel", {"place": sp.Matrix(place)}, {"T": se3.pose(R, sp.Matrix([x, y, 0]))}),
        codegen.Kernel("seen_kernel", {"T": T, "V_s": twist}, {"V_b": seen}, summary="The same twist in {b}."),
        codegen.Kernel("exp_kernel", {"xi": twist}, {"T": se3.exp(twist)}, summary="exp [ξ]."),
    ]


@derived_once
def script() -> str:
    return codegen.source(kernels(), "javascript")


class TwoFramesFigure(LiveFigure):
    """A body turns at 1 rad/s about a fixed axis; the frame {b} can be dragged, and the twist is shown in both frames.

    Attributes:
        x: Position of {b} along x of {s}, in m.
        y: Position of {b} along y of {s}, in m.
        turn: Rotation of {b} about z, in degrees.
        lean: Subsequent rotation of {b} about its own x axis, in degrees.
        tilt: Tilt of the screw axis from z towards y, in degrees.
        pitch: Pitch of the screw, in m/rad.
        no_lever: Whether v_s is also drawn at {b}, as if there were no lever arm.
    """

    view = "two_frames"
    bundle = "widget3d"
    title = "One motion in two frames"
    about = (
        "A floor with two coordinate frames and a screw axis between them. An arrow at the origin of each frame shows "
        "the velocity of the body at that point. The second frame can be dragged and rotated."
    )
    question = (
        "Which numbers change when you rotate {b} in place, and which change when you move it? What is v_{b} when {b} "
        "is on the axis?"
    )
    answer = (
        "Rotating {b} in place changes the components of ω_{b} and v_{b}, but not their lengths; only a vector "
        "parallel to the axis of this rotation keeps its components. Moving {b} changes only v_{b}. Neither changes "
        "|ω| or h. On the screw axis there is no lever arm, and v_{b} is only the sliding velocity, h ω_{b}."
    )

    def __init__(self, **values: float | bool) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        super().__init__(CONTROLS, script(), values, {"distance": DISTANCE})

    @property
    def V_s(self) -> Array:
        """The twist of the body in {s}, shape (6,), rad/s and m/s."""
        tilt = np.radians(self.tilt)
        return lie.screw_axis((DISTANCE, 0.0, 0.0), (0.0, np.sin(tilt), np.cos(tilt)), self.pitch)

    @property
    def T_sb(self) -> Array:
        """The pose of {b}, shape (4, 4), m."""
        turn, lean = np.radians([self.turn, self.lean])
        T = np.eye(4)
        T[:3, :3] = lie.exp_so3([0.0, 0.0, turn]) @ lie.exp_so3([lean, 0.0, 0.0])
        T[:2, 3] = self.x, self.y
        return T

    @property
    def V_b(self) -> Array:
        """The same twist in {b}, shape (6,): V_b = Ad(T_sb⁻¹) V_s."""
        return lie.adjoint(lie.inverse(self.T_sb)) @ self.V_s
