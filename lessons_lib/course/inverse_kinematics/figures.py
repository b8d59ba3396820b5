"""Lesson 01: the reach of a planar 2R and its solutions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Wedge
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.plots.theme import BLUE, GREY, INK, PAPER, SKY, VERMILION
from lessons_lib.robots import planar_2r_corners, planar_2r_solutions

__all__ = [
    "draw_angles",
    "draw_reach",
]


POSTURE_COLOURS = (BLUE, VERMILION)
"""The colours of the arms with q₂ > 0 and with q₂ < 0; a single solution is drawn in INK."""

HAND = np.array([(0.17, 0.085), (0.0, 0.085), (0.0, -0.085), (0.17, -0.085)])
"""The hand's outline along the second link, in m, for links about 1 m long."""

FAN = np.radians(np.arange(0, 360, 30))
"""The angles q₁, in rad, for which an arm is drawn if every q₁ is a solution."""

_ARM: dict[str, Any] = {"linewidth": 5.0, "solid_joinstyle": "round", "zorder": 4}
_JOINTS: dict[str, Any] = {"linestyle": "", "marker": "o", "markersize": 8.0, "markeredgewidth": 1.8, "zorder": 6}


@dataclass(frozen=True, eq=False)
class Reach:
    """The solutions drawn by `draw_reach`, one row each, shape (k, 2), rad."""

    solutions: Array


def nearest_configuration(tip: Array, length_1: float, length_2: float) -> Array:
    """Return the straight or folded configuration nearest to a point out of reach, shape (2,), rad."""
    r = float(np.hypot(*tip))
    edge = float(np.clip(r, abs(length_1 - length_2), length_1 + length_2))
    towards = tip / r if r > 0.0 else np.array([1.0, 0.0])
    nearest: Array = planar_2r_solutions(edge * towards, length_1, length_2)[0]
    return nearest


def draw_reach(ax: Axes, tip: ArrayLike, length_1: float = 1.0, length_2: float = 1.0) -> Reach:
    """Draw the annulus that a planar 2R reaches, a target, and an arm for every solution.

    Out of reach a pale arm comes as near as possible; if every q₁ is a solution, several pale arms are drawn.

    Args:
        ax: Axes for x and y.
        tip: Target, (x, y), m.
        length_1: Length of the first link, m.
        length_2: Length of the second link, m.

    Raises:
        TransformError: `tip` has another shape or is not finite.
        ParameterError: A length is not positive and finite.
    """
    lengths, solutions = (length_1, length_2), planar_2r_solutions(tip, length_1, length_2)
    target = np.asarray(tip, dtype=np.float64)
    _draw_ring(ax, length_1 + length_2, abs(length_1 - length_2))
    pale = [nearest_configuration(target, *lengths)] if len(solutions) == 0 else []
    if length_1 == length_2 and len(solutions) == 1 and abs(solutions[0, 1]) == np.pi:
        pale = [np.array([angle, np.pi]) for angle in FAN]
    for q in pale:
        _draw_posture(ax, q, lengths, GREY, alpha=0.28, hand=False)
    for q, colour in zip(solutions, (INK,) if len(solutions) == 1 else POSTURE_COLOURS, strict=False):
        _draw_posture(ax, q, lengths, colour)
    if pale:
        gap = np.array([planar_2r_corners(pale[0], *lengths)[2], target])
        ax.plot(*gap.T, color=GREY, linewidth=1.4, linestyle=(0, (2, 2)), zorder=2)
    ax.plot(*target, "o", color=INK, markersize=7.5, markeredgecolor=PAPER, zorder=8)
    room = 1.12 * max(length_1 + length_2, float(np.hypot(*target)))
    ax.set(xlabel="x [m]", ylabel="y [m]", xlim=(-room, room), ylim=(-room, room))
    ax.set_aspect("equal")
    ax.grid(visible=False)
    return Reach(solutions)


