"""A solve that moves no joint farther than a bound from q0, without compiling again: limits are inputs of a search."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from threading import RLock
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, Integers, check_flag, floats
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.lie.checks import check_target
from lessons_lib.pose_ik import lanes, length_scaling
from lessons_lib.pose_ik.arguments import check_seconds, check_start, draw_seeds
from lessons_lib.pose_ik.explanation.causes import explain_bound
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.layout import ITERATIONS, JOINTS, LOWER, SAMPLE_LOWER, SAMPLE_UPPER, STATUS, UPPER
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.prepared_problem import PreparedProblem, prepare
from lessons_lib.pose_ik.problem import Problem, Stop
from lessons_lib.pose_ik.result import STATUSES, BatchResult, Result, Status
from lessons_lib.pose_ik.settings import no_reports
from lessons_lib.pose_ik.starts import Starts
from lessons_lib.robots import Chain
from lessons_lib.robots.joint_limits import finite_limits

MIN_SECONDS = 1e-3
"""Time for the search without the bound if the bounded search has used up `max_time`."""


class BoundedProblem:
    """A prepared problem whose limits each solve sets; one thread at a time may use it."""

    def __init__(self, problem: Problem, timed: bool) -> None:
        """Prepare the search in units of the arm's characteristic length; `problem` is in the caller's units."""
        self.problem, scaled = problem, length_scaling.scale_problem(problem)
        self._units = length_scaling.joint_units(problem.chain, problem.unit)
        self._lock, self._joints = RLock(), scaled.arm.joints.copy()
        self._joints[:, LOWER], self._joints[:, UPPER] = 0.0, 1.0  # finite, so that the steps stop at the limits
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
            T_sd = length_scaling.scale_poses(check_target(target), problem.unit)
            scaled = self._prepared.solve(T_sd, q0 / self._units, seed, traced, max_time)
        report, trace = scaled._report.copy(), scaled.trace
        length_scaling.unscale_reports(report, problem)
        return Result.of(report, None if trace is None else length_scaling.unscale_trace(trace, problem))


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
    """Solve with a bound on the move of each joint from q0; `search` is `solve`."""
    prepared = prepare(arm, goal, method, starts, stop, max_time is not None)
    if q0 is None:
        raise ConfigurationError("within needs q0, because it bounds how far each joint may move from there")
    start, bound, seed = check_start(prepared.problem, q0), check_within(arm, within), int(draw_seeds(rng, 1)[0])
    seconds = None if max_time is None else check_seconds(max_time)
    result, unbounded = search_within(prepared, target, start, bound, seed, check_flag("trace", trace), seconds)
    if unbounded is not None:
        query = search, arm, np.array(check_target(target)), start, goal, method, stop
        result._explainer = partial(explain_bound, query, bound, unbounded)
    return result


def search_within(
    prepared: PreparedProblem,
    target: ArrayLike,
    q0: Array,
    bound: Array,
    seed: int,
    trace: bool,
    max_time: float | None,
) -> tuple[Result, Result | None]:
    """Return the result of the bounded search and, if it failed, that of a search without the bound."""
    begun = perf_counter()
    if prepared.bounded is None:
        prepared.bounded = BoundedProblem(prepared.problem, max_time is not None)
    result: Result = prepared.bounded.solve(target, q0, bound, seed, trace, max_time)
    if result.converged or result.status is Status.OUT_OF_TIME:
        return result, None
    left = None if max_time is None else max(max_time - (perf_counter() - begun), MIN_SECONDS)
    unbounded, report = prepared.solve(target, q0, seed, False, left), result._report.copy()
    if unbounded.status is not Status.OUT_OF_TIME:
        status = Status.OUTSIDE_BOUND if unbounded.converged else unbounded.status
        report[STATUS] = STATUSES.index(status)
        result = Result.of(report, result.trace)
    return result, unbounded


def solve_batch_within(
    prepared: PreparedProblem, poses: Array, q0: Array, within: ArrayLike, seeds: Integers, max_time: float
) -> BatchResult:
    """Solve each pose, shape (k, 4, 4), from its q0, shape (1, n) or (k, n), as `solve_within` does."""
    chain, count, begun = prepared.problem.chain, len(poses), perf_counter()
    bounds, starts = check_within(chain, within, count), np.broadcast_to(q0, (count, chain.dof))
    seeds, reports = np.broadcast_to(seeds, count), no_reports(count, chain.dof)
    reports[:, ITERATIONS:JOINTS], reports[:, JOINTS:] = (0.0, 0.0, math.nan, math.nan), np.tile(starts, 2)
    for row in range(count):
        if perf_counter() - begun > max_time:
            break
        result, _ = search_within(prepared, poses[row], starts[row].copy(), bounds[row], int(seeds[row]), False, None)
        reports[row] = result._report
    return BatchResult.of(reports)


def check_within(arm: Chain, within: ArrayLike, rows: int | None = None) -> Array:
    """Return the bound of each joint, rad or m, shape (n,), or (k, n) for k `rows`."""
    shape = (arm.dof,) if rows is None else (rows, arm.dof)
    each = "" if rows is None else f", or {rows} rows of them, one for each target"
    unit = arm.unit_in_words
    valid = f"within must be a positive number, rad or {unit}, or {arm.dof} of them, one for each joint{each}"
    bound = floats(within, valid, ParameterError)
    if bound.shape not in ((), (arm.dof,), shape):
        raise ParameterError(f"{valid}, got shape {bound.shape}")
    bound = np.broadcast_to(bound, shape)
    for *row, joint in np.argwhere(~((bound > 0.0) & (bound < math.inf)))[:1].tolist():
        where = f" in row {row[0]}" if np.ndim(within) == 2 else ""
        raise ParameterError(
            f"{valid}, got {bound[(*row, joint)]:g} for joint {arm.joint_names[joint]!r}{where}; to fix a joint, use "
            "arm.with_limits(position=…)"
        )
    return bound
