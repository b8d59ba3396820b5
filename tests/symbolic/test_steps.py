"""Names for intermediate results: what gets one, and what is short enough without."""

import sympy as sp

from lessons_lib.symbolic.steps import Steps

x, y = sp.symbols("x y", real=True)


def test_a_symbol_a_number_and_their_negatives_stay_what_they_are() -> None:
    steps, matrix = Steps(), sp.Matrix([[x, -x], [sp.Integer(2), sp.Integer(-2)]])
    assert steps.name("t", matrix) == matrix
    assert steps.named == []


def test_all_else_gets_a_fresh_name_and_is_found_under_it() -> None:
    steps, matrix = Steps(), sp.Matrix([x + y, y, x * y, x + y])
    named = steps.name("t", matrix)
    assert [symbol.name for symbol, _ in steps.named] == ["t0", "t1", "t2"]
    assert all(symbol.is_real for symbol, _ in steps.named)
    assert named.subs(dict(steps.named)) == matrix
    assert steps.name("u", sp.Matrix([x**2]))[0].name == "u3"
