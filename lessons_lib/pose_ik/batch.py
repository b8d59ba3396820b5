"""Solve many poses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.pose_ik import compiled as compiled_search
from lessons_lib.pose_ik import layout
from lessons_lib.pose_ik import search as readable_search
from lessons_lib.pose_ik.arguments import check_problem, check_starts, check_targets, draw_seeds
from lessons_lib.pose_ik.initial import MonteCarlo, MultiStart
from lessons_lib.pose_ik.methods import Method
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.result import BatchResult, Status
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.robots import Chain

Array = NDArray[np.float64]

CHUNK = 1024
"""Rows between two looks at the progress bar and at Ctrl-C: some hundredths of a second of compiled work."""


def solve_batch(
    chain: Chain,
    targets: ArrayLike,
    q0: ArrayLike | None = None,
    *,
    method: Method | None = None,
    stop: Stop | None = None,
    rng: np.random.Generator | None = None,
    initial: MonteCarlo | MultiStart | None = None,
    compiled: bool = True,
    progress: bool = False,
) -> BatchResult:
    """Return what `solve` returns for each target, as arrays.

    Row i is what `solve` would answer to target i with the i-th seed: with a generator, solving the targets one after
    the other with that generator gives the same rows; without one, every row has the fixed seed of `solve`.

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
        progress: Whether to show a progress bar on stderr.

    Raises:
        TransformError: A target is not a pose; the message names its row.
        ConfigurationError: A start has another shape, is not finite, or lies outside the limits.
        ParameterError: Another argument is not what it should be.
    """
    problem = check_problem(chain, method, stop, initial)
    poses = check_targets(targets)
    starts = check_starts(problem, q0, len(poses))
    seeds = draw_seeds(rng, len(poses))
    fast = compiled and compiled_search.can_compile(problem.method)
    search_rows, size = (compiled_search.search_rows, CHUNK) if fast else (_search_rows, 1)
    reports = np.empty((len(poses), layout.JOINTS + 2 * chain.dof))
    for rows in _chunks(len(poses), size, progress):
        reports[rows] = search_rows(problem, poses[rows], starts[rows], seeds[rows])
    return _batch_result(reports, chain.dof)


def _search_rows(problem: Problem, targets: Array, starts: Array, seeds: NDArray[np.int64]) -> Array:
    """Do what compiled.search_rows does, in readable code."""
    rows = []
    for target, start, seed in zip(targets, starts, seeds, strict=True):
        found = readable_search.search(problem, target, start, int(seed))
        code = compiled_search.STATUSES.index(found.status)
        counts_and_errors = (found.iterations, found.restarts, found.orientation_error, found.position_error)
        rows.append(np.concatenate([[code, *counts_and_errors], found.q, found.start]))
    return np.array(rows)


def _chunks(count: int, size: int, progress: bool) -> Iterator[slice]:
    """Yield the rows of each chunk; each step of the bar comes after the chunk is done."""
    slices = (slice(first, min(first + size, count)) for first in range(0, count, size))
    if not progress:
        yield from slices
        return
    from tqdm import tqdm

    with tqdm(total=count, desc="solving", unit="pose") as bar:
        for rows in slices:
            yield rows
            bar.update(rows.stop - rows.start)


def _batch_result(reports: Array, n: int) -> BatchResult:
    codes = reports[:, layout.STATUS].astype(np.int64)
    fields = {
        "q": reports[:, layout.JOINTS : layout.JOINTS + n].copy(),
        "status": np.array(compiled_search.STATUSES, dtype=np.object_)[codes],
        "converged": codes == compiled_search.STATUSES.index(Status.CONVERGED),
        "iterations": reports[:, layout.ITERATIONS].astype(np.int64),
        "restarts": reports[:, layout.RESTARTS].astype(np.int64),
        "orientation_error": reports[:, layout.ORIENTATION_ERROR].copy(),
        "position_error": reports[:, layout.POSITION_ERROR].copy(),
    }
    for array in fields.values():
        array.setflags(write=False)
    return BatchResult(**fields)
