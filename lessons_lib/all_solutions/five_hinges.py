"""The road to all answers of an arm of five hinges: a sixth one is put behind its tip, and must not turn.

Such an arm reaches a surface of poses only. Each of its answers is one of the longer arm in which the sixth hinge is at
zero. Where the axes allow it, that hinge is chosen so that the longer arm has a closed form. A pose that is rounded
lies beside the surface, by some 1e-16: an answer that misses it by less than REACHED counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib.all_solutions.any_hinges import AnyHinges
from lessons_lib.all_solutions.families import UNLIMITED, at_a_limit, turn_distance, wrapped
from lessons_lib.all_solutions.module import module
from lessons_lib.all_solutions.recognition import EXACT, LONGER
from lessons_lib.all_solutions.six_hinges import SixHinges
from lessons_lib.all_solutions.sixteen import SAME
from lessons_lib.all_solutions.solutions import FREE_BITS, Found, Road, Solutions, within
from lessons_lib.all_solutions.structure import structure_of
from lessons_lib.arrays import Array
from lessons_lib.certificates.ball import certified
from lessons_lib.lazy import cached_property
from lessons_lib.lie import log_se3
from lessons_lib.robots import Chain, from_screws

SAYS = "five hinges; with a sixth that must not turn: {longer}"

REACHED, STEPS = 1e-9, 10
"""By how much an answer may miss the pose, rad and lengths of the arm; steps that bring it there, at most."""

SMALL = 1e-3
"""A sixth hinge that turns by less, rad, may be one that does not turn: two answers that are one are known to 1e-8."""

SECOND = 1 << 14
"""Bit of a code: the second of the longer arms has found the answer."""


@dataclass(frozen=True, eq=False)
class FiveHinges(Road):
    """An arm of five hinges.

    Attributes:
        arm: The arm.
    """

    arm: Chain

    @property
    def sentence(self) -> str:
        """What the axes do."""
        return SAYS.format(longer=self.longer[0][1].sentence)

    @cached_property
    def longer(self) -> list[tuple[Chain, SixHinges | AnyHinges]]:
        """Two longer arms and their roads: where a turn of one is free, that of the other is not."""
        found: list[tuple[Chain, SixHinges | AnyHinges]] = []
        others: list[tuple[Chain, SixHinges | AnyHinges]] = []
        rows, tip = np.ascontiguousarray(self.arm.screws.T), np.ascontiguousarray(self.arm.home[:3, 3])
        for way in range(LONGER):
            six = np.empty((6, 6))
            module().write_longer(rows, tip, way, six)
            arm = from_screws(six.T, self.arm.home, name=f"{self.arm.name} and a hinge")
            structure = structure_of(arm.screws, arm.home)
            if structure is not None and structure.off <= EXACT:
                found.append((arm, SixHinges(arm.screws, arm.home, structure)))
            else:
                others.append((arm, AnyHinges(arm)))
        return [*found, *others][:2]

    def answers(self, target: Array, limits: Array) -> Found:
        """Return every answer within the limits that is found, the codes of the longer arms, and how many there are."""
        q: list[Array] = []
        codes: list[int] = []
        for k, (_, road) in enumerate(self.longer):
            for six, code in self._isolated(road, target):
                end = self._reached(target, six[:5]) if abs(wrapped(six[5:])[0]) < SMALL else None
                if end is not None and all(turn_distance(end, other) > SAME for other in q):
                    q.append(end)
                    codes.append(code | k * SECOND)
        moved = [within(one, self.arm, limits) for one in q]
        kept = [k for k, one in enumerate(moved) if one is not None]
        rows = np.array([moved[k] for k in kept]).reshape(-1, 5)
        return rows, np.array([0, *(codes[k] for k in kept)], dtype=np.int64), len(kept)

    def _isolated(self, road: SixHinges | AnyHinges, target: Array) -> list[tuple[Array, int]]:
        """Return the answers of a longer arm in which no turn is free, each with its code."""
        rows, codes, count = road.answers(target, UNLIMITED) or (np.empty((0, 6)), np.zeros(1, dtype=np.int64), 0)
        return [(rows[k], int(codes[1 + k])) for k in range(count) if not codes[1 + k] & FREE_BITS]

    def _reached(self, target: Array, start: Array) -> Array | None:
        """Return the nearest that the arm comes to a pose from a start beside, or None where it misses it."""
        q, unit = start, np.repeat([1.0, self.arm.length], 3)
        for _ in range(STEPS):
            T, J_b = self.arm.pose_and_jacobian(q)
            error = log_se3(np.linalg.inv(T) @ target) / unit
            step = np.linalg.lstsq(J_b / unit[:, None], error, rcond=None)[0]
            q = q + step
            if np.abs(step).max() < EXACT:
                return q if np.abs(error).max() < REACHED else None
        return None

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return the names of the branches of the longer arm, or a number for each answer."""
        found = []
        for i, (q, code) in enumerate(zip(solutions.q, solutions.codes, strict=True)):
            road = self.longer[1 if code & SECOND else 0][1]
            said = road.name(np.append(q, 0.0), int(code)) if isinstance(road, SixHinges) else (f"answer {i + 1}",)
            found.append(said)
        return tuple(found)

    def reason(self, solutions: Solutions) -> str:
        """Return why it is not proven that no answer is missing."""
        found = self.answers(solutions.target, UNLIMITED[:5])[0]
        if at_a_limit(found, solutions.limits, REACHED):
            return "an answer is at a limit, to rounding"
        reasons = [self._reason(longer, found, solutions.target) for longer in self.longer]
        return min(reasons, key=len)

    def _reason(self, longer: tuple[Chain, SixHinges | AnyHinges], found: Array, target: Array) -> str:
        """Return the same as far as one of the longer arms proves it: its answers are all, and the others do turn."""
        arm, road = longer
        of_six = Solutions(arm, target, UNLIMITED, road, *(road.answers(target, UNLIMITED) or ()))
        if of_six.reason or of_six.families:
            return of_six.reason or "a joint of the longer arm is free"
        for q in of_six.q:
            ball = certified(arm, target, q)
            turns = bool(ball) and abs(wrapped(q[5:])[0]) > ball.radius
            if not turns and all(turn_distance(q[:5], one) > SAME for one in found):
                return "it is not proven that the sixth hinge turns"
        return ""
