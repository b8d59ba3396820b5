"""Lesson 21: clearance along a motion, at samples and between them."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, PALE, VERMILION

__all__ = [
    "draw_room",
]


def draw_room(ax: Axes, at: ArrayLike, room: ArrayLike, samples: ArrayLike, seen: ArrayLike) -> list[Line2D]:
    """Draw the clearance of an arm along a motion, and its values at some samples.

    Args:
        ax: Axes for position and clearance; shaded below zero.
        at: Positions on the motion, shape (m,), increasing.
        room: Clearance there, shape (m,), m.
        samples: Positions of the samples, shape (k,).
        seen: Clearance there, shape (k,), m.

    Returns:
        The curve and the samples.

    Raises:
        ParameterError: A clearance does not match its positions.
    """
    places, heights = (np.asarray(one, dtype=np.float64) for one in (at, room))
    dots, levels = (np.asarray(one, dtype=np.float64) for one in (samples, seen))
    if places.ndim != 1 or places.shape != heights.shape or dots.ndim != 1 or dots.shape != levels.shape:
        raise ParameterError(
            f"at and room must both have shape (m,), got {places.shape} and {heights.shape}; samples and seen must "
            f"both have shape (k,), got {dots.shape} and {levels.shape}"
        )
    ax.axhspan(min(1000.0 * heights.min() - 5.0, -5.0), 0.0, color=PALE, zorder=0)
    ax.axhline(0.0, color=VERMILION, linewidth=1.5)
    lines = ax.plot(places, 1000.0 * heights, color=BLUE, label="move")
    lines += ax.plot(dots, 1000.0 * levels, "o", color=VERMILION, label="samples", zorder=4)
    ax.set(xlabel="fraction of the move", ylabel="clearance [mm]", xlim=(places[0], places[-1]))
    return lines
