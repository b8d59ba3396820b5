"""A robot's body in space: solids on its links, lit, sorted and ready to be painted."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb

from lessons_lib.arrays import Array
from lessons_lib.plots.camera import Camera
from lessons_lib.plots.solids import Solid, normals
from lessons_lib.plots.theme import BLUE, VERMILION
from lessons_lib.robots import TreeState

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

TONES = 7
"""Shades of each colour: few, so that a film stays small."""


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
    shades: Array = np.clip(colours * (0.42 + 0.62 * share) + 0.30 * share**4, 0.0, 1.0)
    return shades


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


class Body:
    """The faces of a robot; `move` poses them, and then they can be looked at or throw a shadow."""

    def __init__(self, parts: Sequence[Part]) -> None:
        """Collect the faces of all parts."""
        self._frames = list(dict.fromkeys(part.frame for part in parts))
        self._quads = np.concatenate([part.solid.quads for part in parts])
        counts = [len(part.solid.quads) for part in parts]
        self._carrier = np.repeat([self._frames.index(part.frame) for part in parts], counts)
        self._colour = np.repeat([to_rgb(COLOURS[part.colour]) for part in parts], counts, axis=0)
        self._outward = normals(self._quads)
        self.faces, self.normals = self._quads, self._outward

    def move(self, state: TreeState) -> None:
        """Bring every face to where it is at a configuration."""
        T = np.array([state.forward_kinematics(frame) for frame in self._frames])[self._carrier]
        self.faces = np.einsum("mij,mkj->mki", T[:, :3, :3], self._quads) + T[:, None, :3, 3]
        self.normals = np.einsum("mij,mj->mi", T[:, :3, :3], self._outward)

    @cached_property
    def _tones(self) -> Array:
        """Each face's colour in every tone, shape (TONES, m, 3): darker towards 0, with a little white at the top."""
        return lit(self._colour[None], np.linspace(0.0, 1.0, TONES)[:, None, None])

    def seen(self, camera: Camera) -> tuple[Array, Array]:
        """Return the faces that look at the eye as polygons, shape (k, 4, 2), and their colours, the farthest first."""
        centres = self.faces.mean(axis=1)
        shown = np.flatnonzero(((camera.eye - centres) * self.normals).sum(axis=1) > 0.0)
        shown = shown[np.argsort(-camera.depths(centres[shown]))]
        light = 0.5 + 0.5 * self.normals[shown] @ LIGHT
        tone = np.rint((TONES - 1) * light).astype(np.intp)
        return camera.see(self.faces[shown]), self._tones[tone, shown]

    def shadow(self, ground: float) -> Array:
        """Return the shadow of each lit face on the plane z = ground, shape (k, 4, 3), m."""
        lit = self.faces[self.normals @ LIGHT > 0.0]
        fall = (lit[..., 2] - ground) / LIGHT[2]
        thrown: Array = lit - fall[..., None] * LIGHT
        return thrown
