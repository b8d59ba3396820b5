"""Lesson 12: basins of attraction of a 2R: each start is a point, coloured by its solution or its number of steps."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.image import AxesImage
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, INK, PAPER, VERMILION

__all__ = [
    "draw_basins",
    "draw_steps",
]


COLOURS = (INK, BLUE, VERMILION)
"""The colours of the starts that lead nowhere, to the first solution and to the second."""

MARKERS = ("^", "v")
"""The markers of the two solutions, which thus differ in more than colour."""

TICKS = (-np.pi, -np.pi / 2, 0.0, np.pi / 2, np.pi)
NAMES = ("−π", "−π/2", "0", "π/2", "π")


def draw_basins(ax: Axes, led_to: ArrayLike, solutions: ArrayLike) -> AxesImage:
    """Colour every start by the solution that it leads to.

    Args:
        ax: Axes for q₁ and q₂.
        led_to: 0 for none, 1 or 2 for a solution, at [j, i] for the start (q₁, q₂) = (angles[i], angles[j]), with
            equally spaced angles from −π up to just below π, shape (m, m).
        solutions: The two configurations, shape (2, 2), rad.

    Raises:
        ParameterError: `led_to` is not square or contains other numbers, or there are not two solutions.
    """
    fates = _check_square(led_to, "led_to")
    if not np.isin(fates, (0, 1, 2)).all():
        raise ParameterError(f"led_to must contain only 0 (nowhere), 1 and 2, got {np.unique(fates).tolist()}")
    image = ax.imshow(fates, cmap=ListedColormap(COLOURS), vmin=-0.5, vmax=2.5, **_place(len(fates)))
    _style_axes(ax, solutions)
    return image


def draw_steps(ax: Axes, iterations: ArrayLike, solutions: ArrayLike, *, most: int | None = None) -> AxesImage:
    """Colour every start by its number of steps, dark for few.

    Args:
        ax: Axes for q₁ and q₂.
        iterations: Number of steps, in the layout of `led_to` of `draw_basins`.
        solutions: The two configurations, shape (2, 2), rad.
        most: Steps at the bright end of the scale; by default the largest number of steps.

    Raises:
        ParameterError: `iterations` is not square, `most` is less than 1, or there are not two solutions.
    """
    steps = _check_square(iterations, "iterations")
    top = float(steps.max()) if most is None else float(most)
    if not top >= 1.0:
        raise ParameterError(f"most must be at least 1, got {most!r}")
    image = ax.imshow(steps, cmap="viridis", vmin=0.0, vmax=top, **_place(len(steps)))
    _style_axes(ax, solutions)
    return image


def _check_square(values: ArrayLike, name: str) -> Array:
    picture = floats(values, f"{name} must be a numeric array of shape (m, m)", ParameterError)
    if picture.ndim != 2 or picture.shape[0] != picture.shape[1] or picture.size == 0:
        raise ParameterError(f"{name} must have shape (m, m), one number per start, got {picture.shape}")
    return picture


def _place(size: int) -> dict[str, Any]:
    """Return the extent of the picture: each start is the middle of its own square."""
    half = np.pi / size
    edges = (-np.pi - half, np.pi - half)
    return {"origin": "lower", "extent": (*edges, *edges), "interpolation": "nearest", "aspect": "equal"}


def _style_axes(ax: Axes, solutions: ArrayLike) -> None:
    points = floats(solutions, "solutions must be a numeric array of shape (2, 2)", ParameterError)
    if points.shape != (2, 2):
        raise ParameterError(f"solutions must have shape (2, 2), one row (q₁, q₂) each, got {points.shape}")
    for point, colour, marker in zip(points, COLOURS[1:], MARKERS, strict=True):
        ax.plot(*point, marker, markersize=11.0, color=colour, markeredgecolor=PAPER, markeredgewidth=1.8, zorder=5)
    ax.set(xlabel=r"start $q_1$ [rad]", ylabel=r"start $q_2$ [rad]")
    ax.set_xticks(TICKS, NAMES)
    ax.set_yticks(TICKS, NAMES)
    ax.grid(False)
