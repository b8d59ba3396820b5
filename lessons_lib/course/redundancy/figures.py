"""Lesson 15: joints within their ranges, and what rounding adds up to."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import LimitsError, ParameterError
from lessons_lib.plots.theme import VERMILION, as_text, look
from lessons_lib.robots import Chain

__all__ = [
    "draw_growth",
    "draw_ranges",
    "relative_places",
]


BEYOND = 1.25
"""Where the axes end; what is farther out is drawn at the edge."""

NEAR = 0.9
"""A bar beyond this part of the range is drawn in the colour of a warning."""


def relative_places(chain: Chain, configurations: ArrayLike) -> Array:
    """Return (q − middle)/half width for each joint, in the shape of the configurations.

    Args:
        chain: Whose limits.
        configurations: Shape (..., n), rad or m.

    Raises:
        LimitsError: A joint has no limit on one side, or one place alone, so that there is no place in its range.
        ParameterError: The configurations are no numbers, or have another number of joints.
    """
    rows = floats(configurations, f"configurations of {chain.name} must be numbers", ParameterError)
    if rows.shape[-1:] != (chain.dof,):
        raise ParameterError(f"configurations of {chain.name} have shape (..., {chain.dof}), got {rows.shape}")
    if not np.isfinite(chain.limits).all():
        raise LimitsError(f"a joint of {chain.name} has no limit, so there is no place in its range")
    lower, upper = chain.limits.T
    if (lower == upper).any():
        raise LimitsError(f"a joint of {chain.name} has but one place, so its range has no width")
    places: Array = (2.0 * rows - lower - upper) / (upper - lower)
    return places


def draw_ranges(ax: Axes, chain: Chain, along: ArrayLike, configurations: ArrayLike) -> list[Line2D]:
    """Draw where every joint is in its range, against time or whatever the configurations are ordered by.

    Args:
        ax: Where to draw.
        chain: Whose limits.
        along: What to draw against, shape (k,).
        configurations: Shape (k, n), rad or m.

    Returns:
        A line for each joint.

    Raises:
        LimitsError, ParameterError: As `relative_places`, or `along` has another length.
    """
    places, x = relative_places(chain, configurations), np.asarray(along, dtype=np.float64)
    if x.shape != places.shape[:-1]:
        raise ParameterError(f"{len(places)} configurations are drawn against as many numbers, got shape {x.shape}")
    for edge in (-1.0, 1.0):
        ax.axhspan(edge, BEYOND * edge, color=VERMILION, alpha=0.13, linewidth=0.0)
        ax.axhline(edge, color=VERMILION, linewidth=1.2)
    shown = np.clip(places, -BEYOND, BEYOND)
    lines = []
    for i, name in enumerate(chain.joint_names):
        lines += ax.plot(x, shown[:, i], label=as_text(name), linewidth=1.6, **look(i))
    ax.set(xlim=(x.min(), x.max()), ylim=(-BEYOND, BEYOND), ylabel="place in the range")
    ax.set_yticks((-1.0, 0.0, 1.0), ("lower", "middle", "upper"))
    return lines


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
        lines += ax.loglog(x, y, label=name, **look(i))
    ax.set(xlabel="distance from the singularity [°]", ylabel="length of the rates [rad/s]")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:g}")
    ax.legend(loc="best")
    return lines
