"""A failed solve with its arguments, and the solves that an explanation makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lessons_lib.all_solutions.entry import all_solutions
from lessons_lib.all_solutions.slices import Slices, search_slices
from lessons_lib.all_solutions.solutions import Solutions
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.lazy import cached_property
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.evaluation import Iterate, evaluate
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.problem import Stop
from lessons_lib.pose_ik.result import Result, Status
from lessons_lib.pose_ik.starts import Restarts
from lessons_lib.pose_ik.weights import active_mask, frame_and_split, has_weights, intervals_of, weights_of
from lessons_lib.robots import Chain

MANY_STARTS, FEW_STARTS = Restarts(50), Restarts(12)
"""Starts of a solve for one changed problem, and of each solve for many similar targets."""


@dataclass(frozen=True, eq=False)
class FailureContext:
    """A pose that was not reached, with the arguments of the solve; `solve` is `pose_ik.solve`."""

    arm: Chain
    target: Array
    q0: Array | None  # None if left out or unknown
    q: Array  # as returned, within the limits
    status: Status
    start: Array  # the start that led to q; NaN for a row of a batch, which may not contain it
    goal: Goal | None
    method: StepMethod | None
    stop: Stop
    solve: Callable[..., Result]

    @cached_property
    def weighted_method(self) -> StepMethod:
        return check_problem(self.arm, self.method, self.stop, None, self.goal).method

    @cached_property
    def mask(self) -> Array:
        """1 for each component of the error with a positive weight, shape (6,)."""
        return active_mask(self.weighted_method)

    @property
    def is_whole_pose(self) -> bool:
        """Whether all six components count and the goal is a single pose."""
        return bool(self.mask.all()) and intervals_of(self.weighted_method) is None

    @cached_property
    def scales(self) -> Array:
        """Square roots of the weights; without weights, 1 and 1 / arm.length."""
        if has_weights(self.weighted_method):
            return np.sqrt(weights_of(self.weighted_method))
        return np.repeat([1.0, 1.0 / self.arm.length], 3)

    @cached_property
    def unlimited(self) -> Chain:
        return self.arm.with_limits(position=np.tile([-np.inf, np.inf], (self.arm.dof, 1)))

    @cached_property
    def center(self) -> Array:
        """Center of the ball that contains every position of the tip, in {s}, shape (3,)."""
        return arm_of(self.arm).reach[1:]

    @cached_property
    def size(self) -> float:
        """Radius of a ball around the origin of {s} that contains every position of the tip."""
        return max(arm_of(self.arm).size, 1e-300)

    def at(self, q: Array) -> Iterate:
        """Evaluate error and Jacobian in the frame of the method."""
        frame, split = frame_and_split(self.weighted_method)
        return evaluate(self.arm, self.target, q, frame if split else "body", split)

    def resolve(self, target: Array | None = None, goal: Goal | None = None, limits: bool = True) -> Result:
        """Solve by the default method from several starts, with another target, another goal, or without limits."""
        arm, pose = self.arm if limits else self.unlimited, self.target if target is None else target
        return self.solve(arm, pose, self.q, goal=self.goal if goal is None else goal, starts=MANY_STARTS)

    def solve_each(self, poses: Array) -> NDArray[np.bool_]:
        """Return for each target, shape (k, 4, 4), whether the default method solves it from a few starts."""
        # one at a time, because a batch would compile another search
        solved = [self.solve(self.arm, pose, self.q, goal=self.goal, starts=FEW_STARTS).converged for pose in poses]
        return np.array(solved, dtype=np.bool_)

    def solve_once(self, arm: Chain, q0: Array, stop: Stop) -> Result:
        """Repeat the solve from one start, with its trace."""
        options = {"goal": self.goal, "method": self.method, "starts": Restarts(0), "trace": True}
        return self.solve(arm, self.target, q0, stop=stop, **options)

    @cached_property
    def from_many_starts(self) -> Result:
        """The result for the same pose from many starts."""
        return self.resolve()

    @property
    def successful_start(self) -> Array:
        """The start from which `from_many_starts` reached the pose."""
        return self.from_many_starts._report[-self.arm.dof :]

    @cached_property
    def solutions(self) -> Solutions | None:
        """All solutions without limits; None if no strategy finds them."""
        return known_solutions(self.arm, self.target, limits=False)

    @cached_property
    def solutions_within(self) -> Solutions | None:
        """All solutions within the limits; None if no strategy finds them."""
        return known_solutions(self.arm, self.target)

    @cached_property
    def slices(self) -> Slices | None:
        """The search for solutions within the limits in slices of a joint's range; None if it does not apply."""
        return search_slices(self.arm, self.target, self.arm.limits) if self.is_whole_pose else None


def known_solutions(arm: Chain, target: Array, limits: bool = True) -> Solutions | None:
    """Return all solutions of a pose; None if no strategy finds them."""
    try:
        solutions = all_solutions(arm, target, limits=limits)
    except ParameterError:
        return None
    return None if solutions.only_slices else solutions
