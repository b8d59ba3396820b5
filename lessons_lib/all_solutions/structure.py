"""What an arm's axes allow, recognised from its screws: which closed form, read from the base or from the tip.

Axes count as parallel, or as meeting, where they are so to EXACT of the arm's length; the answers are then those of the
arm in which they are so exactly, `off` away. An arm whose axes are off by up to NEAR, as those of a calibrated one are,
has the answers of the nearest such arm as starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lessons_lib.all_solutions.decisions import (
    AFTER_MEETING,
    AFTER_PARALLEL,
    BEFORE_MEETING,
    BEFORE_PARALLEL,
    PARALLEL,
)
from lessons_lib.all_solutions.module import module
from lessons_lib.all_solutions.recognition import NO_FORM
from lessons_lib.arrays import Array

SENTENCES = {
    PARALLEL: "axes {2}, {3} and {4} are parallel, {5} and {6} meet",
    AFTER_PARALLEL: "axes {4}, {5} and {6} meet in one point, {2} and {3} are parallel",
    BEFORE_PARALLEL: "axes {4}, {5} and {6} meet in one point, {1} and {2} are parallel",
    AFTER_MEETING: "axes {4}, {5} and {6} meet in one point, {1} and {2} meet",
    BEFORE_MEETING: "axes {4}, {5} and {6} meet in one point, {2} and {3} meet",
}


@dataclass(frozen=True, eq=False)
class Structure:
    """A closed form of an arm with six hinges, and its constants.

    Attributes:
        kind: Of the closed form, see decisions.py.
        backwards: Whether its first axis is the arm's last.
        constants: K of decisions.py, shape (16, 3), m.
        signs: Of each turn about the constants' axes, in their order, shape (6,).
        length: Of the arm, m, by which rounding is measured.
        off: By how much the arm's axes miss what the closed form supposes, in rad and in lengths of the arm.
    """

    kind: int
    backwards: bool
    constants: Array
    signs: Array
    length: float
    off: float

    @property
    def sentence(self) -> str:
        """What the axes do, in words."""
        return self.told(range(1, 7))

    def told(self, numbers: Sequence[int]) -> str:
        """Return the same with other numbers of the six joints."""
        return SENTENCES[self.kind].format(None, *(reversed(numbers) if self.backwards else numbers))


def structure_of(screws: Array, home: Array) -> Structure | None:
    """Return the closed form that fits an arm best, or None where none fits to NEAR.

    Args:
        screws: Axes (ω, v) of six hinges in {s}, at q = 0, shape (6, 6), m.
        home: Pose of the tip at q = 0, shape (4, 4).
    """
    K, signs = np.empty((16, 3)), np.empty(6)
    rows, away = np.ascontiguousarray(screws.T), float(np.linalg.norm(home[:3, 3]))
    kind, backwards, length, off = module().recognised(rows, away, K, signs)
    return None if kind == NO_FORM else Structure(kind, backwards == 1, K, signs, length, off)
