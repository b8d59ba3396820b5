"""One way to read any six hinges: fourteen equations, and a determinant that is zero at an answer's angle.

Here is what belongs to the arm; what is done for each target stands in determinant.py.

Three joints carry the axis of the next one to where the other two, undone, carry it from the target. Fourteen equations
say so, of products of sines and cosines; six combinations of them are free of these two. In two half angles they have
a common root where a determinant of the third angle is zero: of degree 16 in e^iθ where that is the angle of the first
of the three, of degree 24 for the others.

Source: Raghavan and Roth, Inverse kinematics of the general 6R manipulator, J. Mech. Des. 115 (1993), 502-508.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.lazy import cached_property
from lessons_lib.lie import exp_se3
from lessons_lib.pose_ik.branches.determinant import line_equations

THIRDS = 2 * np.pi * np.arange(3) / 3
TO_PRODUCTS = np.linalg.inv(np.stack([np.sin(THIRDS), np.cos(THIRDS), np.ones(3)], axis=1))
"""From a function of an angle at three places to its factors of sin, cos and 1."""

TO_HALF = np.array([[0.0, 1.0, 1.0], [2.0, 0.0, 0.0], [0.0, -1.0, 1.0]])
"""From factors of sin, cos and 1 to those of 1, x, x² with x = tan of half the angle, times 1 + x²."""

DENSE = 16
"""Places at which a function is looked at, for each of its waves."""


@dataclass(frozen=True, eq=False)
class Reading:
    """One way to read an arm.

    Attributes:
        screws: Axes in the order of reading, shape (6, 6).
        first: Of the three joints that stand together, 0 for the first joint: 2, so that joints 1 and 2 are undone and
            axis 6 is carried; or 1, so that joints 6 and 1 are, and axis 5 is.
        kept: Which of the three angles is kept, 0, 1 or 2.
    """

    screws: Array
    first: int
    kept: int

    @cached_property
    def places(self) -> tuple[Array, Array, Array]:
        """A point of the joint before the three, from which all is seen; one of the axis behind them; its direction."""
        points = np.cross(self.screws[:3].T, self.screws[3:].T)
        return points[self.first - 1], points[self.first + 3], self.screws[:3, self.first + 3]

    @cached_property
    def left(self) -> Array:
        """Factors of the fourteen expressions, of the kept angle's products and the others' half angles, (14, 27)."""
        origin, point, line = self.places
        found = np.empty((14, 27))
        for at, places in enumerate(product(THIRDS, repeat=3)):
            a, b, c = (self._turn(self.first + n, angle) for n, angle in enumerate(places))
            T = a @ b @ c
            line_equations((T[:3, :3] @ point + T[:3, 3] - origin).tolist(), (T[:3, :3] @ line).tolist(), found, at)
        factors = np.einsum("nijk,ai,bj,ck->nabc", found.reshape(14, 3, 3, 3), *[TO_PRODUCTS] * 3)
        others = [axis for axis in range(3) if axis != self.kept]
        moved = factors.transpose(0, 1 + self.kept, 1 + others[0], 1 + others[1])
        half: Array = np.einsum("nabc,ib,jc->naij", moved, TO_HALF, TO_HALF).reshape(14, 27)
        return half

    def _turn(self, joint: int, angle: float) -> Array:
        return exp_se3(self.screws[:, joint] * angle)

    @cached_property
    def pair(self) -> tuple[int, int]:
        """Both joints that are undone, the one that is nearer to the axis first."""
        return (0, 1) if self.first == 2 else (5, 0)

    @cached_property
    def axes(self) -> Array:
        """A direction and a point of each joint, (6, 6)."""
        directions = self.screws[:3].T
        return np.hstack([directions, np.cross(directions, self.screws[3:].T)])

    @cached_property
    def lines(self) -> Array:
        """The point and the direction that the motion carries, at each place of what is undone before it, (3, 6)."""
        _, point, line = self.places
        before = [self._turn(self.pair[0], -angle) for angle in THIRDS] if self.first == 1 else [np.eye(4)] * 3
        return np.array([[*(T[:3, :3] @ point + T[:3, 3]), *(T[:3, :3] @ line)] for T in before])

    @cached_property
    def undone(self) -> Array:
        """What is undone after it at the nine places of both, seen from the origin of the equations, (9, 12)."""
        near, far = ([self._turn(joint, -angle) for angle in THIRDS] for joint in self.pair)
        after = [b @ a if self.first == 2 else b for a in near for b in far]
        return np.array([np.hstack([T[:3, :3], (T[:3, 3] - self.places[0])[:, None]]).ravel() for T in after])


@cache
def around(degree: int) -> Array:
    """Return what a function of an angle, a sum of so many waves, is known by and looked at.

    A row 1, cos θ, sin θ, cos 2θ, … for each of 2 · degree + 1 angles around the circle, and behind them one for each
    of many.
    """
    count = 2 * degree + 1
    angles = np.concatenate([2 * np.pi * np.arange(k) / k for k in (count, DENSE * degree)])
    k = np.arange(1, degree + 1) * angles[:, None]
    pairs = np.stack([np.cos(k), np.sin(k)], axis=2).reshape(len(angles), -1)
    return np.hstack([np.ones((len(angles), 1)), pairs])
