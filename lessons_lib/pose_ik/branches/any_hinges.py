"""The road to the answers of any six hinges: one polynomial with sixteen roots, then Newton's method on the arm.

Three joints carry the axis of the next one to where the other two, undone, carry it from the target. Fourteen equations
say so, of products of sines and cosines; six combinations of them are free of these two. In two half angles they have
a common root where a determinant of the third angle is zero, a polynomial of degree 16 in e^iθ. Nothing is proven: a
root of many may be lost. Which three joints, which of their angles is kept, and whether the arm is read from its tip,
is tried out once for an arm: a wrong choice loses answers without a word.

Source: Raghavan and Roth, Inverse kinematics of the general 6R manipulator, J. Mech. Des. 115 (1993), 502-508.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.lazy import cached_property
from lessons_lib.lie import exp_se3
from lessons_lib.pose_ik.branches.families import Family, turn_distance
from lessons_lib.pose_ik.branches.newton import refined
from lessons_lib.pose_ik.branches.solutions import Found, Solutions, within
from lessons_lib.robots import Chain

SAME = 1e-6
"""Answers that are nearer are one, rad."""

THIRDS = 2 * np.pi * np.arange(3) / 3
TO_PRODUCTS = np.linalg.inv(np.stack([np.sin(THIRDS), np.cos(THIRDS), np.ones(3)], axis=1))
"""From a function of an angle at three places to its factors of sin, cos and 1."""

TO_HALF = np.array([[0.0, 1.0, 1.0], [2.0, 0.0, 0.0], [0.0, -1.0, 1.0]])
"""From factors of sin, cos and 1 to those of 1, x, x² with x = tan of half the angle, times 1 + x²."""

DEGREE = 8
ROUND = 2 * np.pi * np.arange(2 * DEGREE + 1) / (2 * DEGREE + 1)
NEAR_CIRCLE = 0.05
"""How far from the unit circle a root may be, of which Newton's method decides whether it is an answer."""

TRIALS = 12
"""Poses on which the ways to read an arm are tried out."""

READ = 2
"""So many of them are asked, and others where the number of answers is odd."""


def line_equations(points: Array, lines: Array) -> Array:
    """Return the fourteen expressions of a point p and a direction l, shapes (…, 3), whose squares stay products.

    p, l, p · p, p · l, p × l, and (p · p) l − 2 (p · l) p, seen from a point of axis 2.
    """
    pp, pl = (points * points).sum(-1, keepdims=True), (points * lines).sum(-1, keepdims=True)
    parts = [points, lines, pp, pl, np.cross(points, lines), pp * lines - 2 * pl * points]
    return np.concatenate(parts, axis=-1)


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
            found[i, j, k] = line_equations(T[:3, :3] @ point + T[:3, 3] - origin, T[:3, :3] @ line)
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
            found[i, j] = line_equations(T[:3, :3] @ point + T[:3, 3] - origin, T[:3, :3] @ line)
        factors: Array = np.einsum("ijn,ai,bj->nab", found, TO_PRODUCTS, TO_PRODUCTS).reshape(14, 9)
        return factors

    def starts(self, motion: Array) -> list[Array]:
        """Return configurations near all answers, read in this order."""
        right, left = self.right(motion), self.left.copy()
        ones = np.outer([1.0, 0.0, 1.0], [1.0, 0.0, 1.0]).ravel()  # (1 + x²)(1 + y²)
        left[:, 2] -= right[:, 8:] * ones
        U = np.linalg.qr(right[:, :8], mode="complete")[0]
        free = np.einsum("nm,nak->mak", U[:, 8:], left)
        determinants = np.linalg.det(self._matrices(free, ROUND))
        coefficients = np.exp(-1j * np.outer(np.arange(-DEGREE, DEGREE + 1), ROUND)) @ determinants
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


@dataclass(frozen=True, eq=False)
class AnyHinges:
    """An arm of six hinges.

    Attributes:
        arm: The arm.
    """

    arm: Chain

    @property
    def sentence(self) -> str:
        """What the axes do."""
        return "six hinges without a closed form: at most sixteen answers"

    @cached_property
    def readings(self) -> list[tuple[bool, Reading]]:
        """The ways to read the arm, each with whether it begins at the tip; those that find most come first."""
        rng, ways = np.random.default_rng(0), []
        for backwards, first, kept in product((False, True), (2, 1), range(3)):
            screws = -self.arm.screws[:, ::-1] if backwards else self.arm.screws
            ways.append((backwards, Reading(screws, first, kept)))
        poses = rng.uniform(-np.pi, np.pi, (TRIALS, 6))
        found = [0] * len(ways)
        for q in poses:
            T = self.arm.forward_kinematics(q)
            for i, way in enumerate(ways):
                found[i] += any(turn_distance(q, one) < SAME for one in self._by(way, T))
        return [ways[i] for i in sorted(range(len(ways)), key=lambda i: -found[i])]

    def _by(self, way: tuple[bool, Reading], target: Array) -> list[Array]:
        backwards, reading = way
        motion = target @ np.linalg.inv(self.arm.home)
        starts = reading.starts(np.linalg.inv(motion) if backwards else motion)
        ordered = [start[::-1] if backwards else start for start in starts]
        ends = (refined(self.arm, target, start, self.arm.length) for start in ordered)
        return [end for end in ends if end is not None]

    def answers(self, target: Array, limits: Array) -> Found:
        """Return every answer within the limits that is found, codes that tell nothing, and how many there are."""
        q: list[Array] = []
        for k, way in enumerate(self.readings):
            if k >= READ and len(q) % 2 == 0:  # but for singular poses answers come in pairs
                break
            for found in self._by(way, target):
                if all(turn_distance(found, other) > SAME for other in q):
                    q.append(found)
        moved = [one for one in (within(one, self.arm, limits) for one in q) if one is not None]
        moved.sort(key=lambda one: tuple(one))
        return np.array(moved).reshape(-1, 6), np.zeros(1 + len(moved), dtype=np.int64), len(moved)

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return a number for each answer: there are no sides that all arms have."""
        return tuple((f"answer {i + 1}",) for i in range(len(solutions.q)))

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        """Return none: curves of answers are not looked for."""
        return ()

    def reason(self, solutions: Solutions) -> str:
        """Return why it is not proven that no answer is missing."""
        return "the roots of its polynomial are not enclosed"
