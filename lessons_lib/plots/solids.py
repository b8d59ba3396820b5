"""Solids of flat faces: arrays of quadrilaterals, (m, 4, 3), in m, corners counter-clockwise seen from outside."""
# a triangle is a quadrilateral with a repeated corner

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array


def capsule(start: ArrayLike, end: ArrayLike, radii: tuple[float, float], around: int = 14, cap: int = 3) -> Array:
    """Return a rod between two points, shape (3,), with a round cap of a radius [m] at each end."""
    first, last = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    along = last - first
    length = float(np.linalg.norm(along))
    basis = _frame_of_axis(along / length if length > 0.0 else np.array([0.0, 0.0, 1.0]))
    rise = np.linspace(0.0, np.pi / 2, cap + 1)
    below = [(-radii[0] * np.cos(a), radii[0] * np.sin(a)) for a in rise]
    above = [(length + radii[1] * np.sin(a), radii[1] * np.cos(a)) for a in rise]
    return _revolve(np.array(below + above), around) @ basis + first


def drum(centre: ArrayLike, axis: ArrayLike, radius: float, length: float, around: int = 18) -> Array:
    """Return a cylinder with bevelled rims, like the motor of a joint; `axis` may have any length, sizes in m."""
    half = length / 2.0
    bevel = min(0.18 * radius, half)
    profile = [(-half, 0.0), (-half, 0.55 * radius), (-half, radius - bevel), (-half + bevel, radius)]
    profile += [(half - bevel, radius), (half, radius - bevel), (half, 0.55 * radius), (half, 0.0)]
    direction = np.asarray(axis, dtype=np.float64)
    surface: Array = _revolve(np.array(profile), around) @ _frame_of_axis(direction / np.linalg.norm(direction))
    placed: Array = surface + np.asarray(centre)
    return placed


def _frame_of_axis(axis: Array) -> Array:
    """Return (axis, u, w) as rows, a right-handed frame."""
    helper = np.eye(3)[int(np.argmin(np.abs(axis)))]
    u = np.cross(helper, axis)
    u /= np.linalg.norm(u)
    return np.array([axis, u, np.cross(axis, u)])


def _revolve(profile: Array, around: int) -> Array:
    """Return the surface of revolution of a profile of (height, radius) about the first axis, heights rising."""
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
    corners = (grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1])
    return np.stack(corners, axis=2).reshape(-1, 4, 3)
