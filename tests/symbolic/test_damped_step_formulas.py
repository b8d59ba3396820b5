"""The damped step by elimination, with rational numbers put in: exact, so that no tolerance hides a wrong entry."""

import math
import random

import pytest
import sympy as sp

from lessons_lib.symbolic import damped_step

SIZES = (1, 2, 3, 6, 7, 12)


def rational(numbers: random.Random) -> sp.Rational:
    return sp.Rational(numbers.randint(-9, 9), numbers.randint(1, 9))


def with_numbers(step: damped_step.DampedStep, numbers: random.Random, damping: sp.Rational) -> dict:
    """Return the value of every symbol: inputs at random, then the named results in their order."""
    values = {symbol: rational(numbers) for symbol in (*step.J, *step.V)} | {step.D: damping}
    for symbol, expression in step.steps:
        values[symbol] = expression.xreplace(values)
    return values


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("damping", [sp.Rational(1, 1000), sp.Integer(3)])
def test_the_step_solves_its_equations_exactly(n: int, damping: sp.Rational) -> None:
    step = damped_step.derive(n)
    values = with_numbers(step, random.Random(n), damping)
    J, V, d = (matrix.xreplace(values) for matrix in (step.J, step.V, step.d))
    assert d.shape == (n, 1) and all(entry.is_Rational for entry in d)
    assert (J.T * J + damping * sp.eye(n)) * d == J.T * V


@pytest.mark.parametrize("n", SIZES)
def test_the_pivots_are_positive_and_multiply_to_the_determinant(n: int) -> None:
    step = damped_step.derive(n)
    damping = sp.Rational(1, 7)
    values = with_numbers(step, random.Random(100 + n), damping)
    J, pivots = step.J.xreplace(values), [pivot.xreplace(values) for pivot in step.pivots]
    eliminated = J.T * J + damping * sp.eye(n) if n <= 6 else J * J.T + damping * sp.eye(6)
    assert len(pivots) == min(n, 6) and min(pivots) > 0
    assert math.prod(pivots) == eliminated.det()
    assert step.trace.xreplace(values) == eliminated.trace()
    # Gauss's pivots are quotients of leading minors: each one is right, and not their product alone
    minors = [sp.Integer(1), *(eliminated[:k, :k].det() for k in range(1, len(pivots) + 1))]
    assert pivots == [above / below for below, above in zip(minors[:-1], minors[1:], strict=True)]


@pytest.mark.parametrize("n", [2, 6, 9])
def test_a_singular_jacobian_has_pivots_no_smaller_than_the_damping(n: int) -> None:
    """JᵀJ + D I ⪰ D I, and a pivot is never below the smallest eigenvalue; so a lost pivot can be told."""
    step = damped_step.derive(n)
    damping = sp.Rational(1, 10**6)
    values = {symbol: sp.Integer(0) for symbol in (*step.J, *step.V)} | {step.D: damping}
    values |= {step.J[row, column]: sp.Integer(row + 1) for row in range(6) for column in range(n)}  # of rank one
    for symbol, expression in step.steps:
        values[symbol] = expression.xreplace(values)
    pivots = [pivot.xreplace(values) for pivot in step.pivots]
    assert min(pivots) >= damping
    assert max(pivots[1:]) < 2 * len(pivots) * damping


@pytest.mark.parametrize("n", SIZES)
def test_every_name_is_given_once_and_before_it_is_used(n: int) -> None:
    step = damped_step.derive(n)
    known = {*step.J, *step.V, step.D}
    for symbol, expression in step.steps:
        assert symbol not in known, f"{symbol} is named twice"
        assert expression.free_symbols <= known, f"{symbol} uses what has no value yet"
        known.add(symbol)
    assert step.d.free_symbols | step.pivots.free_symbols | step.trace.free_symbols <= known
