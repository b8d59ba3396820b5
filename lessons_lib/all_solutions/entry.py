"""Find all configurations of a pose, and of many poses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Never

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.all_solutions.closed_arm import Closed6R
from lessons_lib.all_solutions.coupled_arm import CoupledArm
from lessons_lib.all_solutions.decisions import FLAGS, LEAF, LEAVES, NEEDS_EXTENDED_PRECISION
from lessons_lib.all_solutions.five_joint_arm import Arm5R
from lessons_lib.all_solutions.general_6r import ANSWERS
from lessons_lib.all_solutions.general_arm import General6R
from lessons_lib.all_solutions.planar_arm import planar_strategy
from lessons_lib.all_solutions.recognition import structure_of
from lessons_lib.all_solutions.seven_joint_arm import redundant_strategy
from lessons_lib.all_solutions.solutions import FREE_BITS, IKStrategy, Solutions
from lessons_lib.all_solutions.to_rounding import TO_ROUNDING
from lessons_lib.arrays import Array, Integers
from lessons_lib.collisions import Scene
from lessons_lib.errors import ParameterError
from lessons_lib.lazy import cached_property
from lessons_lib.lie.targets import check_target, check_targets
from lessons_lib.other_libraries import hide_extra_parameters, refuse_unknown_arguments
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain


class BatchSolutions:
    """Solutions of k poses; a sequence of `Solutions`.

    Attributes:
        q: Isolated solutions, shape (k, m, n), rad or m, NaN behind the last of a pose; m is 8, or 16 for six revolute
            joints without a closed form.
        counts: Number of isolated solutions of each pose, shape (k,).
        to_rounding: Which of them reach the pose to rounding only, see `Solutions`, shape (k, m).
        complete: Whether it is proven that no exact one is missing, shape (k,); milliseconds a pose, on first access.
    """

    def __init__(
        self,
        arm: Chain,
        targets: Array,
        limits: Array,
        strategy: IKStrategy,
        Q: Array,
        found: Integers,
        codes: Integers,
    ) -> None:
        """Keep rows of solutions Q (k, m, n), their counts (k,) and codes (k, m + 5)."""
        self._given = arm, limits, strategy
        self._targets, self._Q, self._found, self._codes = targets, Q, found, codes

    @cached_property
    def _alone(self) -> tuple[NDArray[np.bool_], Integers]:
        """Which places of a sorted row have an isolated solution, and the order that sorts the rows."""
        width = self._Q.shape[1]
        alone: NDArray[np.bool_] = np.arange(width) < self._found[:, None]
        alone &= self._codes[:, LEAF : LEAF + width] & FREE_BITS == 0
        order = np.argsort(~alone, axis=1, kind="stable")
        filled: NDArray[np.bool_] = np.arange(width) < alone.sum(axis=1)[:, None]
        return filled, order

    @cached_property
    def counts(self) -> Integers:
        """Number of isolated solutions of each pose."""
        return np.asarray(self._alone[0].sum(axis=1), dtype=np.int64)

    @cached_property
    def to_rounding(self) -> NDArray[np.bool_]:
        """Which isolated solutions reach the pose to rounding only."""
        filled, order = self._alone
        codes = np.take_along_axis(self._codes[:, LEAF : LEAF + self._Q.shape[1]], order, axis=1)
        found: NDArray[np.bool_] = filled & (codes & TO_ROUNDING != 0)
        found.setflags(write=False)
        return found

    @cached_property
    def q(self) -> Array:
        """Isolated solutions."""
        filled, order = self._alone
        q: Array = np.where(filled[..., None], np.take_along_axis(self._Q, order[..., None], axis=1), np.nan)
        q.setflags(write=False)
        return q

    @cached_property
    def complete(self) -> NDArray[np.bool_]:
        """Whether it is proven that no solution is missing."""
        return np.array([one.complete for one in self], dtype=bool)

    def __len__(self) -> int:
        """Return k."""
        return len(self._found)

    def __getitem__(self, row: int) -> Solutions:
        """Return the solutions of one pose."""
        arm, limits, strategy = self._given
        found = self._Q[row], self._codes[row], int(self._found[row])
        return Solutions(arm, self._targets[row], limits, strategy, *found)

    def __iter__(self) -> Iterator[Solutions]:
        """Yield the solutions of each pose."""
        return (self[row] for row in range(len(self)))


SUPPORTED = (
    "two or three parallel revolute joints, with a prismatic one along them; five or six revolute joints; seven, of "
    "which six have a closed form wherever one is locked"
)

_REAL = np.dtype(np.float64)
_KEY = "all solutions"

AT_ONCE = Closed6R, General6R  # strategies that check the pose themselves


@hide_extra_parameters
def all_solutions(  # noqa: D417 (two parameters only collect what is refused)
    arm: Chain,
    T: ArrayLike,  # noqa: N803
    *more: Never,
    limits: bool = True,
    free_of: Scene | None = None,
    **unknown: Never,
) -> Solutions:
    """Return every configuration that brings the tip to a pose, and whether it is proven that none is missing.

    At two singularities at once rounding may put the exact pose out of reach by some 1e-17. A configuration that
    reaches the given matrix to rounding is then listed and marked in `to_rounding`.

    Isolated solutions take microseconds in closed form, and up to some milliseconds otherwise. Other properties are
    computed on first access: `complete` takes milliseconds; `families` of seven joints take tenths of a second to
    seconds, and so do `nearest` and `repr`, which need them.

    Args:
        arm: The arm; its screws determine which closed form applies.
        T: T_sd, the desired pose of the tip, shape (4, 4), position in m. The target is the exact pose whose rotation
            is the nearest one to the given matrix.
        limits: Whether solutions outside the joint limits are excluded.
        free_of: Scene whose collisions exclude isolated solutions. `complete` refers to the solutions before that; for
            a family check each member: `scene.is_free(family.at(…))`.

    Returns:
        The solutions, each once, revolute joints in (−π, π] if the limits allow it; see `Solutions` for names,
        families, `complete` and `nearest`.

    Raises:
        TransformError: T is not a pose.
        ParameterError: Not all solutions of such an arm can be found, and the message names the supported arms; or
            another argument is invalid.
        UnknownArgument: There is no such argument; the message names the existing ones.
    """
    if unknown or more:
        refuse_unknown_arguments(all_solutions, more, unknown)
    strategy = strategy_for(arm)
    bounds = arm.limits if limits is True else bounds_of(arm, limits)
    found = None
    pose: Any = T
    if pose.__class__ is np.ndarray and pose.dtype is _REAL and pose.shape == (4, 4) and strategy.__class__ in AT_ONCE:
        pose = np.array(pose, order="C")
        found = strategy.solve(pose, bounds)
    if found is None:
        pose = check_target(T)
        found = strategy.solve(pose, bounds)
        assert found is not None
    solutions = Solutions(arm, pose, bounds, strategy, *found)
    if free_of is not None:
        solutions = kept_free(solutions, check_scene(free_of, arm))
    return solutions


def all_solutions_batch(arm: Chain, targets: ArrayLike, *, limits: bool = True) -> BatchSolutions:
    """Return the solutions of many poses as arrays.

    Args:
        arm: The arm.
        targets: Poses T_sd, shape (k, 4, 4), position in m.
        limits: As in `all_solutions`.

    Raises:
        TransformError: A target is not a pose; the message names its row.
        ParameterError: As in `all_solutions`.
    """
    strategy = strategy_for(arm)
    bounds, poses = bounds_of(arm, limits), check_targets(targets).copy()
    finding = strategy.joints if isinstance(strategy, CoupledArm) else strategy
    leaves = ANSWERS if isinstance(finding, General6R | Arm5R) else LEAVES
    Q = np.empty((len(poses), leaves, arm.dof))
    counts, codes = np.empty(len(poses), dtype=np.int64), np.zeros((len(poses), leaves + 5), dtype=np.int64)
    if isinstance(strategy, Closed6R | General6R):
        strategy.solve_batch(poses, bounds, Q, counts, codes)
        again = np.flatnonzero((counts < 0) | (codes[:, FLAGS] & NEEDS_EXTENDED_PRECISION != 0))
    else:
        again = np.arange(len(poses))
    for row in again:
        poses[row] = check_target(poses[row])
        found = strategy.solve(poses[row], bounds)
        assert found is not None
        rows, decided, counts[row] = found
        Q[row, : len(rows)], codes[row, : len(decided)] = rows, decided
    return BatchSolutions(arm, poses, bounds, strategy, Q, counts, codes)


def check_scene(scene: object, arm: Chain) -> Scene:
    """Check that a scene belongs to an arm with these joints, and return it."""
    if not isinstance(scene, Scene):
        raise ParameterError(
            f"free_of is {scene!r}; make a collisions.Scene(arm, collisions.fitted_links(arm, radius), …)"
        )
    known, asked = ((one.screws, np.eye(one.dof) if one.matrix is None else one.matrix) for one in (scene.chain, arm))
    if not all(map(np.array_equal, known, asked)):
        raise ParameterError(f"free_of is a scene of {scene.chain!r}, whose joints are not those of {arm!r}")
    return scene


def kept_free(solutions: Solutions, scene: Scene) -> Solutions:
    """Return the solutions without collisions."""
    free = np.flatnonzero(scene.is_free(solutions.q))
    arm, codes = solutions.arm, np.concatenate([[solutions.seen], solutions.codes[free]])
    return Solutions(arm, solutions.target, solutions.limits, solutions.strategy, solutions.q[free], codes, len(free))


def bounds_of(arm: Chain, limits: object) -> Array:
    """Return the arm's limits, or infinite ones for limits=False."""
    if limits is True:
        return arm.limits
    if limits is not False:
        raise ParameterError(f"limits must be True or False, got {limits!r}; `arm.with_limits(…)` sets others")
    return np.tile([-np.inf, np.inf], (arm.dof, 1))


