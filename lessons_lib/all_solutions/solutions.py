"""What `all_solutions` returns: every configuration of a pose, and whether it is proven that none is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.all_solutions.decisions import ELBOW, LEAF, SEEN, SHOULDER, WRIST
from lessons_lib.all_solutions.families import Family
from lessons_lib.all_solutions.to_rounding import TO_ROUNDING
from lessons_lib.arrays import Array, Integers, is_real
from lessons_lib.certificates.ball import certified
from lessons_lib.certificates.statement import Certificate
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.lazy import cached_property
from lessons_lib.robots import Chain

FULL = 2.0 * np.pi

FREE_BITS = 8 * (SHOULDER | ELBOW | WRIST)
"""Of a code: a turn is free."""


@dataclass(frozen=True, eq=False)
class Solution:
    """One configuration that brings the tip to the pose.

    Attributes:
        q: Shape (n,), rad or m, read-only.
        names: Which branch it is on, in words: "shoulder left", "elbow up", "wrist flipped", …
        residual: Largest entry of |T(q) − T_sd|, rad and m.
        arm: The arm.
        target: T_sd.
    """

    q: Array
    names: tuple[str, ...]
    residual: float
    arm: Chain
    target: Array

    @cached_property
    def certificate(self) -> Certificate:
        """A ball around q that holds exactly one exact solution, or the reason why none is shown."""
        return certified(self.arm, self.target, self.q)


Found = tuple[Array, Integers, int]
"""Rows of answers; what was decided, see decisions.py; how many of the rows are answers."""


class Road(Protocol):
    """How the answers of an arm are found, asked for what only some callers need."""

    @property
    def sentence(self) -> str:
        """What the arm's axes allow."""

    def answers(self, target: Array, limits: Array) -> Found | None:
        """Return the answers, the codes, and how many there are; None where the target is no pose to rounding."""

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return the names of each isolated answer."""

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        """Return the families, where a joint is free: none where curves of answers are not looked for."""
        return ()

    def reason(self, solutions: Solutions) -> str:
        """Return why the answer is not proven to be complete; nothing where it is."""


class Solutions:
    """Every configuration of an arm that brings its tip to one pose; read-only, worked out as far as it is asked for.

    It is a sequence of `Solution`: its length is the number of isolated answers.

    Attributes:
        q: The isolated answers, shape (m, n), rad or m; revolute joints in (−π, π] where the limits allow it.
        to_rounding: Whether a solution reaches the pose to rounding only, boolean, shape (m,): its largest residual is
            at most 2e-15 (lengths in those of the arm), but the exact pose of the rounded matrix is just out of its
            reach. Found at poses of arms with a closed form where rounding decides; such solutions are not exact.
        residual: Shape (m,), see `Solution`.
        names: m tuples of words.
        families: Where a joint is free, so that the answers are a curve. Of seven joints they take from tenths of a
            second to seconds, once.
        complete: Whether it is proven that every exact solution is listed, see `reason`; it says nothing about those
            that reach the pose to rounding only.
        reason: Why that is not proven; "" where it is.
        form: What the arm's axes allow, in words.
        arm: The arm.
        target: T_sd, shape (4, 4), its rotation the nearest one to what was given.
        limits: Within which the answers are, shape (n, 2).
    """

    def __init__(
        self, arm: Chain, target: Array, limits: Array, road: Road, q: Array, codes: Integers, count: int
    ) -> None:
        """Keep what was found, among it answers in which a joint is free; the rest is worked out when it is asked for.

        Args:
            arm: The arm.
            target: T_sd.
            limits: Within which the answers are.
            road: How they were found.
            q: Answers, the first `count` of these rows.
            codes: What was decided on all ways, and whether a limit excluded an answer; then what was decided on the
                way to each; see decisions.py.
            count: How many they are.
        """
        self.arm, self.target, self.limits, self.road = arm, target, limits, road
        self._found = q, codes, count

    @cached_property
    def _isolated(self) -> tuple[Array, Integers]:
        """The answers in which no joint is free, and what was decided on the way to them."""
        rows, decided, count = self._found
        all_codes = decided[LEAF : LEAF + count]
        alone = (all_codes & FREE_BITS) == 0
        q, codes = rows[:count][alone], all_codes[alone]
        q.setflags(write=False)
        return q, codes

    @property
    def q(self) -> Array:
        """The isolated answers, shape (m, n)."""
        return self._isolated[0]

    @property
    def codes(self) -> Integers:
        """What was decided on the way to each, see decisions.py."""
        return self._isolated[1]

    @property
    def seen(self) -> int:
        """What was decided on all ways, and whether a limit excluded an answer."""
        return int(self._found[1][SEEN])

    @cached_property
    def to_rounding(self) -> NDArray[np.bool_]:
        """Whether each solution reaches the pose to rounding only."""
        only: NDArray[np.bool_] = self.codes & TO_ROUNDING != 0
        only.setflags(write=False)
        return only

    @cached_property
    def residual(self) -> Array:
        """Largest entry of |T(q) − T_sd| of each."""
        if not len(self.q):
            return np.empty(0)
        found: Array = np.abs(self.arm.forward_kinematics(self.q) - self.target).max(axis=(1, 2))
        return found

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Which branch each is on."""
        return self.road.names(self)

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """Where a joint is free."""
        return self.road.families(self)

    @cached_property
    def reason(self) -> str:
        """Why it is not proven that no answer is missing."""
        return self.road.reason(self)

    @property
    def complete(self) -> bool:
        """Whether it is proven that no answer is missing."""
        return self.reason == ""

    @property
    def form(self) -> str:
        """What the arm's axes allow."""
        return self.road.sentence

    def __len__(self) -> int:
        """Return the number of isolated answers."""
        return len(self.q)

    def __getitem__(self, i: int) -> Solution:
        """Return an isolated answer."""
        told = self.q[i], self.names[i], float(self.residual[i])
        return Solution(*told, self.arm, self.target)

    def __iter__(self) -> Iterator[Solution]:
        """Yield the isolated answers."""
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        """Return how many there are, and of what kind."""
        families = f" and {len(self.families)} families" if self.families else ""
        proven = "complete" if self.complete else f"not proven complete: {self.reason}"
        return f"<{len(self)} solutions{families} of {self.arm.name}, {proven}>"

    def slice(self, value: float) -> Solutions:
        """Return the answers of an arm with a joint to spare in which that joint has a value, isolated ones.

        Which joint that is, `families` tell.

        Args:
            value: Of that joint, rad.

        Raises:
            ParameterError: The arm has no joint to spare, or the value is no number.
        """
        if not is_real(value):
            raise ParameterError(f"value is {value!r}; it is a number, in rad")
        found = getattr(self.road, "slice", None)
        if found is None:
            raise ParameterError(f"{self.arm.name} has no joint to spare: its answers are isolated, or in `families`")
        sliced: Solutions = found(self, float(value))
        return sliced

    def nearest(self, q: ArrayLike) -> Array:
        """Return the answer nearest to a configuration, of all families too: the least |q − answer|, shape (n,).

        A revolute joint is moved by whole turns to where it is nearest, as far as its limits allow.

        Raises:
            ConfigurationError: q has another shape or is not finite, or there is no answer at all.
        """
        near = self.arm.check_configuration(q)
        candidates = [*self.q, *(family.nearest(near) for family in self.families)]
        if not candidates:
            raise ConfigurationError(f"{self.arm.name} has no answer to this pose: {self!r}")
        moved = [beside(one, near, self.arm, self.limits) for one in candidates]
        return min(moved, key=lambda one: float(np.linalg.norm(one - near)))


def beside(q: Array, near: Array, arm: Chain, limits: Array) -> Array:
    """Return an answer with each revolute joint moved by whole turns to where it is nearest, within the limits."""
    moved = q.copy()
    for j, kind in enumerate(arm.joint_types):
        if kind == "revolute":
            best = [q[j] + FULL * k for k in range(-4, 5)]
            allowed = [x for x in best if limits[j, 0] <= x <= limits[j, 1]]
            moved[j] = min(allowed or [q[j]], key=lambda x: abs(x - near[j]))
    return moved


def within(q: Array, arm: Chain, limits: Array) -> Array | None:
    """Return an answer with each revolute joint in (−π, π], or within the limits beside; None where it is outside."""
    middle = np.clip(np.zeros(len(q)), limits[:, 0], limits[:, 1])
    moved = beside(np.remainder(q + np.pi, FULL) - np.pi, middle, arm, limits)
    return moved if ((moved >= limits[:, 0]) & (moved <= limits[:, 1])).all() else None
