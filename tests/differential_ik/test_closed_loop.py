"""`run_loop` at a fixed rate, with a simulated clock."""

import loop_rate_limiters.rate_limiter
import pytest

from lessons_lib import differential_ik as dik
from lessons_lib.differential_ik import closed_loop


class Clock:
    """A simulated clock that advances during sleep and work, and by a microsecond at each reading."""

    def __init__(self, monkeypatch):
        self.now = 0.0
        for module in (closed_loop, loop_rate_limiters.rate_limiter):
            monkeypatch.setattr(module, "perf_counter", self.read)
            monkeypatch.setattr(module, "sleep", self.advance)

    def read(self):
        self.now += 1e-6
        return self.now

    def advance(self, seconds):
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def test_step_is_called_at_each_tick(clock):
    times = []
    report = dik.run_loop(times.append, frequency=1000.0, duration=0.05)
    assert times == pytest.approx([i / 1000.0 for i in range(50)])
    assert report.ticks == len(report.work) == len(report.intervals) == 50
    assert report.missed == 0
    assert report.rate <= 1000.0  # no tick is early
    assert report.rate == pytest.approx(1000.0, rel=0.01)  # nor late, except for readings of the clock


def test_report_counts_ticks_missed_by_slow_work(clock):
    def slow_at_first(now):
        clock.advance(0.063 if now == 0.0 else 0.004)

    report = dik.run_loop(slow_at_first, frequency=50.0, duration=0.1)
    assert report.intervals == pytest.approx([0.063, 0.02, 0.02, 0.02, 0.02], abs=1e-4)
    assert report.missed == 2  # 63 ms instead of 20 ms: two ticks were missed
    assert report.work == pytest.approx([0.063, 0.004, 0.004, 0.004, 0.004], abs=1e-4)
