"""A robot's body by the painter's algorithm: faces on its links, lit, and sorted from far to near."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.plots.body import COLOURS, LIGHT, Part, lit
from lessons_lib.plots.solids import normals
from lessons_lib.robots import TreeState

TONES = 7
"""Shades of each colour: few, so that a film stays small."""


@dataclass(frozen=True)
class Camera:
    """A pinhole that looks at a point from around it.

    Attributes:
        azimuth: Where the eye stands around the z-axis, rad, counted from x.
        elevation: How high it stands above the horizon, rad, in (−π/2, π/2).
        distance: From the eye to what it looks at, m.
        target: What it looks at, m; it appears at (0, 0), and things beside it in their true size, m.
    """

    azimuth: float
    elevation: float
    distance: float
    target: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @cached_property
    def axes(self) -> Array:
        """The directions right, up and towards the eye in {s}, as rows, shape (3, 3)."""
        turn, lift = (np.cos(self.azimuth), np.sin(self.azimuth)), (np.cos(self.elevation), np.sin(self.elevation))
        towards = np.array([lift[0] * turn[0], lift[0] * turn[1], lift[1]])
        right = np.array([-turn[1], turn[0], 0.0])
        return np.array([right, np.cross(towards, right), towards])

    @cached_property
    def eye(self) -> Array:
        """Where the eye is, shape (3,), m."""
        place: Array = np.asarray(self.target, dtype=np.float64) + self.distance * self.axes[2]
        return place

    def see(self, points: ArrayLike) -> Array:
        """Return where points appear, shape (…, 2), m at the distance of the target.

        Args:
            points: In {s}, shape (…, 3), m, all of them before the eye.
        """
        seen = (np.asarray(points, dtype=np.float64) - np.asarray(self.target)) @ self.axes.T
        shown: Array = seen[..., :2] * (self.distance / (self.distance - seen[..., 2]))[..., None]
        return shown

    def depths(self, points: ArrayLike) -> Array:
        """Return how far points are from the eye, shape (…,), m."""
        away: Array = np.linalg.norm(np.asarray(points, dtype=np.float64) - self.eye, axis=-1)
        return away


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
