"""A quadruped on its feet: body, shadow, the polygon that it stands on, and its centre of mass above it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Polygon
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.course.painted_body import Body, Camera
from lessons_lib.course.quadruped_parts import FOOT, LEGS, parts_of
from lessons_lib.course.support_picture import CentreMark, PolygonArtist, feet_at
from lessons_lib.plots.theme import INK, PALE, SHADOW
from lessons_lib.robots import Tree

__all__ = [
    "StanceArtist",
]


EYE = Camera(np.radians(-52.0), np.radians(19.0), 1.9, (0.02, 0.0, 0.14))
"""From where the quadruped is looked at: before its right shoulder."""

FLOOR, SQUARE = 0.42, 0.1
"""Radius of the floor and side of its squares, m."""

GROUND = "#f4f6f8"


class StanceArtist:
    """The quadruped over its support polygon: made once, then `update(q)` at every change."""

    def __init__(self, ax: Axes, tree: Tree, *, mark: float = 15.0) -> None:
        """Add the floor and the robot to empty axes.

        Args:
            ax: Where to draw, not 3D.
            tree: The quadruped, with a floating base.
            mark: Size of the sign of the centre of mass, points.

        Raises:
            FrameNotFound: The robot has no links with the quadruped's names.
        """
        self._tree, self._state, self._body = tree, tree.state(), Body(parts_of(tree))
        self.floor = Polygon(self._on_floor(_circle(FLOOR)), facecolor=GROUND, edgecolor=PALE, linewidth=1.0)
        ax.add_patch(self.floor)
        self.shadow: Any = ax.add_collection(PolyCollection([], facecolors=PALE, edgecolors=PALE, linewidths=0.5))
        self.grid = LineCollection([self._on_floor(line) for line in _squares()], colors=SHADOW, linewidths=0.6)
        ax.add_collection(self.grid)
        self.support = PolygonArtist(ax)
        self.body: Any = ax.add_collection(PolyCollection([], linewidths=0.5))
        self.plumb = ax.plot([], [], color=INK, linewidth=1.6, linestyle=(0, (2, 1.4)))[0]
        self.below = ax.plot([], [], "x", color=INK, markersize=0.53 * mark, markeredgewidth=0.14 * mark)[0]
        self.centre = CentreMark(ax, mark)
        for order, artist in enumerate(self.artists, start=2):
            artist.set_zorder(order)
        ax.set(xlim=(-0.5, 0.5), ylim=(-0.355, 0.37))
        ax.set_aspect("equal")
        ax.set_axis_off()
        self.update(tree.q0)

    @property
    def artists(self) -> list[Any]:
        """What moves, and what lies over it, from the ground up."""
        ground = [self.shadow, self.grid, *self.support.artists]
        return [*ground, self.body, self.plumb, self.below, *self.centre.artists]

    def update(self, q: ArrayLike, legs: Sequence[str] = LEGS) -> None:
        """Move the robot to a configuration, shape (nq,), in which some legs, three or four, stand on the ground.

        Raises:
            ConfigurationError: q has another shape, is not finite, or its quaternion is not of length one.
        """
        self._state.update(self._tree.check_configuration(q))
        self._body.move(self._state)
        polygons, colours = self._body.seen(EYE)
        self.body.set_verts(polygons)
        self.body.set(facecolors=colours, edgecolors=colours)
        self.shadow.set_verts(EYE.see(self._body.shadow(-FOOT)))
        centre = self._state.centre_of_mass()
        self.support.update(feet_at(self._state, legs), centre, self._on_floor)
        plumb = EYE.see(np.array([centre, [*centre[:2], -FOOT]]))
        self.plumb.set_data(*plumb.T)
        self.below.set_data(*plumb[1:].T)
        self.centre.update(plumb[0])

    def _on_floor(self, points: Array) -> Array:
        flat = np.column_stack([points[:, :2], np.full(len(points), -FOOT)])
        return EYE.see(flat)


def _circle(radius: float) -> Array:
    angles = np.linspace(0.0, 2.0 * np.pi, 121)
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def _squares() -> list[Array]:
    """Return the lines of the floor's squares, cut off where the floor ends, shape (2, 2) each, m."""
    lines = []
    for at in SQUARE * np.arange(-4, 5):
        end = float(np.sqrt(FLOOR**2 - at**2))
        lines += [np.array([[at, -end], [at, end]]), np.array([[-end, at], [end, at]])]
    return lines
