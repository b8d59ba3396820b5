"""Convergence of a solver: the error of every iterate on a logarithmic scale."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.plots.theme import GREY, look
from lessons_lib.pose_ik import Stop, Trace

__all__ = [
    "contraction",
    "draw_convergence",
]


FLOOR = 1e-16
"""Smaller errors, also zero, are drawn here: the rounding of a pose of size 1 in double precision."""

_LABELS = {
    "position": r"position error $\Vert v_b \Vert$ [m]",
    "orientation": r"orientation error $\Vert \omega_b \Vert$ [rad]",
}


def floored_errors(trace: Trace, error: str) -> Array:
    """Return ‖v_b‖ [m] (error "position") or ‖ω_b‖ [rad] of every iterate, at least FLOOR, shape (k + 1,)."""
    values = trace.position_errors if error == "position" else trace.orientation_errors
    return np.maximum(values, FLOOR)


def draw_convergence(ax: Axes, traces: Mapping[str, Trace], *, stop: Stop | None = None) -> list[Line2D]:
    """Draw the position errors of several solves against the iteration.

    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import plots, pose_ik, robots
    >>> arm = robots.ur10()
    >>> target = arm.forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    >>> result = pose_ik.solve(arm, target, [0.0, -1.0, 1.2, -0.5, 1.0, 0.0], trace=True)
    >>> curves = plots.draw_convergence(Figure().subplots(), {"default": result.trace})

    Args:
        ax: Axes of matplotlib.
        traces: The traces by their names in the legend.
        stop: If given, its tolerance is drawn as a horizontal line.

    Returns:
        The curves, in the order of `traces`.
    """
    curves = []
    for i, (name, trace) in enumerate(traces.items()):
        values = floored_errors(trace, "position")
        curves += ax.plot(np.arange(len(values)), values, label=name, marker="o", markersize=4.5, **look(i))
    if stop is not None:
        draw_tolerance(ax, stop.position)
    label_axes(ax, _LABELS["position"])
    if len(traces) > 1:
        ax.legend()
    return curves


def draw_tolerance(ax: Axes, tolerance: float) -> Line2D:
    """Draw a horizontal line at the tolerance of a solver."""
    line = ax.axhline(tolerance, color=GREY, linewidth=1.2, linestyle=(0, (6, 3)))
    place: dict[str, Any] = {
        "textcoords": "offset points",
        "ha": "right",
        "va": "bottom",
        "fontsize": 10,
        "color": GREY,
    }
    ax.annotate("tolerance", (1.0, tolerance), xycoords=("axes fraction", "data"), xytext=(-2, 2), **place)
    return line


def label_axes(ax: Axes, label: str) -> None:
    """Set scales, ticks and labels for errors against iterations."""
    ax.set(yscale="log", xlabel="iteration", ylabel=label)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_locator(LogLocator(numticks=7))
    ax.yaxis.set_minor_locator(NullLocator())


def contraction(errors: ArrayLike) -> Array:
    """Return e_{k+1}/e_k² for every step, shape (k,); it tends to a constant if convergence is quadratic.

    >>> from lessons_lib import plots
    >>> plots.contraction([0.1, 0.02, 0.0008]).round(6).tolist()
    [2.0, 2.0]

    Args:
        errors: Errors e_0 … e_k, all except the last nonzero, shape (k + 1,).
    """
    e = np.asarray(errors, dtype=np.float64)
    return e[1:] / e[:-1] ** 2
