"""How rates grow towards a singularity, for several ways to resolve two tasks."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import CYCLE, DASHES


def draw_growth(ax: Axes, distances: ArrayLike, sizes: Mapping[str, ArrayLike]) -> list[Line2D]:
    """Draw the size of the rates against the distance to a singularity, both on logarithmic scales.

    Args:
        ax: Where to draw.
        distances: Distance of each configuration, shape (k,), rad, above zero; drawn in degrees.
        sizes: Length of the rates, shape (k,), rad/s, by the name that the legend gives them.

    Returns:
        A line for each name.

    Raises:
        ParameterError: A distance or size is not above zero, or their numbers differ.
    """
    x = np.degrees(np.asarray(distances, dtype=np.float64))
    lines = []
    for i, (name, values) in enumerate(sizes.items()):
        y = np.asarray(values, dtype=np.float64)
        if y.shape != x.shape or not (x > 0.0).all() or not (y > 0.0).all():
            raise ParameterError(f"{name!r}: distances and sizes are above zero, and as many; got {x.shape}, {y.shape}")
        lines += ax.loglog(x, y, label=name, color=CYCLE[i % len(CYCLE)], linestyle=DASHES[i % len(DASHES)])
    ax.set(xlabel="distance from the singularity [°]", ylabel="length of the rates [rad/s]")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:g}")
    ax.legend(loc="best")
    return lines
