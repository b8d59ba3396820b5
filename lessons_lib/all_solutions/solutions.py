"""Result of `all_solutions`: the solutions of one pose, and whether it is proven that none is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.all_solutions.branch_margins import LEAST_MISS
from lessons_lib.all_solutions.decisions import FIRST_SOLUTION, FLAGS, FREE_BITS
from lessons_lib.all_solutions.families import Family, find_intervals, limit_margins, wrap_angles
from lessons_lib.all_solutions.to_rounding import TO_ROUNDING
from lessons_lib.arrays import Array, Integers, is_real
from lessons_lib.certificates.ball import Certificate, find_certificate
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.lazy import cached_property
from lessons_lib.other_libraries import no_attribute, suggest_arguments
from lessons_lib.robots import Chain
from lessons_lib.robots.coupling import row_ranges
from lessons_lib.robots.revolutions import unwrap_joint, wrap_joint

REVOLUTION = 2.0 * np.pi
MAX_REVOLUTIONS = 4  # of a coupled joint, to either side
MAX_COMBINATIONS = 20_000  # of revolutions of a block; if there are more, its joints make at most one revolution
TOLERANCE = 1e-9  # between given angles and those that the coordinates produce, rad or m


@dataclass(frozen=True, eq=False)
class Solution:
    """One configuration that brings the tip to the pose.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> pose_ik.all_solutions(arm, arm.forward_kinematics(q))[0].certificate.holds
    True

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
        """A ball around q that contains exactly one exact solution, or the reason why none is proven."""
        return find_certificate(self.arm, self.target, self.q)


SolutionRows = tuple[Array, Integers, int]
"""Rows of solutions, their codes (see decisions.py), and the number of solutions."""


