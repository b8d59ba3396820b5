"""Lesson 02: turn a body, and see the path of its rotation vector in a ball of adjustable radius."""

from __future__ import annotations

import numpy as np

from lessons_lib import codegen, lie
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.control import Control
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.lie import kernels as lie_kernels

__all__ = ["LogarithmFigure"]

CONTROLS = (
    Control("turn", "rotation", "θ", "°", 0.0, 360.0, 1.0, 140.0),
    Control("azimuth", "azimuth of the axis", "", "°", -180.0, 180.0, 1.0, 40.0),
    Control("elevation", "elevation of the axis", "", "°", -90.0, 90.0, 1.0, 30.0),
    Control("wall", "radius of the wall", "ρ", "°", 0.0, 360.0, 5.0, 90.0),
)

RINGS = 36
"""The number of rings in the disc, which is coloured out to 2π."""


def kernels() -> list[codegen.Kernel]:
    """Return setting → θ a, ω → exp [ω], (R, δ) → exp [δ] R, and θ → σ, the least singular value of J_l."""
    # σ is the length of J_l times a unit vector perpendicular to the rotation vector
    import sympy as sp

    from lessons_lib.lie import derivations
    from lessons_lib.symbolic import so3

    azimuth, elevation, angle = setting = sp.symbols("azimuth elevation angle", real=True)
    flat = sp.cos(elevation)
    axis = sp.Matrix([flat * sp.cos(azimuth), flat * sp.sin(azimuth), sp.sin(elevation)])
    R = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"R{i}{j}", real=True))
    delta, theta = sp.Matrix(sp.symbols("delta0:3", real=True)), sp.Symbol("theta", real=True)
    rolled = {"rolled": so3.exp(delta) * R}
    across = so3.left_jacobian(sp.Matrix([0, 0, theta]))[:, 0]
    left = sp.Matrix([sp.sqrt(sum(entry**2 for entry in across))])
    exp = next(kernel for kernel in derivations.se3_kernels() if kernel.name == "exp_so3_kernel")
    return [
        codegen.Kernel("arrow_kernel", {"setting": sp.Matrix(setting)}, {"arrow": angle * axis}, summary="θ a."),
        codegen.Kernel("rolled_kernel", {"R": R, "delta": delta}, rolled, summary="exp [δ] R.", by=[so3.exp]),
        codegen.Kernel("across_kernel", {"angle": sp.Matrix([theta])}, {"left": left}, by=[so3.left_jacobian]),
        exp,
    ]


@derived_once
def script() -> str:
    """Return the kernels as JavaScript, with the library's logarithm, `log_rotation_kernel`."""
    from lessons_lib.codegen import js_plain

    log = "log_rotation_kernel", lie_kernels.module().log_rotation_kernel, ("f2", "f1")
    return f"{codegen.source(kernels(), 'javascript')}\n{js_plain.source([log])}"


class LogarithmFigure(LiveFigure):
    """A box and its rotation vectors in a ball with an adjustable wall; the floor shows the sensitivity.

    Attributes:
        turn: Rotation angle of the box, in degrees.
        azimuth: Direction of the axis a in the x-y plane, in degrees.
        elevation: Elevation of the axis above that plane, in degrees.
        wall: Radius of the ball, in degrees.
    """

    view = "logarithm"
    bundle = "widget3d"
    title = "The arrow of a rotation"
    about = (
        "On the left is a box that can be rotated. On the right is a glass ball with a disc around it. Two arrows "
        "start at the centre of the ball; each of them describes a rotation that takes the box to the orientation "
        "shown. Where their line meets the wall of the ball, there are two small boxes. The disc is clear in the "
        "middle, and its colour becomes stronger towards the rim."
    )
    question = (
        "Increase the radius of the wall from 0° to 360°. At what radius does every rotation first have an arrow "
        "within the wall? How are the two small boxes rotated there, and how are they rotated at 360°?"
    )
    answer = (
        "At 180°. There, the two small boxes have the same orientation: opposite points on the wall represent the "
        "same rotation. Beyond 180°, more and more rotations have two arrows. At 360°, the whole wall represents one "
        "rotation, I, and no step along it rotates the box, so the disc's colour is strongest there."
    )

    def __init__(self, **values: float) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        super().__init__(CONTROLS, script(), values, {"rings": RINGS})

    @property
    def axis(self) -> Array:
        """The unit axis a, shape (3,)."""
        azimuth, elevation = np.radians([self.azimuth, self.elevation])
        flat = np.cos(elevation)
        return np.array([flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation)])

    @property
    def arrows(self) -> tuple[Array, Array]:
        """θ a, the applied rotation, and (θ − 2π) a, the other vector of the same rotation, shape (3,) each, rad."""
        angle = np.radians(self.turn)
        return angle * self.axis, (angle - 2.0 * np.pi) * self.axis

    @property
    def rotation(self) -> Array:
        """R = exp [θ a], shape (3, 3)."""
        return lie.exp_so3(self.arrows[0])

    @property
    def within(self) -> list[Array]:
        """The rotation vectors that end within or on the wall."""
        return [arrow for arrow in self.arrows if np.linalg.norm(arrow) <= np.radians(self.wall) + 1e-9]
