"""The stopwatch of kernels: what is timed is really called, and the text that is timed computes what it should."""

import time

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.robots import kinematics
from lessons_lib.studies import kernel_times


def test_a_call_is_timed_as_often_as_it_fits() -> None:
    calls = []
    found = kernel_times.per_call(lambda: (calls.append(1), time.sleep(1e-3)), seconds=0.01)
    assert 1e-3 <= found < 0.1
    assert 1 < len(calls) <= 1 + 10 * kernel_times.PASSES


def test_what_is_slow_is_called_once() -> None:
    calls = []
    assert kernel_times.per_call(lambda: (calls.append(1), time.sleep(0.02)), seconds=0.01) >= 0.02
    assert len(calls) == 1


def test_a_compiled_kernel_is_the_chains_own() -> None:
    chain = robots.planar_2r()
    kernel = kernel_times.compiled(kinematics.kernels(chain.screws, chain.home)[-1])
    q, T, J = np.array([0.4, -0.7]), np.empty((4, 4)), np.empty((6, 2))
    kernel(q, T, J)
    np.testing.assert_array_equal(T, chain.forward_kinematics(q))
    np.testing.assert_array_equal(J, chain.body_jacobian(q))
    assert 0 < kernel_times.inside(kernel, 2) < 1e-3


@pytest.mark.parametrize("make", [robots.planar_2r])
def test_lanes_and_pairs_have_a_time(make: object) -> None:
    chain = make()
    assert 0 < kernel_times.in_a_lane(chain) < 1e-3
    assert all(0 < seconds < 1e-3 for seconds in kernel_times.sine_and_cosine(chain))
