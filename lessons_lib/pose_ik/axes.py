"""Axes of the target that are not its x, y and z: a rotation, kept as plain numbers so that a method stays hashable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib.arrays import Array


@dataclass(frozen=True)
class Axes:
    """Three axes at right angles along which a split error is written, in {d} as in {b}.

    Attributes:
        rows: The axes, unit vectors in {d}, a right-handed triple.
    """

    rows: tuple[tuple[float, float, float], ...]

    @classmethod
    def with_third(cls, direction: Array) -> Axes:
        """Return axes of which the third points in a direction, shape (3,), any length but zero.

        The first is across the coordinate axis that lies farthest from it, so that no digits are lost.
        """
        third = direction / np.abs(direction).max()
        third = third / np.linalg.norm(third)
        first = np.cross(np.eye(3)[np.argmin(np.abs(third))], third)
        first = first / np.linalg.norm(first)
        return cls(tuple(tuple(row) for row in np.array([first, np.cross(third, first), third]).tolist()))

    @property
    def pose(self) -> Array:
        """The rotation that takes components in {d} to these axes, as a pose at the origin, shape (4, 4)."""
        T = np.eye(4)
        T[:3, :3] = self.rows
        return T

    def __str__(self) -> str:
        """Return the third axis, about which a tool may turn."""
        return f"turning about ({', '.join(f'{x:.3g}' for x in self.rows[2])})"
