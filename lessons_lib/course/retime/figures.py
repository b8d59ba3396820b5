"""Lesson 22: the phase plane of a path."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, PALE, look

__all__ = [
    "draw_phase_plane",
]


def draw_phase_plane(
    ax: Axes, places: ArrayLike, limits: Mapping[str, ArrayLike], place: ArrayLike, speed: ArrayLike, top: float
) -> list[Line2D]:
    """Plot the limits on the path speed, and the speed of a motion, against the path parameter.

    Args:
        ax: Axes for s and ṡ.
        places: Path parameters of the limits, shape (m,).
        limits: Maximum speed by the name of the limit, each of shape (m,); the infeasible region is shaded.
        place: Path parameter of the motion, shape (k,), increasing.
        speed: Its speed there, shape (k,).
        top: Highest drawn speed.

    Returns:
        One line per limit, then that of the motion.

    Raises:
        ParameterError: A limit does not match `places`, or `speed` does not match `place`.
    """
    s, lowest, lines = np.asarray(places, dtype=np.float64), np.full(np.shape(places), np.inf), []
    for i, (name, values) in enumerate(limits.items()):
        heights = np.asarray(values, dtype=np.float64)
        if s.ndim != 1 or heights.shape != s.shape:
            raise ParameterError(f"{name} must have the shape of places, {s.shape}, got {heights.shape}")
        lowest = np.minimum(lowest, heights)
        lines += ax.plot(s, np.minimum(heights, 2.0 * top), label=name, linewidth=1.5, **look(i + 1))
    ax.fill_between(s, np.minimum(lowest, top), top, color=PALE, zorder=0)
    way, rate = np.asarray(place, dtype=np.float64), np.asarray(speed, dtype=np.float64)
    if way.ndim != 1 or way.shape != rate.shape:
        raise ParameterError(f"speed must have the shape of place, {way.shape}, got {rate.shape}")
    lines += ax.plot(way, rate, color=BLUE, linewidth=2.4, label="motion", zorder=4)
    ax.set(xlim=(s[0], s[-1]), ylim=(0.0, top), xlabel="position $s$ of the hand [m]", ylabel=r"speed $\dot s$ [m/s]")
    return lines
