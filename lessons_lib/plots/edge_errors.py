"""How wrong a formula is, the closer its target comes to the edge of the reach: one point a target, on log scales."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, GREEN, GREY, VERMILION

FLOOR = 2.0**-56
"""Where an error of nothing is drawn: below half a unit in the last place of 1, an error is a matter of luck."""

_LOOKS: tuple[dict[str, Any], ...] = (
    {"color": VERMILION, "marker": "o"},
    {"color": BLUE, "marker": "s"},
    {"color": GREEN, "marker": "^"},
)


def draw_edge_errors(ax: Axes, gaps: ArrayLike, errors: Mapping[str, ArrayLike]) -> list[Line2D]:
    """Draw errors against the distance from an edge, both on log scales, the edge at the right.

    Args:
        ax: Where to draw.
        gaps: Distance of each target from the edge, shape (k,), positive.
        errors: Error of each target, shape (k,), by the name of the formula; three formulas at most. Zero is drawn at
            FLOOR, and what is no number is left out.

    Returns:
        One line of markers a formula, in order.

    Raises:
        ParameterError: More than three formulas, or errors that do not match the gaps.
    """
    where = np.asarray(gaps, dtype=np.float64)
    if len(errors) > len(_LOOKS):
        raise ParameterError(f"{len(errors)} formulas; there are looks for {len(_LOOKS)}")
    lines = []
    for (name, values), look in zip(errors.items(), _LOOKS, strict=False):
        error = np.asarray(values, dtype=np.float64)
        if error.shape != where.shape:
            raise ParameterError(
                f"errors of {name!r} have shape {error.shape}, the gaps {where.shape}; they must match"
            )
        lines += ax.plot(where, np.maximum(error, FLOOR), linestyle="", markersize=4.0, alpha=0.85, label=name, **look)
    ax.set(xscale="log", yscale="log")
    ax.invert_xaxis()
    ax.axhline(2.0**-53, color=GREY, linewidth=1.0, linestyle=(0, (4, 3)))
    return lines
