"""Lesson 02: errors of rotation logarithms, and the switch from series to recurrence of Stumpff's functions."""

from collections.abc import Callable, Mapping
from typing import Any

import mpmath
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.lie import kernels
from lessons_lib.plots.theme import BLUE, CYCLE, DASHES, GREY, INK, VERMILION

__all__ = [
    "branch_errors",
    "draw_branches",
    "draw_crossover",
    "draw_log_errors",
    "oblique_axes",
    "order_of_magnitude",
    "round_trip_error",
    "worst_errors",
]

Logarithm = Callable[[Array], ArrayLike]

UNIT = 2.0**-53
"""Half a unit in the last place of 1: the rounding error of one operation in double precision."""

NO_ANSWER = 10.0
"""The value plotted for a failed round trip: above 2, which no entry of the difference of two rotations exceeds."""


def round_trip_error(log: Logarithm, R: ArrayLike) -> float:  # noqa: N803
    """Return max |exp(log R) − R| over the nine entries, or infinity where the logarithm is not finite.

    Args:
        log: Function from a rotation, shape (3, 3), to its rotation vector, shape (3,), rad.
        R: The rotation, shape (3, 3).
    """
    rotation = np.array(R, dtype=np.float64)
    with np.errstate(all="ignore"):
        omega = np.asarray(log(rotation), dtype=np.float64)
    if not np.isfinite(omega).all():
        return float("inf")
    return float(np.abs(lie.exp_so3(omega) - rotation).max())


def worst_errors(log: Logarithm, axes: ArrayLike, angles: ArrayLike) -> Array:
    """Return for each angle the worst round trip over all axes, shape as `angles`.

    Args:
        log: See `round_trip_error`.
        axes: Unit vectors, shape (k, 3).
        angles: Angles in rad, any shape.
    """
    turns = np.asarray(angles, dtype=np.float64)
    units = np.asarray(axes, dtype=np.float64)
    worst = [max(round_trip_error(log, lie.exp_so3(theta * a)) for a in units) for theta in turns.flat]
    return np.array(worst).reshape(turns.shape)


def draw_log_errors(ax: Axes, logs: Mapping[str, Logarithm], axes: ArrayLike, gaps: ArrayLike) -> dict[str, Array]:
    """Draw the worst round trip of each logarithm against π − θ, both on logarithmic scales.

    Args:
        ax: Axes for π − θ and the error.
        logs: Logarithms by name.
        axes: Unit vectors, shape (k, 3).
        gaps: π − θ in rad, shape (m,), positive.

    Returns:
        The errors by name, shape (m,); infinite if a logarithm is not finite.
    """
    distances = np.asarray(gaps, dtype=np.float64)
    drawn = {name: worst_errors(log, axes, np.pi - distances) for name, log in logs.items()}
    for (name, errors), colour, dash in zip(drawn.items(), CYCLE, DASHES, strict=False):
        answered = np.isfinite(errors)
        ax.loglog(distances[answered], errors[answered], color=colour, linestyle=dash, label=name)
        ax.loglog(distances[~answered], np.full((~answered).sum(), NO_ANSWER), "x", color=colour)
    ax.axhline(UNIT, color=GREY, linewidth=1.0)
    name = "u, the rounding error of one operation"
    ax.annotate(name, (distances.max(), UNIT), (0, -4), **_note(ha="right", va="top"))
    if any(np.isinf(errors).any() for errors in drawn.values()):
        ax.annotate("×  not a number", (distances.min(), NO_ANSWER), (0, 9), **_note(va="bottom"))
    ax.set(xlabel="distance from a half turn, π − θ  [rad]", ylabel="largest |exp(log R) − R|", ylim=(3e-18, 3e3))
    ax.legend(loc="upper right")
    return drawn


def branch_errors(axes: ArrayLike, angles: ArrayLike) -> tuple[Array, Array]:
    """Return the largest errors of the library's two formulas, each used at every angle, rad, shape (m,) each.

    The first is ω = w/c₁(θ²), the second the largest column of (1 − cos θ) a aᵀ. The rotation is a product of two
    others, as in every robot's pose, so that each of its entries has a rounding error near u.

    Args:
        axes: Unit vectors, shape (k, 3).
        angles: Angles in rad, shape (m,), 0 < θ < π.
    """
    turns, units = np.asarray(angles, dtype=np.float64), np.asarray(axes, dtype=np.float64)
    first = lie.exp_so3((0.7, -1.1, 0.4))  # any rotation with nine entries away from 0 and ±1
    worst = np.zeros((2, turns.size))
    for i, theta in enumerate(turns):
        for a in units:
            R = first @ (first.T @ lie.exp_so3(theta * a))
            both = np.linalg.norm(_both_branches(R) - theta * a, axis=1)
            worst[:, i] = np.maximum(worst[:, i], both)
    return worst[0], worst[1]


