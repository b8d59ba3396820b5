"""Singular values as bars on a logarithmic axis, the smallest in another colour."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, INK, VERMILION

FLOOR = 1e-4
"""Where the bars begin. A smaller singular value has no bar, and its number says so."""

TOP = 10.0


class SingularValuesArtist:
    """A bar for each singular value; movable."""

    def __init__(self, ax: Axes, count: int, *, unit: str = "") -> None:
        """Add the bars to the axes.

        Args:
            ax: Where to draw.
            count: How many singular values there are.
            unit: Of the values, for the label of the axis; empty where units are mixed.
        """
        self._floor = FLOOR
        places = range(1, count + 1)
        colours = [BLUE] * (count - 1) + [VERMILION]
        self.bars: Any = ax.bar(places, np.ones(count), bottom=self._floor, color=colours, width=0.62, zorder=2)
        self.numbers = [ax.text(x, 1.0, "", ha="center", va="bottom", fontsize=10, color=INK) for x in places]
        ax.set(yscale="log", ylim=(FLOOR, TOP), xlim=(0.4, count + 0.6), xticks=places)
        ax.set_xticklabels([rf"$\sigma_{i}$" for i in places], fontsize=12)
        ax.set_ylabel(f"singular value [{unit}]" if unit else "singular value")
        ax.grid(visible=False, axis="x")

    @property
    def artists(self) -> list[Any]:
        """Every matplotlib artist that moves."""
        return [*self.bars, *self.numbers]

    def update(self, values: ArrayLike) -> None:
        """Show these singular values, the largest first.

        Raises:
            ParameterError: Another number of values than there are bars, or one that is negative or not finite.
        """
        sigma = np.asarray(values, dtype=np.float64)
        if sigma.shape != (len(self.numbers),) or not np.isfinite(sigma).all() or (sigma < 0.0).any():
            raise ParameterError(f"there are {len(self.numbers)} bars for values ≥ 0, got {sigma.tolist()}")
        for bar, number, value in zip(self.bars, self.numbers, sigma, strict=True):
            top = max(float(value), self._floor)
            bar.set_height(top - self._floor)
            number.set_y(1.15 * top)
            number.set_text(say(float(value)))


def say(value: float) -> str:
    """Return a singular value as a reader wants it: two digits, or that it is nothing."""
    if value < FLOOR:
        return f"< {FLOOR:.4f}" if value > 1e-12 else "0"
    return f"{value:.2f}" if value >= 0.1 else f"{value:.1g}"


def draw_singular_values(ax: Axes, values: Sequence[float] | ArrayLike, *, unit: str = "") -> SingularValuesArtist:
    """Draw a bar for each singular value, the largest first; `unit` as in `SingularValuesArtist`.

    Raises:
        ParameterError: As `SingularValuesArtist.update`.
    """
    bars = SingularValuesArtist(ax, len(np.atleast_1d(values)), unit=unit)
    bars.update(values)
    return bars
