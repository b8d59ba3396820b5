"""Monitor a student's process: processor time, sleep, and threads; beyond a limit it is killed.

Waiting for a processor of a busy machine does not count. Sleep does, since an endless loop may wait without using the
processor. The time from an answer to the next request does not count.
"""

import contextlib
import select
import subprocess
import threading
import time
from dataclasses import dataclass, field
from typing import IO

import psutil

from classroom.grading.confine import MOST_THREADS

PERIOD = 0.1
"""Sampling interval, s."""


@dataclass
class Watch:
    """Count the time that one cell of a submission uses over all its calls.

    Attributes:
        limit: Limit for a cell, s.
        spent: Time used by the cell so far, s.
        problem: Which limit was exceeded, in words; empty if none.
        total: Time used by all cells so far, s.
    """

    limit: float
    spent: float = 0.0
    problem: str = ""
    total: float = 0.0
    process: psutil.Process | None = None
    _answers: IO[bytes] | None = None
    _last: tuple[float, float] = (0.0, 0.0)
    _listening: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Start the monitoring thread, which ends with this process."""
        threading.Thread(target=self._look, daemon=True).start()

    def begin(self) -> None:
        """Reset the counters for another cell."""
        with self._lock:
            self.spent, self.problem = 0.0, ""

    def follow(self, started: "subprocess.Popen[bytes] | None") -> None:
        """Monitor the process that runs the code: the innermost of those started for it."""
        with self._lock, contextlib.suppress(psutil.Error):
            self.process, self._answers = None, None
            if started is not None:
                self._answers = started.stdout
                outer = psutil.Process(started.pid)
                self.process = [outer, *outer.children(recursive=True)][-1]

    @contextlib.contextmanager
    def count_time(self):  # type: ignore[no-untyped-def] # a generator
        """Count the time of the process inside this context."""
        with self._lock:
            self._last, self._listening = self._now(), True
        try:
            yield
        finally:
            with self._lock:
                self._count(has_answered=True)
                self._listening = False

    def has_threads(self) -> bool:
        """Return whether the code has left threads running."""
        try:
            return self.process is not None and self.process.num_threads() > 1
        except psutil.Error:
            return False

    def _now(self) -> tuple[float, float]:
        """Return the processor time of the process, and the current time."""
        used = 0.0
        if self.process is not None:
            with contextlib.suppress(psutil.Error):
                times = self.process.cpu_times()
                used = times.user + times.system
        return used, time.monotonic()

    def _count(self, has_answered: bool = False) -> None:
        """Add the time used since the last sample; sleep only if no answer has arrived."""
        before, now = self._last, self._now()
        asleep = False
        if self.process is not None and not has_answered:
            with contextlib.suppress(psutil.Error):
                asleep = self.process.status() == psutil.STATUS_SLEEPING and now[1] - before[1] >= PERIOD / 2
                asleep = asleep and not self._answer_waits()
        used = max(now[0] - before[0], now[1] - before[1] if asleep else 0.0)
        self.spent, self.total = self.spent + used, self.total + used
        self._last = now

    def _answer_waits(self) -> bool:
        """Return whether an unread answer has arrived; False if the system cannot tell."""
        if self._answers is None:
            return False
        with contextlib.suppress(OSError, ValueError):  # select on Windows handles only sockets; a stream may be closed
            return bool(select.select([self._answers], [], [], 0)[0])
        return False

    def _look(self) -> None:
        while True:
            time.sleep(PERIOD)
            with self._lock, contextlib.suppress(psutil.Error):
                if self.process is None:
                    continue
                if self._listening:
                    self._count()
                if self._listening and self.spent > self.limit:
                    message = f"your code has computed or waited for {self.limit:.3g} s in this cell"
                    self.problem = f"{message}; is there an endless loop in it?"
                elif self.process.num_threads() > MOST_THREADS:
                    self.problem = f"your code starts more than {MOST_THREADS} threads"
                if self.problem:
                    self._listening = False
                    self.process.kill()
