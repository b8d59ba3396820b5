"""A sentence that says more than an equality needs a statement that says more."""

from typing import Any

import pytest
import sympy as sp

from lessons_lib.errors import ClaimError
from lessons_lib.symbolic import claim
from lessons_lib.symbolic.terms import term, variable
from lessons_lib.symbolic.vocabulary import cos, limit, sin

x, y = variable("x"), variable("y")
square = x**2 + (1 - x) ** 2, "=", sp.Rational(1, 2) + 2 * (x - sp.Rational(1, 2)) ** 2
least = sp.Rational(1, 2), "<=", square[0]
half_turn = sin(x + sp.pi), "=", -sin(x)

REFUSED = {
    "The best x is a half.": ("best", "an inequality"),
    "It is never negative.": ("never", "an inequality"),
    "The sum is smaller in the middle.": ("smaller", "an inequality"),
    "At most a half.": ("most", "an inequality"),
    "Only a half will do.": ("Only", "the converse as a second statement"),
    "It is a half there, and nowhere else.": ("nowhere", "the converse as a second statement"),
    "The square undoes the root.": ("undoes", "the converse as a second statement"),
    "It tends to a half.": ("tends", "a limit, or an inequality"),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_a_strong_word_over_an_equality_is_refused(sentence: str) -> None:
    word, needed = REFUSED[sentence]
    with pytest.raises(
        ClaimError, match=rf"^claim 9\.1: '{word}' in .* says more than its equalities; valid is .*{needed}"
    ):
        claim("9.1", sentence, *square)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("The best x is a half.", least),
        ("It is never negative.", (0, "<=", x**2)),
        ("Only a half will do.", (square, least)),
        ("Sines are odd about π, and nothing else of them is said.", (half_turn, (cos(x) ** 2, "=", 1 - sin(x) ** 2))),
        ("Near 0 it tends to 0.", (limit(x**2, x, 0), "=", term(0))),
        ("It tends to 0: what is left is less.", ((x / 2) ** 2, "<=", x**2)),
        ("Least squares are a sum, in the least-squares sense.", square),
        ("Almost nothing, and uttermost.", square),
    ],
)
def test_a_statement_that_says_it_is_proven(sentence: str, statement: Any) -> None:
    assert claim("9.2", sentence, *statement).sentence == sentence


def test_what_is_false_is_called_so_first() -> None:
    with pytest.raises(ClaimError, match="is false"):
        claim("9.3", "The best is x.", x, "=", y)
