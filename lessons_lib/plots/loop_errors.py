"""What is left of the error in a loop: from sample to sample, and over the seconds of a whole path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import CYCLE, DASHES, GREY

MARKERS = ("o", "s", "^", "D", "v", "P", "X")

FLOOR = 1e-9
"""Errors below it are drawn at it: a logarithm has no zero."""


def draw_shrinking(ax: Axes, seen: Mapping[str, ArrayLike], factors: Mapping[str, float]) -> list[Line2D]:
    """Draw errors sample by sample, over the first one, and behind each the line of a constant factor a sample.

    Args:
        ax: Where to draw.
        seen: Errors at the samples 0, 1, 2, … by name; shape (m,), m ≥ 1, the first one positive.
        factors: By how much each sample is said to multiply the error; a name without one gets no line.

    Returns:
        The markers of each name, in order.

    Raises:
        ParameterError: Errors of another shape, negative, not finite, or zero at first.
    """
    drawn = []
    for i, (name, values) in enumerate(seen.items()):
        errors = np.asarray(values, dtype=np.float64)
        if errors.ndim != 1 or not errors.size or not (np.isfinite(errors) & (errors >= 0.0)).all() or not errors[0]:
            wanted = "shape (m,), zero or more, the first positive"
            raise ParameterError(f"errors of {name} must be of {wanted}, got {values!r}")
        samples, colour = np.arange(errors.size), CYCLE[i % len(CYCLE)]
        marker = MARKERS[i % len(MARKERS)]
        parts = np.maximum(errors / errors[0], FLOOR)
        drawn += ax.plot(samples, parts, marker, color=colour, label=name, markersize=5.0, zorder=4)
        if name in factors:
            said = np.maximum(np.abs(factors[name]) ** samples, FLOOR)
            ax.plot(samples, said, color=colour, linestyle=DASHES[2], linewidth=1.5, zorder=3)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="tick", ylabel="error over the first error", yscale="log")
    return drawn


def draw_tip_errors(ax: Axes, runs: Mapping[str, tuple[ArrayLike, ArrayLike]], changes: ArrayLike = ()) -> list[Line2D]:
    """Draw the tip's distance from its pose over time, on a logarithmic scale.

    Args:
        ax: Where to draw.
        runs: Moments [s] and distances [m] by name, each of shape (m,).
        changes: When the pose changes, s, shape (k,): a fine upright line each.

    Returns:
        A line a run.

    Raises:
        ParameterError: Moments and distances of a run differ in shape.
    """
    drawn = []
    for when in np.atleast_1d(np.asarray(changes, dtype=np.float64)):
        ax.axvline(when, color=GREY, linewidth=0.8, linestyle=DASHES[2], zorder=1)
    for i, (name, (moments, distances)) in enumerate(runs.items()):
        t, missed = np.asarray(moments, dtype=np.float64), np.asarray(distances, dtype=np.float64)
        if t.ndim != 1 or t.shape != missed.shape:
            raise ParameterError(f"{name} has moments of shape {t.shape} and distances of shape {missed.shape}")
        look: dict[str, Any] = {"color": CYCLE[i % len(CYCLE)], "linestyle": DASHES[i % len(DASHES)], "linewidth": 1.7}
        drawn += ax.plot(t, np.maximum(missed, FLOOR), label=name, zorder=3 + i, **look)
    ax.set(xlabel="time [s]", ylabel="tip to its pose [m]", yscale="log")
    return drawn
