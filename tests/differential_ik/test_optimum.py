"""The velocity is the optimum by independent solvers, and keeps hard constraints."""

import numpy as np
import pink
import pytest
from pink_robots import robot
from task_pairs import FOR_ALL, random_pairs

from lessons_lib import differential_ik as dik


@pytest.mark.parametrize("name", ["UR10", "Panda", "Go2", "TALOS"])
def test_hard_constraints_are_pinks(name: str) -> None:
    pair, rng = robot(name), np.random.default_rng(2)
    for _ in range(5):
        ours_at, theirs_at = pair.both(pair.inside(rng))
        tasks, held = random_pairs(pair, ours_at, rng, 2), FOR_ALL[4](pair, ours_at, rng)  # the centre of mass
        held[0].gain = held[1].gain = 1e-3
        ours, theirs = [mine for mine, _ in tasks], [other for _, other in tasks]
        problem = dik.build_ik(ours_at, ours, 0.01, constraints=[held[0]])
        expected = pink.build_ik(theirs_at, theirs, 0.01, constraints=[held[1]])
        assert np.abs(problem.A - expected.A[:, pair.order]).max() < 1e-10
        assert np.abs(problem.b - expected.b).max() < 1e-10
        v = dik.solve_ik(ours_at, ours, 0.01, constraints=[held[0]], limits=[])
        w = pink.solve_ik(theirs_at, theirs, 0.01, solver="daqp", constraints=[held[1]], limits=[])[pair.order]
        assert np.linalg.norm(v - w) <= 1e-6 * np.linalg.norm(w)
        assert np.abs(problem.A @ v * 0.01 - problem.b).max() < 1e-9
