"""Lesson 17: a body with two hands and its targets, and the trade-off between tasks."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.plots.theme import BLUE, CYCLE, DASHES, GREY, INK, PAPER, PURPLE, VERMILION
from lessons_lib.robots import Tree

__all__ = [
    "draw_body",
    "draw_decay",
    "draw_cost_and_constraint",
]


GOAL_COLOURS = (BLUE, VERMILION)
"""The colours of the hands' targets, in order; other drawings of a hand also use them."""

MARGIN = 0.12
"""The margin around the drawing, in m."""


def draw_body(
    ax: Axes,
    tree: Tree,
    limbs: Sequence[Sequence[str]],
    bodies: Mapping[str, ArrayLike],
    goals: ArrayLike,
) -> list[list[Line2D]]:
    """Draw a body from above at several configurations, the last one dark, with the targets of its hands.

    Args:
        ax: Axes with x upwards and y to the left.
        tree: Robot.
        limbs: For each limb, the frames at whose origins its line bends, from one end to the other; the first limbs,
            one per target, end at its hand.
        bodies: Configurations by name, shape (nq,); all but the last are pale.
        goals: Targets, shape (k, 3), m: crosses, each with a dotted line from its hand.

    Returns:
        The lines of each body, one per limb.

    Raises:
        FrameNotFound: A frame of a limb is unknown.
        ParameterError: There is no body, no target, or more targets than colours.
        ConfigurationError: A configuration has another shape or holds a value that is not finite.
    """
    if not bodies:
        raise ParameterError("bodies must hold at least one configuration")
    points = np.asarray(goals, dtype=np.float64)
    if not 1 <= len(points) <= len(GOAL_COLOURS):
        raise ParameterError(f"goals must hold one to {len(GOAL_COLOURS)} points, got {len(points)}")
    places, drawn = list[Array](), []
    for i, (name, q) in enumerate(bodies.items()):
        state, colour = tree.state(q), GREY if i + 1 < len(bodies) else INK
        places = [np.array([state.forward_kinematics(frame)[:3, 3] for frame in limb]) for limb in limbs]
        looks: dict[str, Any] = {"color": colour, "linewidth": 5.0, "marker": "o", "markersize": 7.5, "zorder": 3}
        looks |= {"markerfacecolor": PAPER, "markeredgewidth": 1.8}
        drawn.append([ax.plot(limb[:, 1], limb[:, 0], **looks)[0] for limb in places])
        drawn[-1][0].set_label(name)
    cross: dict[str, Any] = {"markersize": 13.0, "markeredgewidth": 3.2, "linestyle": "", "zorder": 5}
    for point, limb, colour in zip(points, places, GOAL_COLOURS, strict=False):
        ax.plot([point[1]], [point[0]], "x", color=colour, **cross)
        ax.plot([point[1], limb[-1, 1]], [point[0], limb[-1, 0]], ":", color=colour, linewidth=2.4, zorder=4)
    seen = [line.get_xydata() for body in drawn for line in body]
    _look_from_above(ax, np.vstack([points[:, 1::-1], *seen]))
    return drawn


def _look_from_above(ax: Axes, points: Array) -> None:
    """Set equal scales and limits around points (y, x), shape (k, 2), with x upwards and y to the left."""
    low, high = points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN
    ax.set(xlim=(high[0], low[0]), ylim=(low[1], high[1]), xlabel="y [m]", ylabel="x [m]")
    ax.set_aspect("equal")
    ax.tick_params(colors=GREY)


MARKERS = ("o", "s", "^", "D")
"""The markers of the curves, so that they differ in more than colour."""

SMALLEST = 1e-5
"""The smallest error drawn, in mm; below 0.01 µm, all changes are rounding errors."""


def draw_decay(ax: Axes, errors: Mapping[float, ArrayLike]) -> list[Line2D]:
    """Draw how an error falls from step to step at several gains, with (1 − α)^k times the first as a thin line.

    Args:
        ax: Axes for steps and errors.
        errors: For each gain α, the errors before step 1, 2, …, m; drawn in mm, on a logarithmic scale.

    Returns:
        The measured curves, in order.

    Raises:
        ParameterError: There are more gains than markers, or no gain.
    """
    if not 1 <= len(errors) <= len(MARKERS):
        raise ParameterError(f"errors must hold values for one to {len(MARKERS)} gains, got {len(errors)}")
    lines = []
    for (gain, values), colour, marker in zip(errors.items(), CYCLE, MARKERS, strict=False):
        millimetres = 1e3 * np.asarray(values, dtype=np.float64)
        steps = np.arange(len(millimetres))
        if gain < 1.0:
            ax.plot(steps, millimetres[0] * (1.0 - gain) ** steps, color=colour, linewidth=1.2, linestyle=DASHES[1])
        looks: dict[str, Any] = {"color": colour, "linewidth": 1.6, "markersize": 6.5, "label": rf"$\alpha = {gain:g}$"}
        lines += ax.plot(steps, millimetres, marker, linestyle="-" if gain == 1.0 else "", **looks)
    ax.set(yscale="log", xlabel="step $k$", ylabel="hand error [mm]")
    ax.set_ylim(bottom=SMALLEST)
    series = Line2D([], [], color=GREY, linewidth=1.2, linestyle=DASHES[1], label=r"$(1 - \alpha)^k e_0$")
    ax.legend(handles=[*lines, series], loc="lower left")
    return lines


def draw_cost_and_constraint(ax: Axes, ratios: ArrayLike, errors: ArrayLike, hard: float) -> list[Line2D]:
    """Draw the remaining error of a task over its relative cost, and its error as a constraint.

    Args:
        ax: Axes for ratio and error.
        ratios: Cost of the task divided by that of the other, shape (k,), increasing.
        errors: Remaining errors, shape (k,), m; drawn in mm, on logarithmic scales.
        hard: Remaining error as a constraint, m; if it is below the axes, its line is at the lower edge.

    Returns:
        The curve, the line of slope −2 through its last point, and the line of the constraint.

    Raises:
        ParameterError: The shapes differ.
    """
    x, y = np.asarray(ratios, dtype=np.float64), 1e3 * np.asarray(errors, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise ParameterError(f"ratios and errors must both have shape (k,), got {x.shape} and {y.shape}")
    floor = 0.2 * y.min()
    slope_looks: dict[str, Any] = {"color": GREY, "linestyle": DASHES[1], "linewidth": 1.2}
    (slope,) = ax.plot(x, y[-1] * (x / x[-1]) ** -2.0, label="proportional to 1/ratio²", **slope_looks)
    (curve,) = ax.plot(x, y, "o-", color=BLUE, markersize=6.0, label="hands with a cost")
    below = max(1e3 * hard, floor)
    constraint = ax.axhline(below, color=PURPLE, linewidth=4.0, label=f"hands as constraints: {1e3 * hard:g} mm")
    ax.set(xscale="log", yscale="log", ylim=(floor, 10.0 * y.max()))
    ax.set(xlabel="ratio: cost of hands / cost of posture", ylabel="hand error at rest [mm]")
    ax.legend(handles=[curve, slope, constraint], loc="lower left", bbox_to_anchor=(0.0, 0.04), fontsize=9)
    return [curve, slope, constraint]
