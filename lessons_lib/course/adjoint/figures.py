"""Lesson 04: one motion seen from two frames, and points that move with a turning body."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.plots.arm import draw_arm, draw_frame, look_closer
from lessons_lib.plots.theme import AXIS_COLOURS, BLUE, DASHES, GREY, INK, PALE, PAPER, PURPLE
from lessons_lib.plots.twists import path, screw_of
from lessons_lib.robots import Chain
from lessons_lib.robots.stick_figure import skeleton

__all__ = [
    "draw_cell",
    "draw_ride",
    "draw_two_views",
    "origin_velocities",
    "ride_gap",
]


NAME: dict[str, Any] = {"fontsize": 13, "fontweight": "bold", "color": INK, "zorder": 9}
"""Style of a frame's name."""

TO_AXIS: dict[str, Any] = {"color": GREY, "linewidth": 1.3, "linestyle": (0, (1, 2)), "zorder": 2}
"""Style of the line from the axis to an origin."""


def origin_velocities(V_s: ArrayLike, T_sb: ArrayLike) -> Array:
    """Return the velocities of the body's points at the origins of {s} and {b}, both along the axes of {s}.

    Args:
        V_s: Space twist, shape (6,), rad/s and m/s.
        T_sb: Pose of {b}, shape (4, 4), m.

    Returns:
        Shape (2, 3), m/s: v_s, and v_b rotated into the axes of {s}.

    Raises:
        TransformError: V_s is not a twist or T_sb not a pose.
    """
    T = lie.check_transform(T_sb, "T_sb")
    at_s, at_b = (lie.hat_se3(V_s) @ T_0[:, 3] for T_0 in (np.eye(4), T))
    return np.array([at_s[:3], at_b[:3]])


SCALE, FRAME = 0.3, 0.8
"""Metres of the drawing per 1 m/s; length of the frames' arrows, m."""


def draw_two_views(ax: Axes, V_s: ArrayLike, T_sb: ArrayLike) -> Array:
    """Draw a planar rotation, {s} and {b}, and at both origins the velocity of the body's point there.

    Args:
        ax: Axes for x and y of {s}.
        V_s: Space twist of a rotation about z, shape (6,), rad/s and m/s.
        T_sb: Pose of {b}, its z axis along that of {s} or against it, shape (4, 4), m.

    Returns:
        The drawn velocities in m/s, shape (2, 3): at the origin of {s}, and at the origin of {b}.

    Raises:
        ParameterError: V_s is not a rotation in the plane, or {b} is tilted out of the plane.
        TransformError: V_s is not a twist or T_sb not a pose.
    """
    twist, velocities = np.asarray(V_s, dtype=np.float64), origin_velocities(V_s, T_sb)
    T = np.asarray(T_sb, dtype=np.float64)
    _check_planar(twist, T)
    centre = screw_of(twist)[0]
    origins = np.array([np.zeros(3), T[:3, 3]])
    middle, reach = origins.mean(axis=0), float(np.linalg.norm(origins[1])) / 2 + 2.2 * FRAME
    ax.add_patch(_ellipse(middle, origins[1], reach))
    for name, pose, origin, velocity in zip("sb", (np.eye(4), T), origins, velocities, strict=True):
        draw_frame(ax, pose, FRAME)
        _name_axes(ax, pose, FRAME)
        _label_frame(ax, pose, FRAME, name, [velocity, centre - origin])
        ax.plot(*np.array([centre, origin])[:, :2].T, **TO_AXIS)
        _draw_velocity(ax, origin, SCALE * velocity, name)
    ax.plot(*centre[:2], "o", color=INK, markersize=7.0, zorder=8)
    ax.annotate("axis", (centre[0], centre[1]), (0, -9), textcoords="offset points", ha="center", va="top", color=INK)
    ax.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    return velocities


def _check_planar(V_s: Array, T: Array) -> None:
    if V_s[[0, 1, 5]].any() or V_s[2] == 0.0:
        raise ParameterError(f"V_s must turn about z and stay in the plane, (0, 0, ω, v_x, v_y, 0); got {V_s.tolist()}")
    if np.abs(T[:2, 2]).max() > 1e-12:  # rounding error of a right angle
        raise ParameterError(f"the z axis of {{b}} must be ±z of {{s}} in a plane drawing, got {T[:3, 2].tolist()}")


