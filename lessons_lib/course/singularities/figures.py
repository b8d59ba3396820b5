"""Lesson 09: the image of the unit ball under a Jacobian, as an ellipsoid and as bars."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats, is_real
from lessons_lib.errors import ParameterError
from lessons_lib.plots.arm import in_space, is_planar
from lessons_lib.plots.jacobians import tip_jacobian
from lessons_lib.plots.theme import AMBER, BLUE, SKY, VERMILION
from lessons_lib.robots import Chain, translation_at_fixed_orientation

__all__ = [
    "draw_ellipsoid",
    "semi_axes",
    "tip_velocities",
]


AXIS_LOOKS = (BLUE, AMBER, VERMILION)
"""The colours of the semi-axes in space, from longest to shortest; in the plane, the first and the last are used."""

SIDES, BELTS = 24, 12
"""The number of faces of the drawn ellipsoid around its longest axis, and the number along it."""

LOST = 1e-3
"""A shortest semi-axis of at most this fraction of the longest counts as lost; a dashed line shows its direction."""

FLAT = 0.004
"""The shortest semi-axis drawn, as a fraction of the longest: a disc is drawn with a little thickness."""


def tip_velocities(chain: Chain, q: ArrayLike, hand: str = "free") -> Array:
    """Return the matrix whose columns span the tip's velocities, in the axes of {s}, m per rad.

    Args:
        chain: Chain with the tip.
        q: Configuration, shape (n,), rad or m.
        hand: "free" for all joint rates (∂p/∂q), "held" for those that do not rotate the hand.

    Returns:
        Shape (3, k); for a planar arm with a free hand the x and y rows only, shape (2, n).

    Raises:
        ConfigurationError: q has another shape or holds a value that is not finite.
        ParameterError: `hand` is neither "free" nor "held".
    """
    if hand == "free":
        columns = tip_jacobian(chain, q)
        return columns[:2] if is_planar(chain) else columns
    if hand != "held":
        raise ParameterError(f"hand must be 'free' or 'held', got {hand!r}")
    rotation = chain.forward_kinematics(q)[:3, :3]
    return rotation @ translation_at_fixed_orientation(chain.body_jacobian(q))


def semi_axes(velocities: ArrayLike) -> Array:
    """Return the semi-axes σ_i u_i of {J y : ‖y‖ ≤ 1} as columns, the longest first, shape (m, m).

    Args:
        velocities: J, shape (m, k); m is 2 or 3. A lost direction gives a zero column.

    Raises:
        ParameterError: It is not a matrix of finite numbers.
    """
    J = floats(velocities, "velocities must be a matrix of numbers", ParameterError)
    if J.ndim != 2 or not np.isfinite(J).all():
        raise ParameterError(f"velocities must be a matrix of finite numbers, got {J.tolist()}")
    U, sigma, _ = np.linalg.svd(J)
    lengths = np.zeros(len(J))
    lengths[: len(sigma)] = sigma
    return U * lengths


@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """Artists of the tip's velocities."""

    semi_axes: Array  # σ_i u_i as columns, the longest first, (2, 2) or (3, 3), m per rad
    body: Any  # ellipse or ellipsoid
    lost: Any  # dashed line along a lost direction; None if there is none


def draw_ellipsoid(ax: Axes, chain: Chain, q: ArrayLike, *, scale: float = 0.5, hand: str = "free") -> Ellipsoid:
    """Draw the velocities of the tip at q as an ellipse or ellipsoid with its semi-axes.

    Args:
        ax: 3D axes for an arm that moves in space, any axes for a planar one.
        chain: Arm.
        q: Configuration, shape (n,), rad or m.
        scale: Metres in the drawing per m/rad.
        hand: "free", or "held" for velocities that do not rotate the hand.

    Raises:
        ConfigurationError: q has another shape or holds a value that is not finite.
        ParameterError: The scale is not positive, `hand` is unknown, or the axes have too few dimensions.
    """
    if not (is_real(scale) and 0.0 < scale < np.inf):
        raise ParameterError(f"scale must be positive (metres in the drawing per m/rad), got {scale!r}")
    space = in_space(ax)
    if space == is_planar(chain):
        raise ParameterError(f"{chain.name} needs {'2D' if space else '3D'} axes for its velocities")
    axes = semi_axes(tip_velocities(chain, q, hand))
    drawn, longest = scale * axes, scale * float(np.linalg.norm(axes[:, 0]))
    tip = chain.forward_kinematics(q)[: len(drawn), 3]
    body = _surface(ax, tip, drawn) if space else _outline(ax, tip, drawn)
    for axis, colour in zip(drawn.T, AXIS_LOOKS if space else AXIS_LOOKS[::2], strict=True):
        ax.plot(*np.array([tip - axis, tip + axis]).T, color=colour, linewidth=2.6, zorder=7)
    lost = None
    if float(np.linalg.norm(drawn[:, -1])) <= LOST * longest:
        across = 0.75 * longest * np.linalg.svd(drawn)[0][:, -1]
        looks: dict[str, Any] = {"color": VERMILION, "linewidth": 2.2, "linestyle": (0, (3, 1.8)), "zorder": 7}
        lost = ax.plot(*np.array([tip - across, tip + across]).T, **looks)[0]
    return Ellipsoid(axes, body, lost)


def _outline(ax: Axes, tip: Array, axes: Array) -> Any:
    around = np.linspace(0.0, 2.0 * np.pi, 181)
    points = tip[:, None] + axes @ np.array([np.cos(around), np.sin(around)])
    return ax.fill(*points, facecolor=SKY, alpha=0.22, edgecolor=SKY)[0]


def _surface(ax: Axes, tip: Array, axes: Array) -> Any:
    """Add the faces of an ellipsoid to 3D axes; matplotlib's 3D toolkit loads only here."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped]

    looks: dict[str, Any] = {"facecolor": SKY, "edgecolor": SKY, "linewidth": 0.3, "alpha": 0.22}
    surface: Any = Poly3DCollection(_faces(tip, axes), **looks)
    space: Any = ax
    space.add_collection3d(surface)
    return surface


def _faces(centre: Array, axes: Array) -> Array:
    """Return the ellipsoid as quadrilaterals, shape (BELTS · SIDES, 4, 3)."""
    longest = float(np.linalg.norm(axes[:, 0])) or 1.0
    lengths = np.maximum(np.linalg.norm(axes, axis=0), FLAT * longest)
    directions = np.linalg.svd(axes)[0]
    polar = np.linspace(0.0, np.pi, BELTS + 1)[:, None]
    around = np.linspace(0.0, 2.0 * np.pi, SIDES + 1)[None, :]
    ball = np.stack([np.cos(polar) + 0 * around, np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around)])
    points = centre + np.einsum("ij,jkl->kli", directions * lengths, ball)
    corners = [points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]]
    return np.stack(corners, axis=2).reshape(-1, 4, 3)