class IKStrategy(Protocol):
    """Strategy that finds the solutions of an arm."""

    @property
    def sentence(self) -> str:
        """Description of the arm's axes."""

    def solve(self, target: Array, limits: Array) -> SolutionRows | None:
        """Return solutions within the limits, codes, and their number; None if the target is not a pose to rounding."""

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return the names of the branch of each isolated solution."""

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        """Return the families of solutions with a free joint."""
        return ()

    def reason(self, solutions: Solutions) -> str:
        """Return the reason why the list of solutions is not proven complete; "" if it is."""


class Solutions:
    """All configurations of an arm that reach one pose; read-only, properties computed on first access.

    A sequence of `Solution`; its length is the number of isolated solutions.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    >>> len(solutions), solutions.complete
    (8, True)

    Attributes:
        q: Isolated solutions, shape (m, n), rad or m; revolute joints in (−π, π] if the limits allow it.
        to_rounding: Whether each reaches the pose only to rounding, boolean, shape (m,): its residual is at most 2e-15
            (lengths relative to the arm's), but the exact pose of the rounded matrix is just out of reach. These occur
            for arms with a closed form, and are not exact solutions.
        residual: Shape (m,), see `Solution`.
        names: m tuples of words.
        families: Curves of solutions with a free joint. For seven joints they take some milliseconds, once.
        complete: Whether it is proven that every exact solution is listed, see `reason`.
        reason: Why that is not proven; "" if it is.
        form: Description of the arm's axes, which determine the strategy.
        arm: The arm.
        target: T_sd, shape (4, 4), its rotation the nearest one to the given matrix.
        limits: Limits of the solutions, shape (n, 2).
    """

    def __init__(
        self, arm: Chain, target: Array, limits: Array, strategy: IKStrategy, q: Array, codes: Integers, count: int
    ) -> None:
        # `count` rows of q; codes: flags of all branches, then the code of each row, see decisions.py.
        self.arm, self.target, self.limits, self.strategy = arm, target, limits, strategy
        self._found = q, codes, count

    @property
    def slice_joint(self) -> int | None:
        """The joint that `slice` locks, 0 for the first; None if there is none."""
        return getattr(self.strategy, "joint", None)

    @property
    def position_only(self) -> bool:
        """Whether the solutions reach the position of the target, with any rotation."""
        return getattr(self.strategy, "position_only", False)

    @property
    def only_slices(self) -> bool:
        """Whether only `slice` solves: for seven joints without a closed form, all other attributes raise an error."""
        return getattr(self.strategy, "general", None) is not None

    def _check_whole(self) -> None:
        if self.only_slices:
            raise ParameterError(f"{self.arm.name} is redundant and without a closed form: {self.reason}")

    @cached_property
    def _isolated(self) -> tuple[Array, Integers]:
        """Solutions without a free joint, and their codes."""
        self._check_whole()
        rows, decided, count = self._found
        q, codes = rows[:count], decided[FIRST_SOLUTION : FIRST_SOLUTION + count]
        if self.flags & FREE_BITS:
            alone = codes & FREE_BITS == 0
            q, codes = q[alone], codes[alone]
        q.setflags(write=False)
        return q, codes

    @property
    def q(self) -> Array:
        return self._isolated[0]

    @property
    def codes(self) -> Integers:
        return self._isolated[1]

    @property
    def flags(self) -> int:
        return int(self._found[1][FLAGS])

    @cached_property
    def to_rounding(self) -> NDArray[np.bool_]:
        only: NDArray[np.bool_] = self.codes & TO_ROUNDING != 0
        only.setflags(write=False)
        return only

    @cached_property
    def residual(self) -> Array:
        if not len(self.q):
            return np.empty(0)
        off = np.abs(self.arm.forward_kinematics(self.q) - self.target)
        residuals: Array = (off[:, :, 3:] if self.position_only else off).max(axis=(1, 2))
        return residuals

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        return self.strategy.names(self)

    @cached_property
    def families(self) -> tuple[Family, ...]:
        self._check_whole()
        return self.strategy.families(self)

    @cached_property
    def reason(self) -> str:
        return self.strategy.reason(self)

    @property
    def complete(self) -> bool:
        return self.reason == ""

    @property
    def form(self) -> str:
        return self.strategy.sentence

    if not TYPE_CHECKING:  # mypy knows the attributes
        __getattr__ = no_attribute

    def __len__(self) -> int:
        return len(self.q)

    def __getitem__(self, i: int) -> Solution:
        return Solution(self.q[i], self.names[i], float(self.residual[i]), self.arm, self.target)

    def __iter__(self) -> Iterator[Solution]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        if self.only_slices:
            return f"<solutions of {self.arm.name}: {self.reason}>"
        families = f" and {len(self.families)} families" if self.families else ""
        proven = "complete" if self.complete else f"not proven complete: {self.reason}"
        return f"<{len(self)} solutions{families} of {self.arm.name}, {proven}>"

    @suggest_arguments
    def slice(self, value: float) -> Solutions:
        """Return the isolated solutions of a redundant arm with one joint locked, `slice_joint`.

        It is the joint of `families`. For an arm without a closed form it is the last one; a slice then takes 0.1 to
        0.4 ms (median), but more than 2 ms at one random pose in ten, and up to some 30 ms near singular ones.

        >>> from lessons_lib import pose_ik, robots
        >>> arm = robots.panda()
        >>> solutions = pose_ik.all_solutions(arm, arm.forward_kinematics([0, -0.3, 0, -2.2, 0, 2.0, 0.8]))
        >>> len(solutions.slice(0.5))
        2

        Args:
            value: Value of that joint, rad.

        Raises:
            ParameterError: The arm is not redundant, or the value is not a number.
            ConfigurationError: The value is outside the joint's limits, or makes two axes nearly coincide.
        """
        if not is_real(value):
            raise ParameterError(f"value must be a number, in rad, got {value!r}")
        make_slice = getattr(self.strategy, "slice", None)
        if make_slice is None:
            raise ParameterError(
                f"slice needs a redundant arm, got {self.arm!r}; its solutions are the rows of q, and `families`"
            )
        sliced: Solutions = make_slice(self, float(value))
        return sliced

    def nearest(self, q: ArrayLike) -> Array:
        """Return the solution nearest to a configuration, families included, shape (n,): least |q − solution|.

        Revolute joints are moved by whole revolutions to the nearest value within their limits.

        >>> from lessons_lib import pose_ik, robots
        >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
        >>> solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
        >>> solutions.nearest(q).round(6).tolist()
        [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]

        Raises:
            ConfigurationError: q has another shape or is not finite, or there is no solution.
        """
        near = self.arm.check_configuration(q)
        candidates = [*self.q, *(family.nearest(near) for family in self.families)]
        if not candidates:
            raise ConfigurationError(f"{self.arm.name} has no solution near q, because it has none: {self!r}")
        wrapped = [nearest_2pi_equivalent(one, near, self.arm, self.limits) for one in candidates]
        return min(wrapped, key=lambda one: float(np.linalg.norm(one - near)))


def limited_family(
    solutions: Solutions, joint: int, member: Callable[[float], Array | None], names: tuple[str, ...]
) -> Family | None:
    """Return the family of the members within the limits, or None; the other joints hardly move."""
    arm, limits = solutions.arm, solutions.limits
    revolute = [j for j, kind in enumerate(arm.joint_types) if kind == "revolute"]

    def chart(value: float) -> Array | None:
        q = member(value)
        return None if q is None else wrap_within(q, arm, limits)

    def margin(value: float) -> float:
        q = member(value)
        if q is None:
            return -np.inf
        slack = float(limit_margins(q[None, revolute], limits[revolute])[0])
        return min(slack, -LEAST_MISS) if wrap_within(q, arm, limits) is None else max(slack, 0.0)

    low, high = limits[joint]
    if arm.joint_types[joint] == "revolute":
        low, high = np.clip([low, high], -np.pi, np.pi)
    intervals = find_intervals(margin, float(low), float(high))
    return Family(joint, intervals, names, chart) if intervals else None


def nearest_2pi_equivalent(q: Array, near: Array, arm: Chain, limits: Array) -> Array:
    """Move each revolute joint by revolutions to its nearest value within the limits."""
    if arm.matrix is not None:
        nearest, _ = find_coordinates(arm, arm.matrix @ q, near, limits)
        return q.copy() if nearest is None else nearest
    wrapped = q.copy()
    for j, kind in enumerate(arm.joint_types):
        if kind == "revolute":
            wrapped[j] = unwrap_joint(q[j], near[j], limits[j, 0], limits[j, 1], REVOLUTION)
    return wrapped


def wrap_within(q: Array, arm: Chain, limits: Array) -> Array | None:
    """Wrap revolute joints into (−π, π] or to the nearest value within the limits; None if a joint is outside."""
    wrapped, angles = q.copy(), wrap_angles(q)
    for j, kind in enumerate(arm.joint_types):
        if kind == "revolute":
            wrapped[j] = wrap_joint(angles[j], 0.0, limits[j, 0], limits[j, 1], REVOLUTION)
    return wrapped if ((wrapped >= limits[:, 0]) & (wrapped <= limits[:, 1])).all() else None


def find_coordinates(arm: Chain, joints: Array, near: Array, limits: Array) -> tuple[Array | None, bool]:
    """Return the q within limits nearest to `near` with A q = joints up to revolutions, and whether it is undecided."""
    # undecided by rounding, or because the limits allow more revolutions than are tried
    A, q, undecided = arm.matrix, np.empty(arm.dof), False
    assert A is not None
    periods = np.where(np.array(arm.uncoupled.joint_types) == "revolute", REVOLUTION, 0.0)
    for rows, columns in find_groups(A):
        block, bounds = A[np.ix_(rows, columns)], limits[columns]
        revolutions, all_tried = _revolutions(row_ranges(block, bounds), joints[rows], periods[rows])
        angles = joints[rows] + revolutions
        candidates = angles @ np.linalg.pinv(block).T
        fits = (np.abs(candidates @ block.T - angles) < TOLERANCE * (1.0 + np.abs(angles))).all(axis=1)
        outside = np.maximum(bounds[:, 0] - candidates, candidates - bounds[:, 1]).max(axis=1, initial=-np.inf)
        undecided |= bool((fits & (np.abs(outside) < TOLERANCE)).any())
        allowed = candidates[fits & (outside <= TOLERANCE)]
        if not len(allowed):
            return None, undecided or not all_tried
        nearest = allowed[np.argmin(np.linalg.norm(allowed - near[columns], axis=1))]
        q[columns] = np.clip(nearest, *bounds.T)
    return q, undecided


def _revolutions(ranges: Array, angles: Array, periods: Array) -> tuple[Array, bool]:
    """Return rows of revolutions that keep joints within their range, and whether these are all."""
    most = MAX_REVOLUTIONS
    while True:
        choices = []
        for (low, high), angle, period in zip(ranges, angles, periods, strict=True):
            added = period * np.arange(-most, most + 1) if period else np.zeros(1)
            choices.append(added[(angle + added >= low - TOLERANCE) & (angle + added <= high + TOLERANCE)])
        if most == 1 or np.prod([len(one) for one in choices], dtype=float) <= MAX_COMBINATIONS:
            beyond = np.maximum(angles - ranges[:, 0], ranges[:, 1] - angles) >= (most + 1) * periods
            return np.array(list(product(*choices))).reshape(-1, len(angles)), not (beyond & (periods > 0.0)).any()
        most = 1


def find_groups(A: Array) -> list[tuple[Integers, Integers]]:
    """Return the rows and columns of each block of A; a row of zeros is a block."""
    groups: list[tuple[set[int], set[int]]] = []
    for i, row in enumerate(A):
        rows, columns = {i}, set(np.flatnonzero(row).tolist())
        for other in [one for one in groups if one[1] & columns]:
            rows, columns = rows | other[0], columns | other[1]
            groups.remove(other)
        groups.append((rows, columns))
    return [(np.array(sorted(rows)), np.array(sorted(columns), dtype=np.int64)) for rows, columns in groups]
