"""Swing the elbow of an arm with seven joints, and see that the hand stays and what the joints make of it."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import plots
from lessons_lib.arrays import Array
from lessons_lib.differential_ik import middle_cost
from lessons_lib.lie import inverse, log_se3
from lessons_lib.plots.lesson_15 import RangeBarsArtist
from lessons_lib.plots.self_motion import SelfMotionArtist
from lessons_lib.plots.theme import GREEN, VERMILION
from lessons_lib.robots import Chain, arm_angle, manipulability, panda
from lessons_lib.studies import self_motion
from lessons_lib.studies.self_motion_curve import SelfMotion, at_value, put_back
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.sliders import GridSlider

READY = (0.0, -0.3, 0.0, -2.2, 0.0, 2.0, np.pi / 4)
"""The Panda's ready posture, rad."""

STILL = 1e-9
"""The hand counts as still where it is off by less, rad and m."""


class SelfMotionExplorer(Explorer):
    """An arm whose hand stays while a slider swings its elbow, with the place of each joint in its range beside it.

    Attributes:
        chain: The arm.
        curve: The piece of its self-motion on which the arm angle grows all along.
        swing: The slider: the arm angle ψ, degrees.
    """

    caption = "The hand stays. Bars: where each joint is in its range; vermilion, when it is near an end."

    def __init__(self, chain: Chain | None = None, q0: ArrayLike | None = None) -> None:
        """Follow the self-motion, and make the slider and the picture.

        Args:
            chain: An arm with seven revolute joints; the Panda when left out.
            q0: Where the arm stands at first, shape (7,), rad; the Panda's ready posture when left out, and the middle
                of the limits for another chain.

        Raises:
            ParameterError: A chain of another kind, or q0 is singular.
            ConfigurationError: q0 is no configuration within the limits, or has no arm angle.
        """
        self.chain = chain if chain is not None else panda()
        start = READY if chain is None else self.chain.sampling_limits.mean(axis=1)
        q = self.chain.check_within_limits(start if q0 is None else q0)
        at_first = np.degrees(arm_angle(self.chain, q))
        self.curve, self._angles = growing_part(self.chain, self_motion(self.chain, q))
        self._hand = self.chain.forward_kinematics(q)
        self.swing = GridSlider(float(at_first), self._angles[0], self._angles[-1], 1.0, description="ψ [°]")
        super().__init__([self.swing], size=(7.6, 4.2))
        self._draw()
        self.redraw()

    @property
    def q(self) -> Array:
        """The configuration that is drawn, shape (7,), rad."""
        beside = at_value(self.curve, self._angles, self.swing.value)
        on_it = put_back(self.chain, beside, self._hand)
        return self.curve.configurations[self.curve.start] if on_it is None else on_it

    @property
    def hand_error(self) -> float:
        """How far the hand is from where it was, the norm of V_b in rad and m."""
        return float(np.linalg.norm(log_se3(inverse(self.chain.forward_kinematics(self.q)) @ self._hand)))

    @property
    def message(self) -> str:
        """The line above the picture."""
        return str(self._text.get_text())

    def paint(self) -> None:
        """Move the arm and the bars."""
        q, still = self.q, self.hand_error < STILL
        self._picture.update(q)
        self._bars.update(q)
        hand = "the hand stays" if still else f"the hand is off by {self.hand_error:.1e}"
        costs = f"H = {middle_cost(q, self.chain.limits):.4f}"
        freedom = f"manipulability {manipulability(self.chain.body_jacobian(q)):.4f}"
        self._text.set_text(f"ψ = {self.swing.value:.0f}°: {hand}; {costs}, {freedom}".replace("-", "−"))
        self._text.set_color(GREEN if still else VERMILION)

    def _draw(self) -> None:
        """Make the artists."""
        with plots.style():
            grid = self.figure.add_gridspec(1, 2, width_ratios=(1.25, 1.0))
            arms: Any = self.figure.add_subplot(grid[0], projection="3d")
            bars: Any = self.figure.add_subplot(grid[1])
            self._picture = SelfMotionArtist(arms, self.chain, self.curve.configurations, ghosts=0, zoom=1.25)
            self._bars = RangeBarsArtist(bars, self.chain)
            self._text = self.figure.suptitle(" ", x=0.01, ha="left", fontsize=12)
        self.moving = [*self._picture.artists, *self._bars.artists, self._text]


def growing_part(chain: Chain, curve: SelfMotion) -> tuple[SelfMotion, Array]:
    """Return the piece of a curve around its start on which the arm angle grows all along, and the angles, degrees.

    Raises:
        ConfigurationError: The start has no arm angle.
    """
    angles = np.degrees(np.unwrap([arm_angle(chain, q) for q in curve.configurations]))
    angles += 360.0 * round(
        (np.degrees(arm_angle(chain, curve.configurations[curve.start])) - angles[curve.start]) / 360.0
    )
    rows = curve.configurations
    if angles[min(curve.start + 1, len(angles) - 1)] < angles[max(curve.start - 1, 0)]:
        angles, rows, start = angles[::-1], rows[::-1], len(rows) - 1 - curve.start
    else:
        start = curve.start
    turns = np.flatnonzero(np.diff(angles) <= 0.0)
    first = int(max(turns[turns < start] + 1, default=0))
    last = int(min(turns[turns >= start], default=len(rows) - 1))
    piece = SelfMotion(rows[first : last + 1], start - first, curve.ends)
    return piece, angles[first : last + 1]
