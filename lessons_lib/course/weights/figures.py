"""Lesson 13: the arm at several compromises between weights, and the trade-off curve of their errors."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.plots.arm import ArmArtist, draw_frame, is_planar
from lessons_lib.plots.theme import AMBER, AXIS_COLOURS, GREY, INK, PAPER, PURPLE
from lessons_lib.robots import Chain
from lessons_lib.robots.stick_figure import skeleton

__all__ = [
    "draw_compromises",
    "draw_exchange",
]


COMPROMISE_COLOURS = (PURPLE, INK, AMBER)
"""The colours of the compromises, in order; the arms and their points on the curve share them."""

COMPROMISE_MARKERS = ("o", "s", "D")
"""The markers of the compromises, in order; each is drawn at the arm's tip and on the curve."""

FRAME = 0.13
"""The length of the target's axes and of the x-axis at a tip, as a fraction of the arm's length."""

MARGIN = 0.1
"""The margin around the drawing, as a fraction of its size."""


def draw_compromises(
    ax: Axes, chain: Chain, target: ArrayLike, compromises: Mapping[str, ArrayLike]
) -> list[ArmArtist]:
    """Draw a planar arm at several configurations over the frame of a target that none of them reaches.

    Each tip has a marker, and an arrow for its x-axis.

    Args:
        ax: Axes for x and y.
        chain: A planar arm.
        target: T_sd, shape (4, 4), position in m.
        compromises: Up to three configurations by name, shape (n,), rad or m.

    Returns:
        The arms, in order.

    Raises:
        ParameterError: The chain moves out of the x-y plane, or there are no or more than three compromises.
    """
    if not is_planar(chain):
        raise ParameterError(f"{chain.name} moves out of the x-y plane; compromises are drawn for planar arms only")
    _check_number(compromises)
    T_sd, bones = np.asarray(target, dtype=np.float64), skeleton(chain)
    length = FRAME * bones.reach
    draw_frame(ax, T_sd, length, linewidth=4.5, alpha=0.4)
    arms, drawn = [], [T_sd[:2, 3] + length * np.vstack([T_sd[:2, :2].T, np.zeros(2)])]
    looks = zip(COMPROMISE_COLOURS, COMPROMISE_MARKERS, strict=True)
    for (name, q), (colour, marker) in zip(compromises.items(), looks, strict=False):
        arm = ArmArtist(ax, chain, colour=colour, linewidth=3.5, label=name, frame=False)
        arm.update(q)
        T_sb = chain.forward_kinematics(q)
        tip, end = T_sb[:2, 3], T_sb[:2, 3] + length * T_sb[:2, 0]
        arrow = {"arrowstyle": "->", "color": AXIS_COLOURS[0], "linewidth": 2.0, "shrinkA": 0.0, "shrinkB": 0.0}
        ax.annotate("", xy=(end[0], end[1]), xytext=(tip[0], tip[1]), arrowprops=arrow, zorder=7)
        ax.plot(*tip, marker, color=colour, markersize=9.0, markeredgecolor=PAPER, zorder=8)
        arms.append(arm)
        drawn.append(np.vstack([bones.at(chain, np.asarray(q, dtype=np.float64))[:, :2], end]))
    _fit(ax, np.concatenate(drawn))
    ax.set(xlabel="x [m]", ylabel="y [m]")
    ax.legend(loc="lower right", handlelength=1.2)
    return arms


def draw_exchange(
    ax: Axes, position_errors: ArrayLike, orientation_errors: ArrayLike, marked: Mapping[str, int]
) -> list[Line2D]:
    """Draw |ω_b| over |v_b| of the error twist for a sweep of weights, with some compromises marked.

    Args:
        ax: Axes for both errors.
        position_errors: |v_b| of each compromise, shape (k,), m; drawn in mm.
        orientation_errors: |ω_b| of each compromise, shape (k,), rad; drawn in degrees.
        marked: Indices of up to three compromises to mark, by label.

    Returns:
        The curve, then the markers in order.

    Raises:
        ParameterError: The shapes differ, or `marked` contains no, too many or invalid indices.
    """
    x, y = 1e3 * np.asarray(position_errors, dtype=np.float64), np.degrees(orientation_errors)
    if x.shape != y.shape or x.ndim != 1:
        raise ParameterError(f"both errors must have shape (k,), got {x.shape} and {y.shape}")
    _check_number(marked)
    if not all(0 <= at < len(x) for at in marked.values()):
        raise ParameterError(f"marked must hold indices from 0 to {len(x) - 1}, got {dict(marked)}")
    lines = ax.plot(x, y, color=GREY, linewidth=2.0, zorder=2)
    looks = zip(COMPROMISE_COLOURS, COMPROMISE_MARKERS, strict=True)
    for (name, at), (colour, marker) in zip(marked.items(), looks, strict=False):
        look: dict[str, Any] = {
            "color": colour,
            "markersize": 11.0,
            "markeredgecolor": PAPER,
            "clip_on": False,
            "zorder": 4,
        }
        lines += ax.plot(x[at], y[at], marker, **look)
        ax.annotate(name, (x[at], y[at]), xytext=(9, 7), textcoords="offset points", color=colour, fontsize=12)
    ax.set(xlabel=r"$\Vert v_b \Vert$ [mm]", ylabel=r"$\Vert \omega_b \Vert$ [°]")
    ax.locator_params(nbins=5)
    ax.set(xlim=(0.0, 1.6 * x.max()), ylim=(0.0, 1.15 * y.max()))
    return lines


def _check_number(compromises: Mapping[str, object]) -> None:
    most = len(COMPROMISE_COLOURS)
    if not 1 <= len(compromises) <= most:
        raise ParameterError(f"the number of compromises must be one to {most}, got {len(compromises)}")


def _fit(ax: Axes, points: Array) -> None:
    """Set equal scales and limits around these points, shape (k, 2)."""
    low, high = points.min(axis=0), points.max(axis=0)
    room = MARGIN * float(np.max(high - low))
    ax.set(xlim=(low[0] - room, high[0] + room), ylim=(low[1] - room, high[1] + room))
    ax.set_aspect("equal")
