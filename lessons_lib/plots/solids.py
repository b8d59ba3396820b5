"""Solids made of small flat faces: what a robot's body is drawn from.

A solid is an array of quadrilaterals, shape (m, 4, 3), m, its corners counter-clockwise seen from outside. A triangle
is a quadrilateral with a corner that counts twice.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array


@dataclass(frozen=True)
class Solid:
    """A solid by its measures, of which a picture here and one in a page make their own faces.

    Attributes:
        kind: "capsule", "drum" or "block", the function that makes it.
        measures: What that function takes, in its order, m.
    """

    kind: str
    measures: tuple[Any, ...]

    @cached_property
    def quads(self) -> Array:
        """Its faces, shape (m, 4, 3), m."""
        makers: dict[str, Callable[..., Array]] = {"capsule": capsule, "drum": drum, "block": block}
        return makers[self.kind](*self.measures)


def capsule(start: ArrayLike, end: ArrayLike, radii: tuple[float, float], around: int = 14, cap: int = 3) -> Array:
    """Return a rod from one point to another with a round cap at each end.

    Args:
        start: Centre of the first cap, shape (3,), m.
        end: Centre of the other.
        radii: Of the two caps, m.
        around: Faces around it.
        cap: Rings of faces in each cap.
    """
    first, last = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    along = last - first
    length = float(np.linalg.norm(along))
    basis = _across(along / length if length > 0.0 else np.array([0.0, 0.0, 1.0]))
    rise = np.linspace(0.0, np.pi / 2, cap + 1)
    below = [(-radii[0] * np.cos(a), radii[0] * np.sin(a)) for a in rise]
    above = [(length + radii[1] * np.sin(a), radii[1] * np.cos(a)) for a in rise]
    return _turned(np.array(below + above), around) @ basis + first


def drum(centre: ArrayLike, axis: ArrayLike, radius: float, length: float, around: int = 18) -> Array:
    """Return a cylinder with bevelled rims, as joints' motors have them.

    Args:
        centre: Shape (3,), m.
        axis: Its direction, shape (3,), of any length.
        radius: m.
        length: Along its axis, m.
        around: Faces around it.
    """
    half = length / 2.0
    bevel = min(0.18 * radius, half)
    profile = [(-half, 0.0), (-half, 0.55 * radius), (-half, radius - bevel), (-half + bevel, radius)]
    profile += [(half - bevel, radius), (half, radius - bevel), (half, 0.55 * radius), (half, 0.0)]
    way = np.asarray(axis, dtype=np.float64)
    surface: Array = _turned(np.array(profile), around) @ _across(way / np.linalg.norm(way))
    placed: Array = surface + np.asarray(centre)
    return placed


def block(centre: ArrayLike, size: ArrayLike, bevel: float, pieces: tuple[int, int, int] = (8, 4, 3)) -> Array:
    """Return a box with rounded edges.

    Args:
        centre: Shape (3,), m.
        size: Its length along x, y and z, shape (3,), m.
        bevel: Radius of its edges, m, less than half of each length.
        pieces: Into how many faces it is cut along x, y and z.
    """
    half = np.asarray(size, dtype=np.float64) / 2.0
    faces = [_side(axis, sign, half, bevel, pieces) for axis, sign in product(range(3), (-1.0, 1.0))]
    placed: Array = np.concatenate(faces) + np.asarray(centre)
    return placed


def normals(quads: Array) -> Array:
    """Return the outward direction of each face, of length one, shape (m, 3)."""
    crossed = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
    lengths: Array = np.linalg.norm(crossed, axis=1, keepdims=True)
    return crossed / np.maximum(lengths, 1e-300)


def _across(axis: Array) -> Array:
    """Return (axis, u, w) as rows, a right-handed frame."""
    helper = np.eye(3)[int(np.argmin(np.abs(axis)))]
    u = np.cross(helper, axis)
    u /= np.linalg.norm(u)
    return np.array([axis, u, np.cross(axis, u)])


def _turned(profile: Array, around: int) -> Array:
    """Return the surface that a profile of (height, radius) sweeps about the first axis, heights rising."""
    angles = 2.0 * np.pi * np.arange(around + 1) / around
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    rings = np.concatenate(
        [
            np.broadcast_to(profile[:, None, :1], (len(profile), around + 1, 1)),
            profile[:, None, 1:] * circle,
        ],
        axis=2,
    )
    return _quads(rings)


def _quads(grid: Array) -> Array:
    """Return the quadrilaterals of a grid of points, shape (rows, columns, 3)."""
    corners = (grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1])
    return np.stack(corners, axis=2).reshape(-1, 4, 3)


def _side(axis: int, sign: float, half: Array, bevel: float, pieces: tuple[int, int, int]) -> Array:
    """Return one side of a rounded box: a flat grid on the outer box, its points drawn in to the rounded edges."""
    u, w = ((axis + 1) % 3, (axis + 2) % 3) if sign > 0 else ((axis + 2) % 3, (axis + 1) % 3)
    rows, columns = (_cuts(half[i], bevel, pieces[i]) for i in (w, u))
    grid = np.empty((len(rows), len(columns), 3))
    grid[..., axis] = sign * half[axis]
    grid[..., u], grid[..., w] = columns[None, :], rows[:, None]
    core = np.clip(grid, bevel - half, half - bevel)
    out = grid - core
    return _quads(core + bevel * out / np.linalg.norm(out, axis=2, keepdims=True))


def _cuts(half: float, bevel: float, pieces: int) -> Array:
    """Return where a side is cut: evenly in its flat part, and once within each rounded edge."""
    flat = np.linspace(bevel - half, half - bevel, pieces + 1)
    return np.concatenate([[-half, -half + 0.6 * bevel], flat, [half - 0.6 * bevel, half]])
