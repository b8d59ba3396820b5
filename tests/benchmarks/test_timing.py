"""Sides take turns, statistics are those of the passes, and nothing is left out."""

import gc
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from benchmarks import batch, timing
from benchmarks.timing import Timed


@pytest.fixture
def undisturbed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processor is never taken away."""
    monkeypatch.setattr(timing, "_taken_away", lambda: 0)


@pytest.mark.usefixtures("undisturbed")
def test_sides_take_turns_block_by_block_and_begin_in_turn() -> None:
    seen: list[tuple[str, int]] = []

    def side(name: str) -> Callable[[int], str]:
        return lambda i: seen.append((name, i)) or f"{name}{i}"  # type: ignore[func-returns-value]

    timed = timing.in_turn({"a": side("a"), "b": side("b")}, [(0,), (1,), (2,)], passes=2, block=2)
    warm, first = [("a", 0), ("a", 1), ("b", 0), ("b", 1)], [("a", 0), ("a", 1), ("b", 0), ("b", 1)]
    assert seen[:4] == warm
    assert seen[4:10] == [*first, ("b", 2), ("a", 2)]
    assert seen[10:] == [("b", 0), ("b", 1), ("a", 0), ("a", 1), ("a", 2), ("b", 2)]
    assert timed["a"].answers == ["a0", "a1", "a2"]
    assert timed["b"].microseconds.shape == (2, 3)
    assert (timed["b"].microseconds >= 0.0).all()


@pytest.mark.usefixtures("undisturbed")
def test_a_side_with_a_clock_of_its_own_gets_whole_blocks_and_is_believed() -> None:
    blocks: list[list[int]] = []

    def run(calls: Sequence[tuple[int]]) -> tuple[list[int], list[str]]:
        blocks.append([i for (i,) in calls])
        return [1000 * i for (i,) in calls], [f"b{i}" for (i,) in calls]

    timed = timing.in_turn({"a": str, "b": timing.Clocked(run)}, [(1,), (2,), (3,)], passes=1, block=2)
    assert blocks == [[1, 2], [1, 2], [3]]  # the first of them untimed
    assert timed["b"].microseconds.tolist() == [[1.0, 2.0, 3.0]]
    assert timed["b"].answers == ["b1", "b2", "b3"] and timed["a"].answers == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("counts", "kept"),
    [
        ([0, 0], 1),  # never disturbed: once is enough
        ([0, 2, 2, 2], 2),  # disturbed, then not
        ([0, 5, 5, 6, 6, 9, 9, 11, 11, 14, 14, 18], 2),  # never without: the least disturbed of all
    ],
)
def test_a_block_in_which_the_processor_was_taken_away_is_timed_again(
    counts: list[int], kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, attempts = iter(counts), [0]
    monkeypatch.setattr(timing, "_taken_away", lambda: next(told))
    monkeypatch.setattr(timing, "ATTEMPTS", 6)
    monkeypatch.setattr(timing, "BEARABLE", 10**18)  # however long a busy machine takes

    def side() -> int:
        attempts[0] += 1
        return attempts[0]

    times, answers = timing._undisturbed(side, [()])
    assert answers == [kept]
    assert len(times) == 1
    assert attempts == [len(counts) // 2]


def test_a_long_block_is_timed_once_however_often_the_processor_was_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    told = iter([0, 7])
    monkeypatch.setattr(timing, "_taken_away", lambda: next(told))
    monkeypatch.setattr(timing, "BEARABLE", -1)
    _, answers = timing._undisturbed(lambda: "only once", [()])
    assert answers == ["only once"]


def test_the_system_tells_how_often_it_took_the_processor_away() -> None:
    before = timing._taken_away()
    assert isinstance(before, int)
    assert timing._taken_away() >= before


def test_statistics_are_taken_over_the_calls_and_then_over_the_passes() -> None:
    """Of three passes the one that a busy machine spoilt does not count."""
    microseconds = np.array([[1.0, 2.0, 9.0], [1.0, 3.0, 5.0], [100.0, 100.0, 100.0]])
    found = Timed(microseconds, []).statistics()
    assert found["median"] == 3.0
    assert found["mean"] == 4.0
    assert found["p99"] == pytest.approx(9.0 - 0.02 * 7.0)  # linear between the two largest of three


def test_ratios_say_how_many_times_ours_is_faster() -> None:
    theirs, ours = {"median": 10.0, "mean": 8.0, "p99": 6.0}, {"median": 2.0, "mean": 4.0, "p99": 12.0}
    assert timing.ratio(theirs, ours) == {"median": 5.0, "mean": 2.0, "p99": 0.5}


def test_a_histogram_counts_every_time_the_largest_too() -> None:
    times = np.array([[1.0, 10.0], [100.0, 1000.0]])
    found = timing.histogram(times, bins=3)
    assert sum(found["counts"]) == 4
    assert found["edges"] == pytest.approx([1.0, 10.0, 100.0, 1000.0], rel=1e-6)


def test_a_quick_side_of_a_batch_works_as_long_as_the_slowest(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that the sides themselves move on: 1 s a call of the quick one, 4 s of the slow one."""
    now, calls = [0], {"quick": 0, "slow": 0}

    def side(name: str, seconds: int) -> Callable[[], str]:
        def call() -> str:
            now[0] += seconds * 10**9
            calls[name] += 1
            return name

        return call

    monkeypatch.setattr(batch, "perf_counter_ns", lambda: now[0])
    rates, answers = batch.take_turns({"quick": side("quick", 1), "slow": side("slow", 4)}, poses=100)
    assert rates == {"quick": 100.0, "slow": 25.0}
    assert calls == {"quick": 2 + 4 * batch.PASSES, "slow": 2 + batch.PASSES}
    assert answers == {"quick": "quick", "slow": "slow"}


def test_a_call_is_repeated_until_the_time_is_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that the side itself moves on, 1 µs a call."""
    calls: list[None] = []
    monkeypatch.setattr(timing, "perf_counter_ns", lambda: 1000 * len(calls))
    assert timing.per_call(lambda: calls.append(None), seconds=10e-6) == pytest.approx(1.0)
    assert len(calls) == 2 + 4 + 8 + 16  # the last sixteen fill ten microseconds


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_is_left_as_it_was(enabled: bool) -> None:
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        with timing.no_garbage_collection():
            assert not gc.isenabled()
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()
