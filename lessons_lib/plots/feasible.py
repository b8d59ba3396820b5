"""A quadratic program with two unknowns: what is allowed, a polygon, and what it costs, ellipses."""

from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, GREEN, GREY, INK, PAPER, PURPLE, SKY, VERMILION

__all__ = [
    "FeasibleArtist",
    "draw_feasible",
    "feasible_polygon",
]


LEVELS = (1 / 3, 2 / 3, 4 / 3, 5 / 3)
"""Radii of the faint contours as parts of the one through the solution."""

PLAIN = 0.4
"""Radius of that contour where the solution is the free minimum, in the units of √(2 f)."""

ON_ROW = 1e-6
"""A corner this near to a row, against the size of the page, lies on it."""


def feasible_polygon(G: ArrayLike, h: ArrayLike, span: float) -> Array:  # noqa: N803
    """Return the corners of {x : Gx ≤ h} within the square |x_i| ≤ span, counter-clockwise, shape (k, 2); k may be 0.

    Each row cuts the polygon that the rows before it have left.

    Args:
        G: Shape (m, 2).
        h: Shape (m,).
        span: Half a side of the page.

    Raises:
        ParameterError: G and h do not fit, or hold NaN.

    Source: Sutherland and Hodgman, Reentrant polygon clipping (1974).
    """
    rows, bounds = np.asarray(G, dtype=np.float64), np.asarray(h, dtype=np.float64)
    if rows.shape != (bounds.size, 2) or np.isnan(rows).any() or np.isnan(bounds).any():
        raise ParameterError(f"G and h have shapes {rows.shape} and {bounds.shape}; (m, 2) and (m,) are needed, no NaN")
    corners = span * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    for row, bound in zip(rows, bounds, strict=True):
        corners = _cut(corners, row, float(bound))
    return corners


def _cut(corners: Array, row: Array, bound: float) -> Array:
    """Return what a row leaves of a convex polygon."""
    kept: list[Array] = []
    for here, there in pairwise([*corners, *corners[:1]]):
        room, beyond = bound - row @ here, bound - row @ there
        if room >= 0.0:
            kept.append(here)
        if room * beyond < 0.0:
            kept.append(here + room / (room - beyond) * (there - here))
    return np.array(kept).reshape(-1, 2)


class FeasibleArtist:
    """The polygon, the contours and three points: what is asked for, what clipping makes of it, and the best."""

    def __init__(self, ax: Axes, span: float, unit: str = "rad/s") -> None:
        """Add them to the axes, empty.

        Args:
            ax: Where to draw.
            span: Half a side of the page, in the unknowns' unit.
            unit: That unit, for the labels.
        """
        self._span = span
        self.polygon = ax.fill([], [], facecolor=SKY, alpha=0.25, edgecolor="none", label="allowed")[0]
        self.outline = ax.plot([], [], color=GREY, linewidth=1.2, zorder=2)[0]
        self.contours = ax.plot([], [], color=GREY, linewidth=0.8, alpha=0.7, zorder=2)[0]
        self.touching = ax.plot([], [], color=INK, linewidth=1.4, linestyle="--", label="equal cost", zorder=3)[0]
        self.active = LineCollection([], colors=VERMILION, linewidths=4.0, label="active", zorder=4, capstyle="round")
        ax.add_collection(self.active)
        looks: dict[str, Any] = {"linestyle": "", "markersize": 10.0, "zorder": 6}
        self.free = ax.plot([], [], "o", color=GREEN, markerfacecolor=PAPER, label="asked", **looks)[0]
        self.free.set_markeredgewidth(2.4)
        self.clipped = ax.plot([], [], "X", color=PURPLE, markeredgecolor=PAPER, label="clipped", **looks)[0]
        self.best = ax.plot([], [], "s", color=BLUE, markeredgecolor=PAPER, label="best", **looks)[0]
        ax.set(xlim=(-span, span), ylim=(-span, span), aspect="equal")
        ax.set(xlabel=rf"$\dot q_1$ [{unit}]", ylabel=rf"$\dot q_2$ [{unit}]")

    @property
    def artists(self) -> list[Any]:
        """Everything that `update` moves, from the back to the front."""
        under = [self.polygon, self.outline, self.contours, self.touching, self.active]
        return [*under, self.free, self.clipped, self.best]

    def update(
        self,
        objective: tuple[Array, Array],
        rows: tuple[Array, Array],
        best: ArrayLike,
        multipliers: ArrayLike,
        clipped: ArrayLike | None = None,
    ) -> None:
        """Show another program.

        Args:
            objective: H (2, 2), positive definite, and c (2,) of ½ xᵀHx + cᵀx.
            rows: G (m, 2) and h (m,) of Gx ≤ h.
            best: The solution, shape (2,).
            multipliers: One a row, shape (m,); rows above zero are drawn as active where they are an edge.
            clipped: Another answer to show, shape (2,).

        Raises:
            ParameterError: G and h do not fit, or hold NaN.
        """
        (H, c), (G, h) = objective, rows
        solution, free = (np.asarray(point, dtype=np.float64) for point in (best, np.linalg.solve(H, -c)))
        corners = feasible_polygon(G, h, self._span)
        self.polygon.set_xy(corners)
        self.outline.set_data(*np.vstack([corners, corners[:1]]).T)
        held = np.flatnonzero(np.asarray(multipliers) > ON_ROW)
        edges = [_on_row(corners, G[i], float(h[i]), self._span) for i in held]
        self.active.set_segments([edge for edge in edges if len(edge) == 2])
        radius = float(np.sqrt((solution - free) @ H @ (solution - free)))
        off = radius > ON_ROW
        rings = [_ring(H, free, level * (radius if off else PLAIN)) for level in LEVELS]
        self.contours.set_data(*np.hstack([np.hstack([ring, np.full((2, 1), np.nan)]) for ring in rings]))
        self.touching.set_data(*(_ring(H, free, radius) if off else np.empty((2, 0))))
        self.free.set_data(*free[:, None])
        self.best.set_data(*solution[:, None])
        other = np.empty((2, 0)) if clipped is None else np.asarray(clipped, dtype=np.float64)[:, None]
        self.clipped.set_data(*other)


def draw_feasible(ax: Axes, span: float, *program: Any, unit: str = "rad/s", **clipped: Any) -> FeasibleArtist:
    """Draw a quadratic program with two unknowns: arguments as in `FeasibleArtist` and its `update`.

    Raises:
        ParameterError: G and h do not fit, or hold NaN.
    """
    artist = FeasibleArtist(ax, span, unit)
    artist.update(*program, **clipped)
    ax.legend(loc="lower right", bbox_to_anchor=(1.03, 1.0), ncols=3, columnspacing=1.0, handletextpad=0.5)
    return artist


def _on_row(corners: Array, row: Array, bound: float, span: float) -> Array:
    """Return the corners that lie on a row, shape (k, 2): two of an edge."""
    return corners[np.abs(corners @ row - bound) < ON_ROW * span * np.linalg.norm(row)]


def _ring(H: Array, centre: Array, radius: float) -> Array:  # noqa: N803
    """Return the ellipse (x − centre)ᵀH(x − centre) = radius², shape (2, 121)."""
    stretch, axes = np.linalg.eigh(H)
    around = np.linspace(0.0, 2.0 * np.pi, 121)
    ring: Array = centre[:, None] + radius * (axes / np.sqrt(stretch)) @ np.array([np.cos(around), np.sin(around)])
    return ring
