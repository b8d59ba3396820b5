"""The rows of a batch: their arrays, and the threads that solve them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from lessons_lib.arrays import Array, Integers
from lessons_lib.lie.checks import check_target
from lessons_lib.pose_ik import in_python, lanes, layout, sequential
from lessons_lib.pose_ik.interruption import Halt, in_threads, interruptible
from lessons_lib.pose_ik.least_error import FAILED, Descent
from lessons_lib.pose_ik.prepared_problem import PreparedProblem
from lessons_lib.pose_ik.result import STATUSES, BatchResult
from lessons_lib.pose_ik.settings import no_reports, settings_after_simd, settings_of

Which = slice | NDArray[np.intp]

FOR_ONE_THREAD = 1024
"""Largest number of rows for a single thread: about a millisecond of work if the poses are easy."""

CHUNK = 4096
"""Largest number of rows that a thread takes at a time. At the end of each chunk some lanes idle."""

FIRST_CHUNK = 256
"""Number of rows that a thread takes first, before their difficulty is known."""

LONG, SHORT = 0.05, 0.0003
"""Duration of a chunk, s: long, so that lanes seldom idle; short near the end, so that all threads end together."""

CALLER_TIME = 0.05
"""Time that the caller's thread works, s; then others do, and the caller listens for Ctrl-C."""

MOST_THREADS = 4
"""Largest number of threads for each core."""


class Rows:
    """The rows of a batch, in no more memory than its result; after `halt` unsolved rows are INTERRUPTED."""

    def __init__(self, prepared: PreparedProblem, poses: Array, starts: Array, seeds: Integers, halt: Halt) -> None:
        """Take checked arrays, with a start and a seed for each pose or one for all; compile the search."""
        self.prepared, self.problem = prepared, prepared.scaled
        self.poses, self.starts, self.seeds, self.halt = poses, starts, seeds, halt
        count, dof = len(poses), self.problem.chain.dof
        self.q, self.codes = np.empty((count, dof)), np.full(count, layout.INTERRUPTED, dtype=np.int8)
        self.iterations, self.restarts = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        self.orientation_error, self.position_error = np.full(count, np.nan), np.full(count, np.nan)
        self._in_progress: dict[int, Array] = {}
        self._descent: Descent | None = None
        self._search = self._search_for()

    def solve(self, threads: int | None = None, tick: Callable[[], None] = lambda: None) -> None:
        """Solve the rows, or as many as possible before the halt is requested; call `tick` repeatedly."""
        if self.prepared.in_python:
            with interruptible(self.halt):
                for row in range(len(self.poses)):
                    if self.halt.expired:
                        break
                    self._solve(slice(row, row + 1))
                    tick()
            return
        count, workers = len(self.poses), min(threads or cores(), MOST_THREADS * cores())
        chunks = _Chunks(slice(0, count), 1, count) if count <= FOR_ONE_THREAD else _Chunks(slice(0, count), workers)
        evaluations = layout.EVALUATIONS_TIMES_JOINTS // self.problem.chain.dof
        self.halt.allow(4 * evaluations if self._search is Rows._search_simd else evaluations, CALLER_TIME)
        self._work(chunks, tick, caller_too=True)
        self.halt.allow()
        begun = slice(0, chunks.first)
        for rows in (np.flatnonzero(self.codes[begun] == layout.INTERRUPTED), slice(chunks.first, count)):
            self._work(_Chunks(rows, workers), tick)

    def _work(self, chunks: _Chunks, tick: Callable[[], None], caller_too: bool = False) -> None:
        """Solve rows in threads, or as many as possible before the halt is over."""

        def work() -> None:
            while not self.halt.over and (rows := chunks.next_rows()) is not None:
                with chunks.time_chunk(rows):
                    self._solve(rows)

        if chunks.count and not self.halt.over:
            in_threads(work, chunks.workers, self.halt, tick, caller_too)

    @property
    def ended(self) -> int:
        """Number of rows that have ended, including those that a thread is working on."""
        at_hand = sum(int(_has_ended(reports).sum()) for reports in list(self._in_progress.values()))
        return min(len(self.poses), int(np.count_nonzero(self.codes != layout.INTERRUPTED)) + at_hand)

    def result(self) -> BatchResult:
        left = self.codes == layout.INTERRUPTED
        if left.any():
            self.q[left] = self.starts[left] if len(self.starts) > 1 else self.starts[0]
        status = np.array(STATUSES, dtype=np.object_)[self.codes]
        converged = self.codes == layout.CONVERGED
        counts, errors = (self.iterations, self.restarts), (self.orientation_error, self.position_error)
        return BatchResult(self.q, status, converged, *counts, *errors)

    def _solve(self, rows: Which) -> None:
        poses = self.poses[rows]
        starts = self.starts[rows] if len(self.starts) > 1 else np.repeat(self.starts, len(poses), axis=0)
        seeds = self.seeds[rows] if len(self.seeds) > 1 else np.repeat(self.seeds, len(poses))
        reports = no_reports(len(poses), self.problem.chain.dof)
        self._in_progress[id(reports)] = reports
        try:
            self._search(self, poses, starts, seeds, reports)
        finally:
            del self._in_progress[id(reports)]
        if self.problem.descends and reports[:, layout.STATUS].any():
            self._descend(poses, reports)
        ended = _has_ended(reports)
        if ended.all():
            self._write(rows, reports)
        else:
            places = np.arange(rows.start, rows.stop) if isinstance(rows, slice) else rows
            self._write(places[ended], reports[ended])

    def _descend(self, poses: Array, reports: Array) -> None:
        """Complete the failed searches with the descent of least_error.py."""
        for row in np.flatnonzero(np.isin(reports[:, layout.STATUS], FAILED)):
            if self._descent is None:
                with self.halt.compiling():
                    self._descent = Descent(self.problem, self.prepared.in_python)
            self._descent.lower(poses[row], reports[row])

    def _write(self, rows: Which, reports: Array) -> None:
        self.q[rows] = reports[:, layout.JOINTS : layout.JOINTS + self.q.shape[1]]
        self.iterations[rows], self.restarts[rows] = reports[:, layout.ITERATIONS], reports[:, layout.RESTARTS]
        self.orientation_error[rows] = reports[:, layout.ORIENTATION_ERROR]
        self.position_error[rows] = reports[:, layout.POSITION_ERROR]
        self.codes[rows] = reports[:, layout.STATUS]  # last: a row with a status is whole

    def _search_for(self) -> Callable[[Rows, Array, Array, Integers, Array], None]:
        """Return the compiled search of some rows, unbound: a bound method would keep these arrays in memory."""
        if self.prepared.in_python:
            return Rows._search_in_python
        if not self.prepared.uses_simd:
            sequential.compile_for(self.problem)
            return Rows._search_sequential
        self._solve_rows = self.prepared.solve_rows or self.prepared.compile_batch()
        return Rows._search_simd

    def _search_simd(self, poses: Array, starts: Array, seeds: Integers, reports: Array) -> None:
        """Solve the rows by the SIMD search, and those that it leaves by the sequential search."""
        settings = self.halt.settings_for(self.prepared.settings_of_batch, self.problem)
        self._solve_rows(poses, starts, seeds, reports, settings)
        undecided, failed = (
            reports[:, layout.STATUS] == code for code in (layout.NEEDS_FALLBACK, layout.UNCONSTRAINED_STARTS_FAILED)
        )
        reports[undecided | failed, layout.STATUS] = layout.INTERRUPTED
        if undecided.any():
            search_pose = lanes.pose_search(self.problem, self.halt)
        for row in np.flatnonzero(undecided):
            if self.halt.over:
                return
            pose, one = check_target(poses[row]), slice(row, row + 1)
            report = search_pose(pose, starts[row], int(seeds[row]))
            if layout.has_ended(int(report[layout.STATUS])):
                reports[row] = report
            elif report[layout.STATUS] == layout.UNCONSTRAINED_STARTS_FAILED:
                failed[row] = True
            elif not self.halt.over:
                self._search_sequential(pose[None], starts[one], seeds[one], reports[one])
        if failed.any() and not self.halt.over:
            own = reports[failed]
            self._search_sequential(poses[failed], starts[failed], seeds[failed], own, after_simd=True)
            reports[failed] = own

    def _search_sequential(
        self, poses: Array, starts: Array, seeds: Integers, reports: Array, after_simd: bool = False
    ) -> None:
        with self.halt.compiling():
            sequential.compile_for(self.problem)
        make = settings_after_simd if after_simd else settings_of
        settings = self.halt.settings_for(make, self.problem)
        exact = np.array([check_target(pose) for pose in poses])
        sequential.search_rows(self.problem, exact, starts, seeds, reports, settings)
        refused = np.flatnonzero(reports[:, layout.STATUS] == layout.INVALID_DAMPING)
        reports[refused, layout.STATUS] = layout.INTERRUPTED
        for row in refused:
            one = slice(row, row + 1)
            own = reports[one].copy()  # an interrupted row counts as not begun
            self._search_in_python(exact[one], starts[one], seeds[one], own, lambda: self.halt.over)
            if self.halt.over:
                return
            reports[one] = own

    def _search_in_python(
        self,
        poses: Array,
        starts: Array,
        seeds: Integers,
        reports: Array,
        over: Callable[[], bool] | None = None,
    ) -> None:
        over = over or (lambda: self.halt.expired)
        for row, (pose, start, seed) in enumerate(zip(poses, starts, seeds, strict=True)):
            reports[row] = in_python.search(self.problem, check_target(pose), start.copy(), int(seed), over=over)[0]


