"""Arms drawn with their published shapes, whose meshes `front/shapes.py` has packed, and where their lines go.

The page draws the shape with `front/src/space/link_shapes.ts`, the still picture with `draw_shape`.
"""

import json
from base64 import b64decode
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lessons_lib.arrays import Array
from lessons_lib.course.live import front_end
from lessons_lib.plots.arm import ArmArtist
from lessons_lib.plots.body import draw_faces
from lessons_lib.robots import ROBOTS, Chain
from lessons_lib.robots.stick_figure import Skeleton, prefixes, skeleton

SHAPES = ("ur10", "panda")
"""Names of the arms that have a published shape, out of `ROBOTS`."""

ASIDE = {"ur10": {1: 0.175, 2: -0.126}}
"""How far a line through the middle of the shape goes along the axis of a joint, counted from zero, m.

A table of Denavit-Hartenberg rows knows no such lengths: along parallel axes they may be anywhere."""

SAME = 1e-12
"""Of a screw's entry: an arm with these screws is the published one."""


def shape_of(chain: Chain) -> str | None:
    """Return the name of the shape that a chain has, if it has one."""
    for name, screws in _screws().items():
        if chain.screws.shape == screws.shape and np.abs(chain.screws - screws).max() <= SAME:
            return name
    return None


def skeleton_of(chain: Chain, like: Chain | None = None) -> Skeleton:
    """Return where to draw the links of a chain: through its published shape, or that of an arm that it is like."""
    return skeleton(chain, ASIDE.get(shape_of(like or chain) or "", {}))


def draw_shape(ax: Any, chain: Chain, q: Array, arm: ArmArtist, colour: str = "steel") -> None:
    """Draw the published shape of an arm in place of its lines.

    Without a shape the lines stay.

    Args:
        ax: The 3D axes in which it is drawn.
        chain: Whose arm.
        q: Where it stands, shape (n,), rad.
        arm: Its lines.
        colour: One of `plots.body.COLOURS`.
    """
    name = shape_of(chain)
    if name is None:
        return
    for line in (arm.links, arm.joints):
        line.set_visible(False)
    draw_faces(ax, placed(links_of(name), chain, q), colour)


def placed(links: tuple[Array, ...], chain: Chain, q: Array) -> Array:
    """Return the faces of links that stand as at q = 0, moved to a configuration, shape (m, 4, 3), m, in {s}.

    Args:
        links: Faces of the base and of each moved link, shape (k, 4, 3) each, m.
        chain: Whose links.
        q: Shape (n,), rad.
    """
    poses = prefixes(chain, q)
    return np.concatenate([faces @ T[:3, :3].T + T[:3, 3] for faces, T in zip(links, poses, strict=True)])


@cache
def links_of(name: str) -> tuple[Array, ...]:
    """Return the faces of each link of a packed shape at q = 0, shape (k, 4, 3), m, in {s}: the last corner twice."""
    packed = json.loads(front_end.shape_script(name).read_text("utf-8").split("=", 2)[2].rstrip(";\n"))
    links = []
    for link in packed["links"]:
        corners = packed["low"] + packed["step"] * _numbers(link["vertices"])
        links.append(corners[_numbers(link["triangles"])[:, [0, 1, 2, 2]]])
    return tuple(links)


def _numbers(text: str) -> NDArray[np.int64]:
    return np.frombuffer(b64decode(text), "<u2").reshape(-1, 3).astype(np.int64)


@cache
def _screws() -> dict[str, np.ndarray]:
    return {name: ROBOTS[name]().screws for name in SHAPES}
