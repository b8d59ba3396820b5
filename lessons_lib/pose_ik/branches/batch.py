"""What `all_solutions_batch` returns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lessons_lib.arrays import Array, Integers
from lessons_lib.lazy import cached_property
from lessons_lib.pose_ik.branches.decisions import LEAF
from lessons_lib.pose_ik.branches.solutions import FREE_BITS, Road, Solutions
from lessons_lib.robots import Chain


class BatchSolutions:
    """The answers to k poses; a sequence of `Solutions`.

    Attributes:
        q: The isolated answers, shape (k, m, n), rad or m, NaN behind the last of a pose; m is 8, or 16 of six
            hinges without a closed form.
        counts: How many isolated answers a pose has, shape (k,).
        complete: Whether it is proven that none is missing, shape (k,): some milliseconds a pose.
    """

    def __init__(
        self, arm: Chain, targets: Array, limits: Array, road: Road, Q: Array, found: Integers, codes: Integers
    ) -> None:
        """Keep what was found.

        Args:
            arm: The arm.
            targets: T_sd, shape (k, 4, 4).
            limits: Within which the answers are, shape (n, 2).
            road: How they were found.
            Q: Answers, shape (k, m, n), among them those in which a turn is free.
            found: How many of them are one, shape (k,).
            codes: What was decided on the way, shape (k, m + 5).
        """
        self._given = arm, limits, road
        self._targets, self._Q, self._found, self._codes = targets, Q, found, codes

    @cached_property
    def _alone(self) -> NDArray[np.bool_]:
        known: NDArray[np.bool_] = np.arange(self._Q.shape[1]) < self._found[:, None]
        known &= self._codes[:, LEAF : LEAF + self._Q.shape[1]] & FREE_BITS == 0
        return known

    @cached_property
    def counts(self) -> Integers:
        """How many isolated answers each pose has."""
        return np.asarray(self._alone.sum(axis=1), dtype=np.int64)

    @cached_property
    def q(self) -> Array:
        """The isolated answers."""
        q = np.full_like(self._Q, np.nan)
        order = np.argsort(~self._alone, axis=1, kind="stable")
        kept = np.take_along_axis(self._Q, order[..., None], axis=1)
        places = np.arange(q.shape[1]) < self.counts[:, None]
        q[places] = kept[places]
        q.setflags(write=False)
        return q

    @cached_property
    def complete(self) -> NDArray[np.bool_]:
        """Whether it is proven that no answer is missing."""
        return np.array([one.complete for one in self], dtype=bool)

    def __len__(self) -> int:
        """Return k."""
        return len(self._found)

    def __getitem__(self, row: int) -> Solutions:
        """Return the answers to one pose."""
        arm, limits, road = self._given
        found = self._Q[row], self._codes[row], int(self._found[row])
        return Solutions(arm, self._targets[row], limits, road, *found)

    def __iter__(self) -> Iterator[Solutions]:
        """Yield the answers to each pose."""
        return (self[row] for row in range(len(self)))
