"""Strategy for an arm with coupled joints, θ = A q: solve the uncoupled joints, then find q for each solution."""
# A is injective, so each θ has at most one q, up to whole revolutions of the joints.

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib.all_solutions.decisions import FIRST_SOLUTION, FLAGS, FREE_BITS
from lessons_lib.all_solutions.families import Family
from lessons_lib.all_solutions.solutions import IKStrategy, SolutionRows, Solutions, find_coordinates
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain


@dataclass(frozen=True, eq=False)
class CoupledArm:
    """An arm with coupled joints, and the strategy for its uncoupled joints."""

    arm: Chain
    joints: IKStrategy

    @property
    def sentence(self) -> str:
        return f"{self.joints.sentence}; {self.arm.dof} coordinates move the {self.arm.uncoupled.dof} joints"

    def solve(self, target: Array, limits: Array) -> SolutionRows | None:
        solutions = self.joints.solve(target, self._unlimited)
        if solutions is None:
            return None
        kept = [(q, code) for q, code, _ in self._lift(solutions, limits) if q is not None]
        q = np.array([one for one, _ in kept]).reshape(-1, self.arm.dof)
        return q, np.array([solutions[1][FLAGS], *(code for _, code in kept)], dtype=np.int64), len(kept)

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        assert self.arm.matrix is not None
        theta = solutions.q @ self.arm.matrix.T
        codes = np.array([solutions.flags, *solutions.codes], dtype=np.int64)
        return self.joints.names(self._joint_solutions(solutions.target, (theta, codes, len(theta))))

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        """Return none; `reason` reports those of the joints."""
        return ()

    def reason(self, solutions: Solutions) -> str:
        rows = self.joints.solve(solutions.target, self._unlimited)
        assert rows is not None
        whole = self._joint_solutions(solutions.target, rows)
        if whole.families:
            return "the uncoupled joints have families of solutions; it is unknown which of them the coupling allows"
        if whole.reason:
            return whole.reason
        if len(whole) and self.arm.dof < self.arm.uncoupled.dof:
            return "rounding decides whether the coupling allows a solution of the joints"
        undecided = any(one for _, _, one in self._lift(rows, solutions.limits))
        limit = "a solution is at a joint limit up to rounding, or needs more revolutions than are tried"
        return limit if undecided else ""

    def _lift(self, solutions: SolutionRows, limits: Array) -> list[tuple[Array | None, int, bool]]:
        """Return q, code, and whether rounding decides, of each isolated solution; q is None outside the limits."""
        middle, lifted = np.clip(np.zeros(self.arm.dof), *limits.T), []
        rows, codes, count = solutions
        for theta, code in zip(rows[:count], codes[FIRST_SOLUTION : FIRST_SOLUTION + count].tolist(), strict=True):
            if not code & FREE_BITS:
                q, undecided = find_coordinates(self.arm, theta, middle, limits)
                lifted.append((q, code, undecided))
        return lifted

    def _joint_solutions(self, target: Array, rows: SolutionRows) -> Solutions:
        return Solutions(self.arm.uncoupled, target, self._unlimited, self.joints, *rows)

    @property
    def _unlimited(self) -> Array:
        return np.tile([-np.inf, np.inf], (self.arm.uncoupled.dof, 1))
