"""A screw with two frames in space, and at each origin the velocity that the frame there calls v."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.course.adjoint.figures import NAME, TO_AXIS, origin_velocities
from lessons_lib.plots.arm import draw_frame
from lessons_lib.plots.theme import GREY, INK, PALE, PURPLE
from lessons_lib.plots.twists import path, screw_of

__all__ = [
    "draw_two_frames",
]


HEAD = 0.22
"""Length of an arrow's head as a part of the arrow."""

FLOOR = ((-0.6, 1.2), (-0.8, 0.8))
"""The drawn part of the plane z = 0: the ends of x and of y, m."""

ELEVATION, AZIMUTH = 32.0, -62.0
"""Where the reader looks from, degrees."""

_E, _A = np.radians([ELEVATION, AZIMUTH])
TOWARDS_EYE: Array = np.array([np.cos(_E) * np.cos(_A), np.cos(_E) * np.sin(_A), np.sin(_E)])
"""From the scene to the reader: the barbs of an arrow are spread across it, so that none is seen edge-on."""

RIGHT: Array = np.array([-np.sin(_A), np.cos(_A), 0.0])
"""To the reader's right."""

UP: Array = np.cross(TOWARDS_EYE, RIGHT)
"""Upwards on the page."""

SQUARE = 0.2
"""Side of a square of the floor, m."""


def draw_two_frames(ax: Axes, V_s: ArrayLike, T_sb: ArrayLike, length: float, *, copy: bool = False) -> Array:
    """Draw a screw with two frames in space, and an arrow for each frame's v.

    Args:
        ax: A 3D axes.
        V_s: Space twist with a turn, shape (6,), rad/s and m/s.
        T_sb: Pose of {b}, shape (4, 4), m.
        length: Length of a frame's arrows, m.
        copy: Also draw v_s at the origin of {b}, dotted: what b's velocity would be without a lever arm.

    Returns:
        The velocities at both origins, shape (2, 3), m/s.

    Raises:
        TransformError: The twist or the pose is none, or the twist does not turn.
    """
    space: Any = ax
    twist, T = np.asarray(V_s, dtype=np.float64), np.asarray(T_sb, dtype=np.float64)
    velocities, motion = origin_velocities(twist, T), path(twist)
    point, direction, _ = screw_of(twist)
    _lay_floor(space)
    axis = point[:, None] + direction[:, None] * np.array([-0.25, 0.85])
    space.plot(*axis, color=GREY, linewidth=1.4, linestyle=(0, (6, 2, 1, 2)))
    for name, pose, velocity in zip("sb", (np.eye(4), T), velocities, strict=True):
        origin = pose[:3, 3]
        draw_frame(ax, pose, length, linewidth=2.6)
        way = motion[:, :3, :3] @ origin + motion[:, :3, 3]
        foot = point + direction * float(direction @ (origin - point))
        space.plot(*np.array([foot, origin]).T, **TO_AXIS)
        space.plot(*way.T, color=PURPLE, linewidth=1.2, alpha=0.55)
        space.plot(*arrow_points(origin, velocity, TOWARDS_EYE).T, color=PURPLE, linewidth=2.6, label=f"v_{name}")
        arrows = np.vstack([pose[:3, :3].T, velocity, foot - origin, way[-1] - origin])
        at = origin + 0.5 * length * freest_direction(arrows)
        space.text(*at, f"{{{name}}}", ha="center", va="center", **NAME)
    if copy:
        copied = arrow_points(T[:3, 3], velocities[0], TOWARDS_EYE)
        space.plot(*copied.T, color=INK, linewidth=1.4, linestyle=(0, (1, 1.5)), label="copy")
    return velocities


def _lay_floor(space: Any) -> None:
    """Draw the plane z = 0 of {s} as squares of 0.2 m, and hide the box around."""
    (x0, x1), (y0, y1) = FLOOR
    for x in np.arange(x0, x1 + 0.1, SQUARE):
        space.plot([x, x], [y0, y1], [0.0, 0.0], color=PALE, linewidth=0.9, zorder=0)
    for y in np.arange(y0, y1 + 0.1, SQUARE):
        space.plot([x0, x1], [y, y], [0.0, 0.0], color=PALE, linewidth=0.9, zorder=0)
    space.set(xlim=(x0, x1), ylim=(y0, y1), zlim=(-0.2, 0.8))
    space.set_box_aspect((x1 - x0, y1 - y0, 1.0), zoom=1.06)
    space.view_init(elev=ELEVATION, azim=AZIMUTH)
    space.set_axis_off()
    note = {"color": GREY, "fontsize": 10, "ha": "center", "va": "top"}
    space.text((x0 + x1) / 2, y0 - 0.12, 0.0, f"squares of {SQUARE:g} m", **note)


def freest_direction(arrows: Array) -> Array:
    """Return the direction on the page, of sixteen, that is farthest from all arrows as the reader sees them.

    Args:
        arrows: From one point, shape (k, 3); those that look at the reader count for little.

    Returns:
        Shape (3,), of length 1, across the line of sight.
    """
    page = np.array([RIGHT, UP])
    lengths = np.maximum(np.linalg.norm(arrows, axis=1), 1e-9)  # an arrow may have none
    seen = (arrows / lengths[:, None]) @ page.T
    angles = np.arange(16) * np.pi / 8.0
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    best: Array = directions[np.argmin((directions @ seen.T).max(axis=1))] @ page
    return best


def arrow_points(origin: Array, arrow: Array, side: Array) -> Array:
    """Return an arrow as one line, shape (5, 3): shaft and two barbs, spread at right angles to `side`."""
    length = float(np.linalg.norm(arrow))
    if length == 0.0:
        return np.tile(origin, (5, 1))
    across = np.cross(arrow, side)
    if np.linalg.norm(across) < 1e-6 * length:  # along `side` every other direction will do
        across = np.cross(arrow, np.eye(3)[np.argmin(np.abs(arrow))])
    tip, back = origin + arrow, HEAD * arrow
    barb = 0.5 * HEAD * length * across / np.linalg.norm(across)
    return np.array([origin, tip, tip - back + barb, tip, tip - back - barb])