def strategy_for(arm: Chain) -> IKStrategy:
    """Return the strategy that finds the solutions of an arm, prepared once per arm.

    Raises:
        ParameterError: No strategy supports the arm.
    """
    check_chain(arm, "arm")
    strategy: IKStrategy | None = arm.prepared.get(_KEY)
    if strategy is not None:
        return strategy
    if arm.coupling is not None:
        strategy = CoupledArm(arm, _joint_strategy(arm))
        arm.prepare(_KEY, strategy)
        return strategy
    strategy = planar_strategy(arm)
    if strategy is None and all(kind == "revolute" for kind in arm.joint_types):
        if arm.dof == 6:
            structure = structure_of(arm.screws, arm.home)
            strategy = General6R(arm) if structure is None else Closed6R(arm.screws, arm.home, structure)
        elif arm.dof == 5:
            strategy = Arm5R(arm)
        elif arm.dof == 7:
            strategy = redundant_strategy(arm.screws, arm.home)
    if strategy is None:
        raise ParameterError(f"all solutions of {arm!r} cannot be found; supported are {SUPPORTED}")
    arm.prepare(_KEY, strategy)
    return strategy


def _joint_strategy(arm: Chain) -> IKStrategy:
    """Return the strategy for the joints of a coupled arm.

    Raises:
        ParameterError: No strategy supports them, or only one that describes families.
    """
    try:
        strategy = None if arm.uncoupled.dof > 6 else strategy_for(arm.uncoupled)
    except ParameterError:
        strategy = None
    if strategy is None:
        raise ParameterError(
            f"all solutions of {arm!r} cannot be found; of coupled joints, supported are up to six, and of these "
            f"{SUPPORTED.rsplit(';', 1)[0]}. This arm has {arm.uncoupled.dof} joints, "
            f"{''.join(kind[0].upper() for kind in arm.uncoupled.joint_types)}: use pose_ik.solve with several starts, "
            "or Nearest()"
        )
    return strategy
