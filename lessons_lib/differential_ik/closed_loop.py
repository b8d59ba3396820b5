"""Run a control loop at a fixed rate and count missed ticks."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, sleep

import numpy as np
from loop_rate_limiters import RateLimiter

from lessons_lib.arrays import Array, summary
from lessons_lib.differential_ik import arguments
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments

MAX_TICKS = 1_000_000
"""Largest number of ticks of a report, which stores two numbers for each."""

AWAKE = 5e-4
"""Time before a tick without sleep, s, because a sleeping process wakes up a tenth of a millisecond late."""


@dataclass(frozen=True)
class LoopReport:
    """Timing of a loop.

    >>> from lessons_lib import differential_ik as dik
    >>> dik.run_loop(lambda time: None, frequency=100, duration=0.03).work.shape
    (3,)

    Attributes:
        period: Desired time between ticks, s.
        work: Duration of the work of each tick, s, shape (ticks,), read-only.
        intervals: Time from each tick to the next, s, shape (ticks,), read-only.
    """

    period: float
    work: Array
    intervals: Array

    def __repr__(self) -> str:
        """Return the fields on one line, a long array as its type and shape."""
        return summary(self)

    @property
    def ticks(self) -> int:
        """Number of ticks."""
        return len(self.work)

    @property
    def missed(self) -> int:
        """Number of missed ticks: one for each whole period by which the next tick was late."""
        return int(np.sum(np.maximum(np.rint(self.intervals / self.period) - 1.0, 0.0)))

    @property
    def rate(self) -> float:
        """Mean number of ticks per second, Hz."""
        return float(1.0 / np.mean(self.intervals))

    def __str__(self) -> str:
        """Return a sentence with the rate, the missed ticks, and the part of the period that the work took."""
        share = float(np.median(self.work)) / self.period
        return (
            f"{self.ticks} ticks at {self.rate:.1f} Hz of {1.0 / self.period:.1f} Hz, {self.missed} missed; "
            f"the work takes {share:.1%} of a period (median), {float(np.max(self.work)) / self.period:.1%} at most"
        )


@suggest_arguments
def run_loop(step: Callable[[float], None], frequency: float, duration: float) -> LoopReport:
    """Call `step` at a fixed rate and measure its timing.

    >>> from lessons_lib import differential_ik as dik
    >>> dik.run_loop(lambda time: None, frequency=100, duration=0.03).ticks
    3

    Args:
        step: The work of a tick, called with the scheduled time, s: set targets, `solve_ik`, `integrate_inplace`.
        frequency: Ticks per second, Hz.
        duration: Duration, s; at least one tick runs.

    Raises:
        ParameterError: `step` is not a function, the frequency or the duration is not positive, or there would be more
            than a million ticks.
    """
    if not callable(step):
        raise ParameterError(f"step must be a function of the scheduled time, such as lambda t: …, got {step!r}")
    period = 1.0 / arguments.between(frequency, "frequency", 0.0, 1e6, above=True)
    ticks = max(1, round(arguments.between(duration, "duration", 0.0, MAX_TICKS * period, above=True) / period))
    starts, ends = np.empty(ticks + 1), np.empty(ticks)
    rate = RateLimiter(1.0 / period, warn=False)  # the report counts late ticks
    for i in range(ticks):
        starts[i] = perf_counter()
        step(i * period)
        ends[i] = perf_counter()
        _wait(rate)
    starts[ticks] = perf_counter()
    work, intervals = ends - starts[:-1], np.diff(starts)
    work.setflags(write=False)
    intervals.setflags(write=False)
    return LoopReport(period, work, intervals)


def _wait(rate: RateLimiter) -> None:
    """Wait for the next tick, mostly asleep."""
    sleep(max(rate.remaining() - AWAKE, 0.0))
    while rate.remaining() > 0.0:
        pass
    rate.sleep()  # no longer sleeps, but schedules the next tick
