"""Strategy for a 5R arm: append a sixth revolute joint that must stay at zero.

The axis is chosen so that the longer arm has a closed form, if possible. The arm reaches a surface of poses, beside
which a rounded pose lies by some 1e-16: a solution that misses it by less than REACHED counts.
"""

from dataclasses import dataclass

import numpy as np

from lessons_lib.all_solutions.closed_arm import Closed6R
from lessons_lib.all_solutions.families import UNLIMITED, at_a_limit, turn_distance, wrapped
from lessons_lib.all_solutions.general_6r import SAME
from lessons_lib.all_solutions.general_arm import General6R
from lessons_lib.all_solutions.module import module
from lessons_lib.all_solutions.recognition import EXACT, LONGER, structure_of
from lessons_lib.all_solutions.solutions import FREE_BITS, IKStrategy, SolutionRows, Solutions, wrap_within
from lessons_lib.all_solutions.to_rounding import descend
from lessons_lib.arrays import Array
from lessons_lib.certificates.ball import certified
from lessons_lib.lazy import cached_property
from lessons_lib.robots import Chain, from_screws

SAYS = "five revolute joints; with a sixth that stays at zero: {longer}"

REACHED = 1e-9  # largest error of a solution, rad and lengths of the arm
SMALL = 1e-3  # angle of the sixth joint, rad, below which it may be zero: a merged solution is known to 1e-8
SECOND = 1 << 14  # bit of a code: the second of the longer arms found the solution


@dataclass(frozen=True, eq=False)
class Arm5R(IKStrategy):
    """A 5R arm."""

    arm: Chain

    @property
    def sentence(self) -> str:
        """What the axes do."""
        return SAYS.format(longer=self.longer[0][1].sentence)

    @cached_property
    def longer(self) -> list[tuple[Chain, Closed6R | General6R]]:
        """Two longer arms with their strategies: where an angle of one is free, that of the other is not."""
        found: list[tuple[Chain, Closed6R | General6R]] = []
        others: list[tuple[Chain, Closed6R | General6R]] = []
        rows, tip = np.ascontiguousarray(self.arm.screws.T), np.ascontiguousarray(self.arm.home[:3, 3])
        for way in range(LONGER):
            six = np.empty((6, 6))
            module().write_longer(rows, tip, way, six)
            arm = from_screws(six.T, self.arm.home, name=f"{self.arm.name} and a sixth joint")
            structure = structure_of(arm.screws, arm.home)
            if structure is not None:
                found.append((arm, Closed6R(arm.screws, arm.home, structure)))
            else:
                others.append((arm, General6R(arm)))
        return [*found, *others][:2]

    def solve(self, target: Array, limits: Array) -> SolutionRows:
        """Return the solutions within the limits, the codes of the longer arms, and how many there are."""
        q: list[Array] = []
        codes: list[int] = []
        for k, (_, strategy) in enumerate(self.longer):
            for six, code in self._isolated(strategy, target):
                if abs(wrapped(six[5:])[0]) >= SMALL:
                    continue
                end = descend(self.arm.pose_and_jacobian, target, six[:5], self.arm.length, REACHED, EXACT)
                if end is not None and all(turn_distance(end, other) > SAME for other in q):
                    q.append(end)
                    codes.append(code | k * SECOND)
        moved = [wrap_within(one, self.arm, limits) for one in q]
        kept = [k for k, one in enumerate(moved) if one is not None]
        rows = np.array([moved[k] for k in kept]).reshape(-1, 5)
        return rows, np.array([0, *(codes[k] for k in kept)], dtype=np.int64), len(kept)

    def _isolated(self, strategy: Closed6R | General6R, target: Array) -> list[tuple[Array, int]]:
        rows, codes, count = strategy.solve(target, UNLIMITED) or (np.empty((0, 6)), np.zeros(1, dtype=np.int64), 0)
        return [(rows[k], int(codes[1 + k])) for k in range(count) if not codes[1 + k] & FREE_BITS]

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return the names of the branches of the longer arm, or a number for each solution."""
        found: list[tuple[str, ...]] = []
        for i, (q, code) in enumerate(zip(solutions.q, solutions.codes, strict=True)):
            strategy = self.longer[1 if code & SECOND else 0][1]
            if isinstance(strategy, Closed6R):
                found.append(strategy.name(np.append(q, 0.0), int(code)))
            else:
                found.append((f"solution {i + 1}",))
        return tuple(found)

    def reason(self, solutions: Solutions) -> str:
        """Return why it is not proven that no solution is missing."""
        found = self.solve(solutions.target, UNLIMITED[:5])[0]
        if at_a_limit(found, solutions.limits, REACHED):
            return "a solution is at a limit, to rounding"
        reasons = [self._reason(longer, found, solutions.target) for longer in self.longer]
        return min(reasons, key=len)

    def _reason(self, longer: tuple[Chain, Closed6R | General6R], found: Array, target: Array) -> str:
        """Prove with one longer arm: its solutions are all, and its sixth angle is zero for no other."""
        arm, strategy = longer
        of_six = Solutions(arm, target, UNLIMITED, strategy, *(strategy.solve(target, UNLIMITED) or ()))
        if of_six.reason or of_six.families:
            return of_six.reason or "a joint of the longer arm is free"
        for q in of_six.q:
            ball = certified(arm, target, q)
            turns = bool(ball) and abs(wrapped(q[5:])[0]) > ball.radius
            if not turns and all(turn_distance(q[:5], one) > SAME for one in found):
                return "it is not proven that the sixth joint is away from zero"
        return ""
