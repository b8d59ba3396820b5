"""Many poses at once are the same answers as one by one."""

from typing import Any

import numpy as np
import pytest
from run_in_python import assert_same, in_python

from lessons_lib.pose_ik import BestOf, Method, Status, solve, solve_batch
from lessons_lib.robots import Chain


def reachable(chain: Chain, k: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array([chain.forward_kinematics(chain.random_configuration(rng)) for _ in range(k)])


def test_each_row_is_the_single_answer(panda: Chain) -> None:
    """Of starts that the lanes do not know; of theirs: test_batch_threads.py."""
    targets, starts = reachable(panda, 30, 71), BestOf(10)
    targets[3, :3, 3] = [9, 9, 9]
    batch = solve_batch(panda, targets, rng=np.random.default_rng(5), starts=starts)
    rng = np.random.default_rng(5)
    for row, target in enumerate(targets):
        assert_same(batch[row], solve(panda, target, rng=rng, starts=starts))
    assert batch.status[3] is Status.UNREACHABLE
    unseeded = solve_batch(panda, targets, starts=starts)
    for row, target in enumerate(targets):
        assert_same(unseeded[row], solve(panda, target, starts=starts))


def test_shapes_and_types(ur10: Chain) -> None:
    batch = solve_batch(ur10, reachable(ur10, 5, 74))
    assert len(batch) == 5 and batch.q.shape == (5, 6)
    for name in ("status", "converged", "iterations", "restarts", "orientation_error", "position_error"):
        assert getattr(batch, name).shape == (5,), name
        assert not getattr(batch, name).flags.writeable
    assert batch.converged.dtype == np.bool_ and batch.iterations.dtype == np.int64
    assert all(isinstance(status, Status) for status in batch.status)


@pytest.mark.parametrize("nothing", [np.empty((0, 4, 4)), []])
@pytest.mark.parametrize("method", [None, in_python()], ids=["compiled", "readable"])
def test_no_targets_at_all(ur10: Chain, nothing: Any, method: Method | None) -> None:
    batch = solve_batch(ur10, nothing, method=method)
    assert len(batch) == 0 and batch.q.shape == (0, 6) and batch.status.shape == (0,)
