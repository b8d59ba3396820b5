"""The dual method: its answers are those of another solver, what is missed is least, and what has no answer says so."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from lessons_lib.differential_ik import kernels

FREE = np.array([np.inf, np.inf])
H = np.array([[2.0, 1.0], [1.0, 2.0]])


def least(H, c, lower, upper, rows=None, ends=(), equalities=0, soft=0.0):
    """Return x and the multipliers, or None."""
    n, rows = len(c), np.zeros((0, len(c))) if rows is None else np.asarray(rows, dtype=float)
    x, multipliers = np.empty(n), np.empty(n + len(rows))
    ends = np.concatenate([np.asarray(upper, dtype=float), ends])
    numbers = np.asarray(H, dtype=float), np.asarray(c, dtype=float), np.asarray(lower, dtype=float), ends
    found = kernels.module().least_step(*numbers, rows, equalities, soft, x, multipliers)
    return (x, multipliers) if found else None


@pytest.mark.parametrize("H", [[[1, 0], [0, 0]], [[1, np.nan], [np.nan, 1]]])
def test_where_nothing_costs_or_is_known_there_is_no_single_least_step(H):
    assert least(H, [1, 0], -FREE, FREE) is None


def problems(count, seed):
    """Yield random programs (H, c, lower, upper, rows, ends, equalities); some contradict themselves."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(1, 12))
        equal, beside = int(rng.integers(0, min(n, 4))), int(rng.integers(0, 5))
        M, A = rng.normal(size=(n + 1, n)), rng.normal(size=(beside + equal, n))
        ends = np.concatenate([rng.uniform(-0.3, 0.5, beside), A[beside:] @ rng.uniform(-0.5, 0.5, n)])
        yield (
            M.T @ M + 1e-6 * np.eye(n),
            rng.normal(size=n),
            -rng.uniform(0, 1, n),
            rng.uniform(0, 1, n),
            A,
            ends,
            equal,
        )


def test_random_programs_end_as_daqp_ends_them():
    import daqp

    refused = held = 0
    for H, c, lower, upper, rows, ends, equal in problems(400, 1):
        n, m = len(c), len(rows)
        sense = np.array([0] * (n + m - equal) + [5] * equal, dtype=np.intc)
        low = np.concatenate([lower, np.full(m - equal, -np.inf), ends[m - equal :]])
        expected, _, status, _ = daqp.solve(H, c, rows, np.concatenate([upper, ends]), low, sense)
        found = least(H, c, lower, upper, rows, ends, equal)
        assert (found is not None) == (status > 0)
        if found is None:
            refused += 1
            continue
        x, multipliers = found
        np.testing.assert_allclose(x, expected, atol=1e-9)
        slope = H @ x + c + multipliers[:n] + rows.T @ multipliers[n:]
        assert np.abs(slope).max() < 1e-9 and (multipliers[n : n + m - equal] >= 0).all()
        assert ((multipliers[:n] <= 0) | (x == upper)).all() and ((multipliers[:n] >= 0) | (x == lower)).all()
        held += np.count_nonzero(multipliers)
    assert refused > 30 and held > 800


def test_soft_rows_are_missed_as_little_as_bounded_least_squares_miss_them():
    for _, _, lower, upper, rows, ends, equal in problems(100, 2):
        if equal == 0:
            continue
        A, b, n = rows[len(rows) - equal :], 3.0 * ends[len(rows) - equal :], len(lower)
        x, multipliers = least(1e-9 * np.eye(n), np.zeros(n), lower, upper, A, b, equal, 1.0)
        best = lsq_linear(A, b, bounds=(lower - 1e-12, upper + 1e-12), tol=1e-14)
        assert np.sum((A @ x - b) ** 2) == pytest.approx(2 * best.cost, abs=1e-7)
        np.testing.assert_allclose(multipliers[n:], A @ x - b, atol=1e-7)


def test_soft_inequalities_cost_what_they_are_missed_by():
    """DAQP has a slack for each row, which costs half its square."""
    import daqp

    missed, rng = 0, np.random.default_rng(3)
    for _ in range(200):
        n, m = int(rng.integers(2, 7)), int(rng.integers(3, 16))
        G, h, M = rng.normal(size=(m, n)), rng.uniform(-0.6, 0.2, m), rng.normal(size=(n, n))
        H, c, box = M.T @ M + 0.1 * np.eye(n), rng.normal(size=n), np.full(n, 0.7)
        whole = np.block([[H, np.zeros((n, m))], [np.zeros((m, n)), np.eye(m)]])
        high, low = (
            np.concatenate([box, np.full(m, np.inf), h]),
            np.concatenate([-box, np.zeros(m), np.full(m, -np.inf)]),
        )
        slack, sense = np.hstack([G, -np.eye(m)]), np.zeros(n + 2 * m, dtype=np.intc)
        expected, *_ = daqp.solve(whole, np.concatenate([c, np.zeros(m)]), slack, high, low, sense)
        x, multipliers = least(H, c, -box, box, G, h, soft=1.0)
        np.testing.assert_allclose(x, expected[:n], atol=1e-6)
        np.testing.assert_allclose(multipliers[n:], np.maximum(G @ x - h, 0.0), atol=1e-9)
        missed += np.count_nonzero(multipliers[n:])
    assert missed > 500
