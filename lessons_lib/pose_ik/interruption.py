"""Ctrl-C and time limits of compiled code: it runs in a thread and reads the allowed number of evaluations."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.layout import EVALUATIONS
from lessons_lib.pose_ik.problem import Problem

clock = time.monotonic
"""Time in seconds; tests replace it."""

TICK = 0.1
"""Interval at which the caller checks its threads, s."""


class OutOfTime(Exception):
    """The time limit of a search has expired."""


class Halt:
    """Stops searches from any thread, on request or after a time; `raises_interrupt` lets Ctrl-C raise as well."""

    def __init__(self, seconds: float = math.inf) -> None:
        """Allow any number of evaluations, for this time from now on."""
        self.requested, self.raises_interrupt, self._end = False, False, clock() + seconds
        self._settings: dict[tuple[object, int], tuple[Problem, Array]] = {}
        self._evaluations, self._deadline = math.inf, math.inf
        self._compilations, self._since, self._counting = 0, 0.0, threading.Lock()

    def settings_for(self, make: Callable[[Problem], Array], problem: Problem) -> Array:
        """Return a copy of a problem's settings, made once, by which this halt stops searches."""
        key = (make, id(problem))
        if key not in self._settings:
            settings = make(problem).copy()
            settings[EVALUATIONS] = self._evaluations
            self._settings.setdefault(key, (problem, settings))
            if self.requested:  # a signal or an error in another thread may have requested it meanwhile
                self._write(0.0)
        return self._settings[key][1]

    def allow(self, evaluations: float = math.inf, seconds: float = math.inf) -> None:
        """Set how many evaluations each call of a search may make, and how long its callers continue."""
        self._deadline = clock() + seconds
        self._write(evaluations)
        if self.requested:
            self._write(0.0)

    def request(self) -> None:
        self.requested = True
        self._write(0.0)

    @property
    def over(self) -> bool:
        """Whether no further row may begin."""
        return self.requested or self.expired or clock() > self._deadline

    @property
    def expired(self) -> bool:
        """Whether the time is over; compilation does not count."""
        return not self._compilations and clock() > self._end

    @property
    def is_timed(self) -> bool:
        return self._end < math.inf

    @property
    def wait_time(self) -> float:
        """Time until the next look at the clock, s."""
        return min(TICK, max(0.0, self._end - clock())) if self.is_timed and not self._compilations else TICK

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Exclude a compilation from the time limit, even if several threads wait for it."""
        with self._counting:
            self._since = self._since if self._compilations else clock()
            self._compilations += 1
        try:
            yield
        finally:
            with self._counting:
                self._end += clock() - self._since if self._compilations == 1 else 0.0
                self._compilations -= 1

    def _write(self, evaluations: float) -> None:
        self._evaluations = evaluations
        for _, settings in list(self._settings.values()):
            settings[EVALUATIONS] = evaluations


@contextmanager
def sigint_guard(halt: Halt) -> Iterator[None]:
    """Let Ctrl-C request the halt instead of raising KeyboardInterrupt, in the main thread with Python's handler."""
    main = threading.current_thread() is threading.main_thread()
    listens = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def on_sigint(_number: int, _frame: FrameType | None) -> None:
        raises_interrupt = halt.raises_interrupt and not halt.requested
        halt.request()
        if raises_interrupt:
            raise KeyboardInterrupt

    if listens:
        signal.signal(signal.SIGINT, on_sigint)
    try:
        yield
    finally:
        if listens:
            signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def interruptible(halt: Halt) -> Iterator[None]:
    """Let the first Ctrl-C leave a block of Python and request the halt."""
    halt.raises_interrupt = True
    try:
        yield
    except KeyboardInterrupt:
        halt.request()
    finally:
        halt.raises_interrupt = False


class _Worker(threading.Thread):
    """A thread that runs a job; an exception is stored and stops the other threads."""

    def __init__(self, job: Callable[[], object], halt: Halt) -> None:
        super().__init__(name="lessons_lib search")
        self.job, self.halt, self.ended = job, halt, threading.Event()
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            self.job()
        except KeyboardInterrupt:
            self.halt.request()
        except BaseException as fault:  # noqa: BLE001 (raised again by in_threads)
            self.fault = fault
            self.halt.request()
        finally:
            self.ended.set()


def in_threads(
    job: Callable[[], object], count: int, halt: Halt, tick: Callable[[], None] = lambda: None, caller_too: bool = False
) -> None:
    """Run a job in several threads, including the caller's if `caller_too`; call `tick` every TICK while waiting."""
    workers, fault = [_Worker(job, halt) for _ in range(count - caller_too)], None
    try:
        if not _start_threads(workers) or caller_too:
            job()
    except KeyboardInterrupt:
        halt.request()
    except BaseException as raised:  # noqa: BLE001 (raised again when the others have ended)
        fault = raised
        halt.request()
    for worker in workers:
        _wait(worker, halt, tick)
        fault = fault or worker.fault
    if fault is not None:
        raise fault


def _start_threads(workers: list[_Worker]) -> bool:
    """Start threads; return whether at least one started."""
    try:
        for worker in workers:
            worker.start()
    except RuntimeError:  # the system allows no further thread
        return workers[0].is_alive() or workers[0].ended.is_set()
    return bool(workers)


def _wait(worker: _Worker, halt: Halt, tick: Callable[[], None]) -> None:
    while worker.is_alive():
        try:
            if worker.ended.wait(halt.wait_time):
                worker.join()
            elif halt.expired:
                halt.request()
                worker.join()
            else:
                tick()
        except KeyboardInterrupt:
            halt.request()


def run_cancellable(job: Callable[[], bool], halt: Halt, evaluations: float, inline_limit: float) -> None:
    """Run a job until it returns True, in another thread if its evaluations exceed `inline_limit`; it may run twice."""
    # raises KeyboardInterrupt or OutOfTime
    halt.allow(math.inf if evaluations <= inline_limit else inline_limit / 10)
    done = job()
    halt.allow()
    if done:
        return
    with sigint_guard(halt):
        in_threads(job, 1, halt)
    if halt.expired:
        raise OutOfTime
    if halt.requested:
        raise KeyboardInterrupt
