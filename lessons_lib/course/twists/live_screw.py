"""Lesson 03: place a screw axis in space, set its pitch, and move a body about and along it."""

from __future__ import annotations

import numpy as np

from lessons_lib import codegen, lie
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.control import Control, Switch
from lessons_lib.course.live.figure import LiveFigure

__all__ = ["ScrewFigure"]

CONTROLS = (
    Control("distance", "distance", "d", "m", 0.0, 0.6, 0.05, 0.3),
    Control("tilt", "tilt", "", "°", -60.0, 60.0, 5.0, 0.0),
    Control("climb", "climb", "β", "°", 0.0, 90.0, 1.0, 20.0),
    Control("angle", "progress", "s", "°", 0.0, 360.0, 5.0, 250.0),
    Switch("naive", "the pair (exp ω, v)", True),
)

RISE = 0.3
"""The translation per radian of progress at a climb of 90° (pure translation), in m; at 45°, the pitch in m/rad."""


def kernels() -> list[codegen.Kernel]:
    """Return screw_kernel(setting) → xi, exp_kernel(xi) → T, and pair_kernel(xi) → T, which is not an exponential."""
    import sympy as sp

    from lessons_lib.symbolic import se3, so3

    distance, tilt, climb, angle = setting = sp.symbols("distance tilt climb angle", real=True)
    point, along = sp.Matrix([distance, 0, 0]), sp.Matrix([0, sp.sin(tilt), sp.cos(tilt)])
    omega = sp.cos(climb) * along
    screw = omega.col_join(so3.hat(point) * omega + RISE * sp.sin(climb) * along)
    xi = sp.Matrix(sp.symbols("omega0:3 v0:3", real=True))
    turn, slide = se3.split(xi)
    return [
        codegen.Kernel("screw_kernel", {"setting": sp.Matrix(setting)}, {"xi": angle * screw}, summary="The twist."),
        codegen.Kernel("exp_kernel", {"xi": xi}, {"T": se3.exp(xi)}, summary="exp [ξ]."),
        codegen.Kernel("pair_kernel", {"xi": xi}, {"T": se3.pose(so3.exp(turn), slide)}, summary="(exp ω, v)."),
    ]


@derived_once
def script() -> str:
    """Return the kernels as JavaScript."""
    return codegen.source(kernels(), "javascript")


class ScrewFigure(LiveFigure):
    """A body in screw motion from the origin; the motion ranges from revolute to prismatic.

    Attributes:
        distance: Distance along x from the body's starting position to the axis, m.
        tilt: Tilt of the axis from z towards y, in degrees.
        climb: β: 0° is a pure rotation, 90° a pure translation; the pitch is RISE · tan β, in m/rad.
        angle: Progress of the motion, in degrees; the rotation is cos β times this.
        naive: Whether the path of the pair (exp ω, v) is also drawn.
    """

    view = "screw"
    bundle = "widget3d"
    title = "A body in screw motion"
    about = (
        "A box moves along a helix about an axis in space. A dotted straight line shows the path that it would take if "
        "it rotated by ω and moved straight along v instead."
    )
    question = "For which settings is the pair (exp ω, v) correct?"
    answer = (
        "It is exactly correct if the axis passes through the origin of the body (d = 0), if nothing rotates (β = "
        "90°), or if nothing moves. Then V v = v, because the rotation leaves the direction of v unchanged. After a "
        "small rotation, the error is also small."
    )

    def __init__(self, **values: float | bool) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        super().__init__(CONTROLS, script(), values, {"rise": RISE})

    @property
    def twist(self) -> Array:
        """The twist ξ = (ω, v) of the whole motion, shape (6,), rad and m."""
        tilt, climb, angle = np.radians([self.tilt, self.climb, self.angle])
        along = np.array([0.0, np.sin(tilt), np.cos(tilt)])
        hinge = lie.screw_axis((self.distance, 0.0, 0.0), along) * angle * np.cos(climb)
        twist: Array = hinge + np.concatenate([np.zeros(3), RISE * np.sin(climb) * angle * along])
        return twist

    @property
    def miss(self) -> float:
        """Distance between the body's final origin and that of the pair (exp ω, v), m."""
        return float(np.linalg.norm(lie.exp_se3(self.twist)[:3, 3] - self.twist[3:]))
