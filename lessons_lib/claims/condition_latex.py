"""How a condition reads: by a name of what vanishes, ω ≠ 0, det J ≠ 0, rank J = 2; else as a relation of letters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations
from typing import Any

import sympy as sp

from lessons_lib.claims.domain_constraints import NONZERO, NOT_NEGATIVE, OFF_CUT, POSITIVE
from lessons_lib.symbolic.stumpff_functions import stumpff

WIDEST = 90  # characters of LaTeX
_SMALL = 4  # rows and columns of a matrix whose determinant is looked for
_SIGNS = {NONZERO: r"\ne", NOT_NEGATIVE: r"\ge", POSITIVE: ">"}
_TURNS = {1: r"\pi", 2: r"2\pi"}


class Names:
    """What a reader calls the expressions of some letters: squared lengths, determinants, determinants of A Aᵀ."""

    def __init__(self, letters: Iterable[tuple[str, Any]]) -> None:
        """Take letters, each with its print and its matrix."""
        matrices = [(latex, value) for latex, value in letters if isinstance(value, sp.MatrixBase)]
        self._matrices = [(latex, A) for latex, A in matrices if all(e.is_Symbol or e.is_number for e in A)]
        self._lengths: dict[sp.Expr, str] | None = None
        self._known: dict[sp.Expr, str] | None = None

    def length(self, square: sp.Expr) -> str:
        """Return the vector of which an expression is the squared length; empty where there is none."""
        if self._lengths is None:
            self._lengths = {}
            for latex, A in self._matrices:
                if 1 in A.shape:
                    self._lengths.setdefault(_squares(A), latex)
                if A.shape == (6, 1):
                    self._lengths.setdefault(_squares(A[:3, :]), rf"\omega({latex})")
                    self._lengths.setdefault(_squares(A[3:, :]), f"v({latex})")
        return self._lengths.get(sp.expand(square), "")

    def not_zero(self, f: sp.Expr) -> str:
        """Return how a reader says that f is not zero; empty where no name is known."""
        if length := self.length(f):
            return rf"{length} \ne 0"
        if self._known is None:
            self._known = {}
            for latex, A in self._matrices:
                if 1 not in A.shape and max(A.shape) <= _SMALL:
                    self._note(latex, A)
            rows = [(latex, A) for latex, A in self._matrices if A.rows < A.cols <= _SMALL]
            for (a, A), (b, B) in combinations(rows, 2):
                if A.cols == B.cols and A.rows + B.rows <= A.cols:
                    both = A.col_join(B)
                    said = rf"\operatorname{{rank}}\begin{{bmatrix}} {a} \\ {b} \end{{bmatrix}} = {both.rows}"
                    self._known.setdefault(_gram(both), said)
        return self._known.get(f, self._known.get(sp.expand(-f), ""))

    def _note(self, latex: str, A: sp.Matrix) -> None:
        assert self._known is not None
        if A.rows == A.cols:
            self._known.setdefault(sp.expand(A.det(method="berkowitz")), rf"\det {latex} \ne 0")
        else:
            self._known.setdefault(_gram(A), rf"\operatorname{{rank}} {latex} = {min(A.shape)}")


def _squares(A: sp.Matrix) -> sp.Expr:
    return sp.expand(sum((e**2 for e in A), sp.Integer(0)))


def _gram(A: sp.Matrix) -> sp.Expr:
    return sp.expand((A * A.T if A.rows < A.cols else A.T * A).det(method="berkowitz"))


def relation_latex(kind: str, f: sp.Basic, names: Names, written: str = "") -> str:
    """Return how "f is not zero", "f ≥ 0" or "f > 0" prints.

    Args:
        kind: As in `needs`.
        f: What it is said of.
        names: What a reader calls things.
        written: How it printed where it was needed, for what has no better name.
    """
    if kind == OFF_CUT:
        y, x = map(latex_of, f.args)
        if written:
            return written
        return rf"\left({y} \ne 0 \text{{ or }} {x} > 0\right)"
    if f.func == stumpff and int(f.args[0]) in _TURNS:
        return rf"{_root(f.args[1], names)} \notin {_TURNS[int(f.args[0])]}\{{1, 2, \dots\}}"
    if kind == NONZERO and f.is_Symbol and f.is_nonnegative:
        return rf"{latex_of(f)} > 0"
    named = names.not_zero(f) if kind == NONZERO else ""
    plain = named or _compared(f, _SIGNS[kind])
    return written if written and not named and len(plain) > max(len(written), 24) else plain


def latex_of(e: sp.Basic) -> str:
    """Return the LaTeX of an expression or relation, with as few parentheses as it reads without."""
    latex = str(sp.latex(e, fold_func_brackets=True, inv_trig_style="full"))
    return re.sub(r"\\([lgn]e)q\b", r"\\\1", latex)


def _root(square: sp.Expr, names: Names) -> str:
    """Return how an angle prints of which the square is known."""
    if length := names.length(square):
        return rf"\|{length}\|"
    whole = sp.factor(square)
    for base, power in sp.factor_list(whole)[1] if whole.is_Mul else ():
        rest = sp.sqrt(sp.cancel(whole / base**power))
        if power == 1 and (length := names.length(base)) and not rest.has(sp.sqrt):
            return rf"{latex_of(rest)}\,\|{length}\|"
    return latex_of(sp.sqrt(whole))


def _compared(f: sp.Expr, sign: str) -> str:
    """Return a relation with what is taken away on its right side: x − 1 ≥ 0 as x ≥ 1, 1 − x² > 0 as |x| < 1."""
    other = {r"\ge": r"\le", ">": "<"}.get(sign, sign)
    letters = list(f.free_symbols)
    if len(letters) == 1 and f.is_polynomial(s := letters[0]):
        coefficients = sp.Poly(f, s).all_coeffs()
        if len(coefficients) == 2:
            flip = coefficients[0].is_negative
            return rf"{latex_of(s)} {other if flip else sign} {latex_of(-coefficients[1] / coefficients[0])}"
        if len(coefficients) == 3 and coefficients[1] == 0 and coefficients[0].is_negative and coefficients[2] > 0:
            bound = sp.sqrt(-coefficients[2] / coefficients[0])
            return rf"\left|{latex_of(s)}\right| {other} {latex_of(bound)}"
    minus = [t for t in sp.Add.make_args(f) if t.could_extract_minus_sign()]
    plus = [t for t in sp.Add.make_args(f) if not t.could_extract_minus_sign()]
    if len(minus) == 1 and plus and sp.count_ops(f) < 12 and not f.is_Mul:
        return rf"{latex_of(sp.Add(*plus))} {sign} {latex_of(-minus[0])}"
    if f.is_Mul and f.could_extract_minus_sign():
        return rf"{latex_of(-f)} {other if sign != chr(92) + 'ne' else sign} 0"
    return rf"{latex_of(f)} {sign} 0"
