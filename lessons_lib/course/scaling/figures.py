"""Lesson 24: a reachability map, the SIMD lanes that compute it, and the speed-up over cores with Amdahl's law."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, is_real
from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import GREY, INK, PAPER, look
from lessons_lib.symbolic import amdahl

__all__ = [
    "draw_map_of_reach",
    "draw_speed_up",
    "speed_up",
]


MOST_CORES = 1024
"""Upper end of the axis of cores."""


def speed_up(share: float, cores: ArrayLike) -> Array:
    """Return Amdahl's speed-up 1/(s + (1 − s)/p), shape of `cores`.

    Args:
        share: Serial fraction s of the time on one core, from 0 to 1.
        cores: Number of cores p, each at least 1.

    Raises:
        ParameterError: `share` is outside [0, 1], or a number of cores is below 1.
    """
    counts = np.asarray(cores, dtype=np.float64)
    if not (is_real(share) and 0.0 <= share <= 1.0):
        raise ParameterError(f"share must be in [0, 1], got {share!r}")
    if not (counts >= 1.0).all():
        raise ParameterError(f"cores must be at least 1, got {cores!r}")
    return np.asarray(_formula()(share, counts), dtype=np.float64)


@cache
def _formula() -> Callable[[float, Array], Array]:
    """Return the derived speed-up as a NumPy function of s and p."""
    share, cores = sp.symbols("s p", positive=True)
    formula: Callable[[float, Array], Array] = sp.lambdify((share, cores), amdahl.speed_up(share, cores), "numpy")
    return formula


def draw_speed_up(ax: Axes, shares: Mapping[str, float], measured: Mapping[int, float] | None = None) -> list[Line2D]:
    """Draw the speed-up over cores for some serial fractions, with measured points.

    Args:
        ax: Axes for cores and speed-up.
        shares: Serial fractions s by the name in the legend.
        measured: Measured speed-ups by number of cores.

    Returns:
        The curves, in order.

    Raises:
        ParameterError: A serial fraction is outside [0, 1], or a measured speed-up is not positive.
    """
    grid = np.geomspace(1, MOST_CORES, 201)
    _style_axes(ax)
    lines = []
    for i, (name, share) in enumerate(shares.items()):
        lines += ax.plot(grid, speed_up(share, grid), label=name, **look(i))
    draw_measured(ax, measured or {})
    ax.legend(loc="upper left")
    return lines


def draw_map_of_reach(ax: Axes, x: ArrayLike, z: ArrayLike, shares: ArrayLike, **looks: Any) -> QuadMesh:
    """Draw a map over x and z: for each position the fraction of its poses that are reached, or another number.

    Args:
        ax: Axes for x and z.
        x: Shape (m,), m, evenly spaced.
        z: Shape (n,), m, evenly spaced.
        shares: Shape (n, m), one row for each z.
        **looks: Options of Matplotlib's `pcolormesh`; by default blue from 0 to 1.

    Returns:
        The mesh, for a colour bar.

    Raises:
        ParameterError: The shape of `shares` is wrong.
    """
    across, up, values = (np.asarray(given, dtype=np.float64) for given in (x, z, shares))
    if values.shape != (up.size, across.size):
        raise ParameterError(f"shares must have shape ({up.size}, {across.size}), got {values.shape}")
    dressed: dict[str, Any] = {"cmap": "Blues", "vmin": 0.0, "vmax": 1.0} | looks
    drawn = ax.pcolormesh(across, up, values, shading="nearest", edgecolor=PAPER, linewidth=0.4, **dressed)
    ax.set(aspect="equal", xlabel="x [m]", ylabel="z [m]")
    ax.grid(visible=False)
    return drawn


def draw_measured(ax: Axes, measured: Mapping[int, float]) -> Line2D | None:
    """Draw measured speed-ups as points, and return them; None without measurements.

    Raises:
        ParameterError: A speed-up is not positive.
    """
    if not measured:
        return None
    if not all(gained > 0.0 for gained in measured.values()):
        raise ParameterError(f"measured speed-ups must be positive, got {dict(measured)}")
    (points,) = ax.plot(list(measured), list(measured.values()), "D", color=INK, label="measured", zorder=5)
    points.set(markersize=8.0, markeredgecolor="white")
    return points


def _style_axes(ax: Axes) -> None:
    ax.plot([1, MOST_CORES], [1, MOST_CORES], color=GREY, linewidth=1.2, linestyle=(0, (6, 3)))
    ax.annotate("nothing serial", (60, 75), color=GREY, fontsize=11, ha="right", va="bottom")
    ax.set(xscale="log", yscale="log", xlim=(0.9, 1.15 * MOST_CORES), ylim=(0.6, 1.5 * MOST_CORES))
    ax.set(xlabel="cores", ylabel="speed-up")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(LogLocator(base=4.0, numticks=8))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
