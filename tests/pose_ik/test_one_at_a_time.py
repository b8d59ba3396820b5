"""What relies on the GIL takes a lock where there is none."""

import sys
import threading
from collections.abc import Callable
from contextlib import suppress

import pytest

from lessons_lib.pose_ik.sequential import one_at_a_time


def busy_at_once(wrap: Callable[[Callable[[], None]], Callable[[], None]], patience: float) -> int:
    """Return how many of four threads are inside a function at the same time, at most.

    Args:
        wrap: Makes what the threads call.
        patience: Seconds that the first one waits there for the other three.
    """
    inside: list[int] = []
    most = []
    together = threading.Barrier(4)

    def work() -> None:
        inside.append(1)
        most.append(len(inside))
        with suppress(threading.BrokenBarrierError):
            together.wait(patience)
        inside.pop()

    wrapped = wrap(work)
    threads = [threading.Thread(target=wrapped) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return max(most)


def test_without_the_gil_one_thread_is_inside_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    assert busy_at_once(one_at_a_time, patience=0.05) == 1
    assert busy_at_once(lambda work: work, patience=600.0) == 4  # what it would be otherwise


def test_with_the_gil_nothing_stands_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: True, raising=False)
    assert one_at_a_time(test_with_the_gil_nothing_stands_in_between) is test_with_the_gil_nothing_stands_in_between
    monkeypatch.delattr(sys, "_is_gil_enabled")
    assert one_at_a_time(busy_at_once) is busy_at_once
