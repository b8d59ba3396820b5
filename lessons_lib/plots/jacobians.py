"""A Jacobian as a picture: its columns as arrows, its ellipse, and the error of differences in its place."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.plots.arm import is_planar
from lessons_lib.plots.theme import BLUE, DASHES, GREEN, INK, PURPLE, SKY, VERMILION
from lessons_lib.robots import Chain
from lessons_lib.robots.stick_figure import skeleton

__all__ = [
    "ColumnsArtist",
    "draw_columns",
    "draw_difference_errors",
    "tip_jacobian",
]


COLUMN_COLOURS = (BLUE, VERMILION, GREEN, PURPLE)
"""Colours of the columns, taken in turn."""

ROUNDING = 2.0**-53
"""Half a unit in the last place of 1: what a correctly rounded entry of size 1 may be off."""

NAME_GAP = 0.15
"""From the head of an arrow to the middle of its name, m of drawing."""

_ARROWS: dict[str, Any] = {"angles": "xy", "scale_units": "xy", "scale": 1.0, "units": "inches", "width": 0.035}
_NAMES: dict[str, Any] = {"fontsize": 14, "ha": "center", "va": "center", "zorder": 8}
_LEVERS: dict[str, Any] = {"linewidth": 1.4, "linestyle": (0, (1, 2)), "zorder": 2}
_CIRCLE = np.linspace(0.0, 2.0 * np.pi, 181)


def tip_jacobian(chain: Chain, q: ArrayLike) -> Array:
    """Return ∂p/∂q, the velocity of the tip's origin in {s} for a unit rate of each joint, shape (3, n), m/rad or m/m.

    It is R_sb times the lower half of the body Jacobian: V_b's linear part is the tip's velocity, written in {b}.

    Raises:
        ConfigurationError: q has another shape or holds a value that is not finite.
    """
    rotation = chain.forward_kinematics(q)[:3, :3]
    velocity: Array = rotation @ chain.body_jacobian(q)[3:]
    return velocity


def ellipse_points(jacobian: ArrayLike) -> Array:
    """Return the outline of {J q̇ : ‖q̇‖ = 1} in the plane, shape (181, 2).

    Args:
        jacobian: Two rows of a Jacobian, shape (2, n).
    """
    U, sigma, _ = np.linalg.svd(np.asarray(jacobian, dtype=np.float64))
    lengths = np.zeros(2)
    lengths[: len(sigma)] = sigma
    outline: Array = (U * lengths) @ np.array([np.cos(_CIRCLE), np.sin(_CIRCLE)])
    return outline.T


class ColumnsArtist:
    """The columns of a planar arm's Jacobian as arrows, with the ellipse of all velocities; movable."""

    def __init__(
        self, ax: Axes, chain: Chain, *, scale: float = 0.5, of: str = "tip", ellipse: bool = True, levers: bool = True
    ) -> None:
        """Add the arrows to the axes, at q = 0.

        Args:
            ax: Where to draw.
            chain: A planar arm.
            scale: How many metres of the drawing stand for 1 m/s.
            of: "tip" draws the velocities of the tip, at the tip; "space" the linear parts of the space Jacobian's
                columns, at the origin of {s}, where they belong.
            ellipse: Whether to draw the velocities for all joint rates of length 1.
            levers: Whether to draw a dotted line from each revolute joint to the arrows' root.

        Raises:
            ParameterError: The chain moves out of the x-y plane, the scale is not positive, or `of` is unknown.
        """
        _check(chain, scale, of)
        self._chain, self._scale, self._of, self._skeleton = chain, scale, of, skeleton(chain)
        colours = [COLUMN_COLOURS[i % len(COLUMN_COLOURS)] for i in range(chain.dof)]
        zeros = np.zeros(chain.dof)
        self.arrows = ax.quiver(zeros, zeros, zeros, zeros, color=colours, zorder=7, **_ARROWS)
        letter = "J" if of == "tip" else "v"
        self.names = [ax.text(0, 0, f"${letter}_{i + 1}$", color=c, **_NAMES) for i, c in enumerate(colours)]
        self.outline = ax.fill([], [], facecolor=SKY, alpha=0.18, edgecolor=SKY, zorder=2)[0] if ellipse else None
        self.levers = [ax.plot([], [], color=c, **_LEVERS)[0] for c in colours] if levers else []
        self.update(zeros)

    def update(self, q: ArrayLike) -> None:
        """Move everything to configuration q, shape (n,).

        Raises:
            ConfigurationError: q has another shape or holds a value that is not finite.
        """
        configuration = self._chain.check_configuration(q)
        root, columns = self._root_and_columns(configuration)
        self.arrows.set_offsets(np.tile(root, (self._chain.dof, 1)))
        self.arrows.set_UVC(*columns)
        for name, column in zip(self.names, columns.T, strict=True):
            length = float(np.linalg.norm(column))
            name.set_position(root + column * (1.0 + NAME_GAP / max(length, NAME_GAP)))
            name.set_visible(bool(self.arrows.get_visible()) and length > 0.0)
        if self.outline is not None:
            self.outline.set_xy(root + ellipse_points(columns))
        joints = self._skeleton.at(self._chain, configuration)[self._skeleton.joints, :2]
        for lever, joint, kind in zip(self.levers, joints, self._chain.joint_types, strict=False):
            lever.set_data(*(np.array([joint, root]).T if kind == "revolute" else ((), ())))

    def show(self, visible: bool) -> None:
        """Show or hide everything."""
        for artist in (self.arrows, *self.names, *self.levers, *([self.outline] if self.outline is not None else [])):
            artist.set_visible(visible)

    def _root_and_columns(self, q: Array) -> tuple[Array, Array]:
        """Return where the arrows start, shape (2,), and the arrows as drawn, shape (2, n)."""
        if self._of == "space":
            return np.zeros(2), self._scale * self._chain.space_jacobian(q)[3:5]
        return self._chain.forward_kinematics(q)[:2, 3], self._scale * tip_jacobian(self._chain, q)[:2]


