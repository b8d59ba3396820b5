"""One way to read any six hinges: fourteen equations, and a determinant that is zero at an answer's angle.

Three joints carry the axis of the next one to where the other two, undone, carry it from the target. Fourteen equations
say so, of products of sines and cosines; six combinations of them are free of these two. In two half angles they have
a common root where a determinant of the third angle is zero: of degree 16 in e^iθ where that is the angle of the first
of the three, of degree 24 for the others.

Source: Raghavan and Roth, Inverse kinematics of the general 6R manipulator, J. Mech. Des. 115 (1993), 502-508.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.lazy import cached_property
from lessons_lib.lie import exp_se3
from lessons_lib.robots.triples import cross, dot

THIRDS = 2 * np.pi * np.arange(3) / 3
TO_PRODUCTS = np.linalg.inv(np.stack([np.sin(THIRDS), np.cos(THIRDS), np.ones(3)], axis=1))
"""From a function of an angle at three places to its factors of sin, cos and 1."""

TO_HALF = np.array([[0.0, 1.0, 1.0], [2.0, 0.0, 0.0], [0.0, -1.0, 1.0]])
"""From factors of sin, cos and 1 to those of 1, x, x² with x = tan of half the angle, times 1 + x²."""

NEAR_CIRCLE = 0.05
"""How far from the unit circle a root may be, of which Newton's method decides whether it is an answer."""


def line_equations(p: Any, line: Any) -> list[Any]:
    """Return the fourteen expressions of a point p and a direction l, triples, whose squares stay products.

    p, l, p · p, p · l, p × l, and (p · p) l − 2 (p · l) p, seen from a point of axis 2.
    """
    pp, pl = dot(p, p), dot(p, line)
    return [*p, *line, pp, pl, *cross(p, line), *(pp * line[k] - 2.0 * pl * p[k] for k in range(3))]


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
        """Factors of the fourteen expressions, of the kept angle's products and the others' half angles, (14, 3, 9)."""
        origin, point, line = self.places
        found = np.empty((3, 3, 3, 14))
        for i, j, k in product(range(3), repeat=3):
            a, b, c = (self._turn(self.first + n, THIRDS[m]) for n, m in enumerate((i, j, k)))
            T = a @ b @ c
            found[i, j, k] = line_equations(
                (T[:3, :3] @ point + T[:3, 3] - origin).tolist(), (T[:3, :3] @ line).tolist()
            )
        factors = np.einsum("ijkn,ai,bj,ck->nabc", found, TO_PRODUCTS, TO_PRODUCTS, TO_PRODUCTS)
        others = [axis for axis in range(3) if axis != self.kept]
        moved = factors.transpose(0, 1 + self.kept, 1 + others[0], 1 + others[1])
        half: Array = np.einsum("nabc,ib,jc->naij", moved, TO_HALF, TO_HALF).reshape(14, 3, 9)
        return half

    def _turn(self, joint: int, angle: float) -> Array:
        return exp_se3(self.screws[:, joint] * angle)

    @cached_property
    def undone(self) -> list[tuple[Array, Array]]:
        """Of both joints that are undone, the one that is nearer to the axis first: the three places of each."""
        pair = (0, 1) if self.first == 2 else (5, 0)
        return [tuple(self._turn(joint, -angle) for angle in THIRDS) for joint in pair]  # type: ignore[misc]

    def _undone(self, motion: Array, i: int, j: int) -> Array:
        """Return the motion with both undone, each at one of its places."""
        near, far = self.undone[0][i], self.undone[1][j]
        return far @ near @ motion if self.first == 2 else far @ motion @ near

    def right(self, motion: Array) -> Array:
        """Return factors of the fourteen expressions, of products of both undone, (14, 9); the last is constant."""
        origin, point, line = self.places
        found = np.empty((3, 3, 14))
        for i, j in product(range(3), repeat=2):
            T = self._undone(motion, i, j)
            found[i, j] = line_equations((T[:3, :3] @ point + T[:3, 3] - origin).tolist(), (T[:3, :3] @ line).tolist())
        factors: Array = np.einsum("ijn,ai,bj->nab", found, TO_PRODUCTS, TO_PRODUCTS).reshape(14, 9)
        return factors

    def starts(self, motion: Array) -> list[Array]:
        """Return configurations near all answers, read in this order."""
        right, left = self.right(motion), self.left.copy()
        ones = np.outer([1.0, 0.0, 1.0], [1.0, 0.0, 1.0]).ravel()  # (1 + x²)(1 + y²)
        left[:, 2] -= right[:, 8:] * ones
        U = np.linalg.qr(right[:, :8], mode="complete")[0]
        free = np.einsum("nm,nak->mak", U[:, 8:], left)
        degree = 8 if self.kept == 0 else 12
        waves = np.arange(-degree, degree + 1)
        places = 2 * np.pi * np.arange(len(waves)) / len(waves)
        coefficients = np.exp(-1j * np.outer(waves, places)) @ np.linalg.det(self._matrices(free, places))
        if not np.isfinite(coefficients).all() or not np.abs(coefficients).max() > 0.0:
            return []
        roots = np.roots(coefficients[::-1])
        angles = np.angle(roots[np.abs(np.abs(roots) - 1.0) < NEAR_CIRCLE])
        found = []
        for angle, vector in zip(angles, np.linalg.svd(self._matrices(free, angles))[2][:, -1], strict=True):
            found.append(self._whole(float(angle), vector.reshape(4, 3), left, right, motion))
        return found

    def _matrices(self, free: Array, angles: Array) -> Array:
        """Return the 12×12 matrix at each angle, whose null vector holds the powers of both half angles."""
        waves = np.stack([np.sin(angles), np.cos(angles), np.ones(len(angles))], axis=1)
        rows = np.einsum("ta,mak->tmk", waves, free)
        found = np.zeros((len(angles), 12, 12))
        found[:, :6, :9], found[:, 6:, 3:] = rows, rows
        return found

    def _whole(self, angle: float, powers: Array, left: Array, right: Array, motion: Array) -> Array:
        """Return a configuration from its kept angle and the powers x^i y^j of the others' half angles."""
        i, j = np.unravel_index(np.abs(powers[:, :2]).argmax(), (4, 2))
        y = powers[i, j + 1] / powers[i, j]
        column = int(np.abs(powers[:3]).max(axis=0).argmax())
        up = int(np.abs(powers[:3, column]).argmax())
        x = powers[up + 1, column] / powers[up, column]
        others = [axis for axis in range(3) if axis != self.kept]
        q = np.zeros(6)
        q[self.first + self.kept] = angle
        q[self.first + others[0]], q[self.first + others[1]] = 2 * math.atan(x), 2 * math.atan(y)
        half = np.outer([1, x, x * x], [1, y, y * y]).ravel() / ((1 + x * x) * (1 + y * y))
        wave = np.array([math.sin(angle), math.cos(angle), 1.0])
        products = np.linalg.lstsq(right[:, :8], np.einsum("nak,a,k->n", left, wave, half), rcond=None)[0]
        near, far = math.atan2(products[2], products[5]), math.atan2(products[6], products[7])
        last = self.first + 3
        q[[0, 1] if self.first == 2 else [5, 0]] = near, far
        T = np.eye(4)
        for joint in range(last):
            T = T @ self._turn(joint, q[joint])
        rest = np.linalg.inv(T) @ motion
        R = (rest if self.first == 2 else rest @ self._turn(5, -q[5]))[:3, :3]
        sine = 0.5 * self.screws[:3, last] @ np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
        q[last] = math.atan2(sine, 0.5 * (np.trace(R) - 1.0))
        return q
