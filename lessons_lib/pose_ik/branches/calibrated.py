"""The road to all answers of an arm whose axes nearly allow a closed form, as those of a calibrated one do.

The answers of the nearest arm with a closed form are starts of Newton's method on the arm itself; so are its answers to
poses beside, because an answer may be out of the reach of the one arm and not of the other. Whether these are all is
asked as of any six hinges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.lazy import cached_property
from lessons_lib.pose_ik.branches.any_hinges import SAME, UNLIMITED, AnyHinges
from lessons_lib.pose_ik.branches.families import Family, turn_distance
from lessons_lib.pose_ik.branches.newton import refined
from lessons_lib.pose_ik.branches.six_hinges import SixHinges
from lessons_lib.pose_ik.branches.solutions import Found, Solutions, within
from lessons_lib.robots import Chain

SAYS = "{form}, but for {off}"

BESIDE = np.vstack([np.zeros(3), *(far * np.eye(3) for far in (1.0, -1.0, 3.0, -3.0, 10.0, -10.0))])
"""Where the poses beside are, in multiples of how far the axes are off."""


@dataclass(frozen=True, eq=False)
class Calibrated:
    """An arm, and the closed form of the nearest one that has one."""

    arm: Chain
    ideal: SixHinges

    @property
    def sentence(self) -> str:
        """What the axes do, nearly."""
        return SAYS.format(form=self.ideal.sentence, off=f"{self.ideal.structure.off:.2g}")

    def answers(self, target: Array, limits: Array) -> Found:
        """Return every answer within the limits that is found, and the codes of the starts that led there."""
        far = self.ideal.structure.off * self.ideal.structure.length
        q: list[Array] = []
        codes: list[int] = []
        for aside in BESIDE * far:
            pose = target.copy()
            pose[:3, 3] += aside
            for code, start in self.ideal.found(pose, UNLIMITED, 0.0):
                found = refined(self.arm, target, start, self.ideal.structure.length)
                moved = None if found is None else within(found, self.arm, limits)
                if moved is not None and all(turn_distance(moved, other) > SAME for other in q):
                    q.append(moved)
                    codes.append(code & 7)
        return np.array(q).reshape(-1, 6), np.array([0, *codes]), len(q)

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return the names of the branches of the nearest arm."""
        return self.ideal.names(solutions)

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        """Return none: what is a curve of answers of the nearest arm is single ones of this."""
        return ()

    @cached_property
    def general(self) -> AnyHinges:
        """The arm as one of any six hinges, of which it can be proven how many answers there are."""
        return AnyHinges(self.arm)

    def reason(self, solutions: Solutions) -> str:
        """Return why it is not proven that no answer is missing."""
        reason = self.general.against(self.answers(solutions.target, UNLIMITED)[0], solutions)
        missed = f"the axes miss by {self.ideal.structure.off:.2g} what the closed form supposes"
        return f"{missed}, and {reason}" if reason else ""
