"""Find all configurations that reach a pose, or each of many poses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Never

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.all_solutions.closed_arm import Closed6R
from lessons_lib.all_solutions.coupled_arm import CoupledArm
from lessons_lib.all_solutions.decisions import (
    FIRST_SOLUTION,
    FLAGS,
    FREE_BITS,
    MAX_SOLUTIONS,
    NEEDS_EXTENDED_PRECISION,
)
from lessons_lib.all_solutions.five_joint_arm import Arm5R
from lessons_lib.all_solutions.general_6r import MAX_GENERAL_SOLUTIONS
from lessons_lib.all_solutions.general_arm import General6R
from lessons_lib.all_solutions.planar_arm import planar_strategy
from lessons_lib.all_solutions.point_arm import point_strategy
from lessons_lib.all_solutions.recognition import recognize_structure
from lessons_lib.all_solutions.seven_joint_arm import ONLY_SLICES, Arm7R, redundant_strategy
from lessons_lib.all_solutions.solutions import IKStrategy, Solutions
from lessons_lib.all_solutions.to_rounding import TO_ROUNDING
from lessons_lib.arrays import Array, Integers, check_flag
from lessons_lib.collisions import Scene
from lessons_lib.errors import ParameterError
from lessons_lib.lazy import cached_property
from lessons_lib.lie.checks import check_target, check_targets, read_target
from lessons_lib.other_libraries import hide_extra_parameters, refuse_unknown_arguments, suggest_arguments
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain


class BatchSolutions:
    """Solutions of k poses: a sequence of `Solutions`, and arrays.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> pose_ik.all_solutions_batch(arm, [arm.forward_kinematics(q)]).counts.tolist()
    [8]

    Attributes:
        q: Isolated solutions, shape (k, m, n), rad or m, NaN after the last one of a pose; m is 8, or 16 for six
            revolute joints without a closed form.
        counts: Number of isolated solutions of each pose, shape (k,).
        to_rounding: Whether each reaches the pose only to rounding, see `Solutions`, shape (k, m).
        complete: Whether it is proven that no exact solution is missing, shape (k,); computed on first access, in
            milliseconds per pose.
    """

    def __init__(
        self,
        arm: Chain,
        targets: Array,
        limits: Array,
        strategy: IKStrategy,
        Q: Array,
        counts: Integers,
        codes: Integers,
    ) -> None:
        # Rows of solutions Q (k, m, n), their `counts` (k,) and codes (k, m + 5).
        self._given = arm, limits, strategy
        self._targets, self._Q, self._row_counts, self._codes = targets, Q, counts, codes

    @cached_property
    def _isolated_places(self) -> tuple[NDArray[np.bool_], Integers]:
        """Mask of the isolated solutions in sorted rows, and the order that sorts the rows."""
        width = self._Q.shape[1]
        isolated: NDArray[np.bool_] = np.arange(width) < self._row_counts[:, None]
        isolated &= self._codes[:, FIRST_SOLUTION : FIRST_SOLUTION + width] & FREE_BITS == 0
        order = np.argsort(~isolated, axis=1, kind="stable")
        filled: NDArray[np.bool_] = np.arange(width) < isolated.sum(axis=1)[:, None]
        return filled, order

    @cached_property
    def counts(self) -> Integers:
        return np.asarray(self._isolated_places[0].sum(axis=1), dtype=np.int64)

    @cached_property
    def to_rounding(self) -> NDArray[np.bool_]:
        filled, order = self._isolated_places
        codes = np.take_along_axis(self._codes[:, FIRST_SOLUTION : FIRST_SOLUTION + self._Q.shape[1]], order, axis=1)
        marked: NDArray[np.bool_] = filled & (codes & TO_ROUNDING != 0)
        marked.setflags(write=False)
        return marked

    @cached_property
    def q(self) -> Array:
        filled, order = self._isolated_places
        q: Array = np.where(filled[..., None], np.take_along_axis(self._Q, order[..., None], axis=1), np.nan)
        q.setflags(write=False)
        return q

    @cached_property
    def complete(self) -> NDArray[np.bool_]:
        return np.array([one.complete for one in self], dtype=bool)

    def __len__(self) -> int:
        return len(self._row_counts)

    def __getitem__(self, row: int) -> Solutions:
        arm, limits, strategy = self._given
        rows = self._Q[row], self._codes[row], int(self._row_counts[row])
        return Solutions(arm, self._targets[row], limits, strategy, *rows)

    def __iter__(self) -> Iterator[Solutions]:
        return (self[row] for row in range(len(self)))


SUPPORTED = (
    "two or three parallel revolute joints, with or without a prismatic joint along them; three revolute or prismatic "
    "joints that move the tip in all directions, and up to three revolute joints after them whose axes meet; "
    "five or six revolute joints; seven revolute joints"
)

_POSE = 4, 4
_KEY, _POSITIONS = "all solutions", "all solutions of a position"

CHECKS_POSE = Closed6R, General6R  # strategies that check the pose


@hide_extra_parameters
def all_solutions(  # noqa: D417 (two parameters collect arguments to refuse)
    arm: Chain,
    T: ArrayLike,  # noqa: N803
    *more: Never,
    limits: bool = True,
    free_of: Scene | None = None,
    position_only: bool = False,
    **unknown: Never,
) -> Solutions:
    """Return every configuration that brings the tip to a pose, and whether it is proven that none is missing.

    Of seven joints without a closed form, `Solutions.slice` returns those with a given value of one joint, and no other
    attribute is known.

    At two simultaneous singularities rounding may put the exact pose out of reach by some 1e-17. A configuration that
    reaches the given matrix to rounding is then listed and marked in `to_rounding`.

    Isolated solutions take microseconds in closed form, up to some milliseconds otherwise. Other properties are
    computed on first access, in milliseconds.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    >>> len(solutions), solutions.complete
    (8, True)

    Args:
        arm: The arm; its screws determine the closed form.
        T: T_sd, the desired pose of the tip, shape (4, 4), position in m. Its rotation stands for the nearest exact
            rotation.
        limits: Whether solutions outside the joint limits are excluded.
        free_of: Scene whose collisions exclude isolated solutions. `complete` refers to the solutions before this
            filter. Check each member of a family by `scene.is_free(family.at(…))`.
        position_only: Whether to reach the position of T alone, with any rotation; for three joints that move the tip
            in all directions.

    Returns:
        The solutions, each once, revolute joints in (−π, π] if the limits allow it.

    Raises:
        TransformError: T is not a pose.
        ParameterError: The arm is not supported (the message names those that are), or another argument is invalid.
        UnknownArgument: There is no such argument; the message names the existing ones.
    """
    if unknown or more:
        refuse_unknown_arguments(all_solutions, more, unknown)
    strategy = strategy_for(arm, position_only)
    bounds = arm.limits if limits is True else read_limits(arm, limits)
    pose, rows = read_target(T), None
    if strategy.__class__ in CHECKS_POSE and pose.shape == _POSE:
        rows = strategy.solve(pose, bounds)
    if rows is None:
        pose = check_target(T)
        rows = strategy.solve(pose, bounds)
        assert rows is not None
    solutions = Solutions(arm, pose, bounds, strategy, *rows)
    if free_of is not None:
        solutions = keep_collision_free(solutions, check_scene(free_of, arm))
    return solutions


@suggest_arguments
def all_solutions_batch(arm: Chain, targets: ArrayLike, *, limits: bool = True) -> BatchSolutions:
    """Return the solutions of many poses as arrays.

    >>> from lessons_lib import pose_ik, robots
    >>> arm = robots.ur10()
    >>> batch = pose_ik.all_solutions_batch(arm, arm.targets(10)[0])
    >>> batch.q.shape[-1]
    6

    Args:
        arm: The arm.
        targets: Poses T_sd, shape (k, 4, 4), position in m.
        limits: As in `all_solutions`.

    Raises:
        TransformError: A target is not a pose; the message names its row.
        ParameterError: As in `all_solutions`, or only slices of the arm are known.
    """
    strategy = strategy_for(arm)
    if isinstance(strategy, Arm7R) and strategy.general is not None:
        raise ParameterError(f"all_solutions_batch does not support {arm!r}: {ONLY_SLICES.format(strategy.joint + 1)}")
    bounds, poses = read_limits(arm, limits), check_targets(targets, "pose_ik.all_solutions").copy()
    base = strategy.joints if isinstance(strategy, CoupledArm) else strategy
    leaves = MAX_GENERAL_SOLUTIONS if isinstance(base, General6R | Arm5R) else MAX_SOLUTIONS
    Q = np.empty((len(poses), leaves, arm.dof))
    counts, codes = np.empty(len(poses), dtype=np.int64), np.zeros((len(poses), leaves + 5), dtype=np.int64)
    if isinstance(strategy, Closed6R | General6R):
        strategy.solve_batch(poses, bounds, Q, counts, codes)
        left = np.flatnonzero((counts < 0) | (codes[:, FLAGS] & NEEDS_EXTENDED_PRECISION != 0))
    else:
        left = np.arange(len(poses))
    for row in left:
        poses[row] = check_target(poses[row])
        solved = strategy.solve(poses[row], bounds)
        assert solved is not None
        rows, decided, counts[row] = solved
        Q[row, : len(rows)], codes[row, : len(decided)] = rows, decided
    return BatchSolutions(arm, poses, bounds, strategy, Q, counts, codes)


def check_scene(scene: object, arm: Chain) -> Scene:
    """Return the scene if it belongs to an arm with these joints."""
    if not isinstance(scene, Scene):
        raise ParameterError(
            f"free_of must be a collisions.Scene(arm, collisions.fitted_links(arm, radius), …), got {scene!r}"
        )
    ours, theirs = ((one.screws, np.eye(one.dof) if one.matrix is None else one.matrix) for one in (scene.chain, arm))
    if not all(map(np.array_equal, ours, theirs)):
        raise ParameterError(f"free_of must be a scene of {arm!r}, got one of {scene.chain!r}, which has other joints")
    return scene


def keep_collision_free(solutions: Solutions, scene: Scene) -> Solutions:
    free = np.flatnonzero(scene.is_free(solutions.q))
    arm, codes = solutions.arm, np.concatenate([[solutions.flags], solutions.codes[free]])
    return Solutions(arm, solutions.target, solutions.limits, solutions.strategy, solutions.q[free], codes, len(free))


def read_limits(arm: Chain, limits: object) -> Array:
    """Return the arm's limits, or infinite ones for limits=False."""
    if limits is True:
        return arm.limits
    if limits is not False:
        raise ParameterError(f"limits must be True or False, got {limits!r}; set other limits by arm.with_limits(…)")
    return no_limits(arm.dof)


