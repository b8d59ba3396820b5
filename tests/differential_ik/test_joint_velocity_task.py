"""Rates that are asked for, and followed."""

import numpy as np
import pink.tasks
import pytest
from pink_robots import robot

from lessons_lib import differential_ik as dik


@pytest.mark.parametrize("name", ["UR10", "Kinova", "Go2"])
def test_the_joints_follow_the_rates_and_in_pink_turn_the_other_way(name: str) -> None:
    pair, rng, dt = robot(name), np.random.default_rng(1), 0.01
    ours_at, theirs_at = pair.both(pair.inside(rng))
    first = ours_at.root_nv
    rates = rng.normal(size=pair.tree.nv - first)
    ours, theirs = dik.JointVelocityTask(0.7), pink.tasks.JointVelocityTask(0.7)
    ours.set_target(rates, dt)
    theirs.set_target(rates, dt)
    assert np.array_equal(ours.compute_jacobian(ours_at), theirs.compute_jacobian(theirs_at)[:, pair.order])
    assert np.array_equal(ours.compute_error(ours_at), -theirs.compute_error(theirs_at))
    v = dik.solve_ik(ours_at, [ours], dt, limits=[])
    assert v[first:] == pytest.approx(rates, abs=1e-9)
    assert np.abs(v[:first]).max(initial=0.0) == 0.0
    other_way = pink.solve_ik(theirs_at, [theirs], dt, solver="daqp", limits=[])[pair.order]
    assert other_way[first:] == pytest.approx(-rates, abs=1e-6)


def test_what_rates_must_be() -> None:
    at, task = dik.Configuration(robot("UR10").tree), dik.JointVelocityTask(1.0)
    with pytest.raises(dik.TargetNotSet):
        task.compute_error(at)
    for rates in (np.full(6, np.nan), np.ones((2, 3)), "fast"):
        with pytest.raises(dik.TaskDefinitionError, match="target_v must"):
            task.set_target(rates, 0.01)  # type: ignore[arg-type]
    task.set_target(np.ones(5), 0.01)
    with pytest.raises(dik.TaskDefinitionError, match="target_v has 5 rates, the joints of ur10 have 6"):
        task.compute_error(at)
