"""How fast a joint may approach the end of its range: bounds on its speed, and joints that meet them in steps."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike, NDArray

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import CYCLE, DASHES, INK, PAPER, PURPLE, SKY

Array = NDArray[np.float64]

RUN_COLOURS, RUN_MARKERS = (INK, PURPLE), ("o", "s")
"""Colours and markers of the runs."""


def draw_speed_bounds(
    ax: Axes,
    ways: ArrayLike,
    bounds: Mapping[str, ArrayLike],
    runs: Mapping[str, tuple[ArrayLike, ArrayLike]] | None = None,
) -> list[Line2D]:
    """Draw bounds of a joint's speed against the way that is left, and what is below all of them shaded.

    Args:
        ax: Where to draw.
        ways: The way that is left, shape (k,), rad.
        bounds: By the names of the legend, the largest speed at each way, shape (k,), rad/s.
        runs: Joints that approach, by name: the way that is left at the start of each step, and its speed.

    Returns:
        The bounds, then the runs, in order.

    Raises:
        ParameterError: A bound has not one value a way, there are none, or there are more than two runs.
    """
    d = np.asarray(ways, dtype=np.float64)
    curves = {name: np.asarray(bound, dtype=np.float64) for name, bound in bounds.items()}
    if not curves or any(curve.shape != d.shape for curve in curves.values()):
        raise ParameterError(f"bounds of shapes {[c.shape for c in curves.values()]}; each needs {d.shape}, as ways")
    if len(runs or {}) > len(RUN_COLOURS):
        raise ParameterError(f"{len(runs or {})} runs; there are looks for {len(RUN_COLOURS)}")
    lines: list[Line2D] = []
    for i, (name, curve) in enumerate(curves.items()):
        lines += ax.plot(d, curve, color=CYCLE[i % len(CYCLE)], linestyle=DASHES[i % len(DASHES)], label=name)
    ax.fill_between(d, np.min(list(curves.values()), axis=0), color=SKY, alpha=0.2, linewidth=0)
    for (name, (left, speed)), colour, marker in zip((runs or {}).items(), RUN_COLOURS, RUN_MARKERS, strict=False):
        looks: dict[str, Any] = {
            "color": colour,
            "marker": marker,
            "markersize": 6.0,
            "linewidth": 0.9,
            "markeredgecolor": PAPER,
        }
        lines += ax.plot(np.asarray(left), np.asarray(speed), label=name, zorder=5, **looks)
    ax.set(xlabel="way left to the end [rad]", ylabel="speed towards it [rad/s]")
    ax.set_xlim(float(d.max()), float(d.min()))  # time runs to the right, and the way shrinks
    ax.set_ylim(0.0, None)
    ax.legend(loc="best")
    return lines