@lru_cache(maxsize=64)
def no_limits(n: int) -> Array:
    """Return infinite limits, shape (n, 2), read-only."""
    limits = np.tile([-np.inf, np.inf], (n, 1))
    limits.setflags(write=False)
    return limits


def strategy_for(arm: Chain, position_only: bool = False) -> IKStrategy:
    """Return the strategy for an arm, prepared once; raise ParameterError if there is none."""
    check_chain(arm, "arm")
    if check_flag("position_only", position_only):
        return _position_strategy(arm)
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
            structure = recognize_structure(arm.screws, arm.home)
            strategy = General6R(arm, arm.home) if structure is None else Closed6R(arm.screws, arm.home, structure)
        elif arm.dof == 5:
            strategy = Arm5R(arm)
        elif arm.dof == 7:
            strategy = redundant_strategy(arm)
    if strategy is None:
        strategy = point_strategy(arm)
    if strategy is None:
        raise ParameterError(f"all_solutions does not support {arm!r}; supported are {SUPPORTED}")
    arm.prepare(_KEY, strategy)
    return strategy


def _position_strategy(arm: Chain) -> IKStrategy:
    strategy: IKStrategy | None = arm.prepared.get(_POSITIONS)
    if strategy is None:
        strategy = None if arm.coupling is not None else point_strategy(arm, position_only=True)
        if strategy is None:
            raise ParameterError(
                f"position_only needs three joints, revolute or prismatic, that move the tip in all directions; "
                f"got {arm!r}; for one solution use pose_ik.solve(arm, target, goal=pose_ik.position_only())"
            )
        arm.prepare(_POSITIONS, strategy)
    return strategy


def _joint_strategy(arm: Chain) -> IKStrategy:
    """Return the strategy for the joints of a coupled arm; raise ParameterError if there is none."""
    try:
        strategy = None if arm.uncoupled.dof > 6 else strategy_for(arm.uncoupled)
    except ParameterError:
        strategy = None
    if strategy is None:
        raise ParameterError(
            f"all_solutions does not support {arm!r}, with the coupled joints "
            f"{''.join(kind[0].upper() for kind in arm.uncoupled.joint_types)}; supported are up to six joints: "
            f"{SUPPORTED.rsplit(';', 1)[0]}. Use pose_ik.solve with several starts, or with Nearest()"
        )
    return strategy
