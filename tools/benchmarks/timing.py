"""Time several sides alternately, so that disturbances by other processes affect all of them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any

import numpy as np

from lessons_lib.arrays import Array

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]


STATISTICS = ("median", "mean", "p99")

ATTEMPTS = 5
"""How often a block is timed at most, until the system has not once taken the processor away meanwhile."""

BEARABLE = 50_000_000
"""A block that takes longer than this, ns, is not repeated: there some lost milliseconds hardly count."""


@dataclass(frozen=True)
class Timed:
    """Times of one side.

    Attributes:
        microseconds: Time of each call in each pass, shape (passes, calls).
        answers: Results of the calls of the first pass.
    """

    microseconds: Array
    answers: list[Any]

    def statistics(self) -> dict[str, float]:
        """Return median, mean and 99th percentile over the calls, in µs: each the median of its value in the passes."""
        passes = {
            "median": np.median(self.microseconds, axis=1),
            "mean": np.mean(self.microseconds, axis=1),
            "p99": np.percentile(self.microseconds, 99.0, axis=1),
        }
        return {name: float(np.median(values)) for name, values in passes.items()}


@dataclass(frozen=True)
class Clocked:
    """A side that looks at the clock itself, beside its own loop: compiled code whose call from Python would count.

    Attributes:
        run: Makes the calls and returns the time of each in ns, and what it returned.
    """

    run: Callable[[Sequence[tuple[Any, ...]]], tuple[list[int], list[Any]]]


Side = Callable[..., Any] | Clocked


def in_turn(
    sides: Mapping[str, Side], calls: Sequence[tuple[Any, ...]], *, passes: int = 5, block: int = 100
) -> dict[str, Timed]:
    """Return the times of every call of every side.

    The sides take turns after each block of calls, and each block begins with another side. A block is long enough for
    a side to find its own code in the processor's caches, as it would where it is used, and short enough (some
    milliseconds) that a slow second of the machine falls on all sides. A block during which the system took the
    processor away, which would look like a slow call, is timed again. The first block is run once beforehand, untimed.

    Args:
        sides: By name functions, each called with the arguments of a call, or what clocks a block of calls by itself.
        calls: Arguments of each call.
        passes: How often all calls are made.
        block: Number of consecutive calls of one side.
    """
    order = list(sides)
    times = {name: np.empty((passes, len(calls))) for name in order}
    answers: dict[str, list[Any]] = {name: [] for name in order}
    with no_garbage_collection():
        for name in order:
            _clock(sides[name], calls[:block])
        for i in range(passes):
            for turn, first in enumerate(range(0, len(calls), block)):
                for name in _rotate(order, i + turn):
                    rows = slice(first, first + block)
                    times[name][i, rows], results = _time_undisturbed(sides[name], calls[rows])
                    answers[name] += results if i == 0 else []
    return {name: Timed(times[name] / 1e3, answers[name]) for name in order}


def _time_undisturbed(side: Side, calls: Sequence[tuple[Any, ...]]) -> tuple[list[int], list[Any]]:
    """Return times and answers of the attempt in which the system took the processor away least often."""
    best, fewest = None, 0
    for _ in range(ATTEMPTS):
        before = _count_preemptions()
        attempt = _clock(side, calls)
        disturbed = _count_preemptions() - before
        if best is None or disturbed < fewest:
            best, fewest = attempt, disturbed
        if fewest == 0 or sum(attempt[0]) > BEARABLE:
            break
    assert best is not None  # there is at least one attempt
    return best


def _count_preemptions() -> int:
    """Return how often this thread was preempted; 0 if the system does not report it."""
    if resource is None or not hasattr(resource, "RUSAGE_THREAD"):
        return 0
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nivcsw


def _clock(side: Side, calls: Sequence[tuple[Any, ...]]) -> tuple[list[int], list[Any]]:
    """Return the time of each call in ns, and what it returned."""
    if isinstance(side, Clocked):
        return side.run(calls)
    times, answers = [], []
    for call in calls:
        begin = perf_counter_ns()
        answer = side(*call)
        times.append(perf_counter_ns() - begin)
        answers.append(answer)
    return times, answers


def _rotate(order: Sequence[str], turns: int) -> list[str]:
    first = turns % len(order)
    return [*order[first:], *order[:first]]


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Keep the garbage collector from falling on one side by chance, as timeit does."""
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def per_call(side: Callable[[], Any], *, seconds: float = 0.05) -> float:
    """Return the time of one call in µs, from as many calls in a loop as fill `seconds`.

    For calls of less than a microsecond, where looking at the clock would be a good part of the time.
    """
    calls, spent = 1, 0.0
    while spent < seconds:
        calls *= 2
        begin = perf_counter_ns()
        for _ in range(calls):
            side()
        spent = (perf_counter_ns() - begin) / 1e9
    return spent / calls * 1e6


def ratio(theirs: Mapping[str, float], ours: Mapping[str, float]) -> dict[str, float]:
    """Return how many times ours is faster, for each statistic."""
    return {name: theirs[name] / ours[name] for name in STATISTICS}


def histogram(microseconds: Array, bins: int = 40) -> dict[str, list[float]]:
    """Return counts between edges that are equally far apart on a logarithmic scale, edges in µs."""
    edges = np.geomspace(microseconds.min(), microseconds.max() * (1.0 + 1e-9), bins + 1)
    counts, _ = np.histogram(microseconds, edges)
    return {"edges": [float(f"{edge:.4g}") for edge in edges], "counts": counts.tolist()}
