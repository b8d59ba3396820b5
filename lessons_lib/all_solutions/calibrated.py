"""The road to all answers of an arm whose axes nearly allow a closed form, as those of a calibrated one do.

The answers of the nearest arm with a closed form are starts of Newton's method on the arm itself; so are its answers to
poses beside, because an answer may be out of the reach of the one arm and not of the other. What is found for any six
hinges joins them: beside singular poses each way misses what the other finds. Whether these are all is asked as of any
six hinges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib.all_solutions.any_hinges import AnyHinges
from lessons_lib.all_solutions.circle import UNKNOWN
from lessons_lib.all_solutions.families import UNLIMITED, turn_distance
from lessons_lib.all_solutions.module import sixteen_module
from lessons_lib.all_solutions.reading import Reading
from lessons_lib.all_solutions.six_hinges import SixHinges
from lessons_lib.all_solutions.sixteen import ANSWERS
from lessons_lib.all_solutions.solutions import Found, Road, Solutions, within
from lessons_lib.arrays import Array
from lessons_lib.lazy import cached_property
from lessons_lib.robots import Chain

SAYS = "{form}, but for {off}"

BESIDE = np.vstack([np.zeros(3), *(far * np.eye(3) for far in (1.0, -1.0, 3.0, -3.0, 10.0, -10.0))])
"""Where the poses beside are, in multiples of how far the axes are off."""


@dataclass(frozen=True, eq=False)
class Calibrated(Road):
    """An arm, and the closed form of the nearest one that has one: its curves of answers are single ones of this."""

    arm: Chain
    ideal: SixHinges

    @property
    def sentence(self) -> str:
        """What the axes do, nearly."""
        return SAYS.format(form=self.ideal.sentence, off=f"{self.ideal.structure.off:.2g}")

    def answers(self, target: Array, limits: Array) -> Found:
        """Return every answer within the limits that is found, and the codes of the nearest arm's branches."""
        text, motion = sixteen_module(), self._motion(target)
        found, codes, count = np.empty((ANSWERS, 6)), np.zeros(1 + ANSWERS, dtype=np.int64), 0
        starts = [one for pose in self._beside(target) for one in self.ideal.found(pose, UNLIMITED, 0.0)]
        ends = [(code, start.copy()) for code, start in starts]
        reached = [(code, end) for code, end in ends if text.polished(self._axes, motion, end, np.ones(1))]
        others, _, total = self.general.answers(target, UNLIMITED) or (found, codes, 0)
        for code, q in [*reached, *((None, one) for one in others[:total])]:
            if count < ANSWERS and text.known(found, count, q, False) == UNKNOWN:
                nearest = code if code is not None else self._nearest(starts, q)
                found[count], codes[1 + count] = q, nearest & 7
                count += 1
        moved = [within(q, self.arm, limits) for q in found[:count]]
        kept = [k for k, q in enumerate(moved) if q is not None]
        codes[1 : 1 + len(kept)] = codes[1:][kept]
        return np.array([moved[k] for k in kept]).reshape(-1, 6), codes[: 1 + len(kept)], len(kept)

    def _nearest(self, starts: list[tuple[int, Array]], q: Array) -> int:
        """Return the code of the nearest of some answers of the nearest arm; 0 where it has none."""
        return min(starts, key=lambda one: turn_distance(one[1], q), default=(0, q))[0]

    def _beside(self, target: Array) -> list[Array]:
        """Return the pose, and those beside it."""
        poses = []
        for aside in BESIDE * self.ideal.structure.off * self.ideal.structure.length:
            poses.append(target.copy())
            poses[-1][:3, 3] += aside
        return poses

    @cached_property
    def _axes(self) -> Array:
        return np.ascontiguousarray(Reading(self.arm.screws / self._unit, 2, 0).axes)

    @cached_property
    def _unit(self) -> Array:
        return np.repeat([1.0, self.ideal.structure.length], 3)[:, None]

    def _motion(self, target: Array) -> Array:
        """Return the motion from home to a pose in lengths of the arm, as `polished` is told of it."""
        found = target @ np.linalg.inv(self.arm.home)
        found[:3, 3] /= self.ideal.structure.length
        return found[:3].ravel()

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return the names of the branches of the nearest arm."""
        return self.ideal.names(solutions)

    @cached_property
    def general(self) -> AnyHinges:
        """The arm as one of any six hinges, of which it can be proven how many answers there are."""
        return AnyHinges(self.arm)

    def reason(self, solutions: Solutions) -> str:
        """Return why it is not proven that no answer is missing."""
        reason = self.general.against(self.answers(solutions.target, UNLIMITED)[0], solutions)
        missed = f"the axes miss by {self.ideal.structure.off:.2g} what the closed form supposes"
        return f"{missed}, and {reason}" if reason else ""
