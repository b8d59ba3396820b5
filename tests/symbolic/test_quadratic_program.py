"""The quadratic program in symbols, against SciPy, a published example, and its optimality conditions."""

import numpy as np
import sympy as sp
from scipy.optimize import minimize

from lessons_lib.claims import is_zero
from lessons_lib.symbolic import quadratic_program

H = sp.Matrix(2, 2, sp.symbols("a b b d"))
c, x = sp.Matrix(sp.symbols("c_1:3")), sp.Matrix(sp.symbols("x_1:3"))
G, h = sp.Matrix(1, 2, sp.symbols("g_1:3")), sp.Matrix([sp.Symbol("h")])


def test_lagrangian_is_stationary_at_the_solution_with_equalities() -> None:
    best, prices = quadratic_program.solve_equalities(H, c, G, h)
    mu = sp.Matrix([sp.Symbol("mu")])
    unknowns = sp.Matrix.vstack(x, mu)
    slope = sp.Matrix([quadratic_program.lagrangian(H, c, G, h, x, mu)]).jacobian(unknowns)
    found = dict(zip(unknowns, sp.Matrix.vstack(best, prices), strict=True))
    assert all(is_zero(entry.subs(found)) for entry in slope)


def test_lagrangian_charges_each_violated_row() -> None:
    walls, bounds, mu = sp.Matrix([[1, 2], [3, -1]]), sp.Matrix([4, 5]), sp.Matrix(sp.symbols("mu_1:3"))
    by_hand = mu[0] * (x[0] + 2 * x[1] - 4) + mu[1] * (3 * x[0] - x[1] - 5)
    found = quadratic_program.lagrangian(H, c, walls, bounds, x, mu)
    assert is_zero(found - quadratic_program.objective(H, c, x) - by_hand)


def test_nocedal_and_wrights_example_16_4() -> None:
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
