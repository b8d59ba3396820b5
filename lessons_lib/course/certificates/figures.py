"""Lesson 20: certified balls around the iterates of a solve."""

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
    """Draw the sections of certified balls in the plane of two joints.

    Args:
        ax: Axes of the two joint angles.
        centers: Two joints of each iterate, shape (k, 2), rad.
        radii: Radius of each ball that contains the solution, shape (k,), rad; infinite ones are skipped.
        alone: Radius within which it is the only solution, shape (k,), rad; the last one is shaded.
        answer: The exact solution, shape (2,), rad.

    Returns:
        A disc for each finite radius.

    Raises:
        ParameterError: The numbers of radii and centers differ.
    """
    points, sizes, free = (np.asarray(values, dtype=np.float64) for values in (centers, radii, alone))
    if points.ndim != 2 or not len(points) == len(sizes) == len(free):
        raise ParameterError(f"radii and alone must match centers {points.shape}, got {sizes.shape}, {free.shape}")
    ax.add_patch(Circle(tuple(points[-1]), free[-1], facecolor=PALE, zorder=0))
    ax.plot(*points.T, "o-", color=INK, linewidth=1.0, markersize=4.0)
    discs = [Circle(tuple(points[k]), sizes[k], fill=False, color=BLUE) for k in np.flatnonzero(np.isfinite(sizes))]
    for disc in discs:
        ax.add_patch(disc)
    ax.plot(*np.asarray(answer, dtype=np.float64), "x", color=VERMILION, markersize=9.0, markeredgewidth=2.0)
    ax.set_aspect("equal")
    return discs


def draw_radii(ax: Axes, radii: ArrayLike, alone: ArrayLike, off: ArrayLike) -> list[Line2D]:
    """Draw how the radii of the balls shrink from step to step, on a logarithmic scale.

    Args:
        ax: Axes with the step along x.
        radii: Radius of each ball that contains the solution, shape (k,), rad; infinite ones are skipped.
        alone: Radius within which it is the only solution, shape (k,), rad; zeros are skipped.
        off: Distance of each iterate from the solution, shape (k,), rad; zeros are skipped.

    Returns:
        The lines of `alone`, `radii` and `off`.

    Raises:
        ParameterError: The shapes differ.
    """
    sizes, free, distance = (np.asarray(values, dtype=np.float64) for values in (radii, alone, off))
    if not sizes.shape == free.shape == distance.shape:
        shapes = f"{sizes.shape}, {free.shape} and {distance.shape}"
        raise ParameterError(f"radii, alone and off must have the same shape, got {shapes}")
    steps, lines = np.arange(len(sizes)), []
    looks = (("alone", free, GREEN, "s--"), ("radius", sizes, BLUE, "o-"), ("distance", distance, VERMILION, "x:"))
    for name, values, colour, look in looks:
        shown = np.where(np.isfinite(values) & (values > 0.0), values, np.nan)
        lines += ax.semilogy(steps, shown, look, color=colour, label=name)
    ax.set(xlabel="step", ylabel="rad", xticks=steps)
    return lines
