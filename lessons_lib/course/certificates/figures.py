"""Lesson 20: the balls around the iterates of a search."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, GREEN, INK, PALE, VERMILION

__all__ = [
    "draw_enclosures",
    "draw_radii",
]


def draw_enclosures(
    ax: Axes, centers: ArrayLike, radii: ArrayLike, alone: ArrayLike, answer: ArrayLike
) -> list[Circle]:
    """Draw balls as they look along all joints but two.

    Args:
        ax: Where to draw.
        centers: Two joints of each iterate, shape (k, 2), rad.
        radii: In which the answer is, shape (k,), rad; infinite ones are left out.
        alone: In which no other is, shape (k,), rad; the last one is shaded.
        answer: The exact one, shape (2,), rad.

    Returns:
        A disc for each finite radius.

    Raises:
        ParameterError: The radii are not as many as the centers.
    """
    points, sizes, free = (np.asarray(values, dtype=np.float64) for values in (centers, radii, alone))
    if points.ndim != 2 or not len(points) == len(sizes) == len(free):
        raise ParameterError(f"{sizes.shape} radii and {free.shape} around centers of shape {points.shape}")
    ax.add_patch(Circle(tuple(points[-1]), free[-1], facecolor=PALE, zorder=0))
    ax.plot(*points.T, "o-", color=INK, linewidth=1.0, markersize=4.0)
    discs = [Circle(tuple(points[k]), sizes[k], fill=False, color=BLUE) for k in np.flatnonzero(np.isfinite(sizes))]
    for disc in discs:
        ax.add_patch(disc)
    ax.plot(*np.asarray(answer, dtype=np.float64), "x", color=VERMILION, markersize=9.0, markeredgewidth=2.0)
    ax.set_aspect("equal")
    return discs


def draw_radii(ax: Axes, radii: ArrayLike, alone: ArrayLike, off: ArrayLike) -> list[Line2D]:
    """Draw on a logarithmic scale how the balls of a search shrink, step by step.

    Args:
        ax: Where to draw.
        radii: In which the answer is, shape (k,), rad; infinite ones are left out.
        alone: In which no other is, shape (k,), rad; zeros are left out.
        off: How far each iterate is from the answer, shape (k,), rad; zeros are left out.

    Returns:
        The lines of alone, radius and distance.

    Raises:
        ParameterError: They have different shapes.
    """
    sizes, free, distance = (np.asarray(values, dtype=np.float64) for values in (radii, alone, off))
    if not sizes.shape == free.shape == distance.shape:
        raise ParameterError(f"radii of shape {sizes.shape}, {free.shape} and distances of shape {distance.shape}")
    steps, lines = np.arange(len(sizes)), []
    looks = (("alone", free, GREEN, "s--"), ("radius", sizes, BLUE, "o-"), ("distance", distance, VERMILION, "x:"))
    for name, values, colour, look in looks:
        shown = np.where(np.isfinite(values) & (values > 0.0), values, np.nan)
        lines += ax.semilogy(steps, shown, look, color=colour, label=name)
    ax.set(xlabel="step", ylabel="rad", xticks=steps)
    return lines
