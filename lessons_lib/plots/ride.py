"""A camera on a car: where its own twist would take it, and where the car takes it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from lessons_lib import lie
from lessons_lib.plots.arm import draw_frame
from lessons_lib.plots.theme import BLUE, DASHES, GREY, INK, PURPLE
from lessons_lib.plots.twists import path

Array = NDArray[np.float64]

OUTLINE = np.array([[-0.9, -0.9], [3.1, -0.9], [3.1, 0.9], [-0.9, 0.9]])
"""Corners of the car from above in {b}, m; the origin of {b} is in the middle of the rear axle."""

GUESS_COLOURS = (PURPLE, INK, GREY)
"""Of the ways that the camera takes; none is the colour of a drawn axis."""

LENGTH = 0.6
"""Of a frame's arrows, m."""

_NAME: dict[str, Any] = {"fontweight": "bold", "color": INK}


def ride_gap(V_b: ArrayLike, T_bc: ArrayLike, V_c: ArrayLike, seconds: float) -> tuple[float, float]:
    """Return how far a camera that follows V_c ends from its bracket, which follows V_b: in m, and in degrees.

    Args:
        V_b: Twist of the car in its own frame {b}, shape (6,), rad/s and m/s.
        T_bc: Pose of the camera {c} in {b}, shape (4, 4), m.
        V_c: Twist that is said to be the same motion written in {c}, shape (6,).
        seconds: For how long both keep their twists.

    Raises:
        TransformError: A twist or the pose is none.
    """
    bracket = lie.exp_se3(seconds * np.asarray(V_b, dtype=np.float64)) @ lie.check_transform(T_bc, "T_bc")
    camera = lie.check_transform(T_bc, "T_bc") @ lie.exp_se3(seconds * np.asarray(V_c, dtype=np.float64))
    turned = lie.log_so3(bracket[:3, :3].T @ camera[:3, :3])
    return float(np.linalg.norm(camera[:3, 3] - bracket[:3, 3])), float(np.degrees(np.linalg.norm(turned)))


def draw_ride(ax: Axes, V_b: ArrayLike, T_bc: ArrayLike, guesses: Mapping[str, ArrayLike], seconds: float) -> Array:
    """Draw the car from above, before and after, its bracket's path, and where each guess takes the camera.

    Args:
        ax: Where to draw; x and y of {b} at the start.
        V_b: Twist of the car in its own frame {b}, shape (6,), rad/s and m/s.
        T_bc: Pose of the camera {c} in {b}, shape (4, 4), m.
        guesses: Twists in {c}, shape (6,), by their names.
        seconds: For how long all keep their twists.

    Returns:
        The ends of the camera's origin, one row a guess, shape (k, 3), m.

    Raises:
        TransformError: A twist or the pose is none.
    """
    ride, mounted = path(seconds * np.asarray(V_b, dtype=np.float64)), lie.check_transform(T_bc, "T_bc")
    for pose, alpha in ((ride[0], 0.3), (ride[-1], 1.0)):
        _draw_car(ax, pose, alpha)
    _name_axes(ax, ride[-1])
    true_path = (ride @ mounted)[:, :2, 3]
    ax.plot(*true_path.T, color=BLUE, zorder=3, label="bracket")
    for pose, alpha, lower in ((mounted, 0.5, 0.23), (ride[-1] @ mounted, 1.0, 0.0)):
        draw_frame(ax, pose, LENGTH, alpha=alpha)
        x, y = pose[:2, 3] - (0.08, lower)
        ax.text(x, y, "{c}", ha="right", va="center", alpha=alpha, zorder=9, **_NAME)
    ax.plot(*true_path[-1], "o", color=BLUE, markersize=7.0, zorder=8)
    ends = []
    for i, (name, V_c) in enumerate(guesses.items()):
        poses = mounted @ path(seconds * np.asarray(V_c, dtype=np.float64))
        look: dict[str, Any] = {"color": GUESS_COLOURS[i % len(GUESS_COLOURS)], "linewidth": 2.2, "zorder": 5}
        ax.plot(*poses[:, :2, 3].T, linestyle=DASHES[(i + 1) % len(DASHES)], label=name, **look)
        draw_frame(ax, poses[-1], LENGTH)
        ax.plot(*poses[-1, :2, 3], "o", color=look["color"], markersize=7.0, zorder=8)
        ends.append(poses[-1, :3, 3])
    ax.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    ax.legend(loc="upper left")
    return np.array(ends)


def _draw_car(ax: Axes, pose: Array, alpha: float) -> None:
    """Draw the outline, both axles, and the frame {b} in the middle of the rear one."""
    corners = OUTLINE @ pose[:2, :2].T + pose[:2, 3]
    ax.fill(*corners.T, facecolor=BLUE, alpha=0.10 * alpha, edgecolor="none", zorder=1)
    ax.plot(*corners[[0, 1, 2, 3, 0]].T, color=BLUE, alpha=alpha, linewidth=1.8, zorder=2)
    for x in (0.0, 2.3):
        axle = np.array([[x, -0.75], [x, 0.75]]) @ pose[:2, :2].T + pose[:2, 3]
        ax.plot(*axle.T, color=BLUE, alpha=0.6 * alpha, linewidth=1.2, zorder=2)
    draw_frame(ax, pose, LENGTH, alpha=max(alpha, 0.5), linewidth=2.0)
    x, y = pose[:2, 3] - 0.4 * pose[:2, 0]
    ax.text(x, y, "{b}", ha="center", va="center", alpha=max(alpha, 0.5), zorder=9, **_NAME)


def _name_axes(ax: Axes, pose: Array) -> None:
    """Write x and y beyond the arrows of a frame."""
    for letter, column in zip("xy", pose[:2, :2].T, strict=True):
        x, y = pose[:2, 3] + 1.22 * LENGTH * column
        ax.text(x, y, letter, ha="center", va="center", fontsize=11, zorder=9)
