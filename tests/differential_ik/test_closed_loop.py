"""A loop at a steady rate counts what it missed."""

import loop_rate_limiters.rate_limiter
import pytest

from lessons_lib import differential_ik as dik
from lessons_lib.differential_ik import closed_loop


class Clock:
    """A clock of its own: it moves on while somebody sleeps or works, and a microsecond with every look at it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        for module in (closed_loop, loop_rate_limiters.rate_limiter):
            monkeypatch.setattr(module, "perf_counter", self.look)
            monkeypatch.setattr(module, "sleep", self.pass_by)

    def look(self) -> float:
        self.now += 1e-6
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_a_step_is_called_at_every_tick(clock: Clock) -> None:
    seen: list[float] = []
    report = dik.run_loop(seen.append, frequency=1000.0, duration=0.05)
    assert seen == pytest.approx([i / 1000.0 for i in range(50)])
    assert report.ticks == len(report.work) == len(report.intervals) == 50
    assert report.missed == 0
    assert report.rate <= 1000.0  # no tick comes early
    assert report.rate == pytest.approx(1000.0, rel=0.01)  # nor late, but for the looks at the clock


def test_work_that_takes_too_long_is_counted(clock: Clock) -> None:
    def slow_at_first(now: float) -> None:
        clock.pass_by(0.063 if now == 0.0 else 0.004)

    report = dik.run_loop(slow_at_first, frequency=50.0, duration=0.1)
    assert report.intervals == pytest.approx([0.063, 0.02, 0.02, 0.02, 0.02], abs=1e-4)
    assert report.missed == 2  # 63 ms in place of 20 ms: two ticks were left out
    assert report.work == pytest.approx([0.063, 0.004, 0.004, 0.004, 0.004], abs=1e-4)
