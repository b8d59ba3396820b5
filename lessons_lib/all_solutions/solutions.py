"""Result of `all_solutions`: the solutions of one pose, and whether it is proven that none is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.all_solutions.decisions import ELBOW, FIRST_SOLUTION, FLAGS, SHOULDER, WRIST
from lessons_lib.all_solutions.families import Family, wrap_angles
from lessons_lib.all_solutions.lift import find_coordinates
from lessons_lib.all_solutions.to_rounding import TO_ROUNDING
from lessons_lib.arrays import Array, Integers, is_real
from lessons_lib.certificates.ball import find_certificate
from lessons_lib.certificates.statement import Certificate
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.lazy import cached_property
from lessons_lib.robots import Chain
from lessons_lib.robots.revolutions import unwrap_joint, wrap_joint

REVOLUTION = 2.0 * np.pi

FREE_BITS = 8 * (SHOULDER | ELBOW | WRIST)  # bits of a code: an angle is free


@dataclass(frozen=True, eq=False)
class Solution:
    """One configuration that brings the tip to the pose.

    Attributes:
        q: Shape (n,), rad or m, read-only.
        names: The branch in words: "shoulder left", "elbow up", "wrist flipped", …
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
        """A ball around q that contains exactly one exact solution, or the reason why none is shown."""
        return find_certificate(self.arm, self.target, self.q)


SolutionRows = tuple[Array, Integers, int]
"""Rows of solutions, their codes (see decisions.py), and how many rows are solutions."""


