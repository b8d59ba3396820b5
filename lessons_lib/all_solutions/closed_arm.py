"""Strategy for a 6R arm whose axes allow a closed form."""

from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from lessons_lib.all_solutions import closed_form, proof
from lessons_lib.all_solutions import decisions as form
from lessons_lib.all_solutions.branch_margins import BRANCHES
from lessons_lib.all_solutions.closed_form import NOISE
from lessons_lib.all_solutions.decisions import FREE_BITS
from lessons_lib.all_solutions.families import UNLIMITED, Family, pair_ends, wrap_angles
from lessons_lib.all_solutions.interval_search import MAX_MARGINS, MAX_SAMPLES
from lessons_lib.all_solutions.module import module, to_rounding_module
from lessons_lib.all_solutions.recognition import Structure
from lessons_lib.all_solutions.solutions import SolutionRows, Solutions
from lessons_lib.all_solutions.subproblems import FORCE
from lessons_lib.all_solutions.to_rounding import TO_ROUNDING, PoseProblem, find_solutions_to_rounding
from lessons_lib.arrays import Array, Integers
from lessons_lib.lazy import cached_property
from lessons_lib.lie import exp_se3
from lessons_lib.robots import Chain, from_screws

_empty, _INTEGER, _SHAPE = np.empty, np.dtype(np.int64), (form.MAX_SOLUTIONS, 6)

DECISION_BITS = (form.SHOULDER, form.ELBOW, form.WRIST)
SIDES = form.SHOULDER | form.ELBOW | form.WRIST

PROBE_ANGLES = [float(angle) for angle in np.linspace(-3.0, 3.1, 24)]
"""Values of a free angle at which its joint and the branches are determined."""


def numbered_rows(Q: Array, codes: Integers, count: int) -> list[tuple[int, Array]]:
    """Return code and configuration of each solution."""
    return [(int(codes[form.FIRST_SOLUTION + i]), Q[i]) for i in range(count)]


def merged_branches(code: int) -> list[int]:
    """Return the branches of a solution: both, if two merge."""
    branches = [code & (FREE_BITS | SIDES)]
    for bit in DECISION_BITS:
        if code & 64 * bit:
            branches += [branch | bit for branch in branches]
    return branches


def find_free_joint(members: list[tuple[float, Array]]) -> tuple[int | None, float]:
    """Return the joint that moves with the free angle, and its sign, from configurations at values of that angle."""
    angles, q = np.array([angle for angle, _ in members]), np.array([one for _, one in members])
    off = np.abs(wrap_angles(np.array([q, -q]) - angles[:, None])).max(axis=1)  # for both signs, of each joint
    for joint, way in np.argwhere(off.T < 1e-9)[:1].tolist():
        return joint, 1.0 - 2.0 * way
    return None, 1.0


