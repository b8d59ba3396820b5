"""Ratios of polynomials equal SymPy's `together` and `expand`."""

import pytest
import sympy as sp

from lessons_lib.claims.ratios import Ratios, find_generators

a, b, c = sp.symbols("a b c")
ONE = sp.Integer(1)


@pytest.mark.parametrize(
    "expression",
    [
        (a + b) ** 3 / (a - b) ** 2 - ONE / 3,
        1 / (1 / a + 1 / b),
        ((a / b + b / a) ** -2 + c) * (a + 1 / (b + c)),
        sp.sqrt(a + b) * (a + sp.sin(c)) ** 2 / sp.sqrt(2),
        sp.Integer(0),
    ],
)
def test_a_ratio_equals_the_expression(expression):
    generators = find_generators([expression])
    ratios = Ratios(generators)
    ratio = ratios.of(expression)
    back = dict(zip(ratios.ring.symbols, generators, strict=True))
    value = ratio.numerator.as_expr()
    for factor, power in ratio.factors.items():
        value /= factor.as_expr() ** power
    assert sp.simplify(value.xreplace(back) - expression) == 0


def test_a_division_by_zero_raises():
    with pytest.raises(sp.PolynomialError, match="a division by zero"):
        Ratios([a]).of(1 / sp.Add(a, -a, evaluate=False))
