"""The polygon of the feet, and the centre of mass over it: green while it stands, vermilion when it would fall."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.course.floating_base.support import support_margin, support_polygon
from lessons_lib.course.quadruped_parts import LEGS
from lessons_lib.plots.theme import AMBER, BLUE, GREEN, INK, PAPER, VERMILION
from lessons_lib.robots import Tree, TreeState

__all__ = [
    "SupportArtist",
]


STANDS, FALLS = GREEN, VERMILION
"""Colours of the polygon with the centre of mass above it, and beside it."""

OUTLINE = np.array(
    [[0.28, 0.04, 0], [0.34, 0.04, 0], [0.34, -0.04, 0], [0.28, -0.04, 0], [0.21, -0.075, 0], [-0.21, -0.075, 0]]
    + [[-0.21, 0.075, 0], [0.21, 0.075, 0], [0.28, 0.04, 0]]
)
"""The trunk seen from above with its head ahead, in its own frame, m."""


def feet_at(state: TreeState, legs: Sequence[str]) -> Array:
    """Return where the feet of some legs are, seen from above, shape (m, 2), m."""
    return np.array([state.forward_kinematics(f"{leg}_foot")[:2, 3] for leg in legs])


class PolygonArtist:
    """The convex hull of the feet, in the colour that says whether a point is above it."""

    def __init__(self, ax: Axes) -> None:
        """Add an empty polygon and its edge."""
        self.inside: Any = ax.add_patch(Polygon(np.zeros((3, 2)), alpha=0.3, linewidth=0.0))
        self.edge: Any = ax.add_patch(Polygon(np.zeros((3, 2)), fill=False, linewidth=2.0, joinstyle="round"))

    @property
    def artists(self) -> list[Any]:
        """What moves."""
        return [self.inside, self.edge]

    def update(self, feet: Array, centre: Array, place: Callable[[Array], Array]) -> None:
        """Move it.

        Args:
            feet: Seen from above, shape (m, 2), m.
            centre: The point that is to be above it, m.
            place: From points on the ground, shape (k, 2), to points of the picture.
        """
        corners, stands = support_polygon(feet), support_margin(feet, centre) >= 0.0
        for patch in (self.inside, self.edge):
            patch.set_xy(place(corners))
            patch.set_color(STANDS if stands else FALLS)


class CentreMark:
    """The sign of a centre of mass: a disc in four quarters."""

    def __init__(self, ax: Axes, size: float = 15.0) -> None:
        """Add the sign at the origin; `size` in points."""
        quarter = np.linspace(0.0, np.pi / 2, 9)
        wedge = np.vstack([[0.0, 0.0], np.column_stack([np.cos(quarter), np.sin(quarter)])])
        rim: dict[str, Any] = {"markeredgecolor": INK, "markeredgewidth": 1.5}
        self.artists: list[Any] = ax.plot([0.0], [0.0], "o", color=PAPER, markersize=size, **rim)
        for side in (wedge, -wedge):
            self.artists += ax.plot([0.0], [0.0], marker=side, color=INK, markersize=size, markeredgewidth=0.0)

    def update(self, place: Array) -> None:
        """Move the sign to a point of the picture, shape (2,)."""
        for artist in self.artists:
            artist.set_data([place[0]], [place[1]])


class SupportArtist:
    """The support polygon from above, the robot facing up, with its feet, its trunk and its centre of mass."""

    def __init__(self, ax: Axes, tree: Tree) -> None:
        """Add everything to empty axes; the tree is the quadruped, with a floating base."""
        self._tree, self._state = tree, tree.state()
        self.support = PolygonArtist(ax)
        self.trunk: Any = ax.plot([], [], color=BLUE, linewidth=1.6)[0]
        self.feet: Any = ax.plot([], [], "o", color=AMBER, markeredgecolor=PAPER, markersize=10.0)[0]
        self.trail: Any = ax.plot([], [], color=INK, linewidth=1.6)[0]
        self.centre = CentreMark(ax)
        for order, artist in enumerate(self.artists, start=3):
            artist.set_zorder(order)
        ax.set(xlim=(0.28, -0.28), ylim=(-0.3, 0.44), xlabel="y [m]", ylabel="x [m]")
        ax.set(xticks=[0.2, 0.0, -0.2], yticks=[-0.2, 0.0, 0.2, 0.4])
        ax.set_aspect("equal")

    @property
    def artists(self) -> list[Any]:
        """What moves."""
        return [*self.support.artists, self.trunk, self.feet, self.trail, *self.centre.artists]

    def update(self, q: ArrayLike, legs: Sequence[str] = LEGS) -> None:
        """Move everything to a configuration, shape (nq,), in which some legs, three or four, stand on the ground.

        Raises:
            ConfigurationError: q has another shape, is not finite, or its quaternion is not of length one.
        """
        self._state.update(self._tree.check_configuration(q))
        centre, T = self._state.centre_of_mass(), self._state.forward_kinematics("trunk")
        feet = feet_at(self._state, legs)
        self.support.update(feet, centre, lambda points: points[:, ::-1])
        self.trunk.set_data(*(OUTLINE @ T[:3, :3].T + T[:3, 3]).T[1::-1])
        self.feet.set_data(*feet.T[::-1])
        self.centre.update(centre[1::-1])

    def follow(self, rows: ArrayLike) -> None:
        """Draw the way of the centre of mass through configurations, shape (m, nq)."""
        way = np.array([self._tree.centre_of_mass(q) for q in np.asarray(rows)])
        self.trail.set_data(way[:, 1], way[:, 0])