def _check(chain: Chain, scale: float, of: str) -> None:
    if not is_planar(chain):
        raise ParameterError(f"{chain.name} moves out of the x-y plane; columns are drawn for planar arms only")
    if not (scale > 0.0 and np.isfinite(scale)):
        raise ParameterError(f"scale is {scale!r}; it is metres of drawing for 1 m/s, a positive number")
    if of not in ("tip", "space"):
        raise ParameterError(f"of is {of!r}; valid are 'tip' and 'space'")


def draw_columns(ax: Axes, chain: Chain, q: ArrayLike, *, scale: float = 0.5, **looks: Any) -> ColumnsArtist:
    """Draw the Jacobian's columns at the tip of a planar arm at configuration q; looks as in `ColumnsArtist`.

    Raises:
        ConfigurationError: q has another shape or holds a value that is not finite.
        ParameterError: As in `ColumnsArtist`.
    """
    columns = ColumnsArtist(ax, chain, scale=scale, **looks)
    columns.update(q)
    return columns


def draw_difference_errors(
    ax: Axes, steps: ArrayLike, errors: Mapping[str, ArrayLike], *, derived: float | None = None
) -> list[Line2D]:
    """Draw the error of a differenced Jacobian against the step h, both on log scales.

    Args:
        ax: Where to draw.
        steps: The steps h, shape (k,), rad.
        errors: Largest absolute error at each step, shape (k,), by the name of the formula.
        derived: The error of the derived Jacobian, drawn as a level line, at ROUNDING if it is smaller.

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
            raise ParameterError(
                f"errors of {name!r} have shape {error.shape}, the steps {h.shape}; both are needed alike"
            )
        look: dict[str, Any] = {"color": colours[i % len(colours)], "linestyle": DASHES[i % len(DASHES)]}
        curves += ax.plot(h, np.maximum(error, ROUNDING), label=name, **look)
        best = int(np.argmin(error))
        ax.plot(h[best], max(error[best], ROUNDING), marker="o", color=look["color"], zorder=5)
    if derived is not None:
        level = max(derived, ROUNDING)
        ax.axhline(level, color=INK, linewidth=1.6)
        ax.annotate("derived", (h.max(), level), xytext=(0, 5), textcoords="offset points", ha="right", color=INK)
    ax.set(xscale="log", yscale="log", xlabel="step h [rad]", ylabel="largest error in the Jacobian")
    ax.legend(loc="upper center")
    return curves