def _draw_ring(ax: Axes, outer: float, inner: float) -> None:
    width = outer - inner if inner > 0.0 else None
    ax.add_patch(Wedge((0.0, 0.0), outer, 0.0, 360.0, width=width, facecolor=SKY, alpha=0.16, zorder=0))
    turn = np.linspace(0.0, 2.0 * np.pi, 181)
    for radius in (outer, inner):
        ax.plot(radius * np.cos(turn), radius * np.sin(turn), color=SKY, linewidth=1.2, zorder=1)


def _draw_posture(
    ax: Axes, q: ArrayLike, lengths: tuple[float, float], colour: str, *, alpha: float = 1.0, hand: bool = True
) -> None:
    """Draw an arm with its hand at q, shape (2,), rad, for links of some lengths, m."""
    corners, heading = planar_2r_corners(q, *lengths), float(np.sum(q))
    ax.plot(*corners.T, color=colour, alpha=alpha, **_ARM)
    if hand:
        turn = np.array([[np.cos(heading), -np.sin(heading)], [np.sin(heading), np.cos(heading)]])
        ax.plot(*(corners[2] + HAND @ turn.T).T, color=colour, alpha=alpha, linewidth=3.0, zorder=5)
    ax.plot(*corners[:2].T, color=colour, alpha=alpha, markerfacecolor=PAPER, **_JOINTS)


def draw_angles(ax: Axes, q: ArrayLike, length_1: float = 1.0, length_2: float = 1.0) -> None:
    """Draw one posture with labels for q₁, q₂, L₁, L₂, r and the heading.

    Args:
        ax: Axes for x and y.
        q: Configuration with positive angles, shape (2,), rad.
        length_1: Length of the first link, m.
        length_2: Length of the second link, m.
    """
    q_1, q_2 = np.asarray(q, dtype=np.float64)
    base, elbow, tip = planar_2r_corners((q_1, q_2), length_1, length_2)
    _draw_posture(ax, (q_1, q_2), (length_1, length_2), INK)
    names: dict[str, Any] = {"fontsize": 14, "ha": "center", "va": "center", "zorder": 9}
    for root, start, turn, colour, name in ((base, 0.0, q_1, BLUE, "$q_1$"), (elbow, q_1, q_2, VERMILION, "$q_2$")):
        ahead = root + 0.62 * length_1 * _direction(start)
        ax.plot(*np.array([root, ahead]).T, color=GREY, linewidth=1.3, linestyle=(0, (3, 2)), zorder=2)
        arc = root + 0.4 * length_1 * _direction(np.linspace(start, start + turn, 61))
        ax.plot(*arc.T, color=colour, linewidth=2.2, zorder=3)
        ax.annotate("", arc[-1], arc[-4], arrowprops={"arrowstyle": "-|>", "color": colour, "shrinkA": 0, "shrinkB": 0})
        x, y = root + 0.52 * length_1 * _direction(start + turn / 2)
        ax.text(x, y, name, color=colour, **names)
    ax.plot(*np.array([base, tip]).T, color=GREY, linewidth=1.6, linestyle=":", zorder=2)
    across = np.arctan2(tip[1], tip[0])
    for one, other, name, side in (
        (base, elbow, "$L_1$", q_1),
        (elbow, tip, "$L_2$", q_1 + q_2),
        (base, tip, "$r$", across),
    ):
        x, y = (one + other) / 2 + 0.12 * length_1 * _direction(side + np.pi / 2)
        ax.text(x, y, name, color=INK, **names)
    for point, name, offset in ((base, "base", (-28, 0)), (elbow, "elbow", (32, -12)), (tip, "tip  $(x, y)$", (58, 0))):
        ax.annotate(name, point, offset, textcoords="offset points", color=GREY, ha="center", va="center")
    ax.set(xlabel="x [m]", ylabel="y [m]", xlim=(-0.45, 0.65 + tip[0]), ylim=(-0.2, 0.3 + tip[1]))
    ax.set_aspect("equal")
    ax.grid(visible=False)
    ax.locator_params(nbins=5)


def _direction(angle: ArrayLike) -> Array:
    """Return the unit vectors at the given angles, shape (..., 2)."""
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)
