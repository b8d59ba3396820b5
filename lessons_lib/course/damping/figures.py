"""Lesson 10: the gain σ/(σ² + λ²) that replaces 1/σ, with the singular values of an arm on the curve."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, is_real
from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import GREY, INK, look
from lessons_lib.symbolic import damping as derived

__all__ = [
    "damped_gain",
    "draw_gain",
]


WIDEST, HIGHEST = 2.6, 12.5
"""The upper limits of the σ axis and of the gain axis."""

TICKS = (0.0, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5)


def damped_gain(sigma: ArrayLike, damping: float) -> Array:
    """Return the damped gain σ/(σ² + λ²): joint motion in rad (or m) per unit of error, shape of σ.

    Args:
        sigma: Singular values, nonnegative.
        damping: λ; for zero the gain is 1/σ, and 0 at σ = 0, as in the pseudoinverse.

    Raises:
        ParameterError: λ is negative or not finite.
    """
    if not (is_real(damping) and 0.0 <= damping < np.inf):
        raise ParameterError(f"damping must be finite and nonnegative, got {damping!r}")
    values = np.asarray(sigma, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        gains: Array = np.asarray(_formula()(values, damping), dtype=np.float64)
    return np.where(values > 0.0, gains, 0.0)


@cache
def _formula() -> Callable[[Array, float], Array]:
    """Return the derived gain as a NumPy function of σ and λ."""
    sigma, damping = sp.symbols("sigma lambda", nonnegative=True)
    formula: Callable[[Array, float], Array] = sp.lambdify((sigma, damping), derived.gain(sigma, damping), "numpy")
    return formula


def draw_gain(ax: Axes, dampings: Sequence[float], singular_values: ArrayLike = ()) -> list[Line2D]:
    """Draw the gain over σ, undamped and for each λ, and mark an arm's singular values on each curve.

    Args:
        ax: Axes for σ and the gain.
        dampings: Values of λ, each positive.
        singular_values: σ of an arm, shape (m,); those whose 1/σ is off the page have no marker there.

    Returns:
        The curves; Newton's is the first.
    """
    curves = [_newton(ax)]
    marks = np.asarray(singular_values, dtype=np.float64)
    _points(ax, INK).set_data(*_on_page(marks, damped_gain(marks, 0.0)))
    for i, damping in enumerate(dampings):
        grid = _grid(damping)
        curves += ax.plot(grid, damped_gain(grid, damping), label=rf"$\lambda$ = {format_damping(damping)}", **look(i))
        _points(ax, curves[-1].get_color()).set_data(*_on_page(marks, damped_gain(marks, damping)))
    _style_axes(ax)
    ax.legend(loc="upper right")
    return curves


def format_damping(damping: float) -> str:
    """Return λ as a short fraction such as 1/8, or else as a decimal number."""
    fraction = Fraction(damping)
    return str(fraction) if fraction.denominator <= 64 else f"{damping:g}"


def _newton(ax: Axes) -> Line2D:
    grid = np.geomspace(0.01, WIDEST, 400)
    (line,) = ax.plot(grid, damped_gain(grid, 0.0), color=GREY, linewidth=1.6, label=r"Newton, $1/\sigma$")
    return line


def _points(ax: Axes, colour: Any) -> Line2D:
    (line,) = ax.plot([], [], "o", color=colour, markersize=7.0, markeredgecolor="white", markeredgewidth=0.8, zorder=5)
    return line


def _grid(damping: float) -> Array:
    """Return values of σ that are dense around the peak at λ, zero first."""
    grid: Array = np.unique(np.concatenate([np.linspace(0.0, WIDEST, 300), damping * np.geomspace(1e-4, 50.0, 300)]))
    return grid[grid <= WIDEST]


def _on_page(sigma: Array, gains: Array) -> tuple[Array, Array]:
    seen = gains <= HIGHEST
    return sigma[seen], gains[seen]


def _style_axes(ax: Axes) -> None:
    """Set a square-root axis of σ, which spreads small values and includes zero."""
    ax.set_xscale("function", functions=(_root, np.square))
    ax.set(xlim=(-0.002, WIDEST), ylim=(-0.25, HIGHEST), xticks=TICKS, xticklabels=[f"{tick:g}" for tick in TICKS])
    ax.set(xlabel=r"singular value $\sigma$ (square-root scale)", ylabel="gain [step per error]")


def _root(sigma: Array) -> Array:
    """Return the square root with the sign of σ, so that the margin left of zero is defined."""
    return np.sign(sigma) * np.sqrt(np.abs(sigma))
