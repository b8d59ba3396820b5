"""Where the series of a Stumpff function and its recurrence trade places: measured errors under derived bounds."""

from collections.abc import Callable

import mpmath
import numpy as np
import sympy as sp
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from lessons_lib.plots.theme import BLUE, GREY, INK, VERMILION
from lessons_lib.symbolic import closed_form, series
from lessons_lib.symbolic.stumpff import crossover, recurrence_error, series_error, stumpff_value

Array = NDArray[np.float64]

DIGITS = 40
"""Digits of the reference: double precision has 16, so that the reference's own rounding never shows."""


def measured_errors(n: int, terms: int, x: ArrayLike) -> tuple[Array, Array]:
    """Return the errors of the series and of the recurrence in double precision, relative to 1/n!, shape (m,) each.

    Args:
        n: Order of the Stumpff function.
        terms: Terms of the series.
        x: Squared angles in rad², shape (m,), positive.
    """
    symbol, theta = sp.Symbol("x"), sp.Symbol("theta")
    by_series = sp.lambdify(symbol, series(n, symbol, terms), "math")
    by_recurrence = sp.lambdify(theta, closed_form(n, theta), "math")
    points = [float(value) for value in np.asarray(x, dtype=np.float64)]
    return _errors(by_series, n, points, np.asarray(points)), _errors(by_recurrence, n, points, np.sqrt(points))


def _errors(formula: Callable[[float], float], n: int, x: list[float], arguments: Array) -> Array:
    with mpmath.workdps(DIGITS):
        exact = [stumpff_value(n, mpmath.mpf(value)) for value in x]
        scale = mpmath.factorial(n)
        return np.array([float(abs(formula(float(a)) - e) * scale) for a, e in zip(arguments, exact, strict=True)])


def draw_crossover(ax: Axes, n: int, terms: int, x: ArrayLike) -> tuple[Array, Array]:
    """Draw both bounds and both measured errors of cₙ against x = θ², and mark where the bounds meet.

    Args:
        ax: Where to draw.
        n: Order of the Stumpff function.
        terms: Terms of the series.
        x: Squared angles in rad², shape (m,), positive.

    Returns:
        The measured errors of the series and of the recurrence, shape (m,) each.
    """
    points = np.asarray(x, dtype=np.float64)
    errors = measured_errors(n, terms, points)
    bounds = ([series_error(n, value, terms) for value in points], [recurrence_error(n, value) for value in points])
    names = (f"series, {terms} terms", "recurrence")
    for measured, bound, name, colour in zip(errors, bounds, names, (BLUE, VERMILION), strict=True):
        seen = measured > 0.0  # an exact result has no place on a logarithmic scale
        ax.loglog(points[seen], measured[seen], ".", color=colour, markersize=5.0)
        ax.loglog(points, bound, color=colour, label=name)
    switch = crossover(n, terms)
    ax.axvline(switch, color=INK, linewidth=1.0, linestyle=(0, (4, 3)))
    ax.annotate(
        f"x = {switch:.3g}", (switch, 1.0), (-6, -4), xycoords=("data", "axes fraction"),
        textcoords="offset points", ha="right", va="top", fontsize=10.0, color=GREY,
    )  # fmt: skip
    ax.set(xlabel="x = θ²  [rad²]", ylabel=f"relative error of c{chr(0x2080 + n)}(x)", ylim=(1e-18, 1.0))
    ax.legend(loc="upper center")
    return errors
