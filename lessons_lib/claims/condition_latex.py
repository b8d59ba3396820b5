"""LaTeX of conditions: named quantities if possible (ω ≠ 0, det J ≠ 0, rank J = 2), otherwise relations of symbols."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations
from typing import Any

import sympy as sp

from lessons_lib.claims.domain_constraints import NONZERO, NOT_NEGATIVE, OFF_CUT, POSITIVE
from lessons_lib.symbolic.stumpff_functions import stumpff

_SMALL = 4  # largest number of rows and columns of a matrix with a named determinant
_SIGNS = {NONZERO: r"\ne", NOT_NEGATIVE: r"\ge", POSITIVE: ">"}
_PERIODS = {1: r"\pi", 2: r"2\pi"}


class Names:
    """Names of expressions in the entries of matrices: squared lengths, determinants, Gram determinants."""

    def __init__(self, letters: Iterable[tuple[str, Any]]) -> None:
        """Store the matrices among the symbols, each with its LaTeX."""
        matrices = [(latex, value) for latex, value in letters if isinstance(value, sp.MatrixBase)]
        self._matrices = [(latex, A) for latex, A in matrices if all(e.is_Symbol or e.is_number for e in A)]
        self._lengths: dict[sp.Expr, str] | None = None
        self._known: dict[sp.Expr, str] | None = None

    def length(self, square: sp.Expr) -> str:
        if self._lengths is None:
            self._lengths = {}
            for latex, A in self._matrices:
                if 1 in A.shape:
                    self._lengths.setdefault(_squared_length(A), latex)
                if A.shape == (6, 1):
                    self._lengths.setdefault(_squared_length(A[:3, :]), rf"\omega({latex})")
                    self._lengths.setdefault(_squared_length(A[3:, :]), f"v({latex})")
        return self._lengths.get(sp.expand(square), "")

    def not_zero(self, f: sp.Expr) -> str:
        """Return the LaTeX of f ≠ 0 in terms of a named quantity, or ""."""
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
                    rank = rf"\operatorname{{rank}}\begin{{bmatrix}} {a} \\ {b} \end{{bmatrix}} = {both.rows}"
                    self._known.setdefault(_gram_determinant(both), rank)
        return self._known.get(f, self._known.get(sp.expand(-f), ""))

    def _note(self, latex: str, A: sp.Matrix) -> None:
        assert self._known is not None
        if A.rows == A.cols:
            self._known.setdefault(sp.expand(A.det(method="berkowitz")), rf"\det {latex} \ne 0")
        else:
            self._known.setdefault(_gram_determinant(A), rf"\operatorname{{rank}} {latex} = {min(A.shape)}")


def _squared_length(A: sp.Matrix) -> sp.Expr:
    return sp.expand(sum((e**2 for e in A), sp.Integer(0)))


def _gram_determinant(A: sp.Matrix) -> sp.Expr:
    return sp.expand((A * A.T if A.rows < A.cols else A.T * A).det(method="berkowitz"))


def relation_latex(kind: str, f: sp.Basic, names: Names, written: str = "") -> str:
    """Return the LaTeX of f ≠ 0, f ≥ 0 or f > 0 by a name or as a relation; `written` if that is much shorter."""
    if kind == OFF_CUT:
        y, x = map(latex_of, f.args)
        if written:
            return written
        return rf"\left({y} \ne 0 \text{{ or }} {x} > 0\right)"
    if f.func == stumpff and int(f.args[0]) in _PERIODS:
        return rf"{_angle_latex(f.args[1], names)} \notin {_PERIODS[int(f.args[0])]}\{{1, 2, \dots\}}"
    if kind == NONZERO and f.is_Symbol and f.is_nonnegative:
        return rf"{latex_of(f)} > 0"
    named = names.not_zero(f) if kind == NONZERO else ""
    plain = named or _comparison_latex(f, _SIGNS[kind])
    return written if written and not named and len(plain) > max(len(written), 24) else plain


def latex_of(e: sp.Basic) -> str:
    """Return the LaTeX of an expression or relation with few parentheses."""
    latex = str(sp.latex(e, fold_func_brackets=True, inv_trig_style="full"))
    return re.sub(r"\\([lgn]e)q\b", r"\\\1", latex)


def _angle_latex(square: sp.Expr, names: Names) -> str:
    """Return the LaTeX of the square root of a squared angle."""
    if length := names.length(square):
        return rf"\|{length}\|"
    whole = sp.factor(square)
    for base, power in sp.factor_list(whole)[1] if whole.is_Mul else ():
        rest = sp.sqrt(sp.cancel(whole / base**power))
        if power == 1 and (length := names.length(base)) and not rest.has(sp.sqrt):
            return rf"{latex_of(rest)}\,\|{length}\|"
    return latex_of(sp.sqrt(whole))


def _comparison_latex(f: sp.Expr, sign: str) -> str:
    """Return a relation with the negative terms on the right: x ≥ 1 for x − 1 ≥ 0, |x| < 1 for 1 − x² > 0."""
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
