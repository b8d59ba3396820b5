"""Strategy for a 5R arm: append a sixth revolute joint that must be at zero."""
# Its axis is chosen so that the extended arm has a closed form, if possible. A 5R arm reaches a surface of poses, and a
# rounded pose is off that surface by some 1e-16: solutions with an error below REACHED count.

from dataclasses import dataclass

import numpy as np

from lessons_lib.all_solutions.closed_arm import Closed6R
from lessons_lib.all_solutions.decisions import FREE_BITS
from lessons_lib.all_solutions.families import UNLIMITED, angular_distance, is_at_limit, wrap_angles
from lessons_lib.all_solutions.general_6r import SAME
from lessons_lib.all_solutions.general_arm import General6R
from lessons_lib.all_solutions.module import module
from lessons_lib.all_solutions.recognition import EXACT, EXTENSIONS, recognize_structure
from lessons_lib.all_solutions.solutions import IKStrategy, SolutionRows, Solutions, wrap_within
from lessons_lib.all_solutions.to_rounding import descend
from lessons_lib.arrays import Array
from lessons_lib.certificates.ball import find_certificate
from lessons_lib.lazy import cached_property
from lessons_lib.robots import Chain, from_screws

SENTENCE = "five revolute joints; with a sixth joint at zero: {longer}"

REACHED = 1e-9  # largest error of a solution, rad and lengths of the arm
ZERO_ANGLE = 1e-3  # angle of the sixth joint, rad, that may be zero: a merged solution is known to 1e-8
BY_SECOND_ARM = 1 << 14  # bit of a code: the second extended arm found the solution

ExtendedArm = tuple[Chain, Closed6R | General6R]


@dataclass(frozen=True, eq=False)
class Arm5R(IKStrategy):
    arm: Chain

    @property
    def sentence(self) -> str:
        return SENTENCE.format(longer=self.extended_arms[0][1].sentence)

    @cached_property
    def extended_arms(self) -> list[ExtendedArm]:
        """Two extended arms with their strategies: where an angle of one is free, that of the other is not."""
        closed: list[ExtendedArm] = []
        others: list[ExtendedArm] = []
        rows, tip = np.ascontiguousarray(self.arm.screws.T), np.ascontiguousarray(self.arm.home[:3, 3])
        for option in range(EXTENSIONS):
            six = np.empty((6, 6))
            module().append_joint(rows, tip, option, six)
            arm = from_screws(six.T, self.arm.home, name=f"{self.arm.name} and a sixth joint")
            structure = recognize_structure(arm.screws, arm.home)
            if structure is not None:
                closed.append((arm, Closed6R(arm.screws, arm.home, structure)))
            else:
                others.append((arm, General6R(arm, arm.home)))
        return [*closed, *others][:2]

    def solve(self, target: Array, limits: Array) -> SolutionRows:
        q: list[Array] = []
        codes: list[int] = []
        for k, (_, strategy) in enumerate(self.extended_arms):
            for six, code in self._isolated_solutions(strategy, target):
                if abs(wrap_angles(six[5:])[0]) >= ZERO_ANGLE:
                    continue
                end = descend(self.arm.pose_and_jacobian, target, six[:5], self.arm.length, REACHED, EXACT)
                if end is not None and all(angular_distance(end, other) > SAME for other in q):
                    q.append(end)
                    codes.append(code | k * BY_SECOND_ARM)
        wrapped = [wrap_within(one, self.arm, limits) for one in q]
        kept = [k for k, one in enumerate(wrapped) if one is not None]
        rows = np.array([wrapped[k] for k in kept]).reshape(-1, 5)
        return rows, np.array([0, *(codes[k] for k in kept)], dtype=np.int64), len(kept)

    def _isolated_solutions(self, strategy: Closed6R | General6R, target: Array) -> list[tuple[Array, int]]:
        rows, codes, count = strategy.solve(target, UNLIMITED) or (np.empty((0, 6)), np.zeros(1, dtype=np.int64), 0)
        return [(rows[k], int(codes[1 + k])) for k in range(count) if not codes[1 + k] & FREE_BITS]

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return the names of the branches of the extended arm, or a number for each solution."""
        labels: list[tuple[str, ...]] = []
        for i, (q, code) in enumerate(zip(solutions.q, solutions.codes, strict=True)):
            strategy = self.extended_arms[1 if code & BY_SECOND_ARM else 0][1]
            if isinstance(strategy, Closed6R):
                labels.append(strategy.branch_name(np.append(q, 0.0), int(code)))
            else:
                labels.append((f"solution {i + 1}",))
        return tuple(labels)

    def reason(self, solutions: Solutions) -> str:
        all_q = self.solve(solutions.target, UNLIMITED[:5])[0]
        if is_at_limit(all_q, solutions.limits, REACHED):
            return "up to rounding, a solution is at a joint limit"
        return min((self._reason(one, all_q, solutions.target) for one in self.extended_arms), key=len)

    def _reason(self, extended: ExtendedArm, all_q: Array, target: Array) -> str:
        """Prove by one extended arm: its list is complete, and no other solution has the sixth joint at zero."""
        arm, strategy = extended
        of_six = Solutions(arm, target, UNLIMITED, strategy, *(strategy.solve(target, UNLIMITED) or ()))
        if of_six.reason or of_six.families:
            return of_six.reason or "a joint of the extended arm is free"
        for q in of_six.q:
            ball = find_certificate(arm, target, q)
            is_nonzero = bool(ball) and abs(wrap_angles(q[5:])[0]) > ball.radius
            if not is_nonzero and all(angular_distance(q[:5], one) > SAME for one in all_q):
                return "it is not proven that the sixth joint is nonzero in all other solutions"
        return ""
