"""The quadratic program that pages solve: its solutions are DAQP's."""

import daqp
import numpy as np
import pytest

from lessons_lib.course.live.tree_kernel import bounded_least_squares

FREE = np.array([np.inf, np.inf])


def solve(H, c, lower, upper, rows=None, ends=(), equalities=0):
    """Return x and the multipliers, or None."""
    n, rows = len(c), np.zeros((0, len(c))) if rows is None else np.asarray(rows, dtype=float)
    x, multipliers = np.empty(n), np.empty(n + len(rows))
    ends = np.concatenate([np.asarray(upper, dtype=float), ends])
    numbers = np.asarray(H, dtype=float), np.asarray(c, dtype=float), np.asarray(lower, dtype=float), ends
    return (x, multipliers) if bounded_least_squares()[1](*numbers, rows, equalities, x, multipliers) else None


@pytest.mark.parametrize("H", [[[1, 0], [0, 0]], [[1, np.nan], [np.nan, 1]]])
def test_a_singular_or_undefined_objective_has_no_single_solution(H):
    assert solve(H, [1, 0], -FREE, FREE) is None


def test_random_programs_have_daqps_solution():
    rng, refused, active = np.random.default_rng(1), 0, 0
    for _ in range(400):
        n = int(rng.integers(1, 12))
        equal, beside = int(rng.integers(0, min(n, 4))), int(rng.integers(0, 5))
        M, rows = rng.normal(size=(n + 1, n)), rng.normal(size=(beside + equal, n))
        ends = np.concatenate([rng.uniform(-0.3, 0.5, beside), rows[beside:] @ rng.uniform(-0.5, 0.5, n)])
        H, c, lower, upper = M.T @ M + 1e-6 * np.eye(n), rng.normal(size=n), -rng.uniform(0, 1, n), rng.uniform(0, 1, n)
        sense = np.array([0] * (n + beside) + [5] * equal, dtype=np.intc)
        low = np.concatenate([lower, np.full(beside, -np.inf), ends[beside:]])
        expected, _, status, _ = daqp.solve(H, c, rows, np.concatenate([upper, ends]), low, sense)
        found = solve(H, c, lower, upper, rows, ends, equal)
        assert (found is not None) == (status > 0)
        if found is None:
            refused += 1
            continue
        x, multipliers = found
        np.testing.assert_allclose(x, expected, atol=1e-9)
        slope = H @ x + c + multipliers[:n] + rows.T @ multipliers[n:]
        assert np.abs(slope).max() < 1e-9 and (multipliers[n : n + beside] >= 0).all()
        assert ((multipliers[:n] <= 0) | (x == upper)).all() and ((multipliers[:n] >= 0) | (x == lower)).all()
        active += np.count_nonzero(multipliers)
    assert refused > 30 and active > 800
