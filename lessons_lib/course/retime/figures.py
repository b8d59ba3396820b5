"""Lesson 22: time scalings, and the phase plane of a path."""

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
    "draw_tempo",
]


def draw_tempo(ax: Axes, tau: ArrayLike, curves: Mapping[str, ArrayLike]) -> list[Line2D]:
    """Draw s(τ) of some time scalings, or a derivative of it.

    Args:
        ax: Where to draw.
        tau: Time over the duration, shape (m,).
        curves: Values by the name of the scaling, each of shape (m,).

    Returns:
        A line a curve.

    Raises:
        ParameterError: A curve has another shape than τ.
    """
    times = np.asarray(tau, dtype=np.float64)
    lines = []
    for i, (name, values) in enumerate(curves.items()):
        heights = np.asarray(values, dtype=np.float64)
        if times.ndim != 1 or heights.shape != times.shape:
            raise ParameterError(f"{name} has values of shape {heights.shape} at times of shape {times.shape}")
        lines += ax.plot(times, heights, label=name, **look(i))
    ax.set(xlabel=r"time over duration, $\tau$", xlim=(times[0], times[-1]))
    return lines


def draw_phase_plane(
    ax: Axes, places: ArrayLike, limits: Mapping[str, ArrayLike], place: ArrayLike, speed: ArrayLike, top: float
) -> list[Line2D]:
    """Draw how fast a place on a path may be passed, and how fast it is.

    Args:
        ax: Where to draw.
        places: Where the limits are known, shape (m,).
        limits: The largest speed that each allows, by its name, each of shape (m,); what is above them all is shaded.
        place: Where the motion is, shape (k,), rising.
        speed: How fast it is there, shape (k,).
        top: The highest speed that is drawn.

    Returns:
        A line a limit, then that of the motion.

    Raises:
        ParameterError: A limit has another shape than the places, or the speed than its places.
    """
    s, lowest, lines = np.asarray(places, dtype=np.float64), np.full(np.shape(places), np.inf), []
    for i, (name, values) in enumerate(limits.items()):
        heights = np.asarray(values, dtype=np.float64)
        if s.ndim != 1 or heights.shape != s.shape:
            raise ParameterError(f"{name} has values of shape {heights.shape} at places of shape {s.shape}")
        lowest = np.minimum(lowest, heights)
        lines += ax.plot(s, np.minimum(heights, 2.0 * top), label=name, linewidth=1.5, **look(i + 1))
    ax.fill_between(s, np.minimum(lowest, top), top, color=PALE, zorder=0)
    way, rate = np.asarray(place, dtype=np.float64), np.asarray(speed, dtype=np.float64)
    if way.ndim != 1 or way.shape != rate.shape:
        raise ParameterError(f"the motion has speeds of shape {rate.shape} at places of shape {way.shape}")
    lines += ax.plot(way, rate, color=BLUE, linewidth=2.4, label="the motion", zorder=4)
    ax.set(xlim=(s[0], s[-1]), ylim=(0.0, top), xlabel="place $s$ of the hand [m]", ylabel=r"speed $\dot s$ [m/s]")
    return lines