def draw_branches(ax: Axes, axes: ArrayLike, angles: ArrayLike) -> tuple[Array, Array]:
    """Draw the errors of the two formulas over the angle with the predicted errors, and return `branch_errors`."""
    turns = np.asarray(angles, dtype=np.float64)
    errors = branch_errors(axes, turns)
    predicted = (UNIT * turns / np.sin(turns), UNIT * turns / (1.0 - np.cos(turns)))
    names = ("(a) skew part, u θ / sin θ", "(b) symmetric part, u θ / (1 − cos θ)")
    for measured, theory, name, colour in zip(errors, predicted, names, CYCLE, strict=False):
        ax.semilogy(turns, measured, ".", color=colour, markersize=4.0)
        ax.semilogy(turns, theory, color=colour, label=name)
    below = 0.78  # the legend is above
    ax.axvline(np.pi / 2, ymax=below, color=INK, linewidth=1.0, linestyle=(0, (4, 3)))
    ax.annotate("switch at π/2", (np.pi / 2, 0.0), (5, 5), **_note(xycoords=("data", "axes fraction"), va="bottom"))
    ax.set(xlabel="angle θ  [rad]", ylabel="error of log R  [rad]", xlim=(0.0, np.pi), ylim=(2e-17, 2e-12))
    ax.set_xticks(np.arange(5) * np.pi / 4, ["0", "π/4", "π/2", "3π/4", "π"])
    ax.legend(loc="upper right")
    return errors


def _both_branches(R: Array) -> Array:  # noqa: N803
    """Return log R by the skew part (row 0) and by the symmetric part (row 1), shape (2, 3)."""
    T, w, c, angle, out = np.eye(4), np.empty(3), np.empty(1), np.empty(1), np.empty((2, 3))
    T[:3, :3] = R
    compiled = kernels.module()
    compiled.rotation_parts_kernel(T, w, c)
    angle[0] = np.arctan2(np.linalg.norm(w), c[0])
    compiled.small_log_kernel(T, angle, out[0])
    compiled.near_pi(T, w, angle[0], out[1])
    return out


def oblique_axes(rng: np.random.Generator, count: int) -> Array:
    """Return unit vectors uniformly distributed on the sphere, shape (count, 3)."""
    arrows = rng.normal(size=(count, 3))
    unit: Array = arrows / np.linalg.norm(arrows, axis=1, keepdims=True)
    return unit


def order_of_magnitude(error: float) -> str:
    """Return the nearest power of ten, for instance "1e-09", or "0" or "not a number"."""
    if not np.isfinite(error):
        return "not a number"
    return f"1e{round(np.log10(error)):+03d}" if error > 0.0 else "0"


def _note(**changes: Any) -> dict[str, Any]:
    return {"textcoords": "offset points", "fontsize": 10.0, "color": GREY, "ha": "left", **changes}


DIGITS = 40
"""The number of digits of the reference: far more than double precision's 16, so its rounding error is invisible."""


def measured_errors(n: int, terms: int, x: ArrayLike) -> tuple[Array, Array]:
    """Return the errors of a series and of the recurrence in doubles at x = θ², relative to 1/n!, (m,) each."""
    import sympy as sp

    from lessons_lib.symbolic import closed_form, series

    symbol, theta = sp.Symbol("x"), sp.Symbol("theta")
    by_series = sp.lambdify(symbol, series(n, symbol, terms), "math")
    by_recurrence = sp.lambdify(theta, closed_form(n, theta), "math")
    points = [float(value) for value in np.asarray(x, dtype=np.float64)]
    return _errors(by_series, n, points, np.asarray(points)), _errors(by_recurrence, n, points, np.sqrt(points))


def _errors(formula: Callable[[float], float], n: int, x: list[float], arguments: Array) -> Array:
    from lessons_lib.symbolic.stumpff_functions import stumpff_value

    with mpmath.workdps(DIGITS):
        exact = [stumpff_value(n, mpmath.mpf(value)) for value in x]
        scale = mpmath.factorial(n)
        return np.array([float(abs(formula(float(a)) - e) * scale) for a, e in zip(arguments, exact, strict=True)])


def draw_crossover(ax: Axes, n: int, terms: int, x: ArrayLike) -> tuple[Array, Array]:
    """Draw both bounds and both measured errors of cₙ over x = θ², and mark the crossover of the bounds.

    Args:
        ax: Axes for x and the error.
        n: Order of the Stumpff function.
        terms: Terms of the series.
        x: Squared angles in rad², shape (m,), positive.

    Returns:
        The measured errors of the series and of the recurrence, shape (m,) each.
    """
    from lessons_lib.symbolic.stumpff_functions import crossover, recurrence_error, series_error

    points = np.asarray(x, dtype=np.float64)
    errors = measured_errors(n, terms, points)
    bounds = ([series_error(n, value, terms) for value in points], [recurrence_error(n, value) for value in points])
    names = (f"series, {terms} terms", "recurrence")
    for measured, bound, name, colour in zip(errors, bounds, names, (BLUE, VERMILION), strict=True):
        seen = measured > 0.0  # an exact result cannot be drawn on a logarithmic scale
        ax.loglog(points[seen], measured[seen], ".", color=colour, markersize=5.0)
        ax.loglog(points, bound, color=colour, label=name)
    switch = crossover(n, terms)
    ax.axvline(switch, color=INK, linewidth=1.0, linestyle=(0, (4, 3)))
    ax.annotate(
        f"x = {switch:.3g}", (switch, 1.0), (-6, -4), xycoords=("data", "axes fraction"),
        textcoords="offset points", ha="right", va="top", fontsize=10.0, color=GREY,
    )  # fmt: skip
    ax.set(
        xlabel="x = θ²  [rad²]",
        ylabel=f"error of c{chr(0x2080 + n)}(x), relative to c{chr(0x2080 + n)}(0)",
        ylim=(1e-18, 1.0),
    )
    ax.legend(loc="upper center")
    return errors
