"""The road to all answers of an arm with seven hinges: a curve for each branch, told by one joint, slice by slice.

With one joint held the other six have a closed form, if their axes allow one wherever it is held. A joint is chosen for
which they do.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache, partial

import numpy as np

from lessons_lib.all_solutions.excluded import slices
from lessons_lib.all_solutions.families import Family, intervals_of
from lessons_lib.all_solutions.recognition import EXACT
from lessons_lib.all_solutions.six_hinges import SIDES, SixHinges, ways
from lessons_lib.all_solutions.solutions import Found, Solutions
from lessons_lib.all_solutions.structure import structure_of
from lessons_lib.arrays import Array
from lessons_lib.errors import ConfigurationError
from lessons_lib.lie import adjoint, exp_se3
from lessons_lib.robots.joint_limits import clip_into_limits

REMEMBERED = 4096

ORDER, VALUES = (6, 2, 0, 5, 4, 3, 1), (0.3, -1.1, 2.3)
"""In which order joints are tried, 0 for the first, whether they can be held, and at which values, rad."""

SAYS = "with joint {joint} held, {form}"


@dataclass(frozen=True, eq=False)
class SevenHinges:
    """An arm of seven hinges, and the joint that tells its families.

    Attributes:
        screws: Axes in {s} at q = 0, shape (6, 7).
        home: Pose of the tip at q = 0.
        joint: The joint that is held, 0 for the first.
    """

    screws: Array
    home: Array
    joint: int

    @property
    def sentence(self) -> str:
        """What the axes do."""
        held = self.held(0.3)
        others = [k + 1 for k in range(7) if k != self.joint]
        return SAYS.format(joint=self.joint + 1, form=held.structure.told(others) if held else "nothing")

    def held(self, value: float) -> SixHinges | None:
        """Return the closed form of the other six, with the joint held at a value."""
        j, motion = self.joint, exp_se3(self.screws[:, self.joint] * value)
        screws = np.hstack([self.screws[:, :j], adjoint(motion) @ self.screws[:, j + 1 :]])
        home = motion @ self.home
        structure = structure_of(screws, home)
        return None if structure is None or structure.off > EXACT else SixHinges(screws, home, structure)

    def answers(self, target: Array, limits: Array) -> Found:
        """Return no isolated answer: all are on curves."""
        return np.empty((0, 7)), np.zeros(1, dtype=np.int64), 0

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return the names of each isolated answer: there is none."""
        return ()

    def slice(self, solutions: Solutions, value: float) -> Solutions:
        """Return the isolated answers with the joint held.

        Raises:
            ConfigurationError: The value is outside the joint's limits, or there two axes are nearly one.
        """
        arm, bounds = solutions.arm, solutions.limits[self.joint][None]
        value = float(clip_into_limits(np.array([value]), bounds, [arm.joint_names[self.joint]], arm.name)[0])
        held = self.held(value)
        if held is None:
            raise ConfigurationError(
                f"joint {self.joint + 1} of {arm.name} cannot be held at {value!r} rad: two axes nearly coincide there"
            )
        road, limits = Slice(self, held, value), solutions.limits
        return Solutions(solutions.arm, solutions.target, limits, road, *road.answers(solutions.target, limits))

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        """Return a family for each branch."""
        target, others = solutions.target, np.delete(solutions.limits, self.joint, axis=0)
        held = lru_cache(REMEMBERED)(self.held)

        @lru_cache(REMEMBERED)
        def rooms(value: float) -> dict[int, float]:
            six = held(value)
            return {} if six is None else {way & SIDES: x for way, x in six.rooms(target, others, 0.0).items()}

        def member(branch: int, value: float) -> Array | None:
            six = held(value)
            for code, q in [] if six is None else six.found(target, others, 0.0):
                if branch in (way & SIDES for way in ways(code)):
                    return np.insert(q, self.joint, value)
            return None

        def family(branch: int) -> Family | None:
            low, high = np.clip(solutions.limits[self.joint], -np.pi, np.pi)
            intervals = intervals_of(lambda value: rooms(value).get(branch, -np.inf), float(low), float(high))
            if not intervals:
                return None
            six, q = held(intervals[0][0]), member(branch, intervals[0][0])
            assert six is not None and q is not None
            words = six.name(np.delete(q, self.joint), branch)
            return Family(self.joint, intervals, words, partial(member, branch))

        return tuple(one for branch in range(SIDES + 1) if (one := family(branch)) is not None)

    def reason(self, solutions: Solutions) -> str:
        """Return why it is not proven that no answer is missing; there may be none at all, and that be proven."""
        found = slices(solutions.arm, solutions.target, solutions.limits)
        if found is not None and found.empty:
            return ""
        return "a joint is to spare: `slice(value)` tells what is proven for one value of it"


@dataclass(frozen=True, eq=False)
class Slice:
    """An arm of seven hinges with one of them held.

    Attributes:
        whole: The arm.
        held: The closed form of the others.
        value: Of the joint that is held, rad.
    """

    whole: SevenHinges
    held: SixHinges
    value: float
    sentence: str = field(default="")

    def answers(self, target: Array, limits: Array) -> Found:
        """Return the answers within the limits, the codes, and how many there are."""
        found = self.held.answers(target, np.delete(limits, self.whole.joint, axis=0))
        assert found is not None
        return np.insert(found[0], self.whole.joint, self.value, axis=1), found[1], found[2]

    def _six(self, solutions: Solutions) -> Solutions:
        """Return the same answers, of the six other joints."""
        limits = np.delete(solutions.limits, self.whole.joint, axis=0)
        found = self.held.answers(solutions.target, limits)
        assert found is not None
        return Solutions(solutions.arm, solutions.target, limits, self.held, *found)

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return the names of each isolated answer."""
        return self.held.names(self._six(solutions))

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        """Return the families, where another turn is free."""
        j = self.whole.joint

        def lifted(family: Family) -> Family:
            def chart(value: float) -> Array | None:
                q = family.chart(value)
                return None if q is None else np.insert(q, j, self.value)

            return Family(family.joint + (family.joint >= j), family.intervals, family.names, chart)

        return tuple(lifted(family) for family in self.held.families(self._six(solutions)))

    def reason(self, solutions: Solutions) -> str:
        """Return why it is not proven that no answer of this slice is missing."""
        return self.held.reason(self._six(solutions))


def seven_hinges(screws: Array, home: Array) -> SevenHinges | None:
    """Return the road of an arm of seven hinges, or None where no joint can be held that leaves a closed form."""
    for joint in ORDER:
        road = SevenHinges(screws, home, joint)
        if all(road.held(value) is not None for value in VALUES):
            return road
    return None
