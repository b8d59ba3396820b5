"""Ctrl-C and compiled code: Python hears a signal only between its own instructions, and a long search has none.

So a long search runs in another thread, without Python's lock, while the caller waits and listens; on a batch the
caller works, too, for the first twentieth of a second. Every search reads how many evaluations it may make from the
settings it was given, before each. When Ctrl-C comes, this number becomes zero, and the search makes no other: it ends
within microseconds, and with all that it had finished.
"""

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
"""Seconds, of which tests have their own."""

TICK = 0.1
"""Seconds between two questions how far the threads are."""


class OutOfTime(Exception):
    """The time that was given for a search is over; nobody but `solve` sees this."""


class Halt:
    """Ends searches before their time, from any thread.

    Attributes:
        asked: Whether somebody asked for it, or the time is over.
        leaves: Whether a Ctrl-C that is heard raises KeyboardInterrupt as well.
    """

    def __init__(self, seconds: float = math.inf) -> None:
        """Allow as many evaluations as it takes, and so many seconds from now on."""
        self.asked, self.leaves, self._end = False, False, clock() + seconds
        self._settings: dict[tuple[object, int], tuple[Problem, Array]] = {}
        self._evaluations, self._deadline = math.inf, math.inf
        self._compilations, self._since, self._counting = 0, 0.0, threading.Lock()

    def reaching(self, make: Callable[[Problem], Array], problem: Problem) -> Array:
        """Return the settings of a problem, made once, through which this halt is heard: see layout.py."""
        key = (make, id(problem))
        if key not in self._settings:
            settings = make(problem).copy()
            settings[EVALUATIONS] = self._evaluations
            self._settings.setdefault(key, (problem, settings))
            if self.asked:  # meanwhile: a signal, or a fault of another thread, may come between any two lines
                self._write(0.0)
        return self._settings[key][1]

    def allow(self, evaluations: float = math.inf, seconds: float = math.inf) -> None:
        """Set how many evaluations each call of a compiled search may make, and how long those who call it go on."""
        self._deadline = clock() + seconds
        self._write(evaluations)
        if self.asked:
            self._write(0.0)

    def ask(self) -> None:
        """End the searches."""
        self.asked = True
        self._write(0.0)

    @property
    def over(self) -> bool:
        """Whether to go on with no other row: asked, or out of time."""
        return self.asked or self.expired or clock() > self._deadline

    @property
    def expired(self) -> bool:
        """Whether the time that was given is over; nobody's is while something is compiled."""
        return not self._compilations and clock() > self._end

    @property
    def is_timed(self) -> bool:
        """Whether there is an end of its time."""
        return self._end < math.inf

    @property
    def patience(self) -> float:
        """How long to wait before the next look at it, s."""
        return min(TICK, max(0.0, self._end - clock())) if self.is_timed and not self._compilations else TICK

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Count the time that a compilation takes not as time of the search, nor twice where several threads wait."""
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
def heard(halt: Halt) -> Iterator[None]:
    """Let Ctrl-C ask for the halt instead of leaving the code wherever it is; a second one finds it asked for.

    Only the main thread can listen, and nobody's answer to Ctrl-C is replaced but Python's own: another's, or another
    thread, may raise KeyboardInterrupt as ever.
    """
    main = threading.current_thread() is threading.main_thread()
    listens = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def ask(_number: int, _frame: FrameType | None) -> None:
        leaves = halt.leaves and not halt.asked
        halt.ask()
        if leaves:
            raise KeyboardInterrupt

    if listens:
        signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        if listens:
            signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def left_at_once(halt: Halt) -> Iterator[None]:
    """Let the first Ctrl-C end a block of Python wherever it is, and ask for the halt."""
    halt.leaves = True
    try:
        yield
    except KeyboardInterrupt:
        halt.ask()
    finally:
        halt.leaves = False


class _Worker(threading.Thread):
    """A thread that runs a job; what the job raises ends the others, too, and is kept."""

    def __init__(self, job: Callable[[], object], halt: Halt) -> None:
        super().__init__(name="lessons_lib search")
        self.job, self.halt, self.ended = job, halt, threading.Event()
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            self.job()
        except KeyboardInterrupt:
            self.halt.ask()
        except BaseException as fault:  # noqa: BLE001 (raised again where it is waited for)
            self.fault = fault
            self.halt.ask()
        finally:
            self.ended.set()


def in_threads(
    job: Callable[[], object],
    count: int,
    halt: Halt,
    tick: Callable[[], None] = lambda: None,
    caller_too: bool = False,
) -> None:
    """Run a job in several threads and return when all have ended, which a halt makes soon; none is left running.

    Args:
        job: What each of them runs.
        count: How many.
        halt: What ends the job; KeyboardInterrupt, or a fault of a job, asks for it.
        tick: Called ten times a second while the caller waits.
        caller_too: Whether one of them is the thread of the caller, who hears Ctrl-C when the job comes back to Python.
    """
    workers, fault = [_Worker(job, halt) for _ in range(count - caller_too)], None
    try:
        if not _started(workers) or caller_too:
            job()
    except KeyboardInterrupt:
        halt.ask()
    except BaseException as raised:  # noqa: BLE001 (raised again when the others have ended)
        fault = raised
        halt.ask()
    for worker in workers:
        _wait(worker, halt, tick)
        fault = fault or worker.fault
    if fault is not None:
        raise fault


def _started(workers: list[_Worker]) -> bool:
    """Start threads; return whether any could be started, for then those do the work."""
    try:
        for worker in workers:
            worker.start()
    except RuntimeError:  # no further thread can be had
        return workers[0].is_alive() or workers[0].ended.is_set()
    return bool(workers)


def _wait(worker: _Worker, halt: Halt, tick: Callable[[], None]) -> None:
    while worker.is_alive():
        try:
            if worker.ended.wait(halt.patience):
                worker.join()
            elif halt.expired:
                halt.ask()
                worker.join()
            else:
                tick()
        except KeyboardInterrupt:
            halt.ask()


def patiently(job: Callable[[], bool], halt: Halt, evaluations: float, soon: float) -> None:
    """Run a job to its end: in this thread where that is soon, else in another one, so that Ctrl-C is heard.

    Args:
        job: Returns whether it came to its end; it can be run twice.
        halt: What its settings reach.
        evaluations: How many it takes at most; a long job that happens to end early needs no other thread.
        soon: So many take less time than a person notices.

    Raises:
        KeyboardInterrupt: Ctrl-C came.
        OutOfTime: The time of the halt is over.
    """
    halt.allow(math.inf if evaluations <= soon else soon / 10)
    done = job()
    halt.allow()
    if done:
        return
    with heard(halt):
        in_threads(job, 1, halt)
    if halt.expired:
        raise OutOfTime
    if halt.asked:
        raise KeyboardInterrupt
