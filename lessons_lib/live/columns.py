"""Lesson 06: turn the joints of a planar arm, and watch the columns of its Jacobian turn with them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from lessons_lib import codegen, plots
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.live.control import Control, Switch
from lessons_lib.live.figure import LiveFigure
from lessons_lib.live.joints import body_data, chain_as_json, chain_from_json, configuration, joint_controls
from lessons_lib.plots.arm import is_planar
from lessons_lib.robots import Chain, planar_2r
from lessons_lib.robots.stick_figure import skeleton

__all__ = ["ColumnsFigure"]

SCALE = 0.5
"""Metres of the drawing for 1 m/s."""


class ColumnsFigure(LiveFigure):
    """A planar arm with its Jacobian's columns as arrows, and the ellipse of the velocities that its tip can have.

    Attributes:
        chain: The arm.
        q1: Angle of the first joint, degrees, or m where it slides; and so on for every joint.
        space: Whether the linear parts of the space Jacobian's columns are drawn too, at the origin of {s}.
    """

    view = "columns"
    title = "Each column is a velocity of the tip"
    about = (
        "An arm in the plane whose joints can be dragged. An arrow for each joint leaves the tip: its velocity while "
        "that joint alone turns at 1 rad/s. An ellipse holds all velocities for joint rates of length one."
    )
    question = "In which postures are both arrows parallel, and can they be perpendicular?"
    answer = (
        "They are parallel where the arm is stretched or folded: q₂ = 0° or 180°. Each arrow is perpendicular to the "
        "line from its joint to the tip, so the angle between them is the one between these lines: with equal links "
        "half of q₂. It comes near to 90° as the arm folds, and just there the first arrow vanishes."
    )

    def __init__(
        self, chain: Chain | Mapping[str, Any] | None = None, q0: ArrayLike | None = None, **values: float | bool
    ) -> None:
        """Make the figure.

        Args:
            chain: A planar arm, or what `arguments` holds of one; the 2R when left out.
            q0: Where the joints stand at first, shape (n,), rad or m; 0 and then 45° in every joint when left out.
            **values: Where controls stand at first, as in the attributes.

        Raises:
            ParameterError: The chain moves out of the x-y plane, or there is no such control.
            ConfigurationError: q0 has another shape or is not finite.
        """
        self.chain = chain_from_json(chain) if isinstance(chain, Mapping) else chain or planar_2r()
        if not is_planar(self.chain):
            raise ParameterError(
                f"{self.chain.name} moves out of the x-y plane; its columns are drawn in the plane only"
            )
        start = self.chain.check_configuration(q0 if q0 is not None else [0.0] + [np.pi / 4] * (self.chain.dof - 1))
        body = skeleton(self.chain)
        controls: list[Control | Switch] = [
            *joint_controls(self.chain, start),
            Switch("space", "v of the space twists, at {s}"),
        ]
        from lessons_lib.live.arm_kernel import arm_kernel

        source = codegen.source([arm_kernel(self.chain, body)], "javascript")
        super().__init__(controls, source, values, {**body_data(self.chain, body), "scale": SCALE})

    @property
    def arguments(self) -> dict[str, Any]:
        """What makes this figure again: the arm, and the values it began with."""
        return {"chain": chain_as_json(self.chain), **super().arguments}

    @property
    def q(self) -> Array:
        """The configuration that the controls hold, shape (n,), rad or m."""
        return configuration(self.chain, self.values)

    def draw(self, figure: Figure) -> None:
        """Draw the arm, the arrows and the ellipse."""
        ax: Any = figure.add_subplot()
        plots.draw_arm(ax, self.chain, self.q, frame=False)
        ax.set(xlim=1.25 * np.array(ax.get_xlim()), ylim=1.25 * np.array(ax.get_ylim()))
        plots.draw_columns(ax, self.chain, self.q, scale=SCALE)
        if self.space:
            plots.draw_columns(ax, self.chain, self.q, scale=SCALE, of="space", ellipse=False, levers=False)
