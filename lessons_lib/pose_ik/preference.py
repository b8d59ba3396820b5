"""How near a solve came to the preferred posture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib.arrays import Array

STATIONARY = 1e-8
"""Of the projected gradient, rad and lengths of the arm: some digits more than the pose is known to."""


@dataclass(frozen=True, eq=False, slots=True)
class Preference:
    """What was checked of an answer to a solve with `prefer`.

    With r = (q − posture) in rad and lengths of the arm, and N the projector onto what the goal does not feel: where no
    limit is in the way, N r is zero. A joint at a limit that keeps it from going nearer is held: N is then that of the
    others, and every held joint is pressed against its limit (the conditions of Karush, Kuhn and Tucker).

    Attributes:
        posture: What was preferred, shape (n,), rad or m, read-only.
        distance: |r|, whole turns as they are in q.
        gradient: |N r|, or how much a held joint would rather leave its limit, whichever is larger.
        mask: Bit j is set where joint j, 0 for the first, is held.
    """

    posture: Array
    distance: float
    gradient: float
    mask: int

    @classmethod
    def of(cls, q: Array, posture: Array, units: Array, found: Array) -> Preference:
        """Return what was checked.

        Args:
            q: The answer, shape (n,).
            posture: Shape (n,).
            units: A rad, or the length of the arm where a joint slides, shape (n,).
            found: The gradient and the mask, shape (2,).
        """
        return cls(posture, float(np.linalg.norm((q - posture) / units)), float(found[0]), int(found[1]))

    @property
    def stationary(self) -> bool:
        """Whether no small move that keeps the goal comes nearer, to first order."""
        return self.gradient <= STATIONARY

    @property
    def held(self) -> tuple[int, ...]:
        """The joints that a limit holds, 0 for the first."""
        return tuple(j for j in range(len(self.posture)) if self.mask >> j & 1)
