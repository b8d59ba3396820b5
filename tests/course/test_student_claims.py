"""A student's claim is proven in any form, or refused with a reason."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy as sp

from lessons_lib.course.check_failed import CheckFailed
from lessons_lib.course.student_claims import formulas, prove_claim

x, y, z = sp.symbols("x y z", real=True)
SQUARE = {"It is the square of the sum.": ((x + y) ** 2, "=", x**2 + 2 * x * y + y**2)}
SLIPS = {"[cross] the product is missing": [x**2 + y**2], "[once] the product is there once": [x**2 + x * y + y**2]}


@pytest.mark.parametrize(
    "answer", [lambda x, y: x / 2, lambda x, y: 0.5 * x, lambda x, y: [x / 2], lambda x, y: (x / 2,)]
)
def test_a_formula_is_taken_in_every_form(answer: Callable[..., Any]) -> None:
    (mine,) = formulas("Here", answer, (x, y))
    assert prove_claim("Here", [mine], {"It is half.": (2 * mine, "=", x)}) == "Proven: It is half."


def test_lists_of_letters_may_be_changed() -> None:
    letters = [x, y]
    assert formulas("Here", lambda some: some.pop(), (letters,)) == [y]
    assert letters == [x, y]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda x: x + z, "your formula contains the symbol z; allowed: x"),
        (lambda x: [x, x], "expected one formula; your function returned 2"),
        (lambda x: None, "returned None"),
        (lambda x: "x", "expected SymPy formulas; your function returned a str, 'x'"),
        (lambda x: x / "2", "raised TypeError"),
        (lambda x: np.ones(3), "your function returned a ndarray"),
        (lambda x: True, "your function returned a bool"),
    ],
)
def test_an_invalid_formula_is_refused_with_a_reason(answer: Callable[..., Any], said: str) -> None:
    with pytest.raises(CheckFailed, match="^For x: ") as refused:
        formulas("For x", answer, (x,))
    assert said in str(refused.value)


def test_a_false_claim_is_refused_with_numbers_and_the_only_mistake_that_fits() -> None:
    assert repr(prove_claim("Here", [(x + y) ** 2], SQUARE, SLIPS)) == "Proven: It is the square of the sum."
    for mine, hints in ((x**2 + y**2, ["Hint [cross]: the product is missing."]), (x + y, [])):
        with pytest.raises(CheckFailed, match=r"at x = .*left − right = ") as refused:
            prove_claim("Here", [mine], {"It is the square of the sum.": (mine, "=", (x + y) ** 2)}, SLIPS)
        assert refused.value.hints == hints
