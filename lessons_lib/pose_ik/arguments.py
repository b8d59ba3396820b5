"""Checks of the arguments of `solve` and `solve_batch`."""

from __future__ import annotations

import math
from functools import lru_cache
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, Integers, check_number, floats
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Constants, Plain, Recipe
from lessons_lib.codegen.notice import expected
from lessons_lib.errors import ConfigurationError, ParameterError, TransformError
from lessons_lib.lie import check_transform
from lessons_lib.lie.checks import BOTTOM
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.damping import TrustRegion
from lessons_lib.pose_ik.goal import Goal, check_goal
from lessons_lib.pose_ik.layout import MENDED, ROUNDED
from lessons_lib.pose_ik.methods import LevenbergMarquardt, Method, StepMethod, check_frame
from lessons_lib.pose_ik.other_libraries import how_to_pose
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.starts import STARTS, BestOf, Near, Nearest, Restarts, Starts
from lessons_lib.pose_ik.stated_step import key_of
from lessons_lib.pose_ik.stop import FLOOR, Stop
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain

FIXED_SEED = 6_172_017_061_720_170
"""Seed of the random starts without a generator, so that the same call gives the same result."""

SEEDS = 2**62
"""Seeds are drawn below this number, which covers all states of the generator in random_numbers.py."""

BLOCK = 4096
"""Rows of a batch that are checked together: they fit into the cache."""

DEFAULT_METHOD, DEFAULT_STOP, DEFAULT_STARTS = LevenbergMarquardt(), Stop(), Restarts()

NEAR_METHOD = LevenbergMarquardt(TrustRegion(), derivative="exact")
"""The method of Near: no step raises the error, and it stops only where the gradient vanishes."""

METHODS = "NewtonRaphson(), GaussNewton(), LevenbergMarquardt(), Method(formula)"


def check_problem(
    arm: Chain, method: StepMethod | None, stop: Stop | None, starts: Starts | None, goal: Goal | None = None
) -> Problem:
    """Return the problem with its defaults; raise ParameterError for an invalid argument."""
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
        raise ParameterError(f"stop must be a Stop, such as {Stop()!r}, got {stop!r}")
    if starts is not None and not isinstance(starts, STARTS):
        raise ParameterError(f"starts must be {Restarts()}, {BestOf()}, {Nearest()} or {Near()}, got {starts!r}")
    if isinstance(starts, Near) and not isinstance(getattr(method, "damping", None), TrustRegion):
        raise ParameterError(f"Near needs a method with a TrustRegion, such as {NEAR_METHOD!r}, got {method!r}")
    known, stop = arm_of(arm), DEFAULT_STOP if stop is None else stop
    if stop.position < FLOOR * known.size:
        raise ParameterError(
            f"Stop.position is {stop.position!r}; on {arm.name} a tolerance is at least "
            f"{FLOOR * known.size:.2g} {arm.unit_in_words}: rounding hides less"
        )
    return Problem(arm, known, method, stop, DEFAULT_STARTS if starts is None else starts, unit, descends)


def check_method(method: object) -> None:
    """Raise ParameterError unless `method` has a step and a known frame."""
    if isinstance(method, type) or not callable(getattr(method, "step", None)):
        raise ParameterError(f"method must be one of {METHODS}, or have step(jacobian, error), got {method!r}")
    if isinstance(method, Method):
        return
    try:
        check_frame(method)
    except ParameterError as error:
        raise ParameterError(f"{type(method).__name__}: {error}") from error


def check_seconds(max_time: object) -> float:
    """Return the time limit of a search, s, infinite for None; raise ParameterError unless it is positive."""
    if max_time is None:
        return math.inf
    seconds = check_number("max_time", max_time, "it must be a positive number of seconds, or None")
    if not seconds > 0.0:
        raise ParameterError(f"max_time must be a positive number of seconds, or None, got {max_time!r}")
    return seconds


def check_target(target: ArrayLike, name: str = "target") -> Array:
    """Return the target as a pose, with the nearest rotation unless it is one to rounding (layout.ROUNDED).

    Raises:
        TransformError: The target is not a pose.
    """
    if type(target) is np.ndarray and target.dtype == np.float64 and target.shape == (4, 4):
        plain: Array = np.array(target, order="C")
        if first_off(plain[None], ROUNDED):
            plain[3] = BOTTOM
            return plain
    try:
        T_sd = np.ascontiguousarray(check_transform(target, name))
    except TransformError as error:
        if "masked" in str(error):  # NumPy warns when it reads masked entries
            raise
        raise TransformError(f"{error}{how_to_pose(target)}") from error
    if not first_off(T_sd[None], ROUNDED):
        with expected("a pose"):
            pose_module().orthonormalize(T_sd.reshape(16, 1), 0, 0)
    return T_sd


def check_targets(targets: ArrayLike) -> Array:
    """Return the targets as float64 of shape (k, 4, 4), poses to ORTHOGONALITY.

    Raises:
        TransformError: They are not numbers of this shape, or one is not a pose; the message names its row.
    """
    poses = _stack(targets)
    row = first_off(poses, MENDED)
    while row < len(poses):
        check_target(poses[row], f"target {row}")
        row += 1 + first_off(poses[row + 1 :], MENDED)
    return poses


def first_off(poses: Array, tolerance: float) -> int:
    """Return the index of the first of k matrices, shape (k, 4, 4), that is not a pose to a tolerance; k if all are."""
    with expected("a batch"):
        return int(pose_module().first_off(poses.reshape(-1, 4), tolerance))


@lru_cache(maxsize=1)
def pose_module() -> ModuleType:
    """Return the generated module that checks and orthonormalizes poses."""
    texts = Plain("lessons_lib.lie.poses"), Plain("lessons_lib.pose_ik.poses", only=("is_pose", "first_off"))
    return modules.load(Recipe("poses", (Constants({"ROUNDED": ROUNDED}), *texts)))


def _stack(targets: ArrayLike) -> Array:
    if type(targets) is np.ndarray and targets.dtype == np.float64:
        poses: Array = np.ascontiguousarray(targets)
    else:
        poses = floats(targets, "targets must be poses, numbers of shape (k, 4, 4)", TransformError)
    if poses.size == 0 and poses.ndim in (1, 3):
        return np.empty((0, 4, 4))
    if poses.ndim != 3 or poses.shape[1:] != (4, 4):
        one = "; pose_ik.solve solves one pose" if poses.shape == (4, 4) else ""
        each = how_to_pose(poses[0]) if poses.ndim in (2, 3) and not one and len(poses) else one
        raise TransformError(f"targets must have shape (k, 4, 4), got {poses.shape}{each}")
    return poses


def check_start(problem: Problem, q0: ArrayLike | None) -> Array:
    """Return the first start as a copy, shape (n,): q0 or zero, clipped into the limits.

    Raises:
        ConfigurationError: q0 has another shape, is not finite, or exceeds a limit by more than `LIMIT_TOLERANCE`.
    """
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
        ends = np.ascontiguousarray(block.T)
        ends = np.array([ends.min(axis=1), ends.max(axis=1)])
        if ((lower <= ends) & (ends <= upper) & np.isfinite(ends)).all():
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
    """Return a seed for each row, shape (k,), drawn in order from the generator, or FIXED_SEED without one."""
    if rng is None:
        return np.full(rows, FIXED_SEED, dtype=np.int64)
    if not isinstance(rng, np.random.Generator):
        raise ParameterError(f"rng must be a generator, such as numpy.random.default_rng(7), or None, got {rng!r}")
    return rng.integers(SEEDS, size=rows, dtype=np.int64)
