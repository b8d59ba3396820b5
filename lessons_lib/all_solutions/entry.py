"""All configurations of a pose, and of many poses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Never

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.all_solutions.any_hinges import AnyHinges
from lessons_lib.all_solutions.calibrated import Calibrated
from lessons_lib.all_solutions.decisions import DOUBTFUL, LEAF, LEAVES, SEEN
from lessons_lib.all_solutions.five_hinges import FiveHinges
from lessons_lib.all_solutions.planar import planar
from lessons_lib.all_solutions.recognition import EXACT
from lessons_lib.all_solutions.seven_hinges import seven_hinges
from lessons_lib.all_solutions.six_hinges import SixHinges
from lessons_lib.all_solutions.sixteen import ANSWERS
from lessons_lib.all_solutions.solutions import FREE_BITS, Road, Solutions
from lessons_lib.all_solutions.structure import structure_of
from lessons_lib.all_solutions.to_rounding import TO_ROUNDING
from lessons_lib.arrays import Array, Integers
from lessons_lib.errors import ParameterError
from lessons_lib.lazy import cached_property
from lessons_lib.lie.targets import check_target, check_targets
from lessons_lib.other_libraries import refuse_others, with_its_own_signature
from lessons_lib.robots import Chain, Scene
from lessons_lib.robots.arguments import check_chain


class BatchSolutions:
    """The answers to k poses; a sequence of `Solutions`.

    Attributes:
        q: The isolated answers, shape (k, m, n), rad or m, NaN behind the last of a pose; m is 8, or 16 of six
            hinges without a closed form.
        counts: How many isolated answers a pose has, shape (k,).
        to_rounding: Which of them reach the pose to rounding only, see `Solutions`, shape (k, m).
        complete: Whether it is proven that no exact one is missing, shape (k,); milliseconds a pose, when first read.
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
    def _order(self) -> tuple[Integers, NDArray[np.bool_]]:
        """The rows with the isolated answers first, and which rows these fill."""
        filled: NDArray[np.bool_] = np.arange(self._Q.shape[1]) < self.counts[:, None]
        return np.argsort(~self._alone, axis=1, kind="stable"), filled

    @cached_property
    def to_rounding(self) -> NDArray[np.bool_]:
        """Which isolated answers reach the pose to rounding only."""
        order, filled = self._order
        codes = np.take_along_axis(self._codes[:, LEAF : LEAF + self._Q.shape[1]], order, axis=1)
        found: NDArray[np.bool_] = filled & (codes & TO_ROUNDING != 0)
        found.setflags(write=False)
        return found

    @cached_property
    def q(self) -> Array:
        """The isolated answers."""
        q = np.full_like(self._Q, np.nan)
        order, places = self._order
        kept = np.take_along_axis(self._Q, order[..., None], axis=1)
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


SUPPORTED = (
    "two or three parallel hinges, with a slide along them; five or six hinges; seven of which six have a closed form "
    "wherever one is held"
)

_REAL = np.dtype(np.float64)
_KEY = "all solutions"

AT_ONCE = SixHinges, AnyHinges
"""Roads that look at the pose themselves."""