def _ellipse(middle: Array, along: Array, reach: float) -> Any:
    """Return the body as a pale ellipse that covers both origins."""
    from matplotlib.patches import Ellipse

    angle = float(np.degrees(np.arctan2(along[1], along[0])))
    look: dict[str, Any] = {"facecolor": PALE, "alpha": 0.45, "edgecolor": "none", "zorder": 0}
    return Ellipse((middle[0], middle[1]), 2 * reach, 1.4 * reach, angle=angle, **look)


def _name_axes(ax: Axes, pose: Array, length: float) -> None:
    """Label x and y beyond the arrows; a dot or a cross in a ring at the origin shows the direction of z."""
    _write_xy(ax, pose, length)
    ring: dict[str, Any] = {"markerfacecolor": PAPER, "markeredgecolor": AXIS_COLOURS[2], "zorder": 8}
    ax.plot(*pose[:2, 3], "o", markersize=12.0, markeredgewidth=1.6, **ring)
    ax.plot(*pose[:2, 3], "." if pose[2, 2] > 0.0 else "x", color=AXIS_COLOURS[2], markersize=6.0, zorder=9)


def _label_frame(ax: Axes, pose: Array, length: float, name: str, arrows: list[Array]) -> None:
    """Write the frame's name between its axes, in the corner farthest from all arrows."""
    x, y = pose[:2, 0], pose[:2, 1]
    taken = np.array([x, y, *(a[:2] / max(float(np.linalg.norm(a[:2])), 1e-9) for a in arrows)])
    corners = np.array([-x - y, x - y, y - x, x + y]) / np.sqrt(2.0)
    best = corners[np.argmin((corners @ taken.T).max(axis=1))]
    at_x, at_y = pose[:2, 3] + 0.48 * length * best
    ax.text(at_x, at_y, f"{{{name}}}", ha="center", va="center", **NAME)


def _draw_velocity(ax: Axes, origin: Array, arrow: Array, name: str) -> None:
    looks: dict[str, Any] = {"arrowstyle": "-|>", "color": PURPLE, "linewidth": 2.4, "mutation_scale": 16}
    looks |= {"shrinkA": 0.0, "shrinkB": 0.0}
    tip = origin + arrow
    ax.annotate("", (tip[0], tip[1]), (origin[0], origin[1]), arrowprops=looks, zorder=7)
    beyond = origin + arrow * (1.0 + 0.3 / max(float(np.linalg.norm(arrow)), 0.3))
    ax.text(beyond[0], beyond[1], f"$v_{name}$", color=PURPLE, fontsize=14, ha="center", va="center", zorder=9)
    ax.plot(*tip[:2], alpha=0.0)  # annotations do not extend the axes, points do


def _write_xy(ax: Axes, pose: Array, length: float) -> None:
    """Label the arrows x and y of a frame."""
    for letter, column in zip("xy", pose[:2, :2].T, strict=True):
        x, y = pose[:2, 3] + 1.22 * length * column
        ax.text(x, y, letter, ha="center", va="center", fontsize=11, zorder=9)


OUTLINE = np.array([[-0.9, -0.9], [3.1, -0.9], [3.1, 0.9], [-0.9, 0.9]])
"""Corners of the car from above in {b}, m; the origin of {b} is the middle of the rear axle."""

GUESS_COLOURS = (PURPLE, INK, GREY)
"""Colours of the camera's paths; none is the colour of a drawn axis."""

LENGTH = 0.6
"""Length of a frame's arrows, m."""

_NAME: dict[str, Any] = {"fontweight": "bold", "color": INK}


def ride_gap(V_b: ArrayLike, T_bc: ArrayLike, V_c: ArrayLike, seconds: float) -> tuple[float, float]:
    """Return the gap between a camera that follows V_c and its bracket that follows V_b: in m, and in degrees.

    Args:
        V_b: Twist of the car in its own frame {b}, shape (6,), rad/s and m/s.
        T_bc: Pose of the camera {c} in {b}, shape (4, 4), m.
        V_c: Twist in {c} that is claimed to be the same motion, shape (6,).
        seconds: Duration of the motion, s.

    Raises:
        TransformError: A twist or the pose is invalid.
    """
    bracket = lie.exp_se3(seconds * np.asarray(V_b, dtype=np.float64)) @ lie.check_transform(T_bc, "T_bc")
    camera = lie.check_transform(T_bc, "T_bc") @ lie.exp_se3(seconds * np.asarray(V_c, dtype=np.float64))
    turned = lie.log_so3(bracket[:3, :3].T @ camera[:3, :3])
    return float(np.linalg.norm(camera[:3, 3] - bracket[:3, 3])), float(np.degrees(np.linalg.norm(turned)))


