"""Lesson 03: the position of a motion as a sum of pushes, each rotated with the body."""

from __future__ import annotations

import numpy as np

from lessons_lib import codegen
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.control import Control
from lessons_lib.course.live.figure import LiveFigure

__all__ = ["PushesFigure"]

REACH = 1.4
"""Half the width, in m, of the plane drawn around the body's starting position."""

CONTROLS = (
    Control("turn", "rotation", "θ", "°", -360, 360, 5, 180),
    Control("count", "number of pushes", "N", "", 1, 64, 1, 4),
    Control("v1", "velocity to the right", "v₁", "m/s", -1.2, 1.2, 0.05, 1.2),
    Control("v2", "velocity upwards", "v₂", "m/s", -0.5, 0.5, 0.05, 0.0),
)


@derived_once
def _source() -> str:
    import sympy as sp

    from lessons_lib.symbolic import so3

    turn, part, count, v1, v2 = sp.symbols("theta s N v1 v2", real=True)
    v = sp.Matrix([v1, v2, 0])
    push = (so3.exp(sp.Matrix([0, 0, turn * part])) * v / count)[:2, :]
    whole = (so3.left_jacobian(sp.Matrix([0, 0, turn])) * v)[:2, :]
    moved = {"turn": sp.Matrix([turn]), "v": v[:2, :]}
    kernels = [
        codegen.Kernel("push_kernel", {**moved, "part": sp.Matrix([part, count])}, {"push": push}, by=[so3.exp]),
        codegen.Kernel("whole_kernel", moved, {"whole": whole}, by=[so3.left_jacobian]),
    ]
    return codegen.source(kernels, "javascript")


class PushesFigure(LiveFigure):
    """N displacements by a velocity v, head to tail, each rotated by the body's current angle.

    Attributes:
        turn: Rotation angle of the whole motion, which takes one second, in degrees.
        count: N, the number of pushes; rounded to an integer.
        v1: Initial velocity of the point of the body at the origin, to the right, in m/s.
        v2: The same velocity, upwards, in m/s.
    """

    view = "pushes"
    title = "Many small pushes"
    about = (
        "An arrow v points from the starting position to where the body would go without rotating. A chain of equal "
        "pushes, each rotated a little more than the one before, begins at the same position and ends at a dot. The "
        "more pushes there are, the closer the dot is to a cross, which marks the position of the body after the "
        "motion."
    )
    question = (
        "Set the number of pushes to 1 and then increase it. Where does the end of the chain go? Then set the rotation "
        "to 360°: what remains of v?"
    )
    answer = (
        "It moves from the tip of v towards Vv, the average of the rotating v. With two or more pushes, doubling "
        "their number approximately halves the remaining distance. After a whole revolution, two or more pushes form a "
        "closed polygon: every v in the plane averages to zero, so the final position does not determine v."
    )

    def __init__(self, **values: float) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        super().__init__(CONTROLS, _source(), values, {"reach": REACH})

    def chain(self) -> Array:
        """Return the start and the heads of the pushes, shape (N + 1, 2), m, by complex numbers."""
        count = int(np.floor(self.count + 0.5))
        turned = np.exp(1j * np.radians(self.turn) * np.arange(count) / count)
        heads = np.cumsum(np.array([0.0, *turned]) * (self.v1 + 1j * self.v2) / count)
        return np.stack([heads.real, heads.imag], axis=1)

    def whole(self) -> Array:
        """Return the body's final position, shape (2,), m: the integral of the rotated v."""
        angle, v = 1j * np.radians(self.turn), self.v1 + 1j * self.v2
        place = v * (np.expm1(angle) / angle if angle else 1.0)
        return np.array([place.real, place.imag])
