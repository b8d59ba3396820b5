"""Lesson 11: fraction of converged starts over steps, and success rate over the largest step of each method."""

import math
from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import CYCLE, GREY, PAPER

__all__ = [
    "draw_arrivals",
    "draw_trade_off",
]

TURN = 2.0 * math.pi  # [rad]
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def draw_arrivals(ax: Axes, steps: Mapping[str, ArrayLike], single: Mapping[str, int]) -> list[Line2D]:
    """Draw for each method the fraction of starts that have converged over the steps, and one start as a dot.

    Args:
        ax: Axes for steps and fraction.
        steps: Steps of each start by method, shape (k,), infinite without convergence.
        single: Steps of one start by method.

    Returns:
        One curve per method, in order.

    Raises:
        ParameterError: A method has no start.
    """
    lines = []
    for (name, counts), colour in zip(steps.items(), CYCLE, strict=False):
        arrived = np.sort(np.asarray(counts, dtype=np.float64))
        if arrived.size == 0:
            raise ParameterError(f"each method needs at least one start, {name} has none")
        last = int(max(arrived[np.isfinite(arrived)].max(initial=0.0), single[name]))
        share = 100.0 * np.searchsorted(arrived, np.arange(last + 1), side="right") / arrived.size
        (line,) = ax.step(np.arange(last + 1), share, where="post", color=colour, label=name, linewidth=2.0)
        ax.plot(single[name], share[single[name]], "o", color=colour, markersize=9.0, markeredgecolor=PAPER)
        lines.append(line)
    ax.set(xlim=(0.0, None), ylim=(0.0, 105.0), xlabel="steps", ylabel="starts that have arrived [%]")
    ax.legend(loc="lower right")
    return lines


def draw_trade_off(ax: Axes, families: Mapping[str, Mapping[str, tuple[float, float]]]) -> list[Line2D]:
    """Draw each method as a point: largest step along x, fraction of solved poses along y.

    Args:
        ax: Axes for step and fraction.
        families: For each family, its members by name, each a largest step in rad and a solved fraction from 0 to 1.

    Returns:
        One line of markers per family, in order.

    Raises:
        ParameterError: There are more families than markers, or a fraction outside [0, 1].
    """
    if len(families) > len(MARKERS):
        raise ParameterError(f"families must number at most {len(MARKERS)}, got {len(families)}")
    lines, least = [], 1.0
    for (family, members), colour, marker in zip(families.items(), CYCLE, MARKERS, strict=False):
        steps, parts = zip(*members.values(), strict=True)
        if not all(0.0 <= part <= 1.0 for part in parts):
            raise ParameterError(f"solved fractions must be in [0, 1], got {parts} for {family}")
        (line,) = ax.plot(steps, [100.0 * part for part in parts], marker, color=colour, label=family, markersize=10.0)
        line.set(markeredgecolor=PAPER, markeredgewidth=1.0)
        lines.append(line)
        least = min(least, *parts)
    floor = max(0.0, 10.0 * math.floor(10.0 * least) - 10.0)  # decades below the smallest value, where the legend is
    ax.set(xscale="log", ylim=(floor, 101.0), xlabel="largest step of a joint [rad]")
    ax.set_ylabel("solved from one start [%]")
    ax.axvline(TURN, color=GREY, linewidth=1.2, linestyle=(0, (6, 3)))
    ax.annotate(" one turn", (TURN, 100.5), color=GREY, fontsize=11, va="top")
    ax.legend(ncols=3, loc="lower right")
    return lines
