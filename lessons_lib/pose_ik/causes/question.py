"""A pose that was not reached, with all that was asked, and what the causes ask of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.lazy import cached_property
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.branches.entry import all_solutions
from lessons_lib.pose_ik.branches.excluded import Slices, slices
from lessons_lib.pose_ik.branches.solutions import Solutions
from lessons_lib.pose_ik.causes.explanation import told
from lessons_lib.pose_ik.evaluation import Iterate, evaluate
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.result import Result, Status
from lessons_lib.pose_ik.starts import Restarts, Starts
from lessons_lib.pose_ik.steps import steps_of
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.pose_ik.weights import active_mask, has_weights, weights_of
from lessons_lib.robots import Chain

AGAIN = Restarts(50)
"""Where a cause asks whether a pose can be had at all."""

FEW = Restarts(12)
"""Where a cause asks that of many poses."""


@dataclass(frozen=True, eq=False)
class Question:
    """What was asked, and what came.

    Attributes:
        arm: The arm.
        target: T_sd, shape (4, 4).
        q: What the solve returned, shape (n,).
        status: How it ended.
        start: Where the reported start began, shape (n,).
        goal: As in `solve`.
        method: As in `solve`.
        stop: As in `solve`.
        solve: `pose_ik.solve`.
    """

    arm: Chain
    target: Array
    q: Array
    status: Status
    start: Array
    goal: Goal | None
    method: StepMethod | None
    stop: Stop
    solve: Callable[..., Result]

    @cached_property
    def is_whole(self) -> bool:
        """Whether the whole pose is asked for."""
        return bool(self.counted.all())

    @cached_property
    def asks_position(self) -> bool:
        """Whether all of the position is asked for."""
        return bool(self.counted[3:].all())

    @cached_property
    def stepping(self) -> StepMethod:
        """The method, with the goal's weights."""
        return check_problem(self.arm, self.method, self.stop, None, self.goal).method

    @cached_property
    def counted(self) -> Array:
        """1 for each component of the error that counts, shape (6,)."""
        return active_mask(self.stepping)

    @cached_property
    def scales(self) -> Array:
        """Roots of the weights: as given, or rad and lengths of the arm."""
        if has_weights(self.stepping):
            return np.sqrt(weights_of(self.stepping))
        return np.repeat([1.0, 1.0 / self.arm.length], 3)

    @cached_property
    def unlimited(self) -> Chain:
        """The arm without limits of position."""
        return self.arm.with_limits(position=np.tile([-np.inf, np.inf], (self.arm.dof, 1)))

    @cached_property
    def center(self) -> Array:
        """The point of {s} around which the arm reaches, shape (3,)."""
        return arm_of(self.arm).reach[1:]

    def solved(self, poses: Array) -> NDArray[np.bool_]:
        """Return which of many targets, shape (k, 4, 4), the default method solves from a few starts, shape (k,)."""
        # one after the other: a batch would compile another loop
        return np.array([self.tried(target=pose, starts=FEW).converged for pose in poses], dtype=np.bool_)

    def once(self, arm: Chain, q0: Array, stop: Stop) -> Result:
        """Return the same solve by an arm from one start, with its trace."""
        told_alike = {"goal": self.goal, "method": self.method, "starts": Restarts(0), "trace": True}
        return self.solve(arm, self.target, q0, stop=stop, **told_alike)

    def at(self, q: Array) -> Iterate:
        """Return error and Jacobian as the goal has them."""
        steps = steps_of(self.stepping)
        split = steps.split
        return evaluate(self.arm, self.target, q, steps.frame if split else "body", split)

    def misses(self, q: Array) -> tuple[float, float]:
        """Return angle [rad] and distance [m] of the error that counts."""
        error = self.at(q).error_twist * self.counted
        return float(np.linalg.norm(error[:3])), float(np.linalg.norm(error[3:]))

    def tried(
        self, target: Array | None = None, goal: Goal | None = None, limits: bool = True, starts: Starts = AGAIN
    ) -> Result:
        """Return a solve by the default method with some starts, of another target, goal, or without limits."""
        arm = self.arm if limits else self.unlimited
        asked = self.goal if goal is None else goal
        start = np.clip(self.q, *arm.limits.T)
        return self.solve(arm, self.target if target is None else target, start, goal=asked, starts=starts)

    @cached_property
    def answers(self) -> Solutions | None:
        """All solutions of the pose, without limits; None where they are not known."""
        return self._all(limits=False)

    @cached_property
    def within(self) -> Solutions | None:
        """Those within the limits; None where they are not known."""
        return self._all(limits=True)

    @cached_property
    def slices(self) -> Slices | None:
        """What slices of a joint tell of the pose within the limits; None where they tell nothing."""
        return slices(self.arm, self.target, self.arm.limits) if self.is_whole else None

    def _all(self, limits: bool) -> Solutions | None:
        try:
            return all_solutions(self.arm, self.target, limits=limits)
        except ParameterError:
            return None

    @property
    def escape(self) -> Array:
        """The start from which `can_be_had` reached the pose."""
        return self.can_be_had._report[-self.arm.dof :]

    @property
    def elsewhere(self) -> str:
        """The advice to begin at a start from which it is solved; nothing where none is known."""
        return f"Begin elsewhere: from q0 = {told(self.escape)} it is solved." if self.can_be_had.converged else ""

    @cached_property
    def can_be_had(self) -> Result:
        """Whether further starts lead to the pose."""
        return self.tried()
