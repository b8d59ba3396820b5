"""Solvers by name, what reaches them, and what is refused."""

import numpy as np
import pytest
import qpsolvers
from pink_robots import Q, robot
from task_pairs import random_pairs

from lessons_lib import differential_ik as dik
from lessons_lib.course.tasks import two_hands


def test_numbers_that_are_none_are_no_solution() -> None:
    """DAQP calls a step of this loop optimal and returns NaN for every joint."""
    at = two_hands.settle([two_hands.posture_task(1.0)], steps=1)[0]
    promises = two_hands.hand_tasks((1.0, 0.0, 1.1), gain=0.05)  # 0.4 m beyond the reach of the arms
    with pytest.raises(dik.NoSolutionFound, match="15 unknowns, 60 inequalities and 6 equalities"):
        for _ in range(50):
            at.integrate_inplace(dik.solve_ik(at, [two_hands.posture_task(1.0)], 1.0, constraints=promises), 1.0)


@pytest.mark.filterwarnings("ignore")  # other solvers warn of what is theirs: sparse matrices, names to come
def test_every_installed_solver_finds_the_same(ur10: dik.Configuration) -> None:
    pair = robot("UR10")
    tasks = [mine for mine, _ in random_pairs(pair, ur10, np.random.default_rng(5), 3)]
    expected = dik.solve_ik(ur10, tasks, 0.01)
    for solver in qpsolvers.available_solvers:
        v = dik.solve_ik(ur10, tasks, 0.01, solver=solver)
        tolerance = 1e-9 if solver in ("daqp", "quadprog") else 1e-2  # the iterative ones stop early
        assert np.linalg.norm(v - expected) <= tolerance * np.linalg.norm(expected)


def test_outside_the_limits(ur10: dik.Configuration, caplog: pytest.LogCaptureFixture) -> None:
    outside = Q.copy()
    outside[2] = ur10.model.upper[2] + 0.01
    ur10.update(outside)
    with pytest.raises(dik.NotWithinConfigurationLimits, match=r"'elbow_joint' is outside its limits: q\[2\] = 3.15"):
        dik.solve_ik(ur10, [dik.DampingTask(1.0)], 0.1)
    v = dik.solve_ik(ur10, [dik.DampingTask(1.0)], 0.1, safety_break=False)
    assert v[2] < -0.04  # the way back in
    assert "elbow_joint" in caplog.text
    with pytest.raises(dik.NoSolutionFound):  # too far for the velocity limit of a millisecond
        dik.solve_ik(ur10, [dik.DampingTask(1.0)], 1e-3, safety_break=False)


def test_nothing_that_is_given_is_changed(ur10: dik.Configuration) -> None:
    pair, rng = robot("UR10"), np.random.default_rng(4)
    tasks = [mine for mine, _ in random_pairs(pair, ur10, rng, 5)]
    shown = [repr(task) for task in tasks]
    first, second = dik.solve_ik(ur10, tasks, 0.01), dik.solve_ik(ur10, tasks, 0.01)
    assert np.array_equal(first, second)
    assert np.array_equal(ur10.q, Q)
    assert [repr(task) for task in tasks] == shown
