"""Indexed statements, sums and products with one printed index."""
# total("i", range(1, 4), lambda i: v[i] * p[i]) prints a sum sign from i = 1 to 3, and is that sum

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import sympy as sp

from lessons_lib.claims.terms import ATOM, PRODUCT, SUM, Term, Variable, bind_letter, term


def index(letters: str, numbers: Sequence[int]) -> list[Term]:
    """Return a term for each integer of a range; all print as the same symbol."""
    values = list(map(str, numbers))
    spread = ", ".join(values) if len(values) < 4 else rf"{values[0]}, \dots, {values[-1]}"
    printed = sp.latex(sp.Symbol(letters))
    letter = Variable(printed, f"= {spread}", frozenset())
    return [Term(sp.Integer(number), printed, ATOM, (letter,)) for number in numbers]


def each(letters: str, numbers: Sequence[int], statement: Callable[[Term], tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return statement(i) for each integer of a range; a claim proves all and prints one."""
    return [statement(i) for i in index(letters, numbers)]


def total(letters: str, numbers: Sequence[int], summand: Callable[[Term], Any]) -> Term:
    """Return the sum of summand(i) over consecutive integers as a term with a sum sign; v[i] counts from 1."""
    return _under_one_sign(r"\sum", letters, numbers, summand, Term.__add__)


def product(letters: str, numbers: Sequence[int], factor: Callable[[Term], Any]) -> Term:
    """Return the product of factor(i), the first on the left, with a product sign; arguments as in `total`."""
    return _under_one_sign(r"\prod", letters, numbers, factor, Term.__mul__)


def _under_one_sign(
    sign: str, letters: str, numbers: Sequence[int], part: Callable[[Term], Any], join: Callable[[Term, Term], Term]
) -> Term:
    places = index(letters, numbers)
    parts = [term(part(i)) for i in places]
    whole, behind = reduce(join, parts), parts[0].within(PRODUCT)
    printed = rf"{sign}_{{{places[0].latex}={numbers[0]}}}^{{{numbers[-1]}}} {behind}"
    return bind_letter(whole.combine(whole.value, printed, SUM), places[0])
