"""The road to the answers of any six hinges: one polynomial with sixteen roots, then Newton's method on the arm.

A root of many may be lost. Which of the ways to read an arm (reading.py) are used is tried out once for an arm: a wrong
one loses answers without a word. One that finds an answer for each zero of its determinant is enough (sixteen.py), in
doubles; that none is missing is proven of the exact determinant (counted.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from lessons_lib.all_solutions.circle import UNKNOWN
from lessons_lib.all_solutions.families import UNLIMITED, at_a_limit, wrapped
from lessons_lib.all_solutions.module import counted_module, sixteen_module
from lessons_lib.all_solutions.reading import Reading, around, places
from lessons_lib.all_solutions.sixteen import ANSWERS
from lessons_lib.all_solutions.solutions import Found, Road, Solutions
from lessons_lib.arrays import Array, Integers
from lessons_lib.certificates.ball import certified
from lessons_lib.lazy import cached_property
from lessons_lib.lie import inverse
from lessons_lib.robots import Chain

ROUNDED = 1e-12
"""By how much a distance of answers may be off, rad."""

SAYS = "six hinges without a closed form: at most sixteen answers"

TRIALS = 12
"""Poses on which the ways to read an arm are tried out."""

READ = 2
"""So many of them are asked at least."""


@dataclass(frozen=True, eq=False)
class AnyHinges(Road):
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
        rng, screws, ways = (
            np.random.default_rng(0),
            self.arm.screws / np.repeat([1.0, self.arm.length], 3)[:, None],
            [],
        )
        for backwards, first, kept in product((False, True), (2, 1), range(3)):
            ways.append((backwards, Reading(-screws[:, ::-1] if backwards else screws, first, kept)))
        poses, found = rng.uniform(-np.pi, np.pi, (TRIALS, 6)), [0] * len(ways)
        alone = [self.numbers([way]) for way in ways]
        for q in poses:
            T = self.arm.forward_kinematics(q)
            for i, numbers in enumerate(alone):
                found[i] += self.found(numbers, T, UNLIMITED)[1]
        return [ways[i] for i in sorted(range(len(ways)), key=lambda i: -found[i])]

    def numbers(self, ways: list[tuple[bool, Reading]]) -> tuple[object, ...]:
        """Return what `sixteen.every_answer` is told of the arm, read in some ways, before the limits."""
        kinds = np.array([[backwards, reading.first, reading.kept] for backwards, reading in ways], dtype=np.int64)
        arrays = (np.array([getattr(way[1], name) for way in ways]) for name in ("axes", "left"))
        return inverse(self.arm.home), self.arm.length, kinds, *arrays, around(8), around(12), READ

    @cached_property
    def all_numbers(self) -> tuple[object, ...]:
        """The same of all ways."""
        return self.numbers(self.readings)

    def found(self, numbers: tuple[object, ...], target: Array, limits: Array) -> tuple[Array, int]:
        """Return the answers that some ways find, a row each, and how many they are; fewer than none of no pose."""
        Q, counts = np.empty((1, ANSWERS, 6)), np.empty(1, dtype=np.int64)
        sixteen_module().every_answer(target[None], *numbers, limits, Q, counts)
        return Q[0, : max(counts[0], 0)], int(counts[0])

    def answers(self, target: Array, limits: Array) -> Found | None:
        """Return every answer within the limits that is found, codes that tell nothing, and how many there are."""
        Q, count = self.found(self.all_numbers, target, limits)
        return None if count < 0 else (Q, np.zeros(1 + count, dtype=np.int64), count)

    def many(self, targets: Array, limits: Array, Q: Array, counts: Integers, codes: Integers) -> None:
        """Write the answers to each of many poses; see `sixteen.every_answer`. The codes tell nothing."""
        sixteen_module().every_answer(targets, *self.all_numbers, limits, Q, counts)

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return a number for each answer: there are no sides that all arms have."""
        return tuple((f"answer {i + 1}",) for i in range(len(solutions.q)))

    def reason(self, solutions: Solutions) -> str:
        """Return why it is not proven that no answer is missing."""
        found = self.answers(solutions.target, UNLIMITED)
        assert found is not None
        return self.against(found[0], solutions)

    def against(self, q: Array, solutions: Solutions) -> str:
        """Return why some answers, found without regard to limits, are not proven to be all, or the limits not kept."""
        arm, target = self.arm, solutions.target
        balls = [certified(arm, target, one) for one in q]
        if not all(balls):
            return "an answer is not certified: " + next(ball.reason for ball in balls if not ball)
        radii = np.array([ball.radius for ball in balls]) + ROUNDED
        apart = np.linalg.norm(wrapped(q[:, None] - q), axis=2) - radii[:, None] - radii
        if (apart[np.triu_indices(len(q), 1)] <= 0.0).any():
            return "it is not proven that two answers are two"
        if at_a_limit(q, solutions.limits, radii):
            return "an answer is at a limit, to rounding"
        back, unit, ways, axes, left = self.all_numbers[:5]
        most = counted_module().how_many(target, back, arm.home, unit, ways, axes, left, places(12))
        if most == UNKNOWN:
            return "rounding hides how many zeros the determinant has"
        return "" if most == len(q) else f"there may be {most} answers, by the zeros of the determinant"
