"""Lesson 07: the time of each stage of an optimization, as bars on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, GREY, INK

__all__ = [
    "draw_stages",
]

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def draw_stages(ax: Axes, seconds: Mapping[str, float]) -> Any:
    """Draw a bar for each stage's time, with the speed-up between consecutive bars.

    Args:
        ax: Axes of the bars.
        seconds: Time of each stage, s, from top to bottom; long names are broken into lines.

    Returns:
        The bars.

    Raises:
        ParameterError: There is no stage, or a time is not positive and finite.
    """
    times = np.array(list(seconds.values()), dtype=np.float64)
    if not times.size or not np.isfinite(times).all() or (times <= 0.0).any():
        raise ParameterError(f"each stage needs a positive, finite time in seconds, got {dict(seconds)}")
    floor = 10.0 ** np.floor(np.log10(times.min()) - 0.3)
    places = list(range(times.size))
    bars = ax.barh(places, times - floor, left=floor, height=0.56, color=BLUE, zorder=2)
    for place, time in zip(places, times, strict=True):
        ax.annotate(
            format_time(time), (time, place), (6, 0), textcoords="offset points", va="center", color=INK, fontsize=12
        )
    for after, gain in enumerate(times[:-1] / times[1:], start=1):
        ax.annotate(
            f"÷ {gain:,.0f}" if gain >= 10.0 else f"÷ {gain:.1f}",
            (times[after], after - 0.5),
            (6, 0),
            textcoords="offset points",
            va="center",
            color=GREY,
            fontsize=10,
        )
    ax.set(xscale="log", xlim=(floor, 12.0 * times.max()), ylim=(times.size - 0.5, -0.5), yticks=places)
    ax.set_yticklabels([fill(name, 16) for name in seconds], color=INK, fontsize=11)
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False, axis="y")
    ax.set_xlabel("time for one configuration")
    ax.xaxis.set_major_locator(LogLocator(base=1000.0, numticks=8))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: format_time(value)))
    return bars


def format_time(seconds: float) -> str:
    """Return a time with two digits and a suitable unit."""
    size, unit = next((pair for pair in UNITS if seconds >= 0.9995 * pair[0]), UNITS[-1])
    value = seconds / size
    return f"{value:.0f} {unit}" if value >= 9.95 or abs(value - 1.0) < 1e-9 else f"{value:.1f} {unit}"
