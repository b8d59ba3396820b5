"""Motions that follow a twist: their paths, and a door that opens by one."""

from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.plots.theme import BLUE, VERMILION

__all__ = [
    "draw_door",
    "pair_motion",
]

Motion = Callable[[Array], Array]

STEPS = 121
"""Points of a drawn path: enough for six revolutions of a helix."""


def pair_motion(xi: Array) -> Array:
    """Return the pose (exp ω, v), shape (4, 4), with rotation and position moved separately; it differs from exp ξ.

    >>> import numpy as np
    >>> from lessons_lib import plots
    >>> plots.pair_motion(np.array([0, 0, 0, 1.0, 2.0, 3.0]))[:3, 3].tolist()
    [1.0, 2.0, 3.0]

    Args:
        xi: Twist (ω, v), shape (6,), rad and m.
    """
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = lie.exp_so3(xi[:3]), xi[3:]
    return T


def path(xi: ArrayLike, motion: Motion = lie.exp_se3, steps: int = STEPS) -> Array:
    """Return the poses motion(s ξ) for s from 0 to 1, shape (steps, 4, 4), m."""
    twist = np.asarray(xi, dtype=np.float64)
    return np.array([motion(s * twist) for s in np.linspace(0.0, 1.0, steps)])


@suggest_arguments
def draw_door(ax: Axes, motion: Motion, hinge: ArrayLike, xi: ArrayLike) -> Array:
    """Draw a door from above in five positions of a motion; return the positions of its axis edge, shape (5, 3), m.

    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import lie, plots
    >>> opening = [0.0, 0.0, 1.5, 0.0, 1.2, 0.0]  # 1.5 rad about the vertical line through (-0.8, 0, 0)
    >>> edges = plots.draw_door(Figure().subplots(), lie.exp_se3, [-0.8, 0.0, 0.0], opening)

    Args:
        ax: Axes of matplotlib; x and y are drawn.
        motion: Function from a twist, shape (6,), to a pose, shape (4, 4).
        hinge: Position of the door's axis on the wall, shape (3,), m; the handle of the closed door is at the origin.
        xi: Twist that opens the door completely, shape (6,), rad and m.
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
