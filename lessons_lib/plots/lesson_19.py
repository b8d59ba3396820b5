"""Speed-up against cores: Amdahl's curve below the line of perfect sharing, its ceiling, and what was measured."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, CYCLE, DASHES, GREY, INK, VERMILION
from lessons_lib.symbolic import amdahl

__all__ = [
    "SpeedUpArtist",
    "draw_speed_up",
    "speed_up",
]


MOST_CORES = 1024
"""Where the axis of the cores ends."""


def speed_up(share: float, cores: ArrayLike) -> Array:
    """Return Amdahl's speed-up 1/(s + (1 − s)/p), shape of `cores`.

    Args:
        share: s, the share of the time on one core that cannot be divided, from 0 to 1.
        cores: p, each at least 1.

    Raises:
        ParameterError: A share outside [0, 1], or less than one core.
    """
    counts = np.asarray(cores, dtype=np.float64)
    if not 0.0 <= share <= 1.0:
        raise ParameterError(f"share is {share!r}; the serial share is a number from 0 to 1")
    if not (counts >= 1.0).all():
        raise ParameterError(f"cores are {cores!r}; each is at least 1")
    return np.asarray(_formula()(share, counts), dtype=np.float64)


@cache
def _formula() -> Callable[[float, Array], Array]:
    """Return the derived speed-up as a NumPy function of s and p."""
    share, cores = sp.symbols("s p", positive=True)
    formula: Callable[[float, Array], Array] = sp.lambdify((share, cores), amdahl.speed_up(share, cores), "numpy")
    return formula


def draw_speed_up(ax: Axes, shares: Mapping[str, float], measured: Mapping[int, float] | None = None) -> list[Line2D]:
    """Draw the speed-up against the cores for some serial shares, with measured points.

    Args:
        ax: Where to draw.
        shares: s by the name in the legend.
        measured: Speed-ups that were measured, by the number of cores.

    Returns:
        The curves, in order.

    Raises:
        ParameterError: A share outside [0, 1], or a measured speed-up that is not positive.
    """
    grid = np.geomspace(1, MOST_CORES, 201)
    _dress(ax)
    lines = []
    for i, (name, share) in enumerate(shares.items()):
        look: dict[str, Any] = {"color": CYCLE[i % len(CYCLE)], "linestyle": DASHES[i % len(DASHES)]}
        lines += ax.plot(grid, speed_up(share, grid), label=name, **look)
    draw_measured(ax, measured or {})
    ax.legend(loc="upper left")
    return lines


def draw_measured(ax: Axes, measured: Mapping[int, float]) -> Line2D | None:
    """Draw measured speed-ups as points, and return them; None where nothing was measured.

    Raises:
        ParameterError: A speed-up that is not positive.
    """
    if not measured:
        return None
    if not all(gained > 0.0 for gained in measured.values()):
        raise ParameterError(f"measured speed-ups are {dict(measured)}; each is positive")
    (points,) = ax.plot(list(measured), list(measured.values()), "D", color=INK, label="measured", zorder=5)
    points.set(markersize=8.0, markeredgecolor="white")
    return points


class SpeedUpArtist:
    """One curve of speed-up with its ceiling 1/s and a point on it, for an explorer to move.

    Attributes:
        curve: The speed-up.
        ceiling: The line at 1/s; it leaves the page where s is small.
        point: The number of cores that is looked at.
        artists: All that moves.
    """

    def __init__(self, ax: Axes, measured: Mapping[int, float] | None = None) -> None:
        """Make the artists.

        Args:
            ax: Where to draw.
            measured: Speed-ups that were measured, by the number of cores.
        """
        _dress(ax)
        self._grid = np.geomspace(1, MOST_CORES, 201)
        (self.curve,) = ax.plot([], [], color=BLUE, label="Amdahl's law")
        self.ceiling = ax.axhline(1.0, color=BLUE, linewidth=1.4, linestyle=(0, (2, 2)), label="ceiling 1/s")
        draw_measured(ax, measured or {})
        (self.point,) = ax.plot([], [], "o", color=VERMILION, markersize=10.0, zorder=6)
        ax.legend(loc="upper left")
        self.artists: list[Artist] = [self.curve, self.ceiling, self.point]

    def update(self, share: float, cores: int) -> None:
        """Show the curve of a serial share, and the point of a number of cores."""
        self.curve.set_data(self._grid, speed_up(share, self._grid))
        self.ceiling.set_ydata([1.0 / share] * 2 if share > 0.0 else [2.0 * MOST_CORES] * 2)
        self.point.set_data([cores], [float(speed_up(share, cores))])


def _dress(ax: Axes) -> None:
    ax.plot([1, MOST_CORES], [1, MOST_CORES], color=GREY, linewidth=1.2, linestyle=(0, (6, 3)))
    ax.annotate("nothing serial", (60, 75), color=GREY, fontsize=11, ha="right", va="bottom")
    ax.set(xscale="log", yscale="log", xlim=(0.9, 1.15 * MOST_CORES), ylim=(0.6, 1.5 * MOST_CORES))
    ax.set(xlabel="cores", ylabel="speed-up")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(LogLocator(base=4.0, numticks=8))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
