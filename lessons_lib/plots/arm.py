"""Draw an arm from its screws: links, joints and the frame at its tip, in a plane or in space."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, check_number
from lessons_lib.errors import ParameterError
from lessons_lib.lie.checks import finite
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.plots.theme import AXIS_COLOURS, GREY, INK, PALE, PAPER, SHADOW
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain
from lessons_lib.robots.stick_figure import skeleton

__all__ = [
    "ArmArtist",
    "FrameArtist",
    "draw_arm",
    "draw_frame",
    "look_closer",
]


HEAD = 0.28
"""Length of an arrow's head relative to the arrow."""

ROOM = 0.8
"""Half the width of the floor relative to the length of the drawn arm, which never points along one axis alone."""


def is_planar(chain: Chain) -> bool:
    """Return whether the chain moves only in the x-y plane of {s}."""
    across = chain.screws[[0, 1, 5]]
    return not across.any() and bool(chain.home[2, 3] == 0.0)


def in_space(ax: Axes) -> bool:
    if not isinstance(ax, Axes):
        raise ParameterError(f"ax must be axes of matplotlib, such as figure.add_subplot(), got {ax!r}")
    return ax.name == "3d"


@suggest_arguments
class FrameArtist:
    """The axes of a frame as movable coloured arrows: x vermilion, y green, z blue.

    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import lie, plots
    >>> artist = plots.draw_frame(Figure().add_subplot(), lie.exp_se3([0] * 6), 0.1)
    >>> artist.update(lie.exp_se3([0, 0, 0.5, 0.1, 0, 0]))
    """

    def __init__(
        self, ax: Axes, length: float, *, linewidth: float = 2.4, alpha: float = 1.0, dashed: bool = False
    ) -> None:
        """Add the arrows to the axes, at the origin.

        Args:
            ax: Axes of matplotlib; unless they are 3D, only x and y are drawn.
            length: Length of an arrow, m.
            linewidth: Points.
            alpha: Opacity.
            dashed: Whether to draw dashed arrows, as for a target that is not reached yet.
        """
        self._length = check_number("length", length, "a number, in m")
        self._space = in_space(ax)
        looks: dict[str, Any] = {"linewidth": linewidth, "alpha": alpha, "linestyle": (0, (2, 1)) if dashed else "-"}
        looks |= {"zorder": 6, "solid_capstyle": "round"}
        colours = AXIS_COLOURS if self._space else AXIS_COLOURS[:2]
        self.artists = [polyline(ax, color=colour, **looks) for colour in colours]
        self.update(np.eye(4))

    def update(self, T: ArrayLike) -> None:
        """Move the arrows to a pose T, shape (4, 4), m."""
        pose = finite(T, (4, 4), "T")
        for i, line in enumerate(self.artists):
            side = pose[:3, (i + 1) % 3] if self._space else pose[:3, 1 - i]
            set_points(line, _arrow(pose[:3, 3], self._length * pose[:3, i], self._length * side))


@suggest_arguments
class ArmArtist:
    """An arm that `update(q)` moves without drawing it again.

    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import plots, robots
    >>> artist = plots.draw_arm(Figure().add_subplot(), robots.planar_2r(), [0, 0])
    >>> artist.update([0.5, 0.8])
    """

    def __init__(
        self,
        ax: Axes,
        chain: Chain,
        *,
        colour: str = INK,
        alpha: float = 1.0,
        linewidth: float = 5.0,
        frame: bool = True,
        label: str | None = None,
    ) -> None:
        """Add the arm to the axes, at q = 0.

        Args:
            ax: Axes of matplotlib, 3D for an arm that moves in space.
            chain: The arm.
            colour: Colour of the links.
            alpha: Opacity; about 0.25 makes a ghost.
            linewidth: Width of the links, points.
            frame: Whether to draw the frame at the tip.
            label: Label in the legend.

        Raises:
            ParameterError: `chain` is not a chain, or `ax` no axes.
        """
        check_chain(chain)
        self._chain, self._skeleton, self._space = chain, skeleton(chain), in_space(ax)
        self.links = polyline(ax, color=colour, alpha=alpha, linewidth=linewidth, label=label, zorder=3)
        self.links.set_solid_joinstyle("round")
        self.joints = polyline(ax, color=colour, alpha=alpha, linestyle="", marker="o", zorder=4)
        self.joints.set(markersize=1.5 * linewidth, markerfacecolor=PAPER, markeredgewidth=0.36 * linewidth)
        solid = self._space and alpha == 1.0
        self.shadow = polyline(ax, color=SHADOW, linewidth=0.8 * linewidth, zorder=1) if solid else None
        self.frame = FrameArtist(ax, 0.14 * self._skeleton.reach, alpha=alpha) if frame else None
        self.update(np.zeros(chain.dof))

    @property
    def artists(self) -> list[Any]:
        """Every matplotlib artist of this arm."""
        own = [self.shadow] if self.shadow is not None else []
        return [*own, self.links, self.joints, *(self.frame.artists if self.frame is not None else [])]

    def update(self, q: ArrayLike) -> None:
        """Move the arm to configuration q, shape (n,), rad or m.

        Raises:
            ConfigurationError: q has another shape or holds a value that is not finite.
        """
        configuration = self._chain.check_configuration(q)
        corners = self._skeleton.at(self._chain, configuration)
        set_points(self.links, corners)
        set_points(self.joints, corners[self._skeleton.joints])
        if self.shadow is not None:
            set_points(self.shadow, corners * (1.0, 1.0, 0.0))
        if self.frame is not None:
            self.frame.update(self._chain.forward_kinematics(configuration))


