"""How long each solver takes: a row a solver on a logarithmic scale, curves of rates, and distributions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from lessons_lib.arrays import is_real
from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, GREY, INK, VERMILION, look

__all__ = [
    "draw_rates",
    "draw_timings",
]

STATISTICS = ("median", "mean", "p99")

NARROW = 50.0
"""An axis whose ends are nearer than this times each other has too few powers of ten on it."""

Times = Mapping[str, float | str | int | None]


def draw_timings(ax: Axes, times: Mapping[str, Times], *, label: str = "time of one solve") -> list[Line2D]:
    """Draw a row for each solver: a dot at its median with the number, a tick at its mean, a line to its p99.

    Args:
        ax: Where to draw.
        times: For each solver, from the top, its `median`, `mean` and `p99`, µs. A solver whose median is None was
            missing, and its row says so; mean and p99 may be left out. The dot of "ours" has the other colour.
        label: Of the axis.

    Returns:
        The dots, in order, without those that were missing.

    Raises:
        ParameterError: No solver at all, or a time that is not positive and finite.
    """
    known = {name: _numbers(name, found) for name, found in times.items() if found.get("median") is not None}
    if not known:
        raise ParameterError("there is no time to draw; each solver needs at least its median")
    dots = []
    for place, name in enumerate(times):
        colour = VERMILION if name == "ours" else BLUE
        if name not in known:
            ax.annotate("missing", (0.02, place), xycoords=("axes fraction", "data"), va="center", color=GREY)
            continue
        median = known[name]["median"]
        if "p99" in known[name]:
            ax.plot([median, known[name]["p99"]], [place, place], color=colour, linewidth=2.5, alpha=0.4, zorder=2)
        if "mean" in known[name]:
            ax.plot([known[name]["mean"]], [place], "|", color=colour, markersize=13.0, markeredgewidth=2.5, zorder=3)
        dots += ax.plot([median], [place], "o", color=colour, markersize=10.0, zorder=4)
        above: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": "bottom"}
        ax.annotate(say(median), (median, place), (0, 6), fontsize=11, color=INK, **above)
    _dress_rows(ax, list(times), f"{label} [µs]")
    return dots


def _numbers(name: str, found: Times) -> dict[str, float]:
    times = {statistic: found[statistic] for statistic in STATISTICS if found.get(statistic) is not None}
    for statistic, time in times.items():
        if not is_real(time) or not 0.0 < time < np.inf:
            raise ParameterError(f"{statistic} of {name} is {time!r}; a time is positive and finite")
    return {statistic: float(time) for statistic, time in times.items() if is_real(time)}


def _dress_rows(ax: Axes, names: Sequence[str], label: str) -> None:
    ax.margins(x=0.09)
    ax.set(xscale="log", xlabel=label, ylim=(len(names) - 0.5, -0.7), yticks=range(len(names)))
    ax.set_yticklabels(names, fontsize=12, color=INK)
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False, axis="y")
    _plain(ax, "x")


def _plain(ax: Axes, which: str) -> None:
    """Write a logarithmic axis in plain numbers: powers of ten, and where there are hardly two, their 2 and 5 too."""
    axis = ax.xaxis if which == "x" else ax.yaxis
    lowest, highest = ax.get_xlim() if which == "x" else ax.get_ylim()
    narrow = highest / lowest < NARROW
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if narrow else (1.0,), numticks=8))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}" if value < 1.0 else f"{value:,.0f}"))


def draw_rates(
    ax: Axes, curves: Mapping[str, tuple[Sequence[float], Sequence[float]]], *, xlabel: str, ylabel: str
) -> list[Line2D]:
    """Draw curves on two logarithmic scales, as rates against batch size or times against joints.

    Args:
        ax: Where to draw.
        curves: For each name its abscissas and ordinates, all positive.
        xlabel: Label of the horizontal axis, with its unit.
        ylabel: Label of the vertical axis, with its unit.

    Raises:
        ParameterError: A curve whose abscissas and ordinates differ in number, or a value that is not positive.
    """
    lines = []
    for i, (name, (x, y)) in enumerate(curves.items()):
        if len(x) != len(y) or not (np.asarray(x) > 0.0).all() or not (np.asarray(y) > 0.0).all():
            raise ParameterError(f"{name}: {len(x)} abscissas and {len(y)} ordinates; as many of both, all positive")
        lines += ax.plot(x, y, marker="o", label=name, **look(i))
    ax.set(xscale="log", yscale="log", xlabel=xlabel, ylabel=ylabel)
    _plain(ax, "x")
    _plain(ax, "y")
    if len(curves) > 1:
        ax.legend()
    return lines


def say(value: float) -> str:
    """Return a time with three digits at most, thousands with a comma."""
    return f"{value:,.0f}" if value >= 100.0 else f"{value:.3g}"
