"""How many starts arrive after how many steps, and what a method solves against the steps that it takes on the way."""

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
    """Draw for each method which part of its starts has arrived after so many steps, and one start as a dot.

    Args:
        ax: Where to draw.
        steps: For each method the steps of its starts, shape (k,), infinite where a start does not arrive.
        single: For each method the steps of one start.

    Returns:
        One curve a method, in order.

    Raises:
        ParameterError: A method has no start.
    """
    lines = []
    for (name, counts), colour in zip(steps.items(), CYCLE, strict=False):
        arrived = np.sort(np.asarray(counts, dtype=np.float64))
        if arrived.size == 0:
            raise ParameterError(f"{name} has no start; each method has at least one")
        last = int(max(arrived[np.isfinite(arrived)].max(initial=0.0), single[name]))
        share = 100.0 * np.searchsorted(arrived, np.arange(last + 1), side="right") / arrived.size
        (line,) = ax.step(np.arange(last + 1), share, where="post", color=colour, label=name, linewidth=2.0)
        ax.plot(single[name], share[single[name]], "o", color=colour, markersize=9.0, markeredgecolor=PAPER)
        lines.append(line)
    ax.set(xlim=(0.0, None), ylim=(0.0, 105.0), xlabel="steps", ylabel="starts that have arrived [%]")
    ax.legend(loc="lower right")
    return lines


def draw_trade_off(ax: Axes, families: Mapping[str, Mapping[str, tuple[float, float]]]) -> list[Line2D]:
    """Draw each method as a point: its largest step to the right, the part of the poses that it solves upwards.

    Args:
        ax: Where to draw.
        families: For each family, its members by name, each a largest step in rad and a part solved from 0 to 1.

    Returns:
        One line of markers a family, in order.

    Raises:
        ParameterError: More families than there are markers, or a part solved outside [0, 1].
    """
    if len(families) > len(MARKERS):
        raise ParameterError(f"{len(families)} families; there are markers for {len(MARKERS)}")
    lines, least = [], 1.0
    for (family, members), colour, marker in zip(families.items(), CYCLE, MARKERS, strict=False):
        steps, parts = zip(*members.values(), strict=True)
        if not all(0.0 <= part <= 1.0 for part in parts):
            raise ParameterError(f"{family} solves {parts}; each is a part from 0 to 1")
        (line,) = ax.plot(steps, [100.0 * part for part in parts], marker, color=colour, label=family, markersize=10.0)
        line.set(markeredgecolor=PAPER, markeredgewidth=1.0)
        lines.append(line)
        least = min(least, *parts)
    floor = max(0.0, 10.0 * math.floor(10.0 * least) - 10.0)  # tens below the least of them, where the legend stands
    ax.set(xscale="log", ylim=(floor, 101.0), xlabel="largest step of a joint [rad]")
    ax.set_ylabel("solved from one start [%]")
    ax.axvline(TURN, color=GREY, linewidth=1.2, linestyle=(0, (6, 3)))
    ax.annotate(" one turn", (TURN, 100.5), color=GREY, fontsize=11, va="top")
    ax.legend(ncols=3, loc="lower right")
    return lines
