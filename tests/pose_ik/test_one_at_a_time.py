"""Threads that share a prepared search: a lock where there is no GIL, and a trace for each call."""

import sys
import threading
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest

from lessons_lib import pose_ik, robots
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


def test_a_billion_iterations_take_no_memory() -> None:
    arm, stop = robots.ur10(), pose_ik.Stop(max_iterations=10**9)
    target = arm.forward_kinematics(np.full(6, 0.4))
    for trace in (False, True):
        assert pose_ik.solve(arm, target, method=pose_ik.GaussNewton(), stop=stop, trace=trace).converged
