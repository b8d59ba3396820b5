"""Derivatives of Jacobians against SymPy's derivatives of a chain's formulas; manipulability against an area."""

import pytest
import sympy as sp

from lessons_lib.symbolic import manipulability, open_chain

SCREWS = sp.Matrix(
    [[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, sp.Rational(3, 5)], [0, -1, 0], [0, sp.Rational(1, 2), sp.Rational(4, 5)]]
)
"""Two revolute joints with skew axes and a prismatic joint."""

HOME = sp.Matrix([[1, 0, 0, 1], [0, 0, -1, 2], [0, 1, 0, 3], [0, 0, 0, 1]])
AT = {"q0": sp.Rational(1, 3), "q1": sp.Rational(-5, 4), "q2": sp.Rational(2, 7)}


@pytest.fixture(scope="module")
def chain() -> open_chain.OpenChain:
    return open_chain.derive(SCREWS, HOME)


def written_out(chain: open_chain.OpenChain, formula: sp.Matrix) -> sp.Matrix:
    """Return a formula in q alone, without the slow simplification of `expand`."""
    for symbol, expression in reversed(chain.steps):
        formula = formula.subs(symbol, expression)
    return formula


@pytest.mark.parametrize("j", range(3))
@pytest.mark.parametrize("i", range(3))
def test_derivatives_of_columns(chain: open_chain.OpenChain, i: int, j: int) -> None:
    J_b, J_s = written_out(chain, chain.J_b), written_out(chain, chain.J_s)
    zero = sp.zeros(6, 1)
    body = manipulability.body_column_derivative(J_b[:, i], J_b[:, j]) if i < j else zero
    space = manipulability.space_column_derivative(J_s[:, i], J_s[:, j]) if j < i else zero
    for derived, J in ((body, J_b), (space, J_s)):
        left = J[:, i].diff(chain.q[j]) - derived
        assert left.subs({q: AT[str(q)] for q in chain.q}).evalf(40).norm() < 1e-35


def test_measure_of_the_planar_arm() -> None:
    q1, q2 = sp.symbols("q1 q2", real=True)
    J = sp.Matrix([[-sp.sin(q1) - sp.sin(q1 + q2), -sp.sin(q1 + q2)], [sp.cos(q1) + sp.cos(q1 + q2), sp.cos(q1 + q2)]])
    m = manipulability.measure(J)
    assert sp.simplify(m**2 - sp.sin(q2) ** 2) == 0  # both links 1 m: area of the parallelogram of the two columns
    assert manipulability.measure(sp.Matrix([[1, 0, 2], [0, 1, 0]])) == sp.sqrt(5)  # of a Jacobian that is not square
