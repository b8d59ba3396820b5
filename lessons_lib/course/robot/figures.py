"""Lesson 23: how far a hand is off, and what its motors are asked for."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, CYCLE, GREY, PALE

__all__ = [
    "draw_loop",
]


def draw_loop(above: Axes, below: Axes, t: ArrayLike, off: ArrayLike, asked: ArrayLike, border: float) -> list[Line2D]:
    """Draw the error of a loop over time, and below it the accelerations that it asks for, in powers of ten.

    Args:
        above: Where the error is drawn.
        below: Where the accelerations are drawn.
        t: Shape (m,), s.
        off: How far the hand is off, shape (m,), mm.
        asked: Of each joint, shape (m, n), rad/s².
        border: Above it the arm stops, rad/s².

    Returns:
        The line of the error, then one a joint.

    Raises:
        ParameterError: The shapes do not fit each other.
    """
    times, error, rates = (np.asarray(one, dtype=np.float64) for one in (t, off, asked))
    if times.ndim != 1 or error.shape != times.shape or rates.ndim != 2 or len(rates) != len(times):
        raise ParameterError(f"off has shape {error.shape}, asked {rates.shape}, at times of shape {times.shape}")
    lines = above.plot(times, error, color=BLUE, linewidth=1.6)
    above.set(ylabel="hand off [mm]", xlim=(times[0], times[-1]), ylim=(0.0, 1.05 * max(error.max(), 1e-9)))
    sizes = np.maximum(np.abs(rates), 1e-3)
    for j in range(rates.shape[1]):
        lines += below.plot(times, sizes[:, j], color=CYCLE[j + 1], linewidth=1.2, label=f"joint {j + 1}")
    below.axhspan(border, 1e6, color=PALE, zorder=0)
    below.axhline(border, color=GREY, linestyle="--", linewidth=1.2)
    below.set(yscale="log", ylim=(1e-2, 1e5), xlim=(times[0], times[-1]))
    below.set(xlabel="time [s]", ylabel="asked for [rad/s²]")
    return lines
