"""Redundancy and quadratic programs in symbols: defining identities, NumPy, SciPy and a published example."""

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import minimize

from lessons_lib.claims import is_zero
from lessons_lib.course.limits import quadratic_program
from lessons_lib.errors import ParameterError
from lessons_lib.symbolic import redundancy

ROUNDING = 1e-12  # of a few dozen operations with numbers near 1


def random_matrix(rng, m, n):
    return sp.Matrix(m, n, [sp.Rational(int(k), 7) for k in rng.integers(-20, 20, m * n)])


@pytest.mark.parametrize(("m", "n"), [(1, 2), (2, 3), (2, 5), (3, 4)])
def test_projector_and_pseudoinverse_are_numpys(m, n):
    A = random_matrix(np.random.default_rng(m + 10 * n), m, n)
    numbers = np.array(A, dtype=float)
    J_plus = np.linalg.pinv(numbers)
    assert np.allclose(np.array(redundancy.pseudoinverse(A), float), J_plus, rtol=0, atol=ROUNDING)
    assert np.allclose(np.array(redundancy.projector(A), float), np.eye(n) - J_plus @ numbers, rtol=0, atol=ROUNDING)


@pytest.mark.parametrize("m", [1, 2, 3, 4, 6])
def test_null_vector_has_the_manipulability_as_norm(m):
    A = random_matrix(np.random.default_rng(m), m, m + 1)
    n = redundancy.null_vector(A)
    assert A * n == sp.zeros(m, 1)
    assert (n.T * n)[0] == (A * A.T).det()
    assert any(n)


@pytest.mark.parametrize("shape", [(2, 2), (2, 4), (3, 2)])
def test_null_vector_requires_one_more_column_than_rows(shape):
    with pytest.raises(ParameterError, match=rf"one column more than rows, got {shape[0]}×{shape[1]}"):
        redundancy.null_vector(sp.zeros(*shape))


H = sp.Matrix(2, 2, sp.symbols("a b b d"))
c, x = sp.Matrix(sp.symbols("c_1:3")), sp.Matrix(sp.symbols("x_1:3"))
G, h = sp.Matrix(1, 2, sp.symbols("g_1:3")), sp.Matrix([sp.Symbol("h")])


def test_lagrangian_is_stationary_at_the_solution_with_equalities():
    best, prices = quadratic_program.solve_equalities(H, c, G, h)
    mu = sp.Matrix([sp.Symbol("mu")])
    unknowns = sp.Matrix.vstack(x, mu)
    slope = sp.Matrix([quadratic_program.lagrangian(H, c, G, h, x, mu)]).jacobian(unknowns)
    found = dict(zip(unknowns, sp.Matrix.vstack(best, prices), strict=True))
    assert all(is_zero(entry.subs(found)) for entry in slope)


def test_lagrangian_charges_each_violated_row():
    walls, bounds, mu = sp.Matrix([[1, 2], [3, -1]]), sp.Matrix([4, 5]), sp.Matrix(sp.symbols("mu_1:3"))
    by_hand = mu[0] * (x[0] + 2 * x[1] - 4) + mu[1] * (3 * x[0] - x[1] - 5)
    found = quadratic_program.lagrangian(H, c, walls, bounds, x, mu)
    assert is_zero(found - quadratic_program.objective(H, c, x) - by_hand)


def test_nocedal_and_wrights_example_16_4():
    rows = sp.Matrix([[-1, 2], [1, 2], [1, -2], [-1, 0], [0, -1]])
    bounds = sp.Matrix([2, 6, 2, 0, 0])
    best, prices = quadratic_program.solve_equalities(2 * sp.eye(2), sp.Matrix([-2, -5]), rows[[0], :], bounds[[0], :])
    assert [*best, *prices] == [sp.Rational(7, 5), sp.Rational(17, 10), sp.Rational(4, 5)]
    found = minimize(  # SciPy's documentation of `minimize` prints this example, too
        lambda p: (p[0] - 1) ** 2 + (p[1] - 2.5) ** 2,
        (2, 0),
        constraints={"type": "ineq", "fun": lambda p: np.ravel(bounds).astype(float) - np.array(rows, float) @ p},
    )
    assert np.abs(found.x - [1.4, 1.7]).max() < 1e-6  # SLSQP's own tolerance
