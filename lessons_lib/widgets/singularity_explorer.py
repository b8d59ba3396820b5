"""Turn the joints until the arm cannot move in some direction: the ellipsoid goes flat, the smallest bar goes away."""

from typing import Any

import ipywidgets as widgets
import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import plots
from lessons_lib.arrays import Array
from lessons_lib.plots.arm import is_planar
from lessons_lib.plots.lesson_09 import EllipsoidArtist, SingularValuesArtist, tip_velocities
from lessons_lib.plots.theme import INK, VERMILION
from lessons_lib.robots import Chain, condition_number, manipulability, planar_2r, singular_values
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.joint_sliders import configuration_of, joint_slider

SINGULAR = 1e4
"""A condition number beyond this is called singular: a slider in whole degrees comes no nearer without being there."""

_HANDS = {"held: it may not turn": "held", "free: it may turn": "free"}


class SingularityExplorer(Explorer):
    """An arm with the velocities of its tip, and the singular values of its Jacobian beside it.

    Attributes:
        angles: One slider a joint, degrees (revolute) or m (prismatic).
        hand: What the ellipsoid shows: the tip's velocities with a hand that is "held", or "free". None in the plane.
    """

    caption = (
        "Velocities of the tip for joint rates of length 1 (held hand: rates that do not turn it). "
        "A direction, once lost, is dashed."
    )

    def __init__(self, chain: Chain | None = None, q0: ArrayLike | None = None) -> None:
        """Make the sliders and the picture.

        Args:
            chain: Any chain; the 2R when left out.
            q0: Where the sliders stand at first, shape (n,), rad or m; the middle of the limits when left out, and
                (0°, 60°) for the 2R.

        Raises:
            ConfigurationError: q0 has another shape, is not finite, or lies outside the limits.
        """
        self.chain = chain if chain is not None else planar_2r()
        middle = np.radians([0.0, 60.0]) if chain is None else self.chain.sampling_limits.mean(axis=1)
        start = self.chain.check_within_limits(middle if q0 is None else q0)
        self._planar = is_planar(self.chain)
        self.angles = [joint_slider(self.chain, i, value) for i, value in enumerate(start)]
        self.hand = None if self._planar else widgets.Dropdown(options=_HANDS, value="held", description="the hand is")
        menu = [] if self.hand is None else [self.hand]
        super().__init__([widgets.VBox([*self.angles, *menu])], size=(7.6, 4.2))
        self._draw(start)
        self.redraw()

    @property
    def q(self) -> Array:
        """The configuration that the sliders show, shape (n,), rad or m."""
        return configuration_of(self.chain, self.angles)

    @property
    def jacobian(self) -> Array:
        """The Jacobian whose singular values are the bars: J_b, shape (6, n), or of a planar arm ∂(x, y)/∂q."""
        return tip_velocities(self.chain, self.q) if self._planar else self.chain.body_jacobian(self.q)

    def paint(self) -> None:
        """Move the arm, the ellipsoid and the bars."""
        J = self.jacobian
        if self.hand is not None:
            self._ellipsoid.hand = self.hand.value
        for artist in (self._arm, self._ellipsoid):
            artist.update(self.q)
        self._bars.update(singular_values(J))
        ratio = condition_number(J)
        verdict = f"condition number {ratio:.1f}" if ratio < SINGULAR else "singular"
        self._text.set_text(f"manipulability {manipulability(J):.4f}, {verdict}")
        self._text.set_color(INK if ratio < SINGULAR else VERMILION)

    def _draw(self, start: Array) -> None:
        """Make the artists."""
        with plots.style():
            grid = self.figure.add_gridspec(1, 2, width_ratios=(1.35, 1.0))
            arms: Any = self.figure.add_subplot(grid[0], projection=None if self._planar else "3d")
            bars: Any = self.figure.add_subplot(grid[1])
            self._arm = plots.draw_arm(arms, self.chain, start, frame=False)
            self._ellipsoid = EllipsoidArtist(arms, self.chain, scale=0.4 if self._planar else 0.6)
            unit = "m/rad" if self._planar else ""
            self._bars = SingularValuesArtist(bars, len(self.jacobian), unit=unit)
            self._text = self.figure.suptitle(" ", x=0.01, ha="left", fontsize=12)
        moving = [*self._arm.artists, *self._ellipsoid.artists, *self._bars.artists]
        self.moving = [*sorted(moving, key=lambda artist: float(artist.zorder)), self._text]

    def __repr__(self) -> str:
        """Return the name and the robot."""
        return f"SingularityExplorer({self.chain.name})"
