"""A twist as a picture: the screw that it follows, and a door that keeps or loses its hinge."""

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.errors import TransformError
from lessons_lib.plots.arm import draw_frame
from lessons_lib.plots.theme import BLUE, GREY, INK, PURPLE, VERMILION

__all__ = [
    "draw_door",
    "pair_motion",
    "screw_of",
]

Motion = Callable[[Array], Array]

STEPS = 121
"""Points of a drawn path: enough for six turns of a helix."""


def screw_of(xi: ArrayLike) -> tuple[Array, Array, float]:
    """Return the screw that a twist follows: its point nearest to the origin, unit direction and pitch in m/rad.

    Raises:
        TransformError: ω = 0: a translation turns about no line.
    """
    twist = np.asarray(xi, dtype=np.float64)
    omega, v = twist[:3], twist[3:]
    squared_angle = float(omega @ omega)
    if squared_angle == 0.0:
        raise TransformError(f"the twist {twist.tolist()} has ω = 0: it is a translation and turns about no line")
    return np.cross(omega, v) / squared_angle, omega / np.sqrt(squared_angle), float(omega @ v) / squared_angle


def pair_motion(xi: Array) -> Array:
    """Return the pose (exp ω, v): rotation and position each moved on their own, shape (4, 4). This is not exp ξ."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = lie.exp_so3(xi[:3]), xi[3:]
    return T


def path(xi: ArrayLike, motion: Motion = lie.exp_se3, steps: int = STEPS) -> Array:
    """Return the poses motion(s ξ) for s from 0 to 1, shape (steps, 4, 4), m."""
    twist = np.asarray(xi, dtype=np.float64)
    return np.array([motion(s * twist) for s in np.linspace(0.0, 1.0, steps)])


def add_screw(ax: Axes, xi: ArrayLike, length: float, frames: int = 7, *, straight: bool = False) -> Array:
    """Draw the screw motion of a twist into axes that have their limits; return its frames, shape (frames, 4, 4), m.

    Args:
        ax: A 3D axes.
        xi: Twist, shape (6,), rad and m.
        length: Length of a frame's arrows, m.
        frames: How many frames stand along the path, both ends counted.
        straight: Also draw the straight path of the pair (exp ω, v), dotted.
    """
    space: Any = ax
    poses, shown = path(xi), path(xi, steps=frames)
    axis = _axis_points(np.asarray(xi, dtype=np.float64), poses, length)
    space.plot(*axis, color=GREY, linewidth=1.4, linestyle=(0, (6, 2, 1, 2)))
    space.plot(*poses[:, :3, 3].T, color=PURPLE, linewidth=1.6)
    if straight:
        space.plot(*path(xi, pair_motion)[:, :3, 3].T, color=INK, linewidth=1.2, linestyle=(0, (1, 1.5)))
    for i, T in enumerate(shown):
        width, alpha = (3.0, 1.0) if i in (0, frames - 1) else (1.6, 0.45)
        draw_frame(ax, T, length, linewidth=width, alpha=alpha)
    return shown


def _axis_points(xi: Array, poses: Array, margin: float) -> Array:
    """Return both ends of the piece of the axis beside the motion, shape (3, 2); nothing for a translation."""
    if not xi[:3].any():
        return np.zeros((3, 0))
    point, direction, _ = screw_of(xi)
    along = (poses[:, :3, 3] - point) @ direction
    points: Array = point[:, None] + direction[:, None] * np.array([along.min() - margin, along.max() + margin])
    return points


def fit_space(ax: Axes, points: Array, margin: float, zoom: float = 1.08) -> None:
    """Give a 3D axes equal scales and room for all points, shape (m, 3), with a margin in m around them."""
    space: Any = ax
    low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
    space.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    space.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]")
    space.set_box_aspect(high - low, zoom=zoom)
    space.view_init(elev=18, azim=-62)
    for axis in (space.xaxis, space.yaxis, space.zaxis):
        axis.set_pane_color((1.0, 1.0, 1.0, 0.0))
        axis.set_major_locator(_few_ticks())


def draw_door(ax: Axes, motion: Motion, hinge: ArrayLike, xi: ArrayLike) -> Array:
    """Draw a door from above, five times, as a motion opens it; return where its hinge edge goes, shape (5, 3), m.

    Args:
        ax: Where to draw; x and y.
        motion: Twist, shape (6,), to pose, shape (4, 4).
        hinge: The hinge on the wall, shape (3,), m; the handle is at the origin when the door is shut.
        xi: Twist that opens the door all the way, shape (6,), rad and m.
    """
    wall = np.append(np.asarray(hinge, dtype=np.float64), 1.0)
    edges, handle = [], np.array([0.0, 0.0, 0.0, 1.0])
    for i, T in enumerate(path(xi, motion, 5)):
        ends = np.array([T @ wall, T @ handle])
        ax.plot(*ends[:, :2].T, color=BLUE, linewidth=4.0, alpha=0.25 + 0.75 * i / 4, zorder=3)
        edges.append(ends[0, :3])
    trail = path(xi, motion) @ wall
    ax.plot(trail[:, 0], trail[:, 1], color=VERMILION, linewidth=1.6, linestyle=(0, (2, 1.5)), zorder=4)
    ax.plot(*wall[:2], "o", color=VERMILION, markersize=9.0, zorder=5)
    ax.annotate(
        "hinge", (wall[0], wall[1]), (0, -8), textcoords="offset points", ha="center", va="top", color=VERMILION
    )
    ax.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    ax.set_xlim(wall[0] - 0.25, 0.25)
    ax.set_ylim(wall[1] - 0.25, wall[1] + 1.6)
    ax.locator_params(nbins=5)
    return np.array(edges)


def _few_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(4, steps=[1, 2, 5, 10])
