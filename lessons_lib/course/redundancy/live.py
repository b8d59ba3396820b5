"""Lesson 15: the self-motion of a 7R arm, and two secondary objectives over the arm angle."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course import SelfMotion, null_direction, put_back, self_motion
from lessons_lib.course.live.arm_data import arm_data
from lessons_lib.course.live.control import Control
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.redundancy.figures import NEAR, relative_places
from lessons_lib.course.redundancy.self_motion_curve import at_value
from lessons_lib.differential_ik import middle_cost
from lessons_lib.robots import Chain, arm_angle, from_screws, manipulability, panda

__all__ = ["SwingFigure"]

READY = (0.0, -0.3, 0.0, -2.2, 0.0, 2.0, np.pi / 4)
"""The Panda's ready posture, in rad; its arm angle ψ is 0."""

GAINS = {"middle": 3.0, "measure": 100.0}
"""The gain k of each secondary objective, as in the lesson: in rad²/s for H, in rad²/(s m³) for the manipulability."""

FARTHEST = 150.0
"""The largest arm angle on either side, in degrees; joint 2 reaches its limit before that."""

LONGEST = 8.0
"""How far the self-motion is followed in either direction, in rad; the curve then extends beyond `FARTHEST`."""

SHORT = 1e-5
"""Half the step of the central differences along the self-motion, in rad; their relative errors are below 1e-9."""

SETTLED = 1e-11
"""The tolerance on ψ within which a posture counts as found, in degrees."""


class SwingFigure(LiveFigure):
    """The Panda with its tip fixed: a draggable arm angle, its joint ranges, and two objectives over ψ.

    Attributes:
        swing: The arm angle ψ, in degrees.
    """

    view = "swing"
    bundle = "widget3d"
    shapes = ("panda",)
    title = "The elbow swings while the tip stays in place"
    about = (
        "An arm with seven joints whose tip keeps its pose. You can drag its elbow along a curve. "
        "Seven bars show the position of each joint within its range. Below, one curve shows how far the joints are "
        "from the middles of their ranges, and another the manipulability, both against the arm angle; a dot moves "
        "along each."
    )
    question = "Drag the elbow down to either side. Which joint stops it?"
    answer = (
        "Joint 2 does: beyond ψ = ±124° it is past its lower limit. Gradient descent on H takes the elbow to the "
        "minimum near ψ = −2°, at the top. Gradient ascent on w takes it to a maximum near 94° or −94°, or, if it "
        "starts within 28° of the top, to a lower maximum at 0°."
    )

    def __init__(self, **values: float) -> None:
        """Create the figure; see the attributes for the arguments.

        Raises:
            ParameterError: A name is not that of a control.
        """
        self.chain = panda()
        data = {
            **arm_data(self.chain, "panda"),
            "eye": [1.15, -2.15, 1.2],
            "centre": [0.26, 0.0, 0.4],
            "limits": self.chain.limits.tolist(),
            "near": NEAR,
            "ready": READY,
            "gains": GAINS,
        }
        control = Control("swing", "arm angle", "ψ", "°", -FARTHEST, FARTHEST, 1.0, 40.0)
        super().__init__([control], _source(), values, data)

    @property
    def q(self) -> Array:
        """The posture with this arm angle and the tip of the ready posture, shape (7,), rad, ignoring limits."""
        curve, angles = _curve()
        T, sought = self.chain.forward_kinematics(READY), self.swing
        while True:
            q = put_back(self.chain, at_value(curve, angles, sought), T)
            assert q is not None  # the curve is regular
            left = np.remainder(self.swing - np.degrees(arm_angle(self.chain, q)) + 180.0, 360.0) - 180.0
            if abs(left) <= SETTLED:
                configuration: Array = q
                return configuration
            sought += left

    @property
    def facts(self) -> dict[str, float]:
        """The arm angle; `room`, the smallest relative distance to a limit; and `agree`, °/s.

        `agree` is the smaller ψ̇ of descent on H and ascent on the manipulability, negative if their signs
        differ.
        """
        q, limits = self.q, self.chain.limits
        along = null_direction(self.chain, q)
        assert along is not None  # the curve is regular
        free = SHORT * along
        objectives: tuple[Callable[[Array], float], ...] = (
            lambda at: arm_angle(self.chain, at),
            lambda at: -GAINS["middle"] * middle_cost(at, limits),
            lambda at: GAINS["measure"] * manipulability(self.chain.body_jacobian(at)),
        )
        turn, *climbs = ((of(q + free) - of(q - free)) / (2.0 * SHORT) for of in objectives)
        rates = np.degrees(turn) * np.array(climbs)
        agree = float(np.sign(rates.prod()) * np.abs(rates).min())
        return {**super().facts, "room": float(1.0 - np.abs(relative_places(self.chain, q)).max()), "agree": agree}


@derived_once
def _source() -> str:
    from lessons_lib.course.live.search import logarithm, se3_kernels, source
    from lessons_lib.course.redundancy.swing_kernels import kernels

    chain = panda()
    return source({"panda": chain}, more=[se3_kernels()["between_kernel"], *kernels(chain)], plain=[logarithm()])


@lru_cache(maxsize=1)
def _curve() -> tuple[SelfMotion, Array]:
    """Return the self-motion through the ready posture, ignoring limits, and ψ along it, in degrees."""
    arm = panda()
    unlimited: Chain = from_screws(arm.screws, arm.home)
    curve = self_motion(unlimited, READY, step=0.05, longest=LONGEST)
    angles = np.degrees(np.unwrap([arm_angle(arm, q) for q in curve.configurations]))
    return curve, angles - 360.0 * round(angles[curve.start] / 360.0)
