"""Solve many poses."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.pose_ik import compiled as compiled_search
from lessons_lib.pose_ik import lanes, layout
from lessons_lib.pose_ik import search as readable_search
from lessons_lib.pose_ik.arguments import check_problem, check_row, check_starts, check_targets, draw_seeds
from lessons_lib.pose_ik.counts import check_count
from lessons_lib.pose_ik.initial import Initial
from lessons_lib.pose_ik.methods import Method
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.result import STATUSES, BatchResult
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.robots import Chain

Array = NDArray[np.float64]

CHUNK = 1024
"""Rows that one thread solves between two looks at the progress bar and at Ctrl-C: about a millisecond of work."""

PATIENCE = 2.0
"""Seconds after which a batch shows its progress, when nobody said whether it should."""


def solve_batch(
    chain: Chain,
    targets: ArrayLike,
    q0: ArrayLike | None = None,
    *,
    method: Method | None = None,
    stop: Stop | None = None,
    rng: np.random.Generator | None = None,
    initial: Initial | None = None,
    compiled: bool = True,
    progress: bool | None = None,
    threads: int | None = None,
) -> BatchResult:
    """Return what `solve` returns for each target, as arrays.

    Row i is what `solve` would answer to target i with the i-th seed: with a generator, solving the targets one after
    the other with that generator gives the same rows; without one, every row has the fixed seed of `solve`. The number
    of threads changes no answer. Ctrl-C ends a batch early: what is solved comes back, with a warning, and the
    other rows have the status INTERRUPTED.

    Args:
        chain: The arm.
        targets: Poses T_sd, shape (k, 4, 4), position in m; k may be 0.
        q0: First start for all, shape (n,), or one for each, shape (k, n), within the limits; as in `solve` when left
            out.
        method: As in `solve`.
        stop: As in `solve`.
        rng: Where the seeds are drawn from, one integer a row.
        initial: As in `solve`.
        compiled: As in `solve`.
        progress: Whether to show a progress bar on stderr; None for a bar on a terminal, after two seconds.
        threads: How many threads share the work; None for one a core that this process may use.

    Raises:
        TransformError: A target is not a pose; the message names its row.
        ConfigurationError: A start has another shape, is not finite, or lies outside the limits.
        ParameterError: Another argument is not what it should be.
    """
    problem = check_problem(chain, method, stop, initial)
    poses = check_targets(targets)
    starts = check_starts(problem, q0, len(poses))
    seeds = draw_seeds(rng, 1 if rng is None else len(poses))
    if threads is not None:
        check_count("threads", threads, 1)
    found = _Found(len(poses), chain.dof)
    search = _search_for(problem, compiled)
    size = CHUNK if compiled and compiled_search.can_compile(problem.method) else 1

    def work(rows: slice) -> int:
        count = rows.stop - rows.start
        first = starts[rows] if len(starts) > 1 else np.repeat(starts, count, axis=0)
        drawn = seeds[rows] if len(seeds) > 1 else np.repeat(seeds, count)
        found.write(rows, search(problem, poses[rows], first, drawn, rows.start))
        return int(count)

    slices = [slice(first, min(first + size, len(poses))) for first in range(0, len(poses), size)]
    try:
        for _ in _shown(_in_threads(work, slices, threads if size > 1 else 1), len(poses), progress):
            pass
    except KeyboardInterrupt:
        found.mark_interrupted(starts)
    return found.result()


class _Found:
    """The arrays of a batch's result, filled chunk by chunk: no more memory is needed for a longer batch."""

    def __init__(self, count: int, dof: int) -> None:
        self.q = np.empty((count, dof))
        self.codes = np.full(count, layout.UNDECIDED, dtype=np.int8)
        self.iterations, self.restarts = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        self.orientation_error, self.position_error = np.full(count, np.nan), np.full(count, np.nan)

    def write(self, rows: slice, reports: Array) -> None:
        """Put the reports of some rows into their places."""
        self.q[rows] = reports[:, layout.JOINTS : layout.JOINTS + self.q.shape[1]]
        self.iterations[rows], self.restarts[rows] = reports[:, layout.ITERATIONS], reports[:, layout.RESTARTS]
        self.orientation_error[rows] = reports[:, layout.ORIENTATION_ERROR]
        self.position_error[rows] = reports[:, layout.POSITION_ERROR]
        self.codes[rows] = reports[:, layout.STATUS]  # last: a row with a status is whole

    def mark_interrupted(self, starts: Array) -> None:
        """Fill the rows that were not solved, and warn."""
        left = self.codes == layout.UNDECIDED
        warnings.warn(f"interrupted: {len(left) - left.sum()} of {len(left)} poses are solved", stacklevel=3)
        self.q[left] = starts[left] if len(starts) > 1 else starts[0]
        self.codes[left] = layout.INTERRUPTED
        for errors in (self.orientation_error, self.position_error):
            errors[left] = np.nan
        for counts in (self.iterations, self.restarts):
            counts[left] = 0

    def result(self) -> BatchResult:
        """Return the result, read-only."""
        status = np.array(STATUSES, dtype=np.object_)[self.codes]
        converged = self.codes == layout.CONVERGED
        counts, errors = (self.iterations, self.restarts), (self.orientation_error, self.position_error)
        for array in (self.q, status, converged, *counts, *errors):
            array.setflags(write=False)
        return BatchResult(self.q, status, converged, *counts, *errors)


