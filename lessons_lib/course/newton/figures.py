"""Lesson 08: one step of Newton, as the linear model sees it and as the arm makes it."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.plots.arm import draw_arm, draw_frame
from lessons_lib.plots.jacobians import tip_jacobian
from lessons_lib.plots.theme import BLUE, VERMILION
from lessons_lib.robots import Chain
from lessons_lib.robots.stick_figure import skeleton

__all__ = [
    "draw_step",
]

GOAL = 0.2
"""Length of the target's axes, as a part of the arm's."""

POINTS = 61
"""Of the way of the tip."""


def draw_step(ax: Axes, chain: Chain, before: ArrayLike, after: ArrayLike, target: ArrayLike) -> Array:
    """Draw a planar arm before and after a step, the way of its tip, and the tangent that the linear model promises.

    Args:
        ax: Where to draw.
        chain: The arm, which moves in the x-y plane.
        before: Configuration before the step, shape (n,), rad.
        after: Configuration after it, shape (n,), rad.
        target: T_sd, shape (4, 4), m.

    Returns:
        The way of the tip, shape (m, 2), m.
    """
    q, step = np.asarray(before, dtype=np.float64), np.subtract(after, before)
    draw_arm(ax, chain, after, colour=BLUE, alpha=0.4, frame=False)
    draw_arm(ax, chain, q, frame=False)
    draw_frame(ax, target, GOAL * skeleton(chain).reach, linewidth=6.0, alpha=0.4)
    way = np.array([chain.forward_kinematics(q + part * step)[:2, 3] for part in np.linspace(0.0, 1.0, POINTS)])
    ax.plot(*way.T, color=BLUE, linewidth=2.2)
    end = way[0] + tip_jacobian(chain, q)[:2] @ step
    looks: dict[str, Any] = {"arrowstyle": "-|>", "color": VERMILION, "linewidth": 2.2, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, way[0], arrowprops=looks, annotation_clip=False)
    ax.annotate("JΔq", end, (8, -4), textcoords="offset points", color=VERMILION, annotation_clip=False)
    ax.set(ylim=np.add(ax.get_ylim(), (0.0, 0.5)))
    return way
