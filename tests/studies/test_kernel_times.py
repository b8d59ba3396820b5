"""The stopwatch of kernels: what is timed is really called, and the text that is timed computes what it should."""

from collections.abc import Callable
from itertools import count

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.codegen.lanes import LANES
from lessons_lib.robots import kinematics
from lessons_lib.studies import kernel_times


def work_of(seconds: float, monkeypatch: pytest.MonkeyPatch) -> tuple[Callable[[], None], list[float]]:
    """Some work that alone moves the clock on, and when it was called, s."""
    called: list[float] = []
    monkeypatch.setattr(kernel_times, "perf_counter", lambda: seconds * len(called))
    return lambda: called.append(seconds * len(called)), called


def test_a_call_is_timed_as_often_as_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    call, called = work_of(2.0**-10, monkeypatch)
    assert kernel_times.per_call(call, seconds=2.0**-6) == 2.0**-10
    assert len(called) == 1 + 2**4 * kernel_times.PASSES


def test_what_is_slow_is_called_once(monkeypatch: pytest.MonkeyPatch) -> None:
    call, called = work_of(0.5, monkeypatch)
    assert kernel_times.per_call(call, seconds=0.25) == 0.5
    assert len(called) == 1


@pytest.fixture
def a_second_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that moves on by 1 s whenever it is looked at: what lies between two looks takes one."""
    monkeypatch.setattr(kernel_times, "perf_counter", count().__next__)


@pytest.mark.usefixtures("a_second_a_look")
def test_a_compiled_kernel_is_the_chains_own() -> None:
    chain = robots.planar_2r()
    kernel = kernel_times.compiled(kinematics.kernels(chain.screws, chain.home)[-1])
    q, T, J = np.array([0.4, -0.7]), np.empty((4, 4)), np.empty((6, 2))
    kernel(q, T, J)
    np.testing.assert_array_equal(T, chain.forward_kinematics(q))
    np.testing.assert_array_equal(J, chain.body_jacobian(q))
    assert kernel_times.inside(kernel, 2) == 1.0 / kernel_times.CALLS


@pytest.mark.usefixtures("a_second_a_look")
def test_lanes_and_pairs_have_a_time() -> None:
    chain = robots.planar_2r()
    assert kernel_times.in_a_lane(chain) == 1.0 / (kernel_times.CALLS * LANES)
    assert kernel_times.sine_and_cosine(chain) == (1.0 / kernel_times.CALLS, 1.0 / kernel_times.CALLS)