@suggest_arguments
def draw_arm(ax: Axes, chain: Chain, q: ArrayLike, **looks: Any) -> ArmArtist:
    """Draw an arm at configuration q and fit the axes to its reach.

    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import plots, robots
    >>> ax = Figure().add_subplot(projection="3d")
    >>> arm = plots.draw_arm(ax, robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> arm.update([0.4, -1.2, 1.5, -0.6, 1.1, 0.4])

    Args:
        ax: 3D axes (`projection="3d"`) for an arm that moves in space, any axes for a planar one.
        chain: The arm.
        q: Configuration, shape (n,), rad or m.
        **looks: `colour`, `alpha`, `linewidth`, `frame`, `label`: see `ArmArtist`.

    Returns:
        The arm; its `update(q)` moves it.

    Raises:
        ConfigurationError: q has another shape or holds a value that is not finite.
    """
    arm = ArmArtist(ax, chain, **looks)
    arm.update(q)
    give_room(ax, chain)
    return arm


@suggest_arguments
def draw_frame(ax: Axes, T: ArrayLike, length: float, **looks: Any) -> FrameArtist:
    """Draw the frame at pose T, shape (4, 4), with three arrows.

    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import plots
    >>> ax = Figure().add_subplot(projection="3d")
    >>> plots.draw_frame(ax, np.eye(4), length=0.2).update(np.eye(4))

    Args:
        ax: 3-D axes.
        T: Pose, shape (4, 4), position in m.
        length: Length of the arrows, m.
        **looks: Other arguments of `FrameArtist`.
    """
    frame = FrameArtist(ax, length, **looks)
    frame.update(T)
    return frame


def give_room(ax: Axes, chain: Chain) -> None:
    """Set limits and equal scales of the axes for the arm's reach; in space, draw a floor of squares."""
    reach = skeleton(chain).reach
    if in_space(ax):
        _lay_floor(ax, reach)
        return
    ax.set(xlim=(-1.1 * reach, 1.1 * reach), ylim=(-1.1 * reach, 1.1 * reach), xlabel="x [m]", ylabel="y [m]")
    ax.set_aspect("equal")


@suggest_arguments
def look_closer(ax: Any, zoom: float, azimuth: float = -58.0, elevation: float = 20.0) -> None:
    """Set zoom and view of 3D axes with an arm, and hide the labels of the floor, which could leave the picture.

    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import plots, robots
    >>> ax = Figure().add_subplot(projection="3d")
    >>> arm = plots.draw_arm(ax, robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> plots.look_closer(ax, 2.5, azimuth=-120.0)

    Args:
        ax: 3D axes on which an arm was drawn.
        zoom: Magnification; `draw_arm` uses 1.65.
        azimuth: Direction of the view, degrees.
        elevation: Height of the view above the floor, degrees.

    Raises:
        ParameterError: The axes are planar.
    """
    if not in_space(ax):
        raise ParameterError(f"ax must be 3D axes, got {ax.name!r}; for planar axes set xlim and ylim")
    ax.set_box_aspect((2.0, 2.0, 1.5), zoom=zoom)
    ax.view_init(elev=elevation, azim=azimuth)
    for text in ax.texts:
        text.set_visible(False)


def _lay_floor(ax: Any, reach: float) -> None:
    """Draw the plane z = 0 as squares of 0.5 m (0.1 m for small arms) with labels of its axes."""
    radius = ROOM * reach
    ax.set(xlim=(-radius, radius), ylim=(-radius, radius), zlim=(-0.3 * radius, 1.2 * radius))
    ax.set_box_aspect((2.0, 2.0, 1.5), zoom=1.65)
    ax.view_init(elev=20, azim=-58)
    ax.set_axis_off()
    if ax.get_gid() == "floor":
        return
    ax.set_gid("floor")  # a second arm on the same axes uses the same floor
    square = 0.5 if reach > 1.0 else 0.1
    count = int(radius / square)
    lines = square * np.arange(-count, count + 1)
    edge = square * count
    for at in lines:
        ax.plot([at, at], [-edge, edge], [0.0, 0.0], color=PALE, linewidth=0.9, zorder=0)
        ax.plot([-edge, edge], [at, at], [0.0, 0.0], color=PALE, linewidth=0.9, zorder=0)
    ax.text(1.12 * edge, -edge, 0.0, "x", color=GREY, ha="center", va="center")
    ax.text(-edge, 1.12 * edge, 0.0, "y", color=GREY, ha="center", va="center")
    ax.text(0.5 * square, -1.25 * edge, 0.0, f"squares of {square:g} m", color=GREY, fontsize=10, ha="center", va="top")


def polyline(ax: Axes, **looks: Any) -> Any:
    """Return an empty line, in a plane or in space."""
    nothing: tuple[list[float], ...] = ([], [], []) if in_space(ax) else ([], [])
    return ax.plot(*nothing, **looks)[0]


def set_points(line: Any, points: Array) -> None:
    """Set the points of a line, shape (k, 3), m; in a plane their x and y."""
    if hasattr(line, "set_data_3d"):
        line.set_data_3d(*points.T)
    else:
        line.set_data(*points.T[:2])


def _arrow(root: Array, vector: Array, side: Array) -> Array:
    """Return an arrow with an open head in the plane of `vector` and `side` as a polyline, shape (6, 3)."""
    tip = root + vector
    back, out = tip - HEAD * vector, 0.55 * HEAD * side
    return np.array([root, tip, back + out, tip, back - out, tip])
