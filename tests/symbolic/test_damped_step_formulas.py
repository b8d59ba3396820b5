"""The damped step by elimination at rational numbers, exactly."""

import math
import random

import pytest
import sympy as sp

from lessons_lib.symbolic import damped_step

SIZES = (1, 2, 3, 6, 7, 12)


def rational(numbers):
    return sp.Rational(numbers.randint(-9, 9), numbers.randint(1, 9))


def with_numbers(step, numbers, damping):
    """Return the value of every symbol: random inputs, then the named results in order."""
    values = {symbol: rational(numbers) for symbol in (*step.J, *step.V)} | {step.D: damping}
    for symbol, expression in step.steps:
        values[symbol] = expression.xreplace(values)
    return values


def pivots_of(step, values):
    """Return the pivots of elimination: each minor over the preceding one in its block."""
    minors, before = step.minors.xreplace(values), step.before.xreplace(values)
    return [minor / one for minor, one in zip(minors, before, strict=True)]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("damping", [sp.Rational(1, 1000), sp.Integer(3)])
def test_the_step_solves_its_equations_exactly(n, damping):
    step = damped_step.derive(damped_step.jacobian(n))
    values = with_numbers(step, random.Random(n), damping)
    J, V, d = (matrix.xreplace(values) for matrix in (step.J, step.V, step.d))
    assert d.shape == (n, 1) and all(entry.is_Rational for entry in d)
    assert (J.T * J + damping * sp.eye(n)) * d == J.T * V


@pytest.mark.parametrize("n", SIZES)
def test_minors_give_the_pivots_of_gaussian_elimination(n):
    step = damped_step.derive(damped_step.jacobian(n))
    damping = sp.Rational(1, 7)
    values = with_numbers(step, random.Random(100 + n), damping)
    J, pivots = step.J.xreplace(values), pivots_of(step, values)
    eliminated = J.T * J + damping * sp.eye(n) if n <= 6 else J * J.T + damping * sp.eye(6)
    assert len(pivots) == min(n, 6) and min(pivots) > 0
    assert math.prod(pivots) == eliminated.det()
    assert step.trace.xreplace(values) == eliminated.trace()
    # Gauss's pivots are quotients of leading minors: each one is right, and not their product alone
    if n <= 6:  # from the last joint to the first
        eliminated = eliminated[::-1, ::-1]
    minors = [sp.Integer(1), *(eliminated[:k, :k].det() for k in range(1, len(pivots) + 1))]
    assert pivots == [above / below for below, above in zip(minors[:-1], minors[1:], strict=True)]


def test_known_structure_removes_operations_and_keeps_the_step():
    """Two joints about z, a prismatic joint along x and a helical joint; columns in a frame with these axes."""
    a, b, c, d = sp.symbols("a b c d", real=True)
    z, x = sp.Matrix([0, 0, 1]), sp.Matrix([1, 0, 0])
    J = sp.Matrix.hstack(z.col_join(sp.Matrix([a, b, 0])), z.col_join(sp.Matrix([a, c, 0])), sp.zeros(3, 1).col_join(x))
    J = J.row_join(sp.Matrix([0, d, 0, 0, 0, sp.Rational(1, 5)]))
    products = {(0, 0): 1, (1, 0): 1, (1, 1): 1, (2, 0): 0, (2, 1): 0, (2, 2): 0, (3, 0): 0, (3, 1): 0, (3, 2): 0}
    values = {a: sp.Rational(2, 3), b: -sp.Rational(1, 2), c: sp.Rational(3), d: sp.Rational(4, 7)}
    found = []
    for known in (None, products):
        step = damped_step.derive(J, known)
        at = values | {symbol: sp.Rational(k + 1, 3) for k, symbol in enumerate(step.V)} | {step.D: sp.Rational(1, 9)}
        for symbol, expression in step.steps:
            at[symbol] = expression.xreplace(at)
        found.append((step.d.xreplace(at), len(step.steps)))
        number, V = J.xreplace(at), step.V.xreplace(at)
        assert (number.T * number + at[step.D] * sp.eye(4)) * found[-1][0] == number.T * V
    assert found[0][0] == found[1][0]
    plain = damped_step.derive(damped_step.jacobian(4))
    assert found[1][1] <= found[0][1] < len(plain.steps)


@pytest.mark.parametrize("unknowns", [1, 2, 3, 4])
def test_elimination_of_a_few_unknowns_with_any_entries(unknowns):
    """No entry is a symbol or a number, so each intermediate result gets a name of its own."""
    a, b = sp.symbols("a b", positive=True)
    M = sp.Matrix(unknowns, unknowns, lambda i, j: a * (i + j + 1) ** 2 + (b * (i + 3) if i == j else a * b))
    right = sp.Matrix([a + b * k for k in range(unknowns)])
    x = damped_step.eliminate(M, right)
    at = {a: sp.Rational(2, 3), b: sp.Rational(5, 7)}
    assert M.xreplace(at) * x.xreplace(at) == right.xreplace(at)
