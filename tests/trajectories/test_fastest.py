"""The two loops of `retime`: each step is a linear program, whose answer SciPy gives as well."""

import numpy as np
import pytest
from scipy.optimize import linprog

from lessons_lib.arrays import Array
from lessons_lib.trajectories import fastest as plain
from lessons_lib.trajectories.retiming import loops_module

RNG = np.random.default_rng(22)


def rows_of(kind: str) -> Array:
    rows = RNG.normal(size=(20, 2)) * 10.0 ** RNG.uniform(-3, 3, (20, 1))
    if kind == "nearly parallel":
        rows = RNG.normal(size=2) + 1e-5 * RNG.normal(size=(20, 2))
    if kind == "y hardly counts":
        rows[:, 1] *= 1e-9
    if kind == "some joints stand":
        rows[::2] = 0.0
    return rows


@pytest.mark.parametrize("kind", ["any", "nearly parallel", "y hardly counts", "some joints stand"])
def test_both_ends_of_a_piece_are_what_a_linear_program_says(kind: str) -> None:
    for _ in range(50):
        rows, after = rows_of(kind), float(10.0 ** RNG.uniform(-3, 3))
        A, b = np.concatenate([rows, -rows]), np.ones(2 * len(rows))
        x = plain.largest_begin(rows, after)
        asked = linprog([-1, 0], A, b, bounds=[(0, None), (0, after)])
        assert x == pytest.approx(-asked.fun, rel=1e-6)  # that of SciPy's solver, which is 1e-7
        less = 0.7 * x
        y = plain.largest_end(rows, less, after)
        bounds = [(less, less), (0, after)]
        assert y == pytest.approx(-linprog([0, -1], A, b, bounds=bounds).fun, rel=1e-6, abs=1e-9)


def test_the_compiled_loops_do_what_the_plain_ones_do_and_keep_all_rows() -> None:
    rows = np.array([rows_of("any") for _ in range(40)])
    most, squares, other = np.empty(41), np.empty(41), np.empty((2, 41))
    plain.fastest(rows, most, squares)
    loops_module().fastest(rows, *other)
    np.testing.assert_allclose(other, [most, squares], rtol=1e-12)
    assert squares[0] == squares[-1] == 0.0 and (squares[1:-1] > 0.0).all() and (squares <= most).all()
    kept = np.abs(rows @ np.stack([squares[:-1], squares[1:]], axis=1)[..., None])[..., 0]
    assert kept.max() <= 1.0 + 1e-12
    assert (kept.max(axis=1) > 1.0 - 1e-9).mean() > 0.4  # the others end where the arm has to begin to stop


LARGEST = [
    # rows (p, r) of |p x + r y| ≤ 1, the largest y, the largest x
    ([[2.0, 0.0]], 3.0, 0.5),
    ([[1.0, -1.0]], 2.0, 3.0),
    ([[-1.0, 1.0]], 2.0, 3.0),
    ([[-1.0, -1.0]], 2.0, 1.0),
    ([[1.0, 1.0], [1.0, -1.0]], 5.0, 1.0),
    ([[1.0, -1.0], [0.0, 1.0]], 5.0, 2.0),
    ([[1.0, -1.0], [0.5, 0.5]], 5.0, 1.5),
    ([[1.0, -1.0], [1.0, -2.0]], 0.0, 1.0),
    ([[1.0, -1e-13]], 1.0, 1.0),
]


@pytest.mark.parametrize(("rows", "after", "largest"), LARGEST)
def test_the_largest_begin_is_right_where_lines_meet_at_an_end(
    rows: list[list[float]], after: float, largest: float
) -> None:
    assert plain.largest_begin(np.array(rows), after) == pytest.approx(largest, rel=1e-12)
