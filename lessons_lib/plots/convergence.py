"""Curves on logarithmic scales: errors of iterates, and times or rates."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.plots.theme import GREY, look
from lessons_lib.pose_ik import Stop, Trace

__all__ = [
    "contraction",
    "draw_convergence",
    "draw_rates",
]


FLOOR = 1e-16
"""Smaller errors, also zero, are drawn here: the rounding of a pose of size 1 in double precision."""

NARROW = 50.0
"""Below this ratio of its ends, an axis has too few powers of ten."""


@suggest_arguments
def draw_convergence(ax: Axes, traces: Mapping[str, Trace], *, stop: Stop | None = None) -> list[Line2D]:
    """Draw ‖v_b‖ of several solves' error twists against the iteration.

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

    Raises:
        ParameterError: `traces` is not a mapping to traces.
    """
    if not isinstance(traces, Mapping) or not all(isinstance(trace, Trace) for trace in traces.values()):
        raise ParameterError(
            "traces must map names to the traces of pose_ik.solve(…, trace=True), such as {name: result.trace}, got "
            f"{traces!r}"
        )
    curves = []
    for i, (name, trace) in enumerate(traces.items()):
        values = np.maximum(trace.position_errors, FLOOR)
        curves += ax.plot(np.arange(len(values)), values, label=name, marker="o", markersize=4.5, **look(i))
    if stop is not None:
        _draw_tolerance(ax, stop.position)
    ax.set(yscale="log", xlabel="iteration", ylabel=r"$\Vert v_b \Vert$ of the error twist [m]")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_locator(LogLocator(numticks=7))
    ax.yaxis.set_minor_locator(NullLocator())
    if len(traces) > 1:
        ax.legend()
    return curves


def _draw_tolerance(ax: Axes, tolerance: float) -> None:
    """Draw a horizontal line at the tolerance of a solver."""
    ax.axhline(tolerance, color=GREY, linewidth=1.2, linestyle=(0, (6, 3)))
    place: Any = {"xycoords": ("axes fraction", "data"), "xytext": (-2, 2), "textcoords": "offset points"}
    ax.annotate("tolerance", (1.0, tolerance), **place, ha="right", va="bottom", fontsize=10, color=GREY)


def contraction(errors: ArrayLike) -> Array:
    """Return e_{k+1}/e_k² for every step, shape (k,); it tends to a constant if convergence is quadratic.

    >>> from lessons_lib import plots
    >>> plots.contraction([0.1, 0.02, 0.0008]).round(6).tolist()
    [2.0, 2.0]

    Args:
        errors: Errors e_0 … e_k, all except the last nonzero, shape (k + 1,).

    Raises:
        ParameterError: The errors have another shape, or are not numbers.
    """
    e = floats(errors, "errors must be numbers of shape (k + 1,)", ParameterError)
    if e.ndim != 1:
        raise ParameterError(f"errors must have shape (k + 1,), got {e.shape}")
    return e[1:] / e[:-1] ** 2


def _plain(ax: Axes, which: str) -> None:
    """Label a logarithmic axis with plain numbers: powers of ten, and on a narrow axis also 2 and 5 times them."""
    axis = ax.xaxis if which == "x" else ax.yaxis
    lowest, highest = ax.get_xlim() if which == "x" else ax.get_ylim()
    narrow = highest / lowest < NARROW
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if narrow else (1.0,), numticks=8))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}" if value < 1.0 else f"{value:,.0f}"))


@suggest_arguments
def draw_rates(
    ax: Axes, curves: Mapping[str, tuple[Sequence[float], Sequence[float]]], *, xlabel: str, ylabel: str
) -> list[Line2D]:
    """Draw curves on two logarithmic scales, such as rates against batch size or times against joints.

    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import plots
    >>> curves = {"UR10": ([1, 10, 100], [9e4, 3e5, 5e5])}
    >>> lines = plots.draw_rates(Figure().subplots(), curves, xlabel="poses in a batch", ylabel="poses a second")

    Args:
        ax: Axes of matplotlib.
        curves: For each name its abscissas and ordinates, all positive.
        xlabel: Label of the horizontal axis, with its unit.
        ylabel: Label of the vertical axis, with its unit.

    Raises:
        ParameterError: Abscissas and ordinates of a curve differ in number, or a value is not positive.
    """
    if not isinstance(curves, Mapping):
        raise ParameterError(f"curves must map names to pairs (abscissas, ordinates), got {curves!r}")
    lines = []
    for i, (name, (x, y)) in enumerate(curves.items()):
        if len(x) != len(y) or not (np.asarray(x) > 0.0).all() or not (np.asarray(y) > 0.0).all():
            raise ParameterError(
                f"{name} must have as many abscissas as ordinates, all positive, got {len(x)} and {len(y)}"
            )
        lines += ax.plot(x, y, marker="o", label=name, **look(i))
    ax.set(xscale="log", yscale="log", xlabel=xlabel, ylabel=ylabel)
    _plain(ax, "x")
    _plain(ax, "y")
    if len(curves) > 1:
        ax.legend()
    return lines
