"""Lesson 05: move the joints of an arm and of an incorrect model of it together, and compare their tips."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lessons_lib import codegen, lie
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.control import Choice, Control
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.joints import angle_controls, body_data
from lessons_lib.course.robot_models.published_models import PAIRS
from lessons_lib.plots.overlay import tip_gap
from lessons_lib.robots import Chain

if TYPE_CHECKING:
    import sympy as sp


__all__ = ["ModelFigure"]

POSTURE = (30.0, -70.0, 85.0, -105.0, -90.0, 0.0, 0.0)
"""The initial joint angles, in degrees: both robots are in bent postures, and the Panda is within its joint limits."""

SEVENTH = [name for name, (arm, _) in PAIRS.items() if arm().dof == 7]
"""The robots with a seventh joint."""


def gap_kernel() -> codegen.Kernel:
    """Return the kernel (A, B) → distance [m] and rotation angle [rad] between two poses."""
    import sympy as sp

    from lessons_lib.symbolic import se3, so3

    A, B = (_pose(letter) for letter in "AB")
    apart = se3.position(B) - se3.position(A)
    gap = sp.Matrix([sp.sqrt((apart.T * apart)[0]), so3.angle(se3.rotation(A).T * se3.rotation(B))])
    return codegen.Kernel("gap_kernel", {"A": A, "B": B}, {"gap": gap}, summary="Distance and angle between two poses.")


@derived_once
def _source() -> str:
    """Return the script of gap_kernel, and of arm_0, model_0, … for each pair."""
    from lessons_lib.course.live.arm_kernel import arm_kernel

    kernels = [gap_kernel()]
    for k, (arm, model) in enumerate(PAIRS.values()):
        kernels.append(arm_kernel(arm(), f"arm_{k}"))
        kernels.append(arm_kernel(model(), f"model_{k}", like=arm()))
    return codegen.source(kernels, "javascript")


def _pose(letter: str) -> sp.Matrix:
    import sympy as sp

    return sp.Matrix(4, 4, lambda i, j: sp.Symbol(f"{letter}{i}{j}", real=True) if i < 3 else int(i == j))


class ModelFigure(LiveFigure):
    """Two arms at the same joint angles: the real one and, drawn over it, the solver's incorrect model.

    Attributes:
        pair: Robot and the mistake in its model.
        q1: Angle of the first joint, in degrees; and so on to q7, which the UR10 does not have.
    """

    view = "model"
    bundle = "widget3d"
    shapes = ("ur10", "panda")
    title = "The arm and its model"
    about = "A robot and, in another colour, an incorrect model of it share a base. A line connects the two tips."
    question = "Is there a posture in which the two tips meet? Which joint of the Panda never changes the gap?"
    answer = (
        "The tips of the UR10 and its model never meet, because the model's upper arm is 30 cm too short and the gap "
        "is 30 cm in every posture. The tips of the Panda and its model can meet, usually with different orientations. "
        "Joint 1 never changes the gap, because it turns both arms about the same axis."
    )

    def __init__(self, **values: float | str) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        self.pairs: dict[str, tuple[Chain, Chain]] = {name: (a(), b()) for name, (a, b) in PAIRS.items()}
        controls: list[Choice | Control] = [Choice("pair", "model", tuple(PAIRS), next(iter(PAIRS)))]
        controls += angle_controls("q", "joint", POSTURE[:6])
        controls += angle_controls("q", "joint", POSTURE[6:], first=7, only=("pair", SEVENTH[0]))
        pairs = [
            {"name": name, "arm": body_data(arm), "model": body_data(model, like=arm)}
            for name, (arm, model) in self.pairs.items()
        ]
        super().__init__(controls, _source(), values, {"pairs": pairs})

    @property
    def q(self) -> Array:
        """The configuration set by the controls, shape (n,), rad."""
        return np.radians([getattr(self, f"q{i + 1}") for i in range(self.pairs[self.pair][0].dof)])

    @property
    def gap(self) -> float:
        """Distance between the tips, m."""
        return tip_gap(*self.pairs[self.pair], self.q)

    @property
    def turned(self) -> float:
        """Angle between the orientations of the tips, degrees."""
        arm, model = (chain.forward_kinematics(self.q)[:3, :3] for chain in self.pairs[self.pair])
        return float(np.degrees(np.linalg.norm(lie.log_so3(arm.T @ model))))
