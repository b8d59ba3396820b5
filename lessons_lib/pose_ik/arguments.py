"""Checks of the arguments of `solve` and `solve_batch`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, Integers, check_number, floats, is_whole
from lessons_lib.errors import ConfigurationError, ParameterError, how_to_call
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.damping import TrustRegion
from lessons_lib.pose_ik.goal import Goal, check_goal
from lessons_lib.pose_ik.methods import LevenbergMarquardt, Method, StepMethod, check_frame
from lessons_lib.pose_ik.problem import FLOOR, Problem, Stop
from lessons_lib.pose_ik.starts import BestOf, Near, Nearest, Restarts, Starts
from lessons_lib.pose_ik.stated_step import key_of
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain

FIXED_SEED = 6_172_017_061_720_170
"""Seed of the random starts without a generator, so that the same call gives the same result."""

SEED_COUNT = 2**62
"""Seeds are drawn below this number, which covers all states of the generator in random_numbers.py."""

BLOCK = 4096
"""Number of rows of a batch that are checked together; they fit into the processor's cache."""

DEFAULT_METHOD, DEFAULT_STOP, DEFAULT_STARTS = LevenbergMarquardt(), Stop(), Restarts()

NEAR_METHOD = LevenbergMarquardt(TrustRegion(), derivative="exact")
"""The method of Near: no step raises the error, and it stops only where the gradient vanishes."""

METHOD_EXAMPLES = "NewtonRaphson(), GaussNewton(), LevenbergMarquardt(), Method(formula)"


def check_problem(
    arm: Chain, method: StepMethod | None, stop: Stop | None, starts: Starts | None, goal: Goal | None = None
) -> Problem:
    """Return the problem with its default values; raise ParameterError for an invalid argument."""
    check_chain(arm, "arm")
    unit, descends = (arm.length, not isinstance(starts, Near)) if method is None else (1.0, False)
    if method is None:
        method = NEAR_METHOD if isinstance(starts, Near) else DEFAULT_METHOD
    check_method(method)
    if isinstance(method, Method) and not method.is_single_linear_solve:
        key_of(method.formula, arm.dof)  # raises if the formula gives no step
    if goal is not None:
        check_goal(goal)
        method = goal.of(method)
    if stop is not None and not isinstance(stop, Stop):
        raise ParameterError(f"stop must be a Stop, such as {Stop()!r}, got {stop!r}{how_to_call(stop, 'Stop()')}")
    if starts is not None and not isinstance(starts, Starts):
        valid = f"{Restarts()}, {BestOf()}, {Nearest()}, {Near()}, or for pose_ik.solve AllBranches()"
        how = f"; for {starts} restarts write Restarts({starts})" if is_whole(starts) else how_to_call(starts, valid)
        raise ParameterError(f"starts must be {valid}, got {starts!r}{how}")
    if isinstance(starts, Near) and not isinstance(getattr(method, "damping", None), TrustRegion):
        raise ParameterError(f"Near needs a method with a TrustRegion, such as {NEAR_METHOD!r}, got {method!r}")
    arm_data, stop = arm_of(arm), DEFAULT_STOP if stop is None else stop
    if stop.position < FLOOR * arm_data.size:
        raise ParameterError(
            f"Stop.position must be at least {FLOOR * arm_data.size:.2g} {arm.unit_in_words} for {arm.name}, got "
            f"{stop.position!r}: rounding hides smaller errors"
        )
    return Problem(arm, arm_data, method, stop, DEFAULT_STARTS if starts is None else starts, unit, descends)


def check_method(method: object) -> None:
    """Raise ParameterError unless `method` has a step and a known frame."""
    if isinstance(method, type) or not callable(getattr(method, "step", None)):
        raise ParameterError(
            f"method must be one of {METHOD_EXAMPLES}, or have step(jacobian, error), got {method!r}"
            f"{how_to_call(method, METHOD_EXAMPLES)}"
        )
    if isinstance(method, Method):
        return
    try:
        check_frame(method)
    except ParameterError as error:
        raise ParameterError(f"{type(method).__name__}: {error}") from error


def check_seconds(max_time: object) -> float:
    """Return the time limit of a search in seconds, infinite for None; raise ParameterError unless it is positive."""
    if max_time is None:
        return math.inf
    seconds = check_number("max_time", max_time, "a positive number of seconds, or None")
    if not seconds > 0.0:
        raise ParameterError(f"max_time must be a positive number of seconds, or None, got {max_time!r}")
    return seconds


def check_start(problem: Problem, q0: ArrayLike | None) -> Array:
    """Return a copy of q0, or zero, clipped into the limits; raise ConfigurationError if q0 is invalid."""
    if q0 is None:
        return problem.arm.home.copy()
    if type(q0) is np.ndarray and q0.dtype == np.float64 and q0.shape == problem.arm.home.shape:
        pairs = zip(q0.tolist(), problem.arm.bounds, strict=True)
        if all(lower <= value <= upper and math.isfinite(value) for value, (lower, upper) in pairs):
            return q0.copy()
    return problem.chain.check_within_limits(q0)


def check_starts(problem: Problem, q0: ArrayLike | None, rows: int) -> Array:
    """Return the first starts, shape (1, n) for a common one, or (k, n); errors of `check_start` name the row."""
    n = problem.chain.dof
    if q0 is None:
        return check_start(problem, None)[None]
    if type(q0) is np.ndarray and q0.dtype == np.float64:
        starts: Array = np.ascontiguousarray(q0)
    else:
        starts = floats(q0, f"q0 must be numbers of shape ({n},) or ({rows}, {n})", ConfigurationError)
    if starts.ndim < 2:
        return check_start(problem, starts)[None]
    if starts.shape != (rows, n):
        raise ConfigurationError(f"q0 of {rows} targets must have shape ({n},) or ({rows}, {n}), got {starts.shape}")
    lower, upper = problem.chain.limits.T
    for first in range(0, rows, BLOCK):
        block = starts[first : first + BLOCK]
        columns = np.ascontiguousarray(block.T)
        extremes = np.array([columns.min(axis=1), columns.max(axis=1)])
        if ((lower <= extremes) & (extremes <= upper) & np.isfinite(extremes)).all():
            continue
        inside = (lower <= block) & (block <= upper) & np.isfinite(block)
        starts = starts.copy() if starts is q0 else starts
        for row in first + np.flatnonzero(~inside.all(axis=1)):
            try:
                starts[row] = check_start(problem, starts[row])
            except ConfigurationError as error:
                raise ConfigurationError(f"row {row} of q0: {error}") from error
    return starts


def draw_seeds(rng: np.random.Generator | None, rows: int) -> Integers:
    """Draw one seed for each row from the generator; return FIXED_SEED for each row if it is None."""
    if rng is None:
        return np.full(rows, FIXED_SEED, dtype=np.int64)
    if not isinstance(rng, np.random.Generator):
        raise ParameterError(f"rng must be a generator, such as numpy.random.default_rng(7), or None, got {rng!r}")
    return rng.integers(SEED_COUNT, size=rows, dtype=np.int64)
