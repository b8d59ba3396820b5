"""Strategy for a 7R arm: lock a joint so that the others have a closed form; each branch is a family of that joint."""
# If no joint leaves a closed form, the last one is locked: the first six are then one general 6R arm at every value,
# which is prepared once. Its slices are solved, its families are not.

from dataclasses import dataclass
from functools import partial

import numpy as np

from lessons_lib.all_solutions.branch_margins import is_in_branch
from lessons_lib.all_solutions.closed_arm import SIDES, Closed6R
from lessons_lib.all_solutions.decisions import FIRST_SOLUTION, FREE_BITS, MAX_SOLUTIONS
from lessons_lib.all_solutions.families import UNLIMITED, Family, pair_ends
from lessons_lib.all_solutions.general_arm import General6R
from lessons_lib.all_solutions.interval_search import MAX_MARGINS, MAX_SAMPLES
from lessons_lib.all_solutions.module import module
from lessons_lib.all_solutions.recognition import recognize_structure
from lessons_lib.all_solutions.slices import search_slices
from lessons_lib.all_solutions.solutions import SolutionRows, Solutions
from lessons_lib.arrays import Array
from lessons_lib.errors import ConfigurationError
from lessons_lib.lazy import cached_property
from lessons_lib.robots import Chain, from_screws
from lessons_lib.robots.joint_limits import clip_into_limits

LOCK_ORDER, LOCK_VALUES = (6, 2, 0, 5, 4, 3, 1), (0.3, -1.1, 2.3)
"""Order in which joints are tried, 0 for the first, and the values, rad, at which they are locked."""
ONLY_SLICES = (
    "its families are unknown; all_solutions(arm, T).slice(value) lists the solutions for one value of joint {}"
)
SENTENCE = "with joint {joint} locked, {form}"


@dataclass(frozen=True, eq=False)
class Arm7R:
    """A 7R arm and the joint of its families, 0 for the first; screws (6, 7) and home are those of the `Chain`."""

    screws: Array
    home: Array
    joint: int
    general: General6R | None = None  # strategy for the first six joints, if no joint leaves a closed form

    @cached_property
    def rows(self) -> Array:
        """The screws as rows (ω, v), shape (7, 6)."""
        return self.screws.T.copy()

    @property
    def sentence(self) -> str:
        locked = self.lock_joint(LOCK_VALUES[0])
        assert locked is not None  # see redundant_strategy
        others = [k + 1 for k in range(7) if k != self.joint]
        form = locked.structure.sentence_for(others) if isinstance(locked, Closed6R) else locked.sentence
        return SENTENCE.format(joint=self.joint + 1, form=form)

    def lock_joint(self, value: float) -> Closed6R | General6R | None:
        """Return the strategy of the other six joints with the joint locked at a value; None without a closed form."""
        rows, home = np.empty((6, 6)), np.empty((4, 4))
        module().lock_joint(self.rows, self.home, self.joint, value, rows, home)
        if self.general is not None:
            return self.general.with_home(home)
        structure = recognize_structure(rows.T, home)
        return None if structure is None else Closed6R(rows.T, home, structure)

    def solve(self, target: Array, limits: Array) -> SolutionRows:
        return np.empty((0, 7)), np.zeros(1, dtype=np.int64), 0

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        return ()

    def slice(self, solutions: Solutions, value: float) -> Solutions:
        arm, bounds = solutions.arm, solutions.limits[self.joint][None]
        value = float(
            clip_into_limits(
                np.array([value]), bounds, [arm.joint_names[self.joint]], arm.name, joint_types=["revolute"]
            )[0]
        )
        locked = self.lock_joint(value)
        if locked is None:
            raise ConfigurationError(
                f"two axes of {arm.name} nearly coincide with joint {self.joint + 1} at {value!r} rad; choose another"
            )
        strategy, limits = Slice(self, locked, value), solutions.limits
        return Solutions(solutions.arm, solutions.target, limits, strategy, *strategy.solve(solutions.target, limits))

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        target, others = solutions.target, np.delete(solutions.limits, self.joint, axis=0)
        arm, ends = (target, self.rows, self.home, self.joint), np.empty(MAX_SAMPLES)
        q, codes = np.empty((MAX_SOLUTIONS, 6)), np.empty(13, dtype=np.int64)
        kept = np.zeros(MAX_MARGINS), np.empty((MAX_MARGINS, SIDES + 1))
        form = others, UNLIMITED, self.home, 0, False, self.home, self.rows[0], 0.0, 1.0

        def member(branch: int, value: float) -> Array | None:
            for k in range(module().solve_slice(*arm, value, others, q, codes)):
                if is_in_branch(int(codes[FIRST_SOLUTION + k]) & ~FREE_BITS, branch):
                    return np.concatenate([q[k, : self.joint], [value], q[k, self.joint :]])
            return None

        def family(branch: int) -> Family | None:
            low, high = np.clip(solutions.limits[self.joint], -np.pi, np.pi)
            rest = *form, branch, float(low), float(high), *kept, ends
            intervals = pair_ends(ends, module().find_branch_intervals(*arm, *rest))
            if not intervals:
                return None
            six, first = self.lock_joint(intervals[0][0]), member(branch, intervals[0][0])
            assert isinstance(six, Closed6R) and first is not None
            words = six.branch_name(np.delete(first, self.joint), branch)
            return Family(self.joint, intervals, words, partial(member, branch))

        return tuple(one for branch in range(SIDES + 1) if (one := family(branch)) is not None)

    def reason(self, solutions: Solutions) -> str:
        if self.general is not None:
            return ONLY_SLICES.format(self.joint + 1)
        slices = search_slices(solutions.arm, solutions.target, solutions.limits)
        if slices is not None and slices.empty:
            return ""
        return "the arm is redundant: `slice(value)` proves completeness for one value of the joint"


