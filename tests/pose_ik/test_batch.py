"""Many poses at once are the same answers as one by one."""

from typing import Any

import numpy as np
import pytest
from run_in_python import assert_same, in_python

from lessons_lib.pose_ik import BestOf, GaussNewton, Method, Status, solve, solve_batch
from lessons_lib.robots import Chain


def reachable(chain: Chain, k: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array([chain.forward_kinematics(chain.random_configuration(rng)) for _ in range(k)])


@pytest.mark.parametrize("starts", [None, BestOf(10)])
def test_each_row_is_the_single_answer(panda: Chain, starts: BestOf | None) -> None:
    targets = reachable(panda, 30, 71)
    targets[3, :3, 3] = [9, 9, 9]
    batch = solve_batch(panda, targets, rng=np.random.default_rng(5), starts=starts)
    rng = np.random.default_rng(5)
    for row, target in enumerate(targets):
        assert_same(batch[row], solve(panda, target, rng=rng, starts=starts))
    assert batch.status[3] is Status.UNREACHABLE
    unseeded = solve_batch(panda, targets, starts=starts)
    for row, target in enumerate(targets):
        assert_same(unseeded[row], solve(panda, target, starts=starts))


def test_starts_for_all_and_for_each(ur10: Chain) -> None:
    targets = reachable(ur10, 20, 72)
    rng = np.random.default_rng(73)
    starts = np.array([ur10.random_configuration(rng) for _ in targets])
    each = solve_batch(ur10, targets, starts, method=GaussNewton())
    for row, (target, start) in enumerate(zip(targets, starts, strict=True)):
        assert_same(each[row], solve(ur10, target, start, method=GaussNewton()))
    common = solve_batch(ur10, targets, starts[0])
    assert_same(common[7], solve(ur10, targets[7], starts[0]))


@pytest.mark.parametrize("nothing", [np.empty((0, 4, 4)), []])
@pytest.mark.parametrize("method", [None, in_python()], ids=["compiled", "readable"])
def test_no_targets_at_all(ur10: Chain, nothing: Any, method: Method | None) -> None:
    batch = solve_batch(ur10, nothing, method=method)
    assert len(batch) == 0 and batch.q.shape == (0, 6) and batch.status.shape == (0,)
