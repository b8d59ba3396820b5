"""The road to the answers of any six hinges: one polynomial with sixteen roots, then Newton's method on the arm.

A root of many may be lost. Which of the ways to read an arm (reading.py) are used is tried out once for an arm: a wrong
one loses answers without a word. Whether one is missing is then asked of the determinant (counted.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.lazy import cached_property
from lessons_lib.pose_ik.branches.counted import Counted, motion
from lessons_lib.pose_ik.branches.families import Family, inside, turn_distance
from lessons_lib.pose_ik.branches.newton import refined
from lessons_lib.pose_ik.branches.reading import Reading
from lessons_lib.pose_ik.branches.solutions import Found, Solutions, within
from lessons_lib.pose_ik.certificates.ball import certified
from lessons_lib.robots import Chain

SAME, ROUNDED = 1e-6, 1e-12
"""Answers that are nearer are one, rad; by how much a distance of answers may be off."""

SAYS = "six hinges without a closed form: at most sixteen answers"

UNLIMITED = np.tile([-np.inf, np.inf], (6, 1))

TRIALS = 12
"""Poses on which the ways to read an arm are tried out."""

COUNTED = 6
"""So many of them are asked, at most, how many answers there are."""

READ = 2
"""So many of them are asked, and others where the number of answers is odd."""


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
        return SAYS

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

    @cached_property
    def counted(self) -> list[tuple[bool, Counted]]:
        """The same ways to read the arm, to prove how many answers there are."""
        return [(backwards, Counted(reading, self.arm.length)) for backwards, reading in self.readings[:COUNTED]]

    def reason(self, solutions: Solutions) -> str:
        """Return why it is not proven that no answer is missing."""
        return self.against(self.answers(solutions.target, UNLIMITED)[0], solutions)

    def against(self, q: Array, solutions: Solutions) -> str:
        """Return why some answers, found without regard to limits, are not proven to be all, or the limits not kept."""
        arm, target = self.arm, solutions.target
        balls = [certified(arm, target, one) for one in q]
        if not all(balls):
            return "an answer is not certified: " + next(ball.reason for ball in balls if not ball)
        radii = np.array([ball.radius for ball in balls]) + ROUNDED
        if any(turn_distance(q[i], q[j]) <= radii[i] + radii[j] for i, j in combinations(range(len(q)), 2)):
            return "it is not proven that two answers are two"
        if (np.abs(inside(q, solutions.limits)) <= radii).any():
            return "an answer is at a limit, to rounding"
        for backwards, counted in self.counted:
            most = counted.most(motion(target, arm.home, arm.length, backwards))
            if most is not None:
                return "" if most == len(q) else f"there may be {most} answers, by the zeros of the determinant"
        return "rounding hides how many zeros the determinant has"
