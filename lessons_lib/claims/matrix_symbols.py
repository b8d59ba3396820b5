"""Matrices of any size, and proofs for all sizes at once: the difference of both sides cancels when expanded."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lessons_lib.claims.terms import ATOM, Term, Variable
from lessons_lib.errors import ClaimError

Monomial = tuple[tuple[sp.MatrixSymbol, bool], ...]
"""Letters of a product in their order, each with whether it is transposed."""
COUNTS = r"\in \{1, 2, \dots\}"


def any_matrix(letters: str, rows: sp.Symbol, columns: sp.Symbol | int) -> Term:
    """Return a term for any real matrix with the given numbers of rows and columns, which may be symbols."""
    symbol, latex = sp.MatrixSymbol(letters, rows, columns), str(sp.latex(sp.Symbol(letters)))
    size = sp.latex(rows) if columns == 1 else rf"{sp.latex(rows)}\times {sp.latex(columns)}"
    letters_of_size = [
        Variable(str(sp.latex(s)), COUNTS, frozenset([s])) for s in (rows, columns) if s in sizes(symbol)
    ]
    domain = rf"\in \mathbb R^{{{size}}}"
    return Term(symbol, latex, ATOM, (Variable(latex, domain, frozenset([symbol])), *letters_of_size))


def any_identity(size: sp.Symbol) -> Term:
    return Term(sp.Identity(size), "I", ATOM)


def is_zero_for_every_size(difference: Any) -> bool:
    """Return whether the products of a matrix expression cancel, so that it is zero for all sizes and all values.

    Raises:
        ClaimError: It contains more than sums, products and transposes of matrix symbols.
    """
    terms = _as_sum(difference)
    if difference.shape == (1, 1):
        sums: dict[Monomial, sp.Expr] = {}
        for word, number in terms.items():
            same = min(word, _transpose(word), key=str)
            sums[same] = sums.get(same, sp.Integer(0)) + number
        terms = sums
    return all(sp.expand(number) == 0 for number in terms.values())


def sizes(value: Any) -> set[sp.Symbol]:
    """Return the symbols for the sizes of a matrix expression and its parts."""
    parts = [value, *value.atoms(sp.MatrixSymbol, sp.Identity)]
    return {side for part in parts for side in part.shape if isinstance(side, sp.Symbol)}


def with_sizes(value: Any, numbers: dict[sp.Symbol, int]) -> sp.Matrix:
    """Return the explicit matrix for given sizes, its entries symbols."""
    explicit = sp.Matrix(value.subs(numbers).doit().as_explicit())
    places = explicit.atoms(sp.matrices.expressions.matexpr.MatrixElement)
    return explicit.xreplace({p: sp.Symbol(f"{p.parent}_{p.i + 1}{p.j + 1}", real=True) for p in places})


def _transpose(word: Monomial) -> Monomial:
    return tuple((letter, not transposed) for letter, transposed in reversed(word))


def _as_sum(e: Any) -> dict[Monomial, sp.Expr]:
    """Return a matrix expression as a sum: each product of symbols with its coefficient."""
    if isinstance(e, sp.ZeroMatrix):
        return {}
    if isinstance(e, sp.Identity):
        return {(): sp.Integer(1)}
    if isinstance(e, sp.MatrixSymbol):
        return {((e, False),): sp.Integer(1)}
    if isinstance(e, sp.Transpose):
        return {_transpose(word): number for word, number in _as_sum(e.arg).items()}
    if isinstance(e, sp.MatAdd):
        sums: dict[Monomial, sp.Expr] = {}
        for word, number in (pair for part in e.args for pair in _as_sum(part).items()):
            sums[word] = sums.get(word, sp.Integer(0)) + number
        return sums
    if isinstance(e, sp.MatMul):
        number, factors = e.as_coeff_matrices()
        product: dict[Monomial, sp.Expr] = {(): number}
        for factor in factors:
            product = _multiply(product, _as_sum(factor))
        return product
    raise ClaimError(f"expected sums, products and transposes of matrix symbols, got {e}")


def _multiply(left: dict[Monomial, sp.Expr], right: dict[Monomial, sp.Expr]) -> dict[Monomial, sp.Expr]:
    sums: dict[Monomial, sp.Expr] = {}
    for first, a in left.items():
        for second, b in right.items():
            sums[first + second] = sums.get(first + second, sp.Integer(0)) + a * b
    return sums
