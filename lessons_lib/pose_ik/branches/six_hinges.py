"""The road to all answers of an arm with six hinges whose axes allow a closed form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.lazy import cached_property
from lessons_lib.lie import exp_se3
from lessons_lib.pose_ik.branches import decisions as form
from lessons_lib.pose_ik.branches import proof
from lessons_lib.pose_ik.branches.every import NOISE
from lessons_lib.pose_ik.branches.families import Family, intervals_of
from lessons_lib.pose_ik.branches.module import module
from lessons_lib.pose_ik.branches.solutions import FREE_BITS, Found, Solutions
from lessons_lib.pose_ik.branches.structure import Structure

_empty, _WHOLE, _PLACES = np.empty, np.dtype(np.int64), (form.LEAVES, 6)

SIDES = form.SHOULDER | form.ELBOW | form.WRIST


def alike(code: int, others: Iterable[int]) -> bool:
    """Return whether two answers that are one belong to a branch on which they are two elsewhere."""
    merged = (code >> 6) & SIDES
    return any(not other & 64 * SIDES and (other | merged) & 63 == (code | merged) & 63 for other in others)


@dataclass(frozen=True, eq=False)
class SixHinges:
    """A closed form of an arm, ready to run.

    Attributes:
        screws: Axes of the arm in {s} at q = 0, shape (6, 6).
        home: Pose of the tip at q = 0, shape (4, 4).
        structure: Its closed form.
    """

    screws: Array
    home: Array
    structure: Structure

    @property
    def sentence(self) -> str:
        """What the axes do."""
        return self.structure.sentence

    @cached_property
    def numbers(self) -> tuple[object, ...]:
        """What `every.every` is told of the arm, between the target and the limits."""
        s = self.structure
        return np.linalg.inv(self.home), s.kind, s.backwards, s.constants, s.signs

    @cached_property
    def run(self) -> Any:
        """The compiled `every.every`."""
        return module().every

    def answers(self, target: Array, limits: Array) -> Found | None:
        """Return every answer within the limits, the codes, and how many there are; see `every.every`."""
        Q, codes = _empty(_PLACES), _empty(13, _WHOLE)
        count = self.run(target, *self.numbers, limits, self.structure.length, 0.0, NOISE, Q, codes)
        if count >= 0 and codes[form.SEEN] & form.DOUBTFUL:
            count = proof.more_digits(self.structure, target, self.home, limits, 0.0, Q, codes)
        return None if count < 0 else (Q, codes, count)

    def many(self, targets: Array, limits: Array, Q: Array, counts: Integers, codes: Integers) -> None:
        """Write the answers to each of many poses; see `every.every_of_many`."""
        given = self.structure.length, Q, counts, codes
        module().every_of_many(targets, *self.numbers, limits, *given)

    def found(self, target: Array, limits: Array, at: float) -> list[tuple[int, Array]]:
        """Return the code and the configuration of each answer to an exact pose, with free turns at a value."""
        Q, codes = _empty(_PLACES), _empty(13, _WHOLE)
        count = self.run(target, *self.numbers, limits, self.structure.length, at, 0.0, Q, codes)
        return [(int(codes[form.LEAF + i]), Q[i]) for i in range(count)]

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return the names of each isolated answer."""
        return tuple(self.name(q, int(code)) for q, code in zip(solutions.q, solutions.codes, strict=True))

    def name(self, q: Array, code: int) -> tuple[str, ...]:
        """Return the names of a branch: where two answers are one, neither side's."""
        sides = {
            form.SHOULDER: ("shoulder left", "shoulder right", "shoulder straight"),
            form.ELBOW: self._elbow_words(q, code),
            form.WRIST: ("wrist not flipped", "wrist flipped", "wrist straight"),
        }
        found = []
        for bit, words in sides.items():
            if not code & 8 * bit:
                found.append(words[2] if code & 64 * bit else words[1 if code & bit else 0])
        return tuple(found)

    def _elbow_words(self, q: Array, code: int) -> tuple[str, str, str]:
        """Return what the elbow's two sides are called: by which is higher, where that can be told."""
        s, plain = self.structure, ("elbow left", "elbow right", "elbow straight")
        if s.kind not in (form.PARALLEL, form.AFTER_PARALLEL):
            return plain
        rows = (form.O2, form.O3, form.O4 if s.kind == form.PARALLEL else form.P)
        n, first = s.constants[form.K2], s.constants[form.O2]
        points = [point - ((point - first) @ n) * n for point in s.constants[list(rows)]]
        shoulder, elbow, wrist = (self._moved(q, point, 1 + k) for k, point in enumerate(points))
        chord = wrist - shoulder
        across = elbow - shoulder - chord * (chord @ (elbow - shoulder)) / max(float(chord @ chord), 1e-300)
        if abs(across[2]) < 1e-6 * s.length:
            return plain
        is_up, second = across[2] > 0.0, bool(code & form.ELBOW)
        return ("elbow up", "elbow down", plain[2]) if is_up != second else ("elbow down", "elbow up", plain[2])

    def _moved(self, q: Array, point: Array, joints: int) -> Array:
        """Return where a point of the closed form's arm is after so many of its joints."""
        count = 6 - joints if self.structure.backwards else joints  # read from the tip, the others have moved it
        T = np.eye(4)
        for j in range(count):
            T = T @ exp_se3(self.screws[:, j] * q[j])
        moved: Array = T[:3, :3] @ point + T[:3, 3]
        return moved

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        """Return the families, where a turn is free."""
        if not solutions.seen & FREE_BITS:
            return ()
        low, high = -np.pi, np.pi
        unlimited, found = np.tile([-np.inf, np.inf], (6, 1)), []
        keys: dict[int, Array] = {}
        for value in np.linspace(low, high, 25)[:-1] + 0.1:
            for code, one in self.found(solutions.target, unlimited, float(value)):
                if code & FREE_BITS and not (code & 64 * SIDES and alike(code, keys)):
                    keys.setdefault(code, one)
        keys = {code: one for code, one in keys.items() if not (code & 64 * SIDES and alike(code, keys))}
        for code, one in keys.items():
            found += self._families_of(solutions, code, one)
        return tuple(found)

    def _families_of(self, solutions: Solutions, code: int, example: Array) -> list[Family]:
        """Return the family of one branch, told by its free joint."""
        unlimited = np.tile([-np.inf, np.inf], (6, 1))

        def branch(turn: float, limits: Array) -> Array | None:
            for known, one in self.found(solutions.target, limits, turn):
                merged = (known >> 6) & SIDES
                if (known | merged) & 63 == (code | merged) & 63:
                    return one
            return None

        joint, sign = self._free_joint(lambda turn: branch(turn, unlimited))
        if joint is None:
            return []
        low, high = solutions.limits[joint]
        if high - low >= 2 * np.pi:
            low, high = -np.pi, np.pi

        def chart(value: float) -> Array | None:
            found = branch(sign * value, solutions.limits)
            if found is not None and solutions.limits[joint, 0] <= value <= solutions.limits[joint, 1]:
                found[joint] = value
            return found

        intervals = intervals_of(lambda value: chart(value) is not None, float(low), float(high))
        return [Family(joint, intervals, self.name(example, code), chart)] if intervals else []

    def _free_joint(self, branch: Callable[[float], Array | None]) -> tuple[int | None, float]:
        """Return which joint moves with the free turn, and its sign."""
        values = np.linspace(-3.0, 3.0, 61)
        pairs = [(v, q) for v in values if (q := branch(float(v))) is not None]
        for joint in range(6):
            for sign in (1.0, -1.0):
                if all(abs(np.remainder(sign * q[joint] - v + np.pi, 2 * np.pi) - np.pi) < 1e-9 for v, q in pairs):
                    return (joint, sign) if pairs else (None, 1.0)
        return None, 1.0

    def reason(self, solutions: Solutions) -> str:
        """Return why it is not proven that no answer is missing."""
        answers = self.answers(solutions.target, solutions.limits)
        assert answers is not None
        _, codes, count = answers
        given = self.structure, solutions.target, self.home, solutions.limits
        return proof.reason_against(*given, codes[form.LEAF : form.LEAF + count], int(codes[form.SEEN]))