@with_its_own_signature
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
    reaches the given matrix to rounding is listed even so, and marked in `to_rounding`.

    The isolated answers take microseconds in closed form, and up to some milliseconds otherwise. Their other properties
    are computed when you first read them: `complete` takes milliseconds; `families`, for seven joints, takes from
    tenths of a second to seconds, and so do `nearest` and `repr`, which read it.

    Args:
        arm: The arm; what its axes allow is recognised from its screws.
        T: T_sd, the pose that the tip shall have, shape (4, 4), position in m. The target is exact: the pose whose
            rotation is the nearest one to the given matrix.
        limits: Whether answers outside the joint limits are left out.
        free_of: What must not be touched: isolated answers that do are left out. `complete` is said of the answers
            before that; of a family each member is its own question, `scene.is_free(family.at(…))`.

    Returns:
        The answers; see `Solutions` for names, families, `complete` and `nearest`.

    Raises:
        TransformError: T is not a pose.
        ParameterError: All solutions of such an arm are not known, and the message names those of which they are; or
            another argument is not what it should be.
        UnknownArgument: There is no such argument; the message names ours.
    """
    if unknown or more:
        refuse_others(all_solutions, more, unknown)
    road = road_for(arm)
    bounds = arm.limits if limits is True else bounds_of(arm, limits)
    found = None
    pose: Any = T
    if pose.__class__ is np.ndarray and pose.dtype is _REAL and pose.shape == (4, 4) and road.__class__ in AT_ONCE:
        pose = np.array(pose, order="C")
        found = road.answers(pose, bounds)
    if found is None:
        pose = check_target(T)
        found = road.answers(pose, bounds)
        assert found is not None
    solutions = Solutions(arm, pose, bounds, road, *found)
    if free_of is not None:
        solutions = kept_free(solutions, check_scene(free_of, arm))
    return solutions


def all_solutions_batch(arm: Chain, targets: ArrayLike, *, limits: bool = True) -> BatchSolutions:
    """Return what `all_solutions` returns for each of many poses, as arrays.

    Args:
        arm: The arm.
        targets: Poses T_sd, shape (k, 4, 4), position in m.
        limits: As in `all_solutions`.

    Raises:
        TransformError: A target is not a pose; the message names its row.
        ParameterError: As in `all_solutions`.
    """
    road = road_for(arm)
    bounds, poses = bounds_of(arm, limits), check_targets(targets).copy()
    leaves = ANSWERS if isinstance(road, AnyHinges | Calibrated | FiveHinges) else LEAVES
    Q = np.empty((len(poses), leaves, arm.dof))
    counts, codes = np.empty(len(poses), dtype=np.int64), np.zeros((len(poses), leaves + 5), dtype=np.int64)
    if isinstance(road, SixHinges | AnyHinges):
        road.many(poses, bounds, Q, counts, codes)
        again = np.flatnonzero((counts < 0) | (codes[:, SEEN] & DOUBTFUL != 0))
    else:
        again = np.arange(len(poses))
    for row in again:
        poses[row] = check_target(poses[row])
        found = road.answers(poses[row], bounds)
        assert found is not None
        rows, decided, counts[row] = found
        Q[row, : len(rows)], codes[row, : len(decided)] = rows, decided
    return BatchSolutions(arm, poses, bounds, road, Q, counts, codes)


def check_scene(scene: object, arm: Chain) -> Scene:
    """Return a scene after checking that it is one, and of an arm with these joints.

    Raises:
        ParameterError: It is not.
    """
    if not isinstance(scene, Scene):
        raise ParameterError(f"free_of is {scene!r}; make a robots.Scene(arm, robots.fitted_links(arm, radius), …)")
    if scene.chain.screws.shape != arm.screws.shape or not np.array_equal(scene.chain.screws, arm.screws):
        raise ParameterError(f"free_of is a scene of {scene.chain!r}, whose joints are not those of {arm!r}")
    return scene


def kept_free(solutions: Solutions, scene: Scene) -> Solutions:
    """Return the answers that touch nothing."""
    free = np.flatnonzero(scene.is_free(solutions.q))
    arm, codes = solutions.arm, np.concatenate([[solutions.seen], solutions.codes[free]])
    return Solutions(arm, solutions.target, solutions.limits, solutions.road, solutions.q[free], codes, len(free))


def bounds_of(arm: Chain, limits: object) -> Array:
    """Return the limits that answers have to keep: none, unless they are asked for.

    Raises:
        ParameterError: It is not told whether they are.
    """
    if limits is True:
        return arm.limits
    if limits is not False:
        raise ParameterError(f"limits is {limits!r}; it is True or False: `arm.with_limits(…)` sets others")
    return np.tile([-np.inf, np.inf], (arm.dof, 1))


def road_for(arm: Chain) -> Road:
    """Return how the answers of an arm are found, and remember it.

    Raises:
        ParameterError: All solutions of such an arm are not known.
    """
    check_chain(arm, "arm")
    road: Road | None = arm.prepared.get(_KEY)
    if road is not None:
        return road
    road = planar(arm)
    if road is None and all(kind == "revolute" for kind in arm.joint_types):
        if arm.dof == 6:
            structure = structure_of(arm.screws, arm.home)
            closed = None if structure is None else SixHinges(arm.screws, arm.home, structure)
            exact = structure is not None and structure.off <= EXACT
            road = AnyHinges(arm) if closed is None else closed if exact else Calibrated(arm, closed)
        elif arm.dof == 5:
            road = FiveHinges(arm)
        elif arm.dof == 7:
            road = seven_hinges(arm.screws, arm.home)
    if road is None:
        raise ParameterError(f"all solutions of {arm!r} are not known; what is: {SUPPORTED}")
    arm.prepare(_KEY, road)
    return road
