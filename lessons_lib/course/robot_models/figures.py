"""Lesson 05: sketch of one standard Denavit-Hartenberg row: two axes, their common normal, and the four numbers."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.plots.theme import BLUE, GREY, INK, VERMILION

__all__ = [
    "draw_row",
]


THETA, D, ALPHA, A = np.radians(50.0), 1.0, np.radians(40.0), 2.0
"""The row in the sketch, in rad and m; all four numbers are large enough to see."""

AZIMUTH, ELEVATION = np.radians(-28.0), np.radians(20.0)
"""The viewing angles of the sketch, in rad."""

JOINT, LINK = BLUE, VERMILION
"""The colours of the joint parameters, θ and d, and of the link parameters, α and a."""


def row_points() -> dict[str, Array]:
    """Return points, m, and directions of the sketch in the frame before the row; the normal connects two points."""
    foot = lie.exp_se3([0.0, 0.0, THETA, 0.0, 0.0, D])
    end = foot @ lie.exp_se3([ALPHA, 0.0, 0.0, A, 0.0, 0.0])
    return {"origin": np.zeros(3), "foot": foot[:3, 3], "end": end[:3, 3], "normal": foot[:3, 0], "next": end[:3, 2]}


def draw_row(ax: Axes) -> None:
    """Draw the sketch: both axes in ink, θ and d in one colour, α and a in another; a square marks a right angle."""
    at = row_points()
    up, x = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
    _line(ax, [-0.35 * up, at["foot"] + 0.75 * up], color=INK, linewidth=4.0)
    _line(ax, [at["end"] - 0.7 * at["next"], at["end"] + 1.1 * at["next"]], color=INK, linewidth=4.0)
    for ray in ([at["origin"], x], [at["origin"], at["normal"]], [at["end"], at["end"] + 1.0 * up]):
        _line(ax, ray, color=GREY, linewidth=1.3, linestyle=(0, (4, 2)))
    _line(ax, [at["foot"], at["end"]], color=LINK, linewidth=3.0)
    _line(ax, [at["origin"], at["foot"]], color=JOINT, linewidth=3.0)
    for corner, along, across in (("foot", at["normal"], -up), ("end", -at["normal"], -at["next"])):
        first, second = 0.16 * along, 0.16 * across
        _line(ax, at[corner] + [first, first + second, second], color=GREY, linewidth=1.3)
    _arc(ax, at["origin"], x, up, THETA, 0.6, JOINT, r"$\theta$")
    _arc(ax, at["end"], up, at["normal"], ALPHA, 0.75, LINK, r"$\alpha$")
    _name(ax, at["foot"] / 2, (-12, 0), "$d$", JOINT)
    _name(ax, (at["foot"] + at["end"]) / 2, (0, 14), "$a$", LINK)
    _name(ax, at["foot"] + 0.75 * up, (0, 12), "joint axis $z$", INK)
    _name(ax, at["end"] - 0.7 * at["next"], (6, -12), "next axis", INK)
    _name(ax, (at["foot"] + at["end"]) / 2, (-4, -15), "common normal $x$", INK)
    _name(ax, x, (36, -14), "previous $x$", GREY)
    ax.set(aspect="equal")
    ax.set_axis_off()
    ax.margins(0.12)


def _project(points: Any) -> Array:
    """Return the projections of points, shape (..., 3), onto the page, shape (..., 2)."""
    (s, c), (sin_e, cos_e) = (np.sin(AZIMUTH), np.cos(AZIMUTH)), (np.sin(ELEVATION), np.cos(ELEVATION))
    seen: Array = np.asarray(points) @ np.array([[-s, -sin_e * c], [c, -sin_e * s], [0.0, cos_e]])
    return seen


def _spot(point: Array) -> tuple[float, float]:
    x, y = _project(point)
    return float(x), float(y)


def _line(ax: Axes, ends: Any, **looks: Any) -> None:
    ax.plot(*_project(ends).T, solid_capstyle="round", **looks)


def _arc(ax: Axes, centre: Array, start: Array, axis: Array, angle: float, radius: float, look: str, name: str) -> None:
    """Draw the rotation of a direction about an axis as an arc with an arrowhead, and label it outside."""
    turns = [lie.exp_so3(t * angle * axis) @ start for t in np.linspace(0.0, 1.0, 40)]
    arc = centre + radius * np.array(turns)
    _line(ax, arc, color=look, linewidth=2.2)
    head: dict[str, Any] = {"arrowstyle": "-|>", "color": look, "mutation_scale": 16, "shrinkA": 0.0, "shrinkB": 0.0}
    ax.annotate("", _spot(arc[-1]), _spot(arc[-6]), arrowprops=head)
    (along_x, along_y), middle = _project(arc[21]) - _project(arc[19]), _project(arc[20])
    outward = np.array([along_y, -along_x]) / np.hypot(along_x, along_y)
    x, y = 15.0 * np.sign(outward @ (middle - _project(centre))) * outward  # points
    ax.annotate(
        name, _spot(arc[20]), (x, y), textcoords="offset points", color=look, fontsize=15, ha="center", va="center"
    )


def _name(ax: Axes, point: Array, offset: tuple[int, int], name: str, colour: str) -> None:
    place: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": "center"}
    size = 15 if len(name) < 4 else 12
    ax.annotate(name, _spot(point), offset, color=colour, fontsize=size, **place)
