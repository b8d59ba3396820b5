"""What gains and costs do to the errors of tasks: how fast they fall, and where they come to rest."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, CYCLE, DASHES, GREY, PURPLE

MARKERS = ("o", "s", "^", "D")
"""Markers of the curves, so that colour is not their only difference."""

SMALLEST = 1e-5
"""Smallest error that is drawn, mm: below a hundredth of a micrometre nothing moves but the last digits."""


def draw_decay(ax: Axes, errors: Mapping[float, ArrayLike]) -> list[Line2D]:
    """Draw how an error falls from step to step at several gains, with (1 − α)^k times the first as a thin line.

    Args:
        ax: Where to draw.
        errors: For each gain α, the errors before step 1, 2, …, m; drawn in mm, on a logarithmic scale.

    Returns:
        The measured curves, in order.

    Raises:
        ParameterError: There are more gains than markers, or none.
    """
    if not 1 <= len(errors) <= len(MARKERS):
        raise ParameterError(f"{len(errors)} gains; one to {len(MARKERS)} can be told apart")
    lines = []
    for (gain, values), colour, marker in zip(errors.items(), CYCLE, MARKERS, strict=False):
        millimetres = 1e3 * np.asarray(values, dtype=np.float64)
        steps = np.arange(len(millimetres))
        if gain < 1.0:
            ax.plot(steps, millimetres[0] * (1.0 - gain) ** steps, color=colour, linewidth=1.2, linestyle=DASHES[1])
        looks: dict[str, Any] = {"color": colour, "linewidth": 1.6, "markersize": 6.5, "label": rf"$\alpha = {gain:g}$"}
        lines += ax.plot(steps, millimetres, marker, linestyle="-" if gain == 1.0 else "", **looks)
    ax.set(yscale="log", xlabel="step", ylabel="hand off by [mm]")
    ax.set_ylim(bottom=SMALLEST)
    ax.legend(loc="lower left")
    return lines


def draw_price(ax: Axes, ratios: ArrayLike, errors: ArrayLike, hard: float) -> list[Line2D]:
    """Draw where a task rests against what it costs beside the others, and where it rests as a constraint.

    Args:
        ax: Where to draw.
        ratios: Cost of the task divided by that of the other, shape (k,), increasing.
        errors: Error at rest, shape (k,), m; drawn in mm, on logarithmic scales.
        hard: Error at rest as a constraint, m; where it is below what the axes show, a line stands at the lower edge.

    Returns:
        The curve, the line of slope −2 through its last point, and the line of the constraint.

    Raises:
        ParameterError: The two do not belong together.
    """
    x, y = np.asarray(ratios, dtype=np.float64), 1e3 * np.asarray(errors, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise ParameterError(f"ratios and errors have shapes {x.shape} and {y.shape}; both must be (k,)")
    floor = 0.2 * y.min()
    (slope,) = ax.plot(x, y[-1] * (x / x[-1]) ** -2.0, color=GREY, linestyle=DASHES[1], label="slope −2", linewidth=1.2)
    (curve,) = ax.plot(x, y, "o-", color=BLUE, markersize=6.0, label="a price")
    constraint = ax.axhline(max(1e3 * hard, floor), color=PURPLE, linewidth=4.0, label="a constraint: 0 mm")
    ax.set(xscale="log", yscale="log", xlabel="cost of the hands : posture", ylabel="hand off by [mm]")
    ax.set(ylim=(floor, 10.0 * y.max()))
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 0.06))
    return [curve, slope, constraint]
