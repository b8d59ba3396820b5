"""A loop at a steady rate counts what it missed."""

import loop_rate_limiters.rate_limiter
import numpy as np
import pytest
from pink_robots import robot

from lessons_lib import differential_ik as dik
from lessons_lib.differential_ik import closed_loop
from lessons_lib.errors import ParameterError


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


def test_missed_ticks_are_whole_periods() -> None:
    intervals = np.array([0.005, 0.0051, 0.0074, 0.0076, 0.0249, 0.0049])
    report = dik.LoopReport(0.005, np.full(6, 1e-4), intervals)
    assert report.missed == 1 + 4
    assert report.rate == pytest.approx(6.0 / intervals.sum())
    assert str(report) == (
        "6 ticks at 109.3 Hz of 200.0 Hz, 5 missed; the work takes 2.0% of a period (median), 2.0% at most"
    )


def test_a_robot_follows_a_moving_target_in_the_loop(clock: Clock) -> None:
    tree = robot("UR10").tree
    at = dik.Configuration(tree, [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    hand, posture = dik.FrameTask("tool0", 1.0, 1.0), dik.PostureTask(1e-3)
    posture.set_target(at.q)
    start = at.get_transform_frame_to_world("tool0")

    def step(now: float) -> None:
        target = start.copy()
        target[2, 3] += 0.05 * np.sin(2.0 * np.pi * now)
        hand.set_target(target)
        at.integrate_inplace(dik.solve_ik(at, [hand, posture], 0.005), 0.005)
        assert np.abs(hand.compute_error(at)).max() < 1e-3

    assert dik.run_loop(step, frequency=200.0, duration=0.5).ticks == 100


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, np.inf, "fast"])
def test_what_a_rate_must_be(value: object) -> None:
    with pytest.raises(ParameterError, match="frequency must be"):
        dik.run_loop(lambda now: None, value, 1.0)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="duration must be"):
        dik.run_loop(lambda now: None, 200.0, value)  # type: ignore[arg-type]


def test_a_loop_without_end_is_refused() -> None:
    with pytest.raises(ParameterError, match="duration must be above 0 and at most 5000"):
        dik.run_loop(lambda now: None, 200.0, 5001.0)