@dataclass(frozen=True, eq=False)
class Slice:
    """Strategy for a 7R arm with a joint locked at a value, rad."""

    whole: Arm7R
    locked: Closed6R | General6R
    value: float

    @property
    def sentence(self) -> str:
        return self.whole.sentence

    def solve(self, target: Array, limits: Array) -> SolutionRows:
        solutions = self.locked.solve(target, np.delete(limits, self.whole.joint, axis=0))
        assert solutions is not None
        return np.insert(solutions[0], self.whole.joint, self.value, axis=1), solutions[1], solutions[2]

    def _six(self, solutions: Solutions) -> Solutions:
        limits = np.delete(solutions.limits, self.whole.joint, axis=0)
        rows = self.locked.solve(solutions.target, limits)
        assert rows is not None
        return Solutions(solutions.arm, solutions.target, limits, self.locked, *rows)

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        return self.locked.names(self._six(solutions))

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        if not solutions.flags & FREE_BITS:
            return ()
        j = self.whole.joint

        def insert_locked(family: Family) -> Family:
            def chart(value: float) -> Array | None:
                q = family.chart(value)
                return None if q is None else np.insert(q, j, self.value)

            return Family(family.joint + (family.joint >= j), family.intervals, family.names, chart)

        return tuple(insert_locked(family) for family in self.locked.families(self._six(solutions)))

    def reason(self, solutions: Solutions) -> str:
        return self.locked.reason(self._six(solutions))


def redundant_strategy(arm: Chain) -> Arm7R:
    """Return the strategy for a 7R arm; without a closed form if no locked joint leaves one."""
    for joint in LOCK_ORDER:
        strategy = Arm7R(arm.screws, arm.home, joint)
        if all(strategy.lock_joint(value) is not None for value in LOCK_VALUES):
            return strategy
    six = from_screws(arm.screws[:, :6], arm.home, name=f"{arm.name} with joint 7 locked")
    return Arm7R(arm.screws, arm.home, 6, General6R(six, arm.home))
