"""Lesson 15: joints within their ranges, and growth of rates near a singularity."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import LimitsError, ParameterError
from lessons_lib.plots.theme import VERMILION, as_text, look
from lessons_lib.robots import Chain

__all__ = [
    "draw_ranges",
    "relative_places",
]


BEYOND = 1.25
"""The ends of the axis; points beyond them are drawn at the edge."""

NEAR = 0.9
"""The fraction of the range beyond which a bar is drawn in a warning colour."""


def relative_places(chain: Chain, configurations: ArrayLike) -> Array:
    """Return (q − middle)/half width for each joint, in the shape of the configurations.

    Args:
        chain: Chain with the limits.
        configurations: Shape (..., n), rad or m.

    Raises:
        LimitsError: A joint has no limit on one side, or a range of zero width.
        ParameterError: The configurations are not numbers, or have another number of joints.
    """
    rows = floats(configurations, f"configurations of {chain.name} must be numbers", ParameterError)
    if rows.shape[-1:] != (chain.dof,):
        raise ParameterError(f"configurations of {chain.name} must have shape (..., {chain.dof}), got {rows.shape}")
    if not np.isfinite(chain.limits).all():
        raise LimitsError(f"each joint of {chain.name} must have two limits")
    lower, upper = chain.limits.T
    if (lower == upper).any():
        raise LimitsError(f"the joint ranges of {chain.name} must have a positive width")
    places: Array = (2.0 * rows - lower - upper) / (upper - lower)
    return places


def draw_ranges(ax: Axes, chain: Chain, along: ArrayLike, configurations: ArrayLike) -> list[Line2D]:
    """Draw the position of every joint in its range, against time or another order of the configurations.

    Args:
        ax: Axes for the order and the position.
        chain: Chain with the limits.
        along: Abscissa, shape (k,).
        configurations: Shape (k, n), rad or m.

    Returns:
        A line for each joint.

    Raises:
        LimitsError, ParameterError: See `relative_places`; or `along` has another length.
    """
    places, x = relative_places(chain, configurations), np.asarray(along, dtype=np.float64)
    if x.shape != places.shape[:-1]:
        raise ParameterError(f"along must have shape ({len(places)},) to match the configurations, got {x.shape}")
    for edge in (-1.0, 1.0):
        ax.axhspan(edge, BEYOND * edge, color=VERMILION, alpha=0.13, linewidth=0.0)
        ax.axhline(edge, color=VERMILION, linewidth=1.2)
    shown = np.clip(places, -BEYOND, BEYOND)
    lines = []
    for i, name in enumerate(chain.joint_names):
        lines += ax.plot(x, shown[:, i], label=as_text(name), linewidth=1.6, **look(i))
    ax.set(xlim=(x.min(), x.max()), ylim=(-BEYOND, BEYOND), ylabel="position in the range")
    ax.set_yticks((-1.0, 0.0, 1.0), ("lower", "middle", "upper"))
    return lines
