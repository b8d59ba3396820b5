"""What a robot's body is made of, and how it is lit."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb

from lessons_lib.arrays import Array
from lessons_lib.plots.solids import Solid, normals
from lessons_lib.plots.theme import BLUE, VERMILION

COLOURS = {
    "blue": BLUE,
    "vermilion": VERMILION,
    "shell": "#d9e0e6",
    "motor": "#364454",
    "steel": "#8795a4",
    "visor": "#17202a",
}
"""Colours of parts, by the names that the style sheet of the live figures gives them, too."""

LIGHT = np.array([0.30, -0.48, 0.82]) / np.linalg.norm([0.30, -0.48, 0.82])
"""Direction to the light: from above, in front of the eye's right shoulder."""


@dataclass(frozen=True)
class Part:
    """A solid that one frame carries.

    Attributes:
        frame: Its name.
        solid: Where it is in that frame.
        colour: One of `COLOURS`.
    """

    frame: str
    solid: Solid
    colour: str


def lit(colours: Array, share: Array) -> Array:
    """Return colours, rgb along the last axis, under a share of the light from 0 to 1; the brightest turn whiter."""
    return np.clip(colours * (0.42 + 0.62 * share) + 0.30 * share**4, 0.0, 1.0)


def draw_faces(ax: Any, quads: Array, colour: str) -> None:
    """Draw lit faces into a 3D axes.

    Args:
        ax: Which has its limits already.
        quads: Corners of the faces, counter-clockwise seen from outside, shape (m, 4, 3), m.
        colour: One of `COLOURS`.
    """
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped]

    share = 0.5 + 0.5 * normals(quads) @ LIGHT
    shades = lit(np.array(to_rgb(COLOURS[colour])), share[:, None])
    faces = Poly3DCollection(quads, facecolors=shades, edgecolors=shades, linewidths=0.3)  # an edge hides the seams
    faces.set_clip_on(False)  # an arm may reach out of the square that 3D axes fill
    faces.set_in_layout(False)
    ax.add_collection3d(faces)