class IKStrategy(Protocol):
    """How the solutions of an arm are found."""

    @property
    def sentence(self) -> str:
        """What the arm's axes allow."""

    def solve(self, target: Array, limits: Array) -> SolutionRows | None:
        """Return solutions, codes, and how many there are; None if the target is no pose to rounding."""

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return the names of each isolated solution."""

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        """Return the families of solutions with a free joint, if the strategy looks for them."""
        return ()

    def reason(self, solutions: Solutions) -> str:
        """Return why it is not proven that all solutions are listed; "" if it is."""


class Solutions:
    """All configurations of an arm that reach one pose; read-only, properties computed on first access.

    It is a sequence of `Solution`: its length is the number of isolated solutions.

    Attributes:
        q: Isolated solutions, shape (m, n), rad or m; revolute joints in (−π, π] if the limits allow it.
        to_rounding: Whether a solution reaches the pose to rounding only, boolean, shape (m,): its largest residual is
            at most 2e-15 (lengths relative to the arm's), but the exact pose of the rounded matrix is just out of
            reach. They occur for arms with a closed form, and are not exact solutions.
        residual: Shape (m,), see `Solution`.
        names: m tuples of words.
        families: Curves of solutions with a free joint. For seven joints they take tenths of a second to seconds, once.
        complete: Whether it is proven that every exact solution is listed, see `reason`.
        reason: Why that is not proven; "" if it is.
        form: What the arm's axes allow, in words.
        arm: The arm.
        target: T_sd, shape (4, 4), its rotation the nearest one to the given matrix.
        limits: Limits of the solutions, shape (n, 2).
    """

    def __init__(
        self, arm: Chain, target: Array, limits: Array, strategy: IKStrategy, q: Array, codes: Integers, count: int
    ) -> None:
        """Keep `count` rows of q, and codes: flags of all branches, then one of each row; see decisions.py."""
        self.arm, self.target, self.limits, self.strategy = arm, target, limits, strategy
        self._found = q, codes, count

    @cached_property
    def _isolated(self) -> tuple[Array, Integers]:
        """Solutions without a free joint, and their codes."""
        rows, decided, count = self._found
        all_codes = decided[FIRST_SOLUTION : FIRST_SOLUTION + count]
        alone = (all_codes & FREE_BITS) == 0
        q, codes = rows[:count][alone], all_codes[alone]
        q.setflags(write=False)
        return q, codes

    @property
    def q(self) -> Array:
        """Isolated solutions, shape (m, n)."""
        return self._isolated[0]

    @property
    def codes(self) -> Integers:
        """Code of each, see decisions.py."""
        return self._isolated[1]

    @property
    def flags(self) -> int:
        """Flags of all branches, see decisions.py."""
        return int(self._found[1][FLAGS])

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
        """The branch of each."""
        return self.strategy.names(self)

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """Curves of solutions with a free joint."""
        return self.strategy.families(self)

    @cached_property
    def reason(self) -> str:
        """Why it is not proven that no solution is missing."""
        return self.strategy.reason(self)

    @property
    def complete(self) -> bool:
        """Whether it is proven that no solution is missing."""
        return self.reason == ""

    @property
    def form(self) -> str:
        """What the arm's axes allow."""
        return self.strategy.sentence

    def __len__(self) -> int:
        """Return the number of isolated solutions."""
        return len(self.q)

    def __getitem__(self, i: int) -> Solution:
        """Return an isolated solution."""
        values = self.q[i], self.names[i], float(self.residual[i])
        return Solution(*values, self.arm, self.target)

    def __iter__(self) -> Iterator[Solution]:
        """Yield the isolated solutions."""
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        """Return the number of solutions and whether they are complete."""
        families = f" and {len(self.families)} families" if self.families else ""
        proven = "complete" if self.complete else f"not proven complete: {self.reason}"
        return f"<{len(self)} solutions{families} of {self.arm.name}, {proven}>"

    def slice(self, value: float) -> Solutions:
        """Return the isolated solutions of a redundant arm with the joint of its `families` locked.

        Args:
            value: Of that joint, rad.

        Raises:
            ParameterError: The arm is not redundant, or the value is not a number.
        """
        if not is_real(value):
            raise ParameterError(f"value must be a number, in rad, got {value!r}")
        found = getattr(self.strategy, "slice", None)
        if found is None:
            raise ParameterError(f"{self.arm.name} is not redundant: its solutions are isolated, or in `families`")
        sliced: Solutions = found(self, float(value))
        return sliced

    def nearest(self, q: ArrayLike) -> Array:
        """Return the solution nearest to a configuration, families included, shape (n,): least |q − solution|.

        Revolute joints are moved by whole revolutions to the nearest value within their limits.

        Raises:
            ConfigurationError: q has another shape or is not finite, or there is no solution.
        """
        near = self.arm.check_configuration(q)
        candidates = [*self.q, *(family.nearest(near) for family in self.families)]
        if not candidates:
            raise ConfigurationError(f"{self.arm.name} has no solution for this pose: {self!r}")
        moved = [nearest_2pi_equivalent(one, near, self.arm, self.limits) for one in candidates]
        return min(moved, key=lambda one: float(np.linalg.norm(one - near)))


def nearest_2pi_equivalent(q: Array, near: Array, arm: Chain, limits: Array) -> Array:
    """Move each revolute joint, which is within its limits, by revolutions to its nearest value within them."""
    if arm.matrix is not None:
        found, _ = find_coordinates(arm, arm.matrix @ q, near, limits)
        return q.copy() if found is None else found
    moved = q.copy()
    for j, kind in enumerate(arm.joint_types):
        if kind == "revolute":
            moved[j] = unwrap_joint(q[j], near[j], limits[j, 0], limits[j, 1], REVOLUTION)
    return moved


def wrap_within(q: Array, arm: Chain, limits: Array) -> Array | None:
    """Wrap revolute joints into (−π, π] or the nearest values within the limits; return None if a joint is outside."""
    moved, angles = q.copy(), wrap_angles(q)
    for j, kind in enumerate(arm.joint_types):
        if kind == "revolute":
            moved[j] = wrap_joint(angles[j], 0.0, limits[j, 0], limits[j, 1], REVOLUTION)
    return moved if ((moved >= limits[:, 0]) & (moved <= limits[:, 1])).all() else None
