"""Lesson 09: the UR10 at its three kinds of singularity, and which velocities of the tip remain or are lost."""

from __future__ import annotations

import numpy as np

from lessons_lib import codegen, lie
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.arm_data import arm_data
from lessons_lib.course.live.control import Choice, Control
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.joints import configuration, joint_controls
from lessons_lib.course.singularities.figures import tip_velocities
from lessons_lib.robots import Chain, condition_number, manipulability, singular_values, ur10
from lessons_lib.robots.kinematics import exact

__all__ = ["SingularityFigure"]

POSTURES = {
    "regular": (0.0, -70.0, 90.0, -60.0, 70.0, 0.0),
    "elbow": (0.0, -50.0, 0.0, -60.0, 70.0, 0.0),
    "wrist": (0.0, -70.0, 90.0, -60.0, 0.0, 0.0),
    "shoulder": (0.0, -46.0, -88.60264191116649, -57.0, 70.0, 0.0),
}
"""The configurations set by the buttons, in degrees; for the shoulder, q₃ is a root of ϱ."""

HANDS = {"held: it cannot turn": "held", "free: it can turn": "free"}
"""The joint rates for the ellipsoid, keyed by their menu labels."""

SCALE = 0.5
"""Metres in the drawing per m/rad."""

CONDITION_SHOWN = 1e4
"""The largest condition number that the table shows."""

ZERO = 1e-14
"""A factor of det J no larger than this counts as zero: it is rounding error."""


def crossing_at_home(chain: Chain) -> Array:
    """Return the intersection of axes 5 and 6 at q = 0, shape (3,), m."""
    (omega_5, v_5), (omega_6, v_6) = (np.split(chain.screws[:, i], 2) for i in (4, 5))
    feet = np.cross(omega_5, v_5), np.cross(omega_6, v_6)
    along, *_ = np.linalg.lstsq(np.column_stack([omega_5, -omega_6]), feet[1] - feet[0])
    crossing: Array = feet[0] + along[0] * omega_5
    return crossing


def factor_kernel(chain: Chain) -> codegen.Kernel:
    """Return q → (sin q₃, sin q₅, ϱ) of the UR10, whose product is det J up to a constant (claim 9.7)."""
    # ϱ is the distance of the intersection of axes 5 and 6 from axis 1, along the x that rotates with joint 1, m (claim
    # 9.8)
    import sympy as sp

    from lessons_lib.symbolic import open_chain

    q = open_chain.joint_symbols(6)
    crossing = sp.Matrix([*exact(crossing_at_home(chain)[:, None]), 1])
    screws = exact(chain.screws)
    for i in (3, 2, 1):  # joints 4, 3 and 2 move it
        crossing = open_chain.joint_exp(screws[:, i], q[i]) * crossing
    factors = sp.Matrix([sp.sin(q[2]), sp.sin(q[4]), crossing[0]])
    return codegen.Kernel("factor_kernel", {"q": sp.Matrix(q)}, {"factors": factors}, summary="Factors of det J.")


@derived_once
def source() -> str:
    """Return the functions that the figure calls: arm_ur10, chain_ur10, factor_kernel, rotate_rows."""
    from lessons_lib.codegen import js_plain
    from lessons_lib.course.live.arm_kernel import arm_kernel
    from lessons_lib.course.live.search import chain_kernel
    from lessons_lib.course.live.singular_values import singular_values

    chain = ur10()
    kernels = [
        arm_kernel(chain, "arm_ur10"),
        chain_kernel(chain, "chain_ur10"),
        factor_kernel(chain),
    ]
    return f"{codegen.source(kernels, 'javascript')}\n{js_plain.source([singular_values()])}"


class SingularityFigure(LiveFigure):
    """The UR10 with the velocities of its tip, the singular values of J_b, and the lost direction.

    Attributes:
        hand: Velocities of the ellipsoid: those of a hand that keeps its orientation, or of a free hand.
        q1: Angle of the first joint, in degrees; and so on to q6.
    """

    view = "singularity"
    bundle = "widget3d"
    shapes = ("ur10",)
    title = "What is lost at a singularity"
    about = (
        "A six-joint arm; the ellipsoid around its tip shows all tip velocities for joint rates of length one. "
        "In the three singular postures a held hand's ellipsoid is a disc. Two arrows pierce it along the lost "
        "direction, and a dashed line shows the axis of a wrench that no joint feels."
    )
    question = "Turn one joint after another. Which two joints leave every bar unchanged, wherever the others are?"
    answer = (
        "Joints 1 and 6. Joint 1 moves the whole arm, and joint 6 turns the hand about an axis through the tip. "
        "Neither angle occurs in det J or in any singular value of J_{b}."
    )

    def __init__(self, **values: float | str) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        self.chain = ur10()
        joints = joint_controls(self.chain, np.radians(POSTURES["regular"]))
        controls: list[Choice | Control] = [Choice("hand", "the hand is", tuple(HANDS), next(iter(HANDS)))]
        controls += [Control(**{**vars(joint), "low": -180.0, "high": 180.0}) for joint in joints]
        data = {
            **arm_data(self.chain, "ur10"),
            "eye": [-3.2, -3.05, 1.9],
            "centre": [-0.36, -0.1, 0.62],
            "scale": SCALE,
            "conditionShown": CONDITION_SHOWN,
            "postures": [{"name": name, "degrees": angles} for name, angles in POSTURES.items()],
        }
        super().__init__(controls, source(), values, data)

    @property
    def q(self) -> Array:
        """The configuration set by the controls, shape (6,), rad."""
        return configuration(self.chain, self.values)

    @property
    def measures(self) -> dict[str, tuple[float, float, float]]:
        """Least singular value, manipulability and condition number of J_b, of its parts, and of the tip alone."""
        J, measures = self.chain.body_jacobian(self.q), {}
        parts = {"rotation": J[:3], "tip, hand free": J[3:]}
        for name, of in {"J": J, **parts, "tip, hand held": tip_velocities(self.chain, self.q, "held")}.items():
            measures[name] = float(singular_values(of)[-1]), manipulability(of), condition_number(of)
        return measures

    @property
    def facts(self) -> dict[str, float]:
        """The values of the controls, and the factors of det J: sin q₃, sin q₅, and ϱ in m."""
        q, crossing = self.q, np.append(crossing_at_home(self.chain), 1.0)
        for i in (3, 2, 1):  # joints 4, 3 and 2 move it; in the frame that rotates with joint 1
            crossing = lie.exp_se3(q[i] * self.chain.screws[:, i]) @ crossing
        factors = {"elbow": np.sin(q[2]), "wrist": np.sin(q[4]), "shoulder": crossing[0]}
        return {**super().facts, **{name: float(factor) for name, factor in factors.items()}}

    @property
    def singular(self) -> bool:
        """Whether a factor of det J is zero."""
        return min(abs(self.facts[name]) for name in ("elbow", "wrist", "shoulder")) <= ZERO
