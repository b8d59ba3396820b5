"""Turn the joints of a planar arm and watch the columns of its Jacobian turn with them."""

import ipywidgets as widgets
import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib import plots
from lessons_lib.plots.jacobians import ColumnsArtist, tip_jacobian
from lessons_lib.robots import Chain, planar_2r
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.joint_sliders import configuration_of, joint_slider

_ROOM = 1.25  # the arrows reach beyond the stretched arm


class JacobianExplorer(Explorer):
    """A planar arm with its Jacobian's columns as arrows, and the ellipse of the velocities that its tip can have.

    Attributes:
        angles: One slider a joint, degrees (revolute) or m (prismatic).
        space: Whether the linear parts of the space Jacobian's columns are drawn too, at the origin of {s}.
    """

    caption = "Each column is the velocity of the tip while one joint turns at 1 rad/s."

    def __init__(self, chain: Chain | None = None, q0: ArrayLike | None = None) -> None:
        """Make the sliders and the picture.

        Args:
            chain: A planar arm; the 2R when left out.
            q0: Where the sliders stand at first, shape (n,), rad or m; 0 and then 45° in every joint when left out.

        Raises:
            ParameterError: The chain moves out of the x-y plane.
            ConfigurationError: q0 has another shape or is not finite.
        """
        self.chain = chain if chain is not None else planar_2r()
        start = self.chain.check_configuration(q0 if q0 is not None else [0.0] + [np.pi / 4] * (self.chain.dof - 1))
        self.angles = [joint_slider(self.chain, i, value) for i, value in enumerate(start)]
        self.space = widgets.Checkbox(value=False, description="the space twist, too", indent=False)
        super().__init__([widgets.VBox(self.angles), self.space], size=(7.2, 5.4))
        with plots.style():
            self._ax = self.figure.add_subplot()
            self._arm = plots.draw_arm(self._ax, self.chain, start, frame=False)
            self._ax.set(xlim=_ROOM * np.array(self._ax.get_xlim()), ylim=_ROOM * np.array(self._ax.get_ylim()))
            self._tip = ColumnsArtist(self._ax, self.chain)
            self._origin = ColumnsArtist(self._ax, self.chain, of="space", ellipse=False, levers=False)
        self.redraw()

    @property
    def q(self) -> NDArray[np.float64]:
        """The configuration that the sliders show, shape (n,), rad or m."""
        return configuration_of(self.chain, self.angles)

    def paint(self) -> None:
        """Move the arm and the arrows, and write the columns above them."""
        self._origin.show(self.space.value)
        for artist in (self._arm, self._tip, self._origin):
            artist.update(self.q)
        columns = tip_jacobian(self.chain, self.q)[:2].T
        texts = [f"$J_{i + 1}$ = ({x:.2f}, {y:.2f})" for i, (x, y) in enumerate(columns + 0.0)]
        self._ax.set_title("   ".join(texts) + "  m/rad", fontsize=12, fontweight="normal")
