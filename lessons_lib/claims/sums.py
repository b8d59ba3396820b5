"""One print for many terms: a letter for whole numbers, and what is said, added or multiplied for each of them.

    total("i", range(1, 4), lambda i: v[i] * p[i])      prints a sum sign from i = 1 to 3, and is that sum

The letter prints alike for every number, so what stands behind the sign is the print of each summand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import sympy as sp

from lessons_lib.claims.terms import ATOM, PRODUCT, SUM, Term, Variable, term, without


def index(letters: str, numbers: Sequence[int]) -> list[Term]:
    """Return a letter for each of some whole numbers, which is what it means; all print alike.

    Args:
        letters: As for `named`.
        numbers: The numbers, in steps of one.
    """
    values = list(map(str, numbers))
    spread = ", ".join(values) if len(values) < 4 else rf"{values[0]}, \dots, {values[-1]}"
    printed = sp.latex(sp.Symbol(letters))
    letter = Variable(printed, f"= {spread}", frozenset())
    return [Term(sp.Integer(number), printed, ATOM, (letter,)) for number in numbers]


def each(letters: str, numbers: Sequence[int], statement: Callable[[Term], tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return a statement for each of some whole numbers; a claim proves all and prints the one that they look like.

    Args:
        letters: Letter of the number.
        numbers: The numbers, in steps of one.
        statement: Gives sides and relations in turn for a number, which it is handed as a term.
    """
    return [statement(i) for i in index(letters, numbers)]


def total(letters: str, numbers: Sequence[int], summand: Callable[[Term], Any]) -> Term:
    """Return the sum of summand(i), printed under one sign.

    Args:
        letters: Letter of the index.
        numbers: Values of i, in steps of one; v[i] counts from 1.
        summand: Gives the term for an index, which it is handed as a term.
    """
    return _under_one_sign(r"\sum", letters, numbers, summand, Term.__add__)


def product(letters: str, numbers: Sequence[int], factor: Callable[[Term], Any]) -> Term:
    """Return the product of factor(i), the first in front, printed under one sign; otherwise as `total`."""
    return _under_one_sign(r"\prod", letters, numbers, factor, Term.__mul__)


def _under_one_sign(
    sign: str,
    letters: str,
    numbers: Sequence[int],
    part: Callable[[Term], Any],
    join: Callable[[Term, Term], Term],
) -> Term:
    places = index(letters, numbers)
    parts = [term(part(i)) for i in places]
    whole, behind = reduce(join, parts), parts[0].within(PRODUCT)
    printed = rf"{sign}_{{{places[0].latex}={numbers[0]}}}^{{{numbers[-1]}}} {behind}"
    return without(whole.made(whole.value, printed, SUM), places[0])
