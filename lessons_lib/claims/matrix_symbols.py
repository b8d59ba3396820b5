"""Matrices of any size: letters for them, and proofs for all sizes at once.

Such a proof knows no entries. It writes both sides as sums of products of letters, by the rules of sums, products and
transposes; a product of one row and one column is a number, and its own transpose. What is left of the difference has
to be nothing.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lessons_lib.claims.terms import ATOM, Term, Variable
from lessons_lib.errors import ClaimError

Word = tuple[tuple[sp.MatrixSymbol, bool], ...]
"""Letters of a product in their order, each with whether it is transposed."""
COUNTS = r"\in \{1, 2, \dots\}"


def any_matrix(letters: str, rows: sp.Symbol, columns: sp.Symbol | int) -> Term:
    """Return a letter for any matrix of real numbers with so many rows and columns, which may be letters too."""
    symbol, latex = sp.MatrixSymbol(letters, rows, columns), str(sp.latex(sp.Symbol(letters)))
    size = sp.latex(rows) if columns == 1 else rf"{sp.latex(rows)}\times {sp.latex(columns)}"
    letters_of_size = [
        Variable(str(sp.latex(s)), COUNTS, frozenset([s])) for s in (rows, columns) if s in sizes(symbol)
    ]
    domain = rf"\in \mathbb R^{{{size}}}"
    return Term(symbol, latex, ATOM, (Variable(latex, domain, frozenset([symbol])), *letters_of_size))


def any_identity(size: sp.Symbol) -> Term:
    """Return I, with as many rows and columns as a letter says."""
    return Term(sp.Identity(size), "I", ATOM)


def vanishes(difference: Any) -> bool:
    """Return whether a matrix is zero for every size and all values of its letters, by the rules alone."""
    found = _words(difference)
    if difference.shape == (1, 1):
        sums: dict[Word, sp.Expr] = {}
        for word, number in found.items():
            same = min(word, _turned(word), key=str)
            sums[same] = sums.get(same, sp.Integer(0)) + number
        found = sums
    return all(sp.expand(number) == 0 for number in found.values())


def sizes(value: Any) -> set[sp.Symbol]:
    """Return the letters for the sizes of a matrix and its parts."""
    parts = [value, *value.atoms(sp.MatrixSymbol, sp.Identity)]
    return {side for part in parts for side in part.shape if isinstance(side, sp.Symbol)}


def of_size(value: Any, numbers: dict[sp.Symbol, int]) -> sp.Matrix:
    """Return a matrix with numbers for its sizes, its entries letters."""
    explicit = sp.Matrix(value.subs(numbers).doit().as_explicit())
    places = explicit.atoms(sp.matrices.expressions.matexpr.MatrixElement)
    return explicit.xreplace({p: sp.Symbol(f"{p.parent}_{p.i + 1}{p.j + 1}", real=True) for p in places})


def _turned(word: Word) -> Word:
    """Return the transpose of a product."""
    return tuple((letter, not transposed) for letter, transposed in reversed(word))


def _words(e: Any) -> dict[Word, sp.Expr]:
    """Return a matrix as a sum: each product of letters with the number in front of it."""
    if isinstance(e, sp.ZeroMatrix):
        return {}
    if isinstance(e, sp.Identity):
        return {(): sp.Integer(1)}
    if isinstance(e, sp.MatrixSymbol):
        return {((e, False),): sp.Integer(1)}
    if isinstance(e, sp.Transpose):
        return {_turned(word): number for word, number in _words(e.arg).items()}
    if isinstance(e, sp.MatAdd):
        sums: dict[Word, sp.Expr] = {}
        for word, number in (pair for part in e.args for pair in _words(part).items()):
            sums[word] = sums.get(word, sp.Integer(0)) + number
        return sums
    if isinstance(e, sp.MatMul):
        number, factors = e.as_coeff_matrices()
        product: dict[Word, sp.Expr] = {(): number}
        for factor in factors:
            product = _product(product, _words(factor))
        return product
    raise ClaimError(f"{e} is no sum or product of letters; valid are matrices, their transposes, sums and products")


def _product(left: dict[Word, sp.Expr], right: dict[Word, sp.Expr]) -> dict[Word, sp.Expr]:
    sums: dict[Word, sp.Expr] = {}
    for first, a in left.items():
        for second, b in right.items():
            sums[first + second] = sums.get(first + second, sp.Integer(0)) + a * b
    return sums
