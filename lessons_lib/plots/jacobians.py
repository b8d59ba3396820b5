"""A Jacobian as a picture: its columns as arrows, its ellipse, and the error of finite differences."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.quiver import Quiver
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, is_real
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.plots.arm import is_planar
from lessons_lib.plots.theme import BLUE, DASHES, GREEN, PURPLE, SKY, VERMILION
from lessons_lib.robots import Chain
from lessons_lib.robots.stick_figure import skeleton

__all__ = [
    "draw_columns",
    "draw_difference_errors",
    "tip_jacobian",
]


COLUMN_COLOURS = (BLUE, VERMILION, GREEN, PURPLE)
"""Colours of the columns, taken in turn."""

ROUNDING = 2.0**-53
"""Half a unit in the last place of 1: largest error of a correctly rounded entry of size 1."""

NAME_GAP = 0.15
"""From the head of an arrow to the middle of its name, m of drawing."""

_ARROWS: dict[str, Any] = {"angles": "xy", "scale_units": "xy", "scale": 1.0, "units": "inches", "width": 0.035}
_NAMES: dict[str, Any] = {"fontsize": 14, "ha": "center", "va": "center", "zorder": 8}
_LEVERS: dict[str, Any] = {"linewidth": 1.4, "linestyle": (0, (1, 2)), "zorder": 2}
_CIRCLE = np.linspace(0.0, 2.0 * np.pi, 181)


@suggest_arguments
def tip_jacobian(chain: Chain, q: ArrayLike) -> Array:
    """Return ∂p/∂q, the velocity of the tip's origin in {s} for a unit rate of each joint, shape (3, n), m/rad or m/m.

    It is R_sb times the lower half of the body Jacobian.

    >>> from lessons_lib import plots, robots
    >>> plots.tip_jacobian(robots.planar_2r(), [0, 0])[:2].tolist()
    [[0.0, 0.0], [2.0, 1.0]]

    Args:
        chain: The arm.
        q: Configuration, shape (n,).

    Raises:
        ConfigurationError: q has another shape or holds a value that is not finite.
    """
    rotation = chain.forward_kinematics(q)[:3, :3]
    return rotation @ chain.body_jacobian(q)[3:]


def ellipse_points(jacobian: ArrayLike) -> Array:
    """Return the outline of {J q̇ : ‖q̇‖ = 1} for two rows of a Jacobian, shape (181, 2)."""
    U, sigma, _ = np.linalg.svd(np.asarray(jacobian, dtype=np.float64))
    lengths = np.zeros(2)
    lengths[: len(sigma)] = sigma
    outline: Array = (U * lengths) @ np.array([np.cos(_CIRCLE), np.sin(_CIRCLE)])
    return outline.T


@suggest_arguments
def draw_columns(ax: Axes, chain: Chain, q: ArrayLike, *, scale: float = 0.5) -> Quiver:
    """Draw the columns of a planar arm's Jacobian as arrows at its tip, and the ellipse of all velocities.

    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import plots, robots
    >>> arrows = plots.draw_columns(Figure().subplots(), robots.planar_2r(), [0.5, 0.8])

    A dotted line leads from each revolute joint to the tip.

    Args:
        ax: Axes of matplotlib.
        chain: A planar arm.
        q: Configuration, shape (n,), rad or m.
        scale: Metres of the drawing for 1 m/s.

    Raises:
        ConfigurationError: q has another shape or holds a value that is not finite.
        ParameterError: The chain moves out of the x-y plane, or the scale is not positive.
    """
    if not is_planar(chain):
        raise ParameterError(f"chain must be planar, but {chain.name} moves out of the x-y plane")
    if not (is_real(scale) and 0.0 < scale < np.inf):
        raise ParameterError(f"scale must be positive, in metres of drawing for 1 m/s, got {scale!r}")
    configuration = chain.check_configuration(q)
    root, columns = chain.forward_kinematics(configuration)[:2, 3], scale * tip_jacobian(chain, configuration)[:2]
    colours = [COLUMN_COLOURS[i % len(COLUMN_COLOURS)] for i in range(chain.dof)]
    ax.fill(*(root + ellipse_points(columns)).T, facecolor=SKY, alpha=0.18, edgecolor=SKY, zorder=2)
    body = skeleton(chain)
    joints = body.at(chain, configuration)[body.joints, :2]
    if chain.coupling is not None:  # a coordinate may turn several joints about different axes: no lever is drawn
        joints = np.tile(root, (chain.dof, 1))
    for i, (column, joint, colour) in enumerate(zip(columns.T, joints, colours, strict=True), 1):
        length = max(float(np.linalg.norm(column)), NAME_GAP)
        x, y = root + column * (1.0 + NAME_GAP / length)
        ax.text(x, y, f"$J_{i}$", color=colour, **_NAMES)
        if chain.joint_types[i - 1] == "revolute":
            ax.plot(*np.array([joint, root]).T, color=colour, **_LEVERS)
    return ax.quiver(*np.tile(root[:, None], chain.dof), *columns, color=colours, zorder=7, **_ARROWS)


@suggest_arguments
def draw_difference_errors(ax: Axes, steps: ArrayLike, errors: Mapping[str, ArrayLike]) -> list[Line2D]:
    """Draw the error of a finite-difference Jacobian against the step h, both on log scales.

    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import plots
    >>> errors = {"forward": [1e-3, 1e-5, 1e-7]}
    >>> curves = plots.draw_difference_errors(Figure().subplots(), [1e-2, 1e-4, 1e-6], errors)

    Args:
        ax: Axes of matplotlib.
        steps: The steps h, shape (k,), rad.
        errors: Largest absolute error at each step, shape (k,), by the name of the formula.

    Raises:
        ParameterError: An error has another shape than `steps`.

    Returns:
        The curves, in the order of `errors`.
    """
    h = np.asarray(steps, dtype=np.float64)
    colours, curves = (VERMILION, BLUE, PURPLE, GREEN), []
    for i, (name, values) in enumerate(errors.items()):
        error = np.asarray(values, dtype=np.float64)
        if error.shape != h.shape:
            raise ParameterError(f"errors of {name!r} must have the shape of the steps, {h.shape}, got {error.shape}")
        look: dict[str, Any] = {"color": colours[i % len(colours)], "linestyle": DASHES[i % len(DASHES)]}
        curves += ax.plot(h, np.maximum(error, ROUNDING), label=name, **look)
        best = int(np.argmin(error))
        ax.plot(h[best], max(error[best], ROUNDING), marker="o", color=look["color"], zorder=5)
    ax.set(xscale="log", yscale="log", xlabel="step h [rad]", ylabel="largest error in the Jacobian")
    ax.legend(loc="upper center")
    return curves
