"""A quadratic program with two unknowns: its feasible polygon and the elliptic contours of its cost."""

from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.plots.theme import BLUE, GREEN, GREY, INK, PAPER, PURPLE, SKY, VERMILION

__all__ = [
    "draw_feasible",
    "feasible_polygon",
]


LEVELS = (1 / 3, 2 / 3, 4 / 3, 5 / 3)
"""Radii of the faint contours relative to that of the contour through the solution."""

PLAIN = 0.4
"""Radius of that contour if the solution is the unconstrained minimum, in the units of √(2 f)."""

ON_ROW = 1e-6
"""Largest distance, relative to the span, of a corner from a row on which it lies."""


@suggest_arguments
def feasible_polygon(G: ArrayLike, h: ArrayLike, span: float) -> Array:  # noqa: N803
    """Return the corners of {x : Gx ≤ h} in the square |x_i| ≤ span, counter-clockwise, shape (k, 2); k may be 0.

    >>> from lessons_lib import plots
    >>> len(plots.feasible_polygon([[1, 1]], [0], span=1.0))
    3

    Args:
        G: Shape (m, 2).
        h: Shape (m,).
        span: Half the side of the square.

    Raises:
        ParameterError: The shapes of G and h do not match, or they contain NaN.

    Source: Sutherland and Hodgman, Reentrant polygon clipping (1974).
    """
    rows, bounds = np.asarray(G, dtype=np.float64), np.asarray(h, dtype=np.float64)
    if rows.shape != (bounds.size, 2) or np.isnan(rows).any() or np.isnan(bounds).any():
        raise ParameterError(
            f"G and h must have shapes (m, 2) and (m,), without NaN, got {rows.shape} and {bounds.shape}"
        )
    corners = span * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    for row, bound in zip(rows, bounds, strict=True):
        corners = _clip(corners, row, float(bound))
    return corners


def _clip(corners: Array, row: Array, bound: float) -> Array:
    """Return the part of a convex polygon within a half plane."""
    kept: list[Array] = []
    for here, there in pairwise([*corners, *corners[:1]]):
        room, beyond = bound - row @ here, bound - row @ there
        if room >= 0.0:
            kept.append(here)
        if room * beyond < 0.0:
            kept.append(here + room / (room - beyond) * (there - here))
    return np.array(kept).reshape(-1, 2)


@suggest_arguments
def draw_feasible(
    ax: Axes,
    span: float,
    objective: tuple[Array, Array],
    rows: tuple[Array, Array],
    best: ArrayLike,
    multipliers: ArrayLike,
    clipped: ArrayLike | None = None,
) -> None:
    """Draw a quadratic program with two unknowns and a legend.

    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import plots
    >>> objective, rows = (np.eye(2), np.array([-2.0, 0.0])), (np.array([[1.0, 0.0]]), np.array([1.0]))
    >>> plots.draw_feasible(Figure().subplots(), 3.0, objective, rows, best=[1.0, 0.0], multipliers=[1.0])

    Args:
        ax: Axes of matplotlib.
        span: Half the side of the drawn square, rad/s.
        objective: H (2, 2), positive definite, and c (2,) of ½ xᵀHx + cᵀx.
        rows: G (m, 2) and h (m,) of Gx ≤ h.
        best: The solution, shape (2,).
        multipliers: One for each row, shape (m,); rows above zero are drawn as active if they are an edge.
        clipped: Another point to show, shape (2,).

    Raises:
        ParameterError: The shapes of G and h do not match, or they contain NaN.
    """
    (H, c), (G, h) = objective, rows
    solution, free = (np.asarray(point, dtype=np.float64) for point in (best, np.linalg.solve(H, -c)))
    corners = feasible_polygon(G, h, span)
    ax.fill(*corners.T, facecolor=SKY, alpha=0.25, edgecolor="none", label="allowed")
    ax.plot(*np.vstack([corners, corners[:1]]).T, color=GREY, linewidth=1.2, zorder=2)
    radius = float(np.sqrt((solution - free) @ H @ (solution - free)))
    off = radius > ON_ROW
    rings = [_ring(H, free, level * (radius if off else PLAIN)) for level in LEVELS]
    apart = np.hstack([np.hstack([ring, np.full((2, 1), np.nan)]) for ring in rings])
    ax.plot(*apart, color=GREY, linewidth=0.8, alpha=0.7, zorder=2)
    touching = _ring(H, free, radius) if off else np.empty((2, 0))
    ax.plot(*touching, color=INK, linewidth=1.4, linestyle="--", label="equal cost", zorder=3)
    active_rows = np.flatnonzero(np.asarray(multipliers) > ON_ROW)
    edges = [edge for edge in (_on_row(corners, G[i], float(h[i]), span) for i in active_rows) if len(edge) == 2]
    active: dict[str, Any] = {"colors": VERMILION, "linewidths": 4.0, "label": "active", "capstyle": "round"}
    ax.add_collection(LineCollection(edges, zorder=4, **active))
    looks: dict[str, Any] = {"linestyle": "", "markersize": 10.0, "zorder": 6}
    ax.plot(*free, "o", color=GREEN, markerfacecolor=PAPER, markeredgewidth=2.4, label="requested", **looks)
    other = np.empty((2, 0)) if clipped is None else np.asarray(clipped, dtype=np.float64)
    ax.plot(*other, "X", color=PURPLE, markeredgecolor=PAPER, label="clipped", **looks)
    ax.plot(*solution, "s", color=BLUE, markeredgecolor=PAPER, label="best", **looks)
    ax.set(xlim=(-span, span), ylim=(-span, span), aspect="equal")
    ax.set(xlabel=r"$\dot q_1$ [rad/s]", ylabel=r"$\dot q_2$ [rad/s]")
    ax.legend(loc="lower right", bbox_to_anchor=(1.03, 1.0), ncols=3, columnspacing=1.0, handletextpad=0.5)


def _on_row(corners: Array, row: Array, bound: float, span: float) -> Array:
    """Return the corners on the boundary of a row, shape (k, 2): two for an edge."""
    return corners[np.abs(corners @ row - bound) < ON_ROW * span * np.linalg.norm(row)]


def _ring(H: Array, centre: Array, radius: float) -> Array:  # noqa: N803
    """Return the ellipse (x − centre)ᵀH(x − centre) = radius², shape (2, 121)."""
    stretch, axes = np.linalg.eigh(H)
    around = np.linspace(0.0, 2.0 * np.pi, 121)
    ring: Array = centre[:, None] + radius * (axes / np.sqrt(stretch)) @ np.array([np.cos(around), np.sin(around)])
    return ring
