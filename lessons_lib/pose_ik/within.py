"""A solve that moves no joint farther than a bound from q0: the limits of its search are set anew for each q0.

The searches read limits as numbers, so one prepared problem serves all bounds, and nothing is compiled again.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from threading import RLock
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, check_flag, floats
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.lie.targets import check_target
from lessons_lib.pose_ik import lanes, length_scaling
from lessons_lib.pose_ik.arguments import check_seconds, check_start, draw_seeds
from lessons_lib.pose_ik.explanation.causes import explain_bound
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.layout import LOWER, SAMPLE_LOWER, SAMPLE_UPPER, STATUS, UPPER
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.prepared_problem import PreparedProblem, prepare
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.result import STATUSES, Result, Status
from lessons_lib.pose_ik.starts import Starts
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.robots import Chain
from lessons_lib.robots.sampling import finite_limits

LEAST_SECONDS = 1e-3
"""What the search without the bound gets if the bounded one has used up the time."""


class BoundedProblem:
    """A prepared problem with limits of its own, which each solve sets; one thread at a time may use it.

    Attributes:
        problem: How to solve, in the units of the caller and with the limits of the arm.
    """

    def __init__(self, problem: Problem, timed: bool) -> None:
        """Prepare the search in units of the arm's characteristic length."""
        self.problem, scaled = problem, length_scaling.scaled_problem(problem)
        self._units = length_scaling.joint_units(problem.chain, problem.unit)
        self._lock, self._joints = RLock(), scaled.arm.joints.copy()
        self._joints[:, LOWER], self._joints[:, UPPER] = 0.0, 1.0  # so the settings are those of limits to stop at
        self._prepared = PreparedProblem(replace(scaled, arm=replace(scaled.arm, joints=self._joints)), timed)
        if self._prepared.uses_simd:
            self._prepared.compile_simd()

    def solve(
        self, target: ArrayLike, q0: Array, within: Array, seed: int, traced: bool, max_time: float | None
    ) -> Result:
        """Solve with the limits of the arm intersected with q0 ± within, both in the units of the caller."""
        problem, chain = self.problem, self._prepared.problem.chain
        lower, upper = problem.chain.limits.T
        lower, upper = np.maximum(lower, q0 - within) / self._units, np.minimum(upper, q0 + within) / self._units
        with self._lock:
            self._joints[:, LOWER], self._joints[:, UPPER] = lower, upper
            self._joints[:, SAMPLE_LOWER : SAMPLE_UPPER + 1] = finite_limits(
                lower, upper, chain.joint_types, chain.length
            )
            if self._prepared.uses_simd:
                lanes.set_joint_ranges(self._prepared.scratch, self._prepared.problem)
            if problem.unit == 1.0:
                return self._prepared.solve(target, q0, seed, traced, max_time)
            T_sd = length_scaling.scaled_poses(check_target(target), problem.unit)
            found = self._prepared.solve(T_sd, q0 / self._units, seed, traced, max_time)
        report, trace = found._report.copy(), found.trace
        length_scaling.unscale_reports(report, problem)
        return Result.of(report, None if trace is None else length_scaling.unscaled_trace(trace, problem))


def solve_within(
    search: Any,
    arm: Chain,
    target: ArrayLike,
    q0: ArrayLike | None,
    within: ArrayLike,
    goal: Goal | None,
    method: StepMethod | None,
    starts: Starts | None,
    stop: Stop | None,
    max_time: float | None,
    rng: np.random.Generator | None,
    trace: bool,
) -> Result:
    """Solve with a bound on the move of each joint from q0; `search` is `solve`.

    If the bounded search fails, a search without the bound shows whether the bound or something else is the reason.

    Raises:
        ConfigurationError: q0 is missing or invalid.
        ParameterError: `within` is neither a positive, finite number nor n of them, or another argument is invalid.
    """
    free = prepare(arm, goal, method, starts, stop, max_time is not None)
    if q0 is None:
        raise ConfigurationError("within needs q0: it bounds how far each joint may move from there")
    start, bound, seed = check_start(free.problem, q0), check_within(arm, within), int(draw_seeds(rng, 1)[0])
    trace, begun = check_flag("trace", trace), perf_counter()
    if max_time is not None:
        max_time = check_seconds(max_time)
    if free.bounded is None:
        free.bounded = BoundedProblem(free.problem, max_time is not None)
    found: Result = free.bounded.solve(target, start, bound, seed, trace, max_time)
    if found.converged or found.status is Status.OUT_OF_TIME:
        return found
    left = None if max_time is None else max(max_time - (perf_counter() - begun), LEAST_SECONDS)
    other, report = free.solve(target, start, seed, False, left), found._report.copy()
    if other.status is not Status.OUT_OF_TIME:
        status = Status.OUTSIDE_BOUND if other.converged else other.status
        report[STATUS] = STATUSES.index(status)
        found = Result.of(report, found.trace)
    query = search, arm, np.array(check_target(target)), start, goal, method, stop
    found._asked = partial(explain_bound, query, bound, other)
    return found


def check_within(arm: Chain, within: ArrayLike) -> Array:
    """Return the bound of each joint, shape (n,), rad or m.

    Raises:
        ParameterError: It is neither one positive, finite number nor n of them.
    """
    valid = f"within must be a positive number, rad or {arm.unit_in_words}, or {arm.dof} of them, one a joint"
    bound = floats(within, valid, ParameterError)
    if bound.shape not in ((), (arm.dof,)):
        raise ParameterError(f"{valid}; got shape {bound.shape}")
    for name, value in zip(arm.joint_names, np.broadcast_to(bound, arm.dof).tolist(), strict=True):
        if not 0.0 < value < math.inf:
            raise ParameterError(
                f"{valid}; got {value:g} for joint {name!r}. arm.with_limits(position=…) holds a joint still"
            )
    return np.broadcast_to(bound, arm.dof)