class _Chunks:
    """Divide rows among threads: in few chunks if they are easy, in many if they are hard."""

    def __init__(self, rows: Which, workers: int, size: int = FIRST_CHUNK) -> None:
        self.rows, self.first = rows, rows.start if isinstance(rows, slice) else 0
        self.end = rows.stop if isinstance(rows, slice) else len(rows)
        self.count = self.end - self.first
        self.size = max(1, min(size, self.count if workers == 1 else self.count // (4 * workers)))
        self.least, self.workers = self.size, min(workers, -(-self.count // self.size))
        self._lock = Lock()

    def next_rows(self) -> Which | None:
        """Return the next rows, fewer near the end; None if no row is left."""
        with self._lock:
            left = self.end - self.first
            size = min(self.size, max(self.least, left // self.workers), left)
            part = slice(self.first, self.first + size)
            self.first = part.stop
        if size == 0:
            return None
        return part if isinstance(self.rows, slice) else self.rows[part]

    @contextmanager
    def time_chunk(self, rows: Which) -> Iterator[None]:
        """Choose the size of the next chunks by the time that these rows take."""
        begun = time.perf_counter()
        yield
        count = rows.stop - rows.start if isinstance(rows, slice) else len(rows)
        per_second = count / max(time.perf_counter() - begun, 1e-9)
        self.size = max(1, min(CHUNK, int(LONG * per_second)))
        self.least = max(1, min(self.size, int(SHORT * per_second)))


def _has_ended(reports: Array) -> NDArray[np.bool_]:
    codes = reports[:, layout.STATUS]
    ended: NDArray[np.bool_] = (codes >= layout.CONVERGED) & (codes != layout.INTERRUPTED)
    return ended


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