def draw_ride(ax: Axes, V_b: ArrayLike, T_bc: ArrayLike, guesses: Mapping[str, ArrayLike], seconds: float) -> Array:
    """Draw the car from above, before and after, the path of its bracket, and the camera's path for each guess.

    Args:
        ax: Axes for x and y of {b} at the start.
        V_b: Twist of the car in its own frame {b}, shape (6,), rad/s and m/s.
        T_bc: Pose of the camera {c} in {b}, shape (4, 4), m.
        guesses: Twists in {c} by name, shape (6,).
        seconds: Duration of the motion, s.

    Returns:
        Final positions of the camera's origin, one row per guess, shape (k, 3), m.

    Raises:
        TransformError: A twist or the pose is invalid.
    """
    ride, mounted = path(seconds * np.asarray(V_b, dtype=np.float64)), lie.check_transform(T_bc, "T_bc")
    for pose, alpha in ((ride[0], 0.3), (ride[-1], 1.0)):
        _draw_car(ax, pose, alpha)
    _write_xy(ax, ride[-1], LENGTH)
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
    """Draw the outline, both axles, and the frame {b} in the middle of the rear axle."""
    corners = OUTLINE @ pose[:2, :2].T + pose[:2, 3]
    ax.fill(*corners.T, facecolor=BLUE, alpha=0.10 * alpha, edgecolor="none", zorder=1)
    ax.plot(*corners[[0, 1, 2, 3, 0]].T, color=BLUE, alpha=alpha, linewidth=1.8, zorder=2)
    for x in (0.0, 2.3):
        axle = np.array([[x, -0.75], [x, 0.75]]) @ pose[:2, :2].T + pose[:2, 3]
        ax.plot(*axle.T, color=BLUE, alpha=0.6 * alpha, linewidth=1.2, zorder=2)
    draw_frame(ax, pose, LENGTH, alpha=max(alpha, 0.5), linewidth=2.0)
    x, y = pose[:2, 3] - 0.4 * pose[:2, 0]
    ax.text(x, y, "{b}", ha="center", va="center", alpha=max(alpha, 0.5), zorder=9, **_NAME)


def draw_cell(ax: Any, arm: Chain, q: ArrayLike, frames: Mapping[str, ArrayLike], steps: Mapping[str, str]) -> None:
    """Draw an arm among the frames of its cell, and the transforms between them as arrows.

    Args:
        ax: 3D axes.
        arm: The arm, without its tool.
        q: Configuration, shape (n,).
        frames: Pose of each frame in {s} by name, shape (4, 4), m.
        steps: Two frame names, as "su", to the label of the arrow from the first to the second.

    Raises:
        TransformError: A pose is invalid.
    """
    draw_arm(ax, arm, q, colour=GREY, frame=False)
    look_closer(ax, 1.5, azimuth=-35.0)
    poses = {name: lie.check_transform(T, name) for name, T in frames.items()}
    for name, T in poses.items():
        draw_frame(ax, T, 0.16)
        ax.text(*(T[:3, 3] - 0.05 * T[:3, :3].sum(axis=1)), f"{{{name}}}", ha="center", va="center", **NAME)
    for way, text in steps.items():
        ends = np.array([poses[name][:3, 3] for name in way])
        ax.plot(*ends.T, color=PURPLE, linewidth=1.6, linestyle=(0, (4, 2)), label=way)
        paper = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.0}
        ax.text(*ends.mean(axis=0), text, color=PURPLE, fontsize=12, ha="center", va="center", bbox=paper, zorder=9)
    corners = np.vstack([skeleton(arm).at(arm, np.asarray(q, dtype=np.float64)), *(T[:3, 3] for T in poses.values())])
    low, high = corners.min(axis=0) - 0.12, corners.max(axis=0) + 0.12  # m, space for the arrows
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    ax.set_box_aspect(high - low, zoom=1.4)
