"""How motions spend their time: how far along each is, or how fast it goes, at which part of the duration."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import CYCLE, DASHES


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
        lines += ax.plot(times, heights, label=name, color=CYCLE[i % len(CYCLE)], linestyle=DASHES[i % len(DASHES)])
    ax.set(xlabel=r"time over duration, $\tau$", xlim=(times[0], times[-1]))
    return lines
