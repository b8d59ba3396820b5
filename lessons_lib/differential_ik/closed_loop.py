"""Solving and moving at a steady rate, and counting the ticks that came too late."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, sleep

import numpy as np
from loop_rate_limiters import RateLimiter

from lessons_lib.arrays import Array, summary
from lessons_lib.differential_ik import arguments

MOST_TICKS = 1_000_000
"""The report keeps two numbers a tick."""

AWAKE = 5e-4
"""Last part of the wait, s, that is spent awake: a process that sleeps is woken a tenth of a millisecond late."""


@dataclass(frozen=True)
class LoopReport:
    """How well a loop kept its rate.

    Attributes:
        period: Time from tick to tick that was asked for, s.
        work: What the work of each tick took, s, shape (ticks,), read-only.
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
        """Number of ticks that were left out: one for each whole period by which the next tick came late.

        Whether the work took too long or the machine was busy elsewhere, the robot waited.
        """
        return int(np.sum(np.maximum(np.rint(self.intervals / self.period) - 1.0, 0.0)))

    @property
    def rate(self) -> float:
        """Ticks a second, on average."""
        return float(1.0 / np.mean(self.intervals))

    def __str__(self) -> str:
        """Return a sentence with the rate, the ticks that were missed, and how much of the period the work took."""
        share = float(np.median(self.work)) / self.period
        return (
            f"{self.ticks} ticks at {self.rate:.1f} Hz of {1.0 / self.period:.1f} Hz, {self.missed} missed; "
            f"the work takes {share:.1%} of a period (median), {float(np.max(self.work)) / self.period:.1%} at most"
        )


def run_loop(step: Callable[[float], None], frequency: float, duration: float) -> LoopReport:
    """Call `step` at a steady rate, and report how well the rate was kept.

    Args:
        step: The work of a tick, called with its time by plan, s: set targets, `solve_ik`, `integrate_inplace`.
        frequency: Ticks a second, Hz.
        duration: For how long, s; at least one tick is done.

    Raises:
        ParameterError: The frequency or the duration is not above zero, or there would be more than a million ticks.
    """
    period = 1.0 / arguments.between(frequency, "frequency", 0.0, 1e6, above=True)
    ticks = max(1, round(arguments.between(duration, "duration", 0.0, MOST_TICKS * period, above=True) / period))
    starts, ends = np.empty(ticks + 1), np.empty(ticks)
    rate = RateLimiter(1.0 / period, warn=False)  # it would log what the report counts
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
    """Wait for the next tick, most of the time asleep."""
    sleep(max(rate.remaining() - AWAKE, 0.0))
    while rate.remaining() > 0.0:
        pass
    rate.sleep()  # nothing is left to sleep: it sets the tick after
