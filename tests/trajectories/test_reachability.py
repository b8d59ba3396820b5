"""The loops of `retime`, compared with SciPy's linear programs."""

import numpy as np
import pytest
from scipy.optimize import linprog

from lessons_lib.arrays import Array
from lessons_lib.trajectories import reachability as plain

RNG = np.random.default_rng(22)


def rows_of(kind: str) -> Array:
    rows = RNG.normal(size=(20, 2)) * 10.0 ** RNG.uniform(-3, 3, (20, 1))
    if kind == "nearly parallel":
        rows = RNG.normal(size=2) + 1e-5 * RNG.normal(size=(20, 2))
    if kind == "y has little influence":
        rows[:, 1] *= 1e-9
    if kind == "some joints at rest":
        rows[::2] = 0.0
    return rows


@pytest.mark.parametrize("kind", ["any", "nearly parallel", "y has little influence", "some joints at rest"])
def test_both_ends_of_a_piece_match_a_linear_program(kind: str) -> None:
    for _ in range(50):
        rows, after = rows_of(kind), float(10.0 ** RNG.uniform(-3, 3))
        A, b = np.concatenate([rows, -rows]), np.ones(2 * len(rows))
        x = plain.find_edge(rows, 0.0, after, plain.bound_start(rows, after), -1.0)
        solution = linprog([-1, 0], A, b, bounds=[(0, None), (0, after)])
        assert x == pytest.approx(-solution.fun, rel=1e-6)  # the tolerance of SciPy's solver is 1e-7
        less = 0.7 * x
        y = plain.maximize_end(rows, less, 0.0, after)
        bounds = [(less, less), (0, after)]
        assert y == pytest.approx(-linprog([0, -1], A, b, bounds=bounds).fun, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("kind", ["any", "nearly parallel", "y has little influence", "some joints at rest"])
def test_the_controllable_set_matches_a_linear_program(kind: str) -> None:
    reachable = 0
    for _ in range(50):
        rows, (lower, upper) = rows_of(kind), np.sort(10.0 ** RNG.uniform(-3, 1, 2))
        A, b = np.concatenate([rows, -rows]), np.ones(2 * len(rows))
        solution = [linprog([sign, 0], A, b, bounds=[(0, None), (lower, upper)]) for sign in (1, -1)]
        least, most = np.full((2, 2), [[lower], [upper]])
        found = plain.compute_controllable_sets(rows[None], least, most)
        assert found == (solution[0].status == 0)
        if found:
            assert (least[0], most[0]) == pytest.approx((solution[0].fun, -solution[1].fun), rel=1e-6, abs=1e-7)
            reachable += 1
    assert 5 < reachable
