"""An arm at the end of a solve, with a pale line for each iterate before."""

from typing import Any

from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from lessons_lib.plots.arm import ArmArtist, draw_arm, draw_frame, look_closer
from lessons_lib.plots.theme import BLUE, GREY, INK
from lessons_lib.pose_ik import Trace
from lessons_lib.robots import Chain
from lessons_lib.robots.stick_figure import skeleton

__all__ = [
    "draw_ghosts",
]

MOST = 30
"""Ghosts: of a longer way every second iterate is drawn, or every third."""

GOAL = 0.17
"""Length of the target's axes, as a part of the arm's."""


def draw_ghosts(
    ax: Axes, chain: Chain, trace: Trace, target: ArrayLike, *, colour: str = BLUE, last: str = INK
) -> ArmArtist:
    """Draw the start of a solve grey, its iterates pale, its end, and the axes of the target.

    Args:
        ax: A 3D axes for an arm that moves in space, any axes for a planar one.
        chain: Whose arm.
        trace: The iterates.
        target: T_sd, shape (4, 4), position in m.
        colour: Of the iterates.
        last: Colour of the arm at the end.

    Returns:
        The arm at the end.
    """
    draw_arm(ax, chain, trace.q[0], colour=GREY, alpha=0.6, linewidth=3.0, frame=False)
    between = trace.q[1:-1]
    for q in between[:: 1 + len(between) // MOST]:
        ArmArtist(ax, chain, colour=colour, alpha=0.25, linewidth=1.4, frame=False).update(q)
    looks: dict[str, Any] = {"linewidth": 3.6, "frame": False}
    arm = draw_arm(ax, chain, trace.q[-1], colour=last, **looks)
    draw_frame(ax, target, GOAL * skeleton(chain).reach, linewidth=3.0)
    if ax.name == "3d":
        look_closer(ax, 1.7)
    ax.set(xlabel="", ylabel="")
    ax.tick_params(labelbottom=False, labelleft=False, length=0)
    return arm