def _search_for(problem: Problem, compiled: bool) -> Callable[[Problem, Array, Array, NDArray[np.int64], int], Array]:
    """Return what solves some rows of a batch: over lanes, compiled, or in readable code."""
    if not compiled or not compiled_search.can_compile(problem.method):
        return _search_rows
    if not lanes.can_solve(problem):
        compiled_search.module_for(problem.chain)  # compiled before the threads start
        return _search_compiled
    lanes.entry_for(problem.chain, "solve_rows")  # compiled before the threads start
    return _search_lanes


def _search_lanes(problem: Problem, targets: Array, starts: Array, seeds: NDArray[np.int64], first: int) -> Array:
    """Solve the rows over lanes, and those that they leave undecided one by one."""
    reports = lanes.search_rows(problem, targets, starts, seeds)
    for row in np.flatnonzero(reports[:, layout.STATUS] == layout.UNDECIDED):
        pose, start = check_row(problem, targets[row], starts[row], first + int(row))
        report = lanes.search_pose(problem, pose, start, int(seeds[row]))
        if report is None:
            report = compiled_search.search_rows(problem, pose[None], start[None], seeds[row : row + 1])[0]
        reports[row] = report
    return reports


def _search_compiled(problem: Problem, targets: Array, starts: Array, seeds: NDArray[np.int64], first: int) -> Array:
    """Solve the rows in the compiled loop."""
    checked = [check_row(problem, targets[i], starts[i], first + i) for i in range(len(targets))]
    poses, begins = np.array([pose for pose, _ in checked]), np.array([start for _, start in checked])
    return compiled_search.search_rows(problem, poses, begins, seeds)


def _search_rows(problem: Problem, targets: Array, starts: Array, seeds: NDArray[np.int64], first: int) -> Array:
    """Solve the rows in readable code."""
    rows = []
    for i, (target, start, seed) in enumerate(zip(targets, starts, seeds, strict=True)):
        pose, begin = check_row(problem, target, start, first + i)
        rows.append(compiled_search.report_of(readable_search.search(problem, pose, begin, int(seed))))
    return np.array(rows)


def _in_threads(work: Callable[[slice], int], slices: list[slice], threads: int | None) -> Iterator[int]:
    """Yield the number of rows of each chunk when it is done; the compiled search lets other threads run beside it."""
    workers = min(threads or _cores(), len(slices))
    if workers <= 1:
        yield from map(work, slices)
        return
    pool = ThreadPoolExecutor(workers, thread_name_prefix="solve_batch")
    try:
        yield from pool.map(work, slices)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _shown(done: Iterator[int], count: int, progress: bool | None) -> Iterator[int]:
    """Yield what `done` yields, with a progress bar if one is wanted, or if the work is long and somebody watches."""
    if progress is False:
        yield from done
        return
    from tqdm import tqdm

    hidden: Any = None if progress is None else False  # None: hidden where stderr is no terminal
    delay = PATIENCE if progress is None else 0.0
    with tqdm(total=count, desc="solving", unit="pose", delay=delay, disable=hidden) as bar:
        for rows in done:
            yield rows
            bar.update(rows)