@dataclass(frozen=True, eq=False)
class Closed6R:
    """Strategy for a 6R arm with a closed form; screws (6, 6) in {s} and home are those of the `Chain`."""

    screws: Array
    home: Array
    structure: Structure

    @property
    def sentence(self) -> str:
        return self.structure.sentence

    @cached_property
    def arm(self) -> Chain:
        return from_screws(self.screws, self.home)

    @cached_property
    def arguments(self) -> tuple[object, ...]:
        """The arguments of `solve_closed_form` between target and limits."""
        s, inverse = self.structure, _empty((4, 4))
        module().invert_pose(self.home, inverse)
        return inverse, s.kind, s.backwards, s.constants, s.signs

    @cached_property
    def axes(self) -> Array:
        """Rows (ω, v) of the screws."""
        return np.ascontiguousarray(self.screws.T)

    @cached_property
    def kernel(self) -> Any:
        return module().solve_closed_form

    def solve(self, target: Array, limits: Array) -> SolutionRows | None:
        Q, codes = _empty(_SHAPE), _empty(13, _INTEGER)
        count = self.kernel(target, *self.arguments, limits, self.structure.length, 0.0, NOISE, Q, codes)
        if count >= 0 and codes[form.FLAGS] & form.NEEDS_EXTENDED_PRECISION:
            count = proof.solve_in_extended_precision(self.structure, target, self.home, limits, 0.0, Q, codes)
            if codes[form.FLAGS] & FREE_BITS:
                self._clear_false_free_bits(target, codes[form.FIRST_SOLUTION : form.FIRST_SOLUTION + count])
            count = self._add_to_rounding(target, limits, Q, codes, count)
        return None if count < 0 else (Q, codes, count)

    def _add_to_rounding(self, target: Array, limits: Array, Q: Array, codes: Integers, count: int) -> int:
        is_whole = not codes[form.FLAGS] & closed_form.OUTSIDE_LIMITS
        exact = (Q, codes, count) if is_whole else self._exact_solutions(target)
        forced, bits, length = _empty(_SHAPE), _empty(13, _INTEGER), self.structure.length
        start_count = self.kernel(target, *self.arguments, UNLIMITED, length, 0.0, FORCE, forced, bits)
        start_count = to_rounding_module().keep_new_starts(forced, bits, start_count, *exact)
        if start_count == 0:
            return count
        starts = numbered_rows(forced, bits, start_count)
        known = [q for code, q in numbered_rows(*exact) if not code & FREE_BITS]
        if len(known) == form.MAX_SOLUTIONS:
            return count
        problem = PoseProblem(self.arm, target, length)
        for code, q in find_solutions_to_rounding(problem, starts, known)[: form.MAX_SOLUTIONS - count]:
            if closed_form.wrap_into_limits(q, np.ones(6), False, limits, Q[count]):
                codes[form.FIRST_SOLUTION + count] = code & ~(64 * SIDES)
                count += 1
        return count

    def _exact_solutions(self, target: Array) -> SolutionRows:
        Q, codes = _empty(_SHAPE), _empty(13, _INTEGER)
        return Q, codes, proof.solve_in_extended_precision(self.structure, target, self.home, UNLIMITED, 0.0, Q, codes)

    def _clear_false_free_bits(self, target: Array, codes: Integers) -> None:
        """Clear the free bits of solutions whose angle is free in extended precision only."""
        free = {code & FREE_BITS for code, _ in self.solutions_at(target, UNLIMITED, 0.0, FORCE)}
        for k, code in enumerate(codes):
            if code & FREE_BITS not in free:
                codes[k] &= ~FREE_BITS

    def solve_batch(self, targets: Array, limits: Array, Q: Array, counts: Integers, codes: Integers) -> None:
        rows = self.structure.length, Q, counts, codes
        module().solve_closed_form_batch(targets, *self.arguments, limits, *rows)

    def solutions_at(self, target: Array, limits: Array, at: float, noise: float = 0.0) -> list[tuple[int, Array]]:
        """Return code and configuration of each solution, with free angles `at` a value, rad."""
        Q, codes = _empty(_SHAPE), _empty(13, _INTEGER)
        count = self.kernel(target, *self.arguments, limits, self.structure.length, at, noise, Q, codes)
        return numbered_rows(Q, codes, count)

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        return tuple(self.branch_name(q, int(code)) for q, code in zip(solutions.q, solutions.codes, strict=True))

    def branch_name(self, q: Array, code: int) -> tuple[str, ...]:
        sides = {
            form.SHOULDER: ("shoulder left", "shoulder right", "shoulder straight"),
            form.ELBOW: self._elbow_names(q, code),
            form.WRIST: ("wrist not flipped", "wrist flipped", "wrist straight"),
        }
        parts = []
        for bit, words in sides.items():
            if not code & 8 * bit:
                parts.append(words[2] if code & 64 * bit else words[1 if code & bit else 0])
        return tuple(parts)

    def _elbow_names(self, q: Array, code: int) -> tuple[str, str, str]:
        """Return the names of the sides of the elbow: up and down, if one is higher."""
        s, plain = self.structure, ("elbow left", "elbow right", "elbow straight")
        if s.kind not in (form.PARALLEL, form.AFTER_PARALLEL):
            return plain
        rows = (form.O2, form.O3, form.O4 if s.kind == form.PARALLEL else form.P)
        n, first = s.constants[form.K2], s.constants[form.O2]
        points = [point - ((point - first) @ n) * n for point in s.constants[list(rows)]]
        shoulder, elbow, wrist = self._move_points(q, points)
        chord = wrist - shoulder
        across = elbow - shoulder - chord * (chord @ (elbow - shoulder)) / max(float(chord @ chord), 1e-300)
        if abs(across[2]) < 1e-6 * s.length:
            return plain
        is_up, second = across[2] > 0.0, bool(code & form.ELBOW)
        return ("elbow up", "elbow down", plain[2]) if is_up != second else ("elbow down", "elbow up", plain[2])

    def _move_points(self, q: Array, points: list[Array]) -> list[Array]:
        """Return points that the first one, two and three joints move; numbered from the tip, all others move them."""
        twists = (self.axes * q[:, None])[: 5 if self.structure.backwards else 3]
        frames = list(accumulate(map(exp_se3, twists), np.matmul))
        frames = frames[:1:-1] if self.structure.backwards else frames
        return [T[:3, :3] @ point + T[:3, 3] for T, point in zip(frames, points, strict=True)]

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        if not solutions.flags & FREE_BITS:
            return ()
        kept = np.zeros(MAX_MARGINS), _empty((MAX_MARGINS, BRANCHES))
        members: dict[int, list[tuple[float, Array]]] = {}
        for angle in PROBE_ANGLES:
            for code, q in self.solutions_at(solutions.target, UNLIMITED, angle, FORCE):
                for branch in merged_branches(code) if code & FREE_BITS else ():
                    members.setdefault(branch, []).append((angle, q))
        candidates = [self._family(solutions, one, *find_free_joint(members[one]), kept) for one in sorted(members)]
        return tuple(family for family in candidates if family is not None)

    def _family(
        self, solutions: Solutions, branch: int, joint: int | None, sign: float, kept: tuple[Array, Array]
    ) -> Family | None:
        """Return the family of a branch, unless it is empty or merges with an earlier branch."""
        if joint is None:
            return None
        low, high = solutions.limits[joint]
        if high - low >= 2 * np.pi:
            low, high = -np.pi, np.pi

        def member(value: float) -> tuple[int, Array] | None:
            for code, q in self.solutions_at(solutions.target, solutions.limits, sign * value):
                if branch in merged_branches(code):
                    q[joint] = value
                    return code, q
            return None

        def chart(value: float) -> Array | None:
            allowed = solutions.limits[joint, 0] <= value <= solutions.limits[joint, 1]
            one = member(value) if allowed else None
            return None if one is None else one[1]

        ends, arm = _empty(MAX_SAMPLES), (solutions.target, self.axes, self.home, -1, solutions.limits, UNLIMITED)
        rest = *self.arguments, self.structure.length, sign, branch, float(low), float(high), *kept, ends
        intervals = pair_ends(ends, module().find_branch_intervals(*arm, *rest))
        if not intervals:
            return None
        members = [one for a, b in intervals for value in (0.5 * (a + b), a) if (one := member(value)) is not None]
        code, q = min(members, key=lambda one: (one[0] & 64 * SIDES).bit_count())
        merged = (code >> 6) & SIDES & branch  # branches that merge all along have one family, that of the first
        return None if merged else Family(joint, intervals, self.branch_name(q, code), chart)

    def reason(self, solutions: Solutions) -> str:
        solve = self.solve(solutions.target, solutions.limits)
        assert solve is not None
        listed, flags = solve[1][form.FIRST_SOLUTION :][: solve[2]], int(solve[1][form.FLAGS])
        arguments = self.structure, solutions.target, self.home, solutions.limits
        return proof.reason_incomplete(*arguments, listed[listed & TO_ROUNDING == 0], flags)
