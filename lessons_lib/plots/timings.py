"""Curves of times and rates on logarithmic scales."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import look

__all__ = [
    "draw_rates",
]

NARROW = 50.0
"""Below this ratio of its ends, an axis has too few powers of ten."""


def _plain(ax: Axes, which: str) -> None:
    """Label a logarithmic axis with plain numbers: powers of ten, and on a narrow axis also 2 and 5 times them."""
    axis = ax.xaxis if which == "x" else ax.yaxis
    lowest, highest = ax.get_xlim() if which == "x" else ax.get_ylim()
    narrow = highest / lowest < NARROW
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if narrow else (1.0,), numticks=8))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}" if value < 1.0 else f"{value:,.0f}"))


def draw_rates(
    ax: Axes, curves: Mapping[str, tuple[Sequence[float], Sequence[float]]], *, xlabel: str, ylabel: str
) -> list[Line2D]:
    """Draw curves on two logarithmic scales, such as rates against batch size or times against joints.

    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import plots
    >>> curves = {"UR10": ([1, 10, 100], [9e4, 3e5, 5e5])}
    >>> lines = plots.draw_rates(Figure().subplots(), curves, xlabel="poses in a batch", ylabel="poses a second")

    Args:
        ax: Axes of matplotlib.
        curves: For each name its abscissas and ordinates, all positive.
        xlabel: Label of the horizontal axis, with its unit.
        ylabel: Label of the vertical axis, with its unit.

    Raises:
        ParameterError: Abscissas and ordinates of a curve differ in number, or a value is not positive.
    """
    lines = []
    for i, (name, (x, y)) in enumerate(curves.items()):
        if len(x) != len(y) or not (np.asarray(x) > 0.0).all() or not (np.asarray(y) > 0.0).all():
            raise ParameterError(
                f"{name} must have as many abscissas as ordinates, all positive, got {len(x)} and {len(y)}"
            )
        lines += ax.plot(x, y, marker="o", label=name, **look(i))
    ax.set(xscale="log", yscale="log", xlabel=xlabel, ylabel=ylabel)
    _plain(ax, "x")
    _plain(ax, "y")
    if len(curves) > 1:
        ax.legend()
    return lines


def format_time(value: float) -> str:
    """Return a time with at most three digits, thousands with a comma."""
    return f"{value:,.0f}" if value >= 100.0 else f"{value:.3g}"
