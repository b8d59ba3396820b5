"""The course's quadruped as a body in space: solids on its links, lit, sorted and ready to be painted."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from matplotlib.colors import to_rgb

from lessons_lib.arrays import Array
from lessons_lib.plots.camera import Camera
from lessons_lib.plots.solids import block, capsule, drum, normals
from lessons_lib.plots.theme import BLUE, VERMILION
from lessons_lib.robots import Tree, TreeState

LEGS = ("front_left", "front_right", "rear_left", "rear_right")

DARK, STEEL, VISOR = "#364454", "#8795a4", "#17202a"
"""Motors and feet's sleeves; shanks; the face."""

FOOT = 0.02
"""Radius of a foot, m: the point that is held still is its centre, and the ground lies this much below."""

LIGHT = np.array([0.30, -0.48, 0.82]) / np.linalg.norm([0.30, -0.48, 0.82])
"""Direction to the light: from above, in front of the eye's right shoulder."""

TONES = 7
"""Shades of each colour: few, so that a film stays small."""


@dataclass(frozen=True)
class Part:
    """A solid that one frame carries."""

    frame: str
    quads: Array
    colour: str


def parts_of(tree: Tree) -> list[Part]:
    """Return the solids of the quadruped, their sizes taken from where its joints are.

    Raises:
        FrameNotFound: The robot has no links with the quadruped's names.
    """
    state = tree.state()
    trunk = state.forward_kinematics("trunk")[:3, 3]
    hip = np.abs(state.forward_kinematics("front_left_hip")[:3, 3] - trunk)
    parts = [
        Part("trunk", block((0, 0, 0.005), (2 * hip[0] + 0.02, 0.15, 0.105), 0.032, (12, 5, 4)), BLUE),
        Part("trunk", block((hip[0] + 0.09, 0, 0.03), (0.092, 0.115, 0.08), 0.028, (4, 4, 3)), BLUE),
        Part("trunk", capsule((hip[0], 0, 0.015), (hip[0] + 0.06, 0, 0.025), (0.04, 0.036)), DARK),
        Part("trunk", block((hip[0] + 0.122, 0, 0.035), (0.044, 0.092, 0.034), 0.015, (2, 6, 2)), VISOR),
    ]
    for leg in LEGS:
        names = [f"{leg}_{link}" for link in ("hip", "thigh", "shank", "foot")]
        poses = [state.forward_kinematics(name) for name in names]
        parts += _leg(names, [(b[:3, 3] - a[:3, 3]) @ a[:3, :3] for a, b in zip(poses, poses[1:], strict=False)])
    return parts


def _leg(names: list[str], ways: list[Array]) -> Iterable[Part]:
    """Return the solids of a leg; `ways` lead from each joint to the next in the frame of the first."""
    hip, thigh, shank, foot = names
    side, knee, ankle = ways
    yield Part(hip, drum((0, 0, 0), (1, 0, 0), 0.04, 0.085), DARK)
    yield Part(hip, capsule((0, 0, 0), 0.6 * side, (0.03, 0.03)), DARK)
    yield Part(thigh, drum(-0.05 * side, (0, 1, 0), 0.047, 0.066), DARK)
    yield Part(thigh, capsule(0.12 * knee, knee, (0.029, 0.022)), BLUE)
    yield Part(shank, drum((0, 0, 0), (0, 1, 0), 0.027, 0.05), DARK)
    yield Part(shank, capsule((0, 0, 0), 0.93 * ankle, (0.019, 0.011)), STEEL)
    yield Part(foot, capsule((0, 0, 0), (0, 0, 0), (FOOT, FOOT)), VERMILION)


class Body:
    """The faces of the quadruped; `move` poses them, and then they can be looked at or throw a shadow."""

    def __init__(self, tree: Tree) -> None:
        """Collect the faces of all parts.

        Raises:
            FrameNotFound: As `parts_of`.
        """
        parts = parts_of(tree)
        self._frames = list(dict.fromkeys(part.frame for part in parts))
        self._quads = np.concatenate([part.quads for part in parts])
        counts = [len(part.quads) for part in parts]
        self._carrier = np.repeat([self._frames.index(part.frame) for part in parts], counts)
        self._colour = np.repeat([to_rgb(part.colour) for part in parts], counts, axis=0)
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
        share = np.linspace(0.0, 1.0, TONES)[:, None, None]
        dark = self._colour[None] * (0.42 + 0.62 * share)
        shades: Array = np.clip(dark + 0.30 * share**4, 0.0, 1.0)
        return shades

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
