"""An eye in the world: where points appear on the picture, and which of them are nearer."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError


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

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            ParameterError: The distance is not above zero, or the eye looks straight up or down.
        """
        if not 0.0 < self.distance < np.inf:
            raise ParameterError(f"distance is {self.distance!r}; it is positive and finite, in m")
        if not abs(self.elevation) < np.pi / 2:
            raise ParameterError(f"elevation is {self.elevation!r}; it lies between −π/2 and π/2")

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
