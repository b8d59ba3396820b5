"""Solve many poses."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, Never

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import CONVERSION_ERRORS, check_count, check_flag
from lessons_lib.errors import ConfigurationError
from lessons_lib.lie.checks import check_targets
from lessons_lib.other_libraries import hide_extra_parameters, refuse_unknown_arguments
from lessons_lib.pose_ik import length_scaling
from lessons_lib.pose_ik.arguments import FIXED_SEED, check_seconds, check_starts, draw_seeds
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.interruption import Halt, sigint_guard
from lessons_lib.pose_ik.layout import STATUS
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.prepared_problem import PLAIN, doubles, prepare
from lessons_lib.pose_ik.problem import Stop
from lessons_lib.pose_ik.progress import progress_bar
from lessons_lib.pose_ik.result import BatchResult
from lessons_lib.pose_ik.rows import Rows
from lessons_lib.pose_ik.settings import no_reports
from lessons_lib.pose_ik.starts import Restarts, Starts
from lessons_lib.pose_ik.within import solve_batch_within
from lessons_lib.robots import Chain

FEW = 256
"""Most poses that the caller's thread tries without listening for Ctrl-C: under a millisecond if they are easy."""

ONE_BY_ONE = 4
"""Most poses that are solved one after another."""


@hide_extra_parameters
def solve_batch(  # noqa: D417 (two parameters only collect what is refused)
    arm: Chain,
    targets: ArrayLike,
    q0: ArrayLike | None = None,
    *more: Never,
    goal: Goal | None = None,
    method: StepMethod | None = None,
    starts: Starts | None = None,
    stop: Stop | None = None,
    max_time: float | None = None,
    rng: np.random.Generator | None = None,
    progress: bool | None = None,
    threads: int | None = None,
    within: ArrayLike | None = None,
    **unknown: Never,
) -> BatchResult:
    """Solve for many targets; return the results as arrays.

    Row i is the result of `solve` for target i with the i-th seed: with a generator, solving the targets one after
    another with that generator gives the same rows; if rng is None, every row has the fixed seed of `solve`. The number
    of threads does not change the result.

    All targets and starts are checked before the first is solved; the error names the first bad row. Ctrl-C, in the
    main thread, ends a batch within a fraction of a second or after the current compilation: the solved rows are
    returned, with a warning, and the others have the status INTERRUPTED. Up to 256 poses that are all solved within
    milliseconds are an exception: Ctrl-C then raises KeyboardInterrupt, as in `solve`.

    >>> from lessons_lib import pose_ik, robots
    >>> arm = robots.ur10()
    >>> batch = pose_ik.solve_batch(arm, arm.targets(20)[0])
    >>> int(batch.converged.sum()), batch.q.shape
    (20, (20, 6))

    Args:
        arm: The arm.
        targets: Poses T_sd, shape (k, 4, 4), position in m; k may be 0.
        q0: First start for all, shape (n,), or one for each, shape (k, n), within the limits; as in `solve` when left
            out.
        goal: As in `solve`, one for all targets.
        method: As in `solve`.
        starts: As in `solve`.
        stop: As in `solve`.
        max_time: Seconds that the whole batch may take, to some hundredths, without compilation; the rows that are not
            solved by then have the status INTERRUPTED.
        rng: Source of the seeds, one integer for each row.
        progress: Whether to show a progress bar on stderr; None for a bar on a terminal, after two seconds.
        threads: Largest number of threads; None for the number of cores that this process may use.
        within: As in `solve`: one bound, n of them, or an array of shape (k, n). The rows are solved one after another,
            in the thread of the caller, where Ctrl-C raises KeyboardInterrupt.

    Raises:
        TransformError: A target is not a pose; the message names its row.
        ConfigurationError: A start has another shape, is not finite, or lies outside the limits.
        ParameterError: Another argument is invalid.
        UnknownArgument: As in `solve`.
    """
    if unknown or more:
        refuse_unknown_arguments(solve_batch, more, unknown)
    if (starts is None or isinstance(starts, Restarts)) and all(
        option is None for option in (rng, max_time, progress, threads, within)
    ):
        result = _solve_few(arm, targets, q0, method, stop, goal, starts)
        if result is not None:
            return result
    prepared = prepare(arm, goal, method, starts, stop)
    problem, poses = prepared.problem, check_targets(targets, "pose_ik.solve")
    first = check_starts(problem, q0, len(poses))
    seeds = draw_seeds(rng, 1 if rng is None else len(poses))
    if threads is not None:
        check_count("threads", threads, 1)
    seconds = check_seconds(max_time)
    if progress is not None:
        progress = check_flag("progress", progress)
    if within is not None:
        if q0 is None:
            raise ConfigurationError("within needs q0: it bounds how far each joint may move from there")
        return solve_batch_within(prepared, poses, first, within, seeds, seconds)
    halt, units = Halt(seconds), length_scaling.joint_units(arm, problem.unit)
    if problem.unit != 1.0:
        poses, first = length_scaling.scale_poses(poses, problem.unit), first / units
    with halt.compiling():
        rows = Rows(prepared, poses, first, seeds, halt)
    with sigint_guard(halt):
        with progress_bar(lambda: rows.ended, len(poses), "solving", progress) as tick:
            rows.solve(threads, tick)
        if halt.requested and not halt.expired:
            warnings.warn(f"interrupted: {rows.ended} of {len(poses)} poses are solved", stacklevel=2)
        result = rows.result()
    if problem.unit != 1.0:
        result = replace(result, q=result.q * units, position_error=result.position_error * problem.unit)
    return result


def _solve_few(
    arm: Chain,
    targets: Any,
    q0: Any,
    method: StepMethod | None,
    stop: Stop | None,
    goal: Goal | None,
    starts: Starts | None,
) -> BatchResult | None:
    """Return the result of few poses if the SIMD search solves all of them within milliseconds, else None."""
    # after None the caller checks the arguments and handles Ctrl-C
    try:
        count = len(targets)
        if not 0 < count <= FEW:
            return None
        prepared = prepare(arm, goal, method, starts, stop)
        if not prepared.uses_simd or (count > ONE_BY_ONE and prepared.problem.unit != 1.0):
            return None
        poses = doubles(targets) if targets.__class__ is PLAIN else np.array([doubles(pose) for pose in targets])
        first = prepared.problem.arm.home if q0 is None else doubles(q0)
        per_row = first.ndim == 2
        if poses.shape[1:] != (4, 4) or first.shape not in ((arm.dof,), (count, arm.dof)):
            return None
        reports = no_reports(count, arm.dof)
        if count <= ONE_BY_ONE:
            solve_pose = prepared.solve_pose or prepared.compile_simd()
            for row in range(count):
                start = first[row] if per_row else first
                if not solve_pose(poses[row], start, prepared.scratch, FIXED_SEED, reports[row]):
                    return None
        else:
            solve_rows = prepared.solve_rows or prepared.compile_batch()
            seeds, rows = np.full(count, FIXED_SEED), first if per_row else np.tile(first, (count, 1))
            solve_rows(poses, rows, seeds, reports, prepared.batch_settings)
            if reports[:, STATUS].any():
                return None
    except CONVERSION_ERRORS:
        return None
    return BatchResult.of(reports)
