"""How well a logarithm knows its rotation: round trips near half a turn, and the two formulas that share the work."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from lessons_lib import lie
from lessons_lib.lie import kernels
from lessons_lib.plots.theme import CYCLE, DASHES, GREY, INK

Array = NDArray[np.float64]
Logarithm = Callable[[Array], ArrayLike]

UNIT = 2.0**-53
"""Half a unit in the last place of 1: the rounding error of one operation in double precision."""

NO_ANSWER = 10.0
"""Where a round trip is drawn that gave no number: above 2, the most by which two rotations can differ in an entry."""


def round_trip_error(log: Logarithm, R: ArrayLike) -> float:  # noqa: N803
    """Return max |exp(log R) − R| over the nine entries, or infinity where the logarithm is not finite.

    Args:
        log: Takes a rotation, shape (3, 3), and returns its rotation vector, shape (3,), rad.
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
        log: As in `round_trip_error`.
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
        ax: Where to draw.
        logs: Name to logarithm.
        axes: Unit vectors, shape (k, 3).
        gaps: π − θ in rad, shape (m,), positive.

    Returns:
        Name to the errors that were drawn, shape (m,); infinite where a logarithm gave no number.
    """
    distances = np.asarray(gaps, dtype=np.float64)
    drawn = {name: worst_errors(log, axes, np.pi - distances) for name, log in logs.items()}
    for (name, errors), colour, dash in zip(drawn.items(), CYCLE, DASHES, strict=False):
        answered = np.isfinite(errors)
        ax.loglog(distances[answered], errors[answered], color=colour, linestyle=dash, label=name)
        ax.loglog(distances[~answered], np.full((~answered).sum(), NO_ANSWER), "x", color=colour)
    ax.axhline(UNIT, color=GREY, linewidth=1.0)
    ax.annotate("u, the rounding of one operation", (distances.max(), UNIT), (0, -4), **_note(ha="right", va="top"))
    if any(np.isinf(errors).any() for errors in drawn.values()):
        ax.annotate("×  no number at all", (distances.min(), NO_ANSWER), (0, 9), **_note(va="bottom"))
    ax.set(xlabel="distance from half a turn, π − θ  [rad]", ylabel="worst |exp(log R) − R|", ylim=(3e-18, 3e3))
    ax.legend(loc="upper right")
    return drawn


def branch_errors(axes: ArrayLike, angles: ArrayLike) -> tuple[Array, Array]:
    """Return the worst relative errors of the library's two formulas, each used at every angle, shape (m,) each.

    The first is ω = w/c₁(θ²), the second the largest column of (1 − cos θ) a aᵀ. The rotation whose logarithm is taken
    is a product of two others, as in every robot's pose, so that each of its entries carries a rounding error near u.

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
            both = np.linalg.norm(_both_branches(R) - theta * a, axis=1) / theta
            worst[:, i] = np.maximum(worst[:, i], both)
    return worst[0], worst[1]


def draw_branches(ax: Axes, axes: ArrayLike, angles: ArrayLike) -> tuple[Array, Array]:
    """Draw the errors of the two formulas over the angle, with what the analysis predicts; return `branch_errors`."""
    turns = np.asarray(angles, dtype=np.float64)
    errors = branch_errors(axes, turns)
    predicted = (UNIT / np.sin(turns), UNIT / (1.0 - np.cos(turns)))
    names = ("(a) skew part, u / sin θ", "(b) symmetric part, u / (1 − cos θ)")
    for measured, theory, name, colour in zip(errors, predicted, names, CYCLE, strict=False):
        ax.semilogy(turns, measured, ".", color=colour, markersize=4.0)
        ax.semilogy(turns, theory, color=colour, label=name)
    ax.axvline(np.pi / 2, color=INK, linewidth=1.0, linestyle=(0, (4, 3)))
    ax.annotate("switch at π/2", (np.pi / 2, 0.0), (5, 5), **_note(xycoords=("data", "axes fraction"), va="bottom"))
    ax.set(xlabel="angle θ  [rad]", ylabel="relative error of log R", xlim=(0.0, np.pi), ylim=(2e-17, 2e-11))
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
    """Return unit vectors spread evenly over the sphere, shape (count, 3)."""
    arrows = rng.normal(size=(count, 3))
    unit: Array = arrows / np.linalg.norm(arrows, axis=1, keepdims=True)
    return unit


def order_of_magnitude(error: float) -> str:
    """Return the nearest power of ten, "1e-09" for instance, "0" or "no number": what is worth printing of an error."""
    if not np.isfinite(error):
        return "no number"
    return f"1e{round(np.log10(error)):+03d}" if error > 0.0 else "0"


def _note(**changes: Any) -> dict[str, Any]:
    return {"textcoords": "offset points", "fontsize": 10.0, "color": GREY, "ha": "left", **changes}
