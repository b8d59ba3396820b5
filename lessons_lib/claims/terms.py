"""Terms: mathematics that prints as it was written and stands for the SymPy object that a proof looks at.

    omega = vector("omega")
    R = let("R", exp(omega))
    R.T * R                     prints R^T R, and its value is the product of the derived matrices

Every operation makes the print and the value in one place, so that a formula on the page cannot say something else than
what was shown. A term prints its factors in the order in which they were written; SymPy would sort them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from operator import mul
from typing import Any

import sympy as sp
from sympy.matrices.exceptions import NonInvertibleMatrixError

from lessons_lib.claims.domain_constraints import Needs, divided_by, entries, hidden, of_power, of_value
from lessons_lib.claims.sympy_errors import translate_sympy_errors
from lessons_lib.errors import ClaimError
from lessons_lib.symbolic import quaternion, se3
from lessons_lib.symbolic.formulas import name_of, tags_of

SUM, NEGATIVE, CROSS, PRODUCT, POWER, ATOM = range(6)
"""How tightly a term binds: a looser one gets parentheses inside a tighter one."""

WIDEST = 160  # characters of LaTeX: in a longer matrix, sines and cosines are abbreviated


_INDEXED = re.compile(r"_\{[^{}]*\}$")
_PLACED = re.compile(r"(.+?)(?:_(\w+)|(\d+))")  # q_1 and q1
_WAVE = re.compile(r"(\\(?:sin|cos|tan)) (\S+)")


@dataclass(frozen=True, eq=False)
class Term:
    """A printed expression and what it stands for.

    Attributes:
        value: SymPy expression or matrix.
        latex: How it prints.
        level: SUM, NEGATIVE (a minus before it), CROSS, PRODUCT, POWER or ATOM.
        variables: What it holds for all values of: the free letters that were written, each with its print and range.
        names: The names that were written for something longer, each with its print and that of its definition.
        formulas: The formulas of this package that it is made of, "so3.exp" for instance.
        needs: What has to hold where it is defined, collected from all that it was made of.
        excused: What may vanish though it stands in a denominator: the θ of a Stumpff function's closed form, which
            has a value there, and what the domain of a letter excludes.
    """

    value: Any
    latex: str
    level: int = ATOM
    variables: tuple[Variable, ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    formulas: frozenset[str] = frozenset()
    needs: Needs = frozenset()
    excused: frozenset[sp.Expr] = frozenset()

    _op_priority = 1000.0  # SymPy's objects leave an operation with a term to the term

    def within(self, level: int) -> str:
        """Return the print as it stands inside something that binds as tightly as `level`."""
        return self.latex if self.level >= level else rf"\left({self.latex}\right)"

    def made(self, value: Any, latex: str, level: int, *others: Term) -> Term:
        """Return a term made of this one and others; one that may be undefined where they are not says so."""
        parts = (self, *others)
        variables = dict.fromkeys(v for part in parts for v in part.variables)
        names = dict.fromkeys(n for part in parts for n in part.names)
        formulas = tags_of(value).union(*(part.formulas for part in parts))
        needs = self.needs.union(*(part.needs for part in others))
        excused = self.excused.union(*(part.excused for part in others))
        return Term(value, latex, level, tuple(variables), tuple(names), formulas, needs, excused)

    def needing(self, needs: Needs) -> Term:
        """Return this term with more that it needs."""
        return replace(self, needs=self.needs | needs)

    def hiding(self) -> Term:
        """Return this term with what its value needs, beside its parts, where no reader sees why."""
        return replace(self, needs=hidden(self.value, self.needs))

    def by(self, *formulas: Callable[..., Any]) -> Term:
        """Return this term with formulas noted that made it and could not sign it: what they return is no matrix."""
        return replace(self, formulas=self.formulas | {*filter(None, map(name_of, formulas))})

    @translate_sympy_errors
    def __add__(self, other: Any) -> Term:
        """Return the sum."""
        b = term(other)
        left, right = comparable(self.value, b.value)
        return self.made(left + right, f"{self.latex} {_signed(b)}", SUM, b)

    def __radd__(self, other: Any) -> Term:
        """Return the sum, the other term first."""
        return term(other) + self

    @translate_sympy_errors
    def __sub__(self, other: Any) -> Term:
        """Return the difference."""
        b = term(other)
        left, right = comparable(self.value, b.value)
        return self.made(left - right, f"{self.latex} - {b.within(CROSS)}", SUM, b)

    def __rsub__(self, other: Any) -> Term:
        """Return the difference, the other term first."""
        return term(other) - self

    def __neg__(self) -> Term:
        """Return the negative."""
        return self.made(-self.value, f"-{self.within(CROSS)}", NEGATIVE)

    @translate_sympy_errors
    def __mul__(self, other: Any) -> Term:
        """Return the product, this term first; a 1×1 matrix on either side counts as its entry."""
        b = term(other)
        left, right = _factors(self.value, b.value)
        level = NEGATIVE if self.level == NEGATIVE else PRODUCT  # a minus in front needs no parentheses
        return self.made(left * right, rf"{self.within(level)}\,{b.within(PRODUCT)}", level, b)

    def __rmul__(self, other: Any) -> Term:
        """Return the product, the other term first."""
        return term(other) * self

    __matmul__ = __mul__

    @translate_sympy_errors
    def __truediv__(self, other: Any) -> Term:
        """Return the quotient, as a fraction."""
        b = term(other)
        made = self.made(entry(self.value) / entry(b.value), rf"\frac{{{self.latex}}}{{{b.latex}}}", PRODUCT, b)
        return made.needing(divided_by(entry(b.value), b.within(CROSS)))

    def __rtruediv__(self, other: Any) -> Term:
        """Return the quotient, the other term on top."""
        return term(other) / self

    @translate_sympy_errors
    def __pow__(self, power: Any) -> Term:
        """Return a power."""
        b = term(power)
        wave = _WAVE.fullmatch(self.latex)
        printed = f"{wave[1]}^{{{b.latex}}} {wave[2]}" if wave else f"{self.within(ATOM)}^{{{b.latex}}}"
        base = entry(self.value)
        is_whole = b.value.is_Integer and b.value >= 0
        needs = [] if is_whole or base == sp.E else of_power(det_of(base), b.value)
        return self.made(_power(base, b.value), printed, PRODUCT if wave else POWER, b).needing(frozenset(needs))

    @property
    @translate_sympy_errors
    def T(self) -> Term:  # noqa: N802, the mathematicians' letter
        """The transpose."""
        return self.made(self.value.T, rf"{self.within(ATOM)}^{{\mathsf T}}", POWER)

    @property
    @translate_sympy_errors
    def inv(self) -> Term:
        """The inverse of a square matrix.

        Raises:
            ClaimError: There is none, whatever the letters are.
        """
        try:
            inverted = self.value.inv()
        except NonInvertibleMatrixError as cause:
            raise ClaimError(f"{self.latex} has no inverse: its determinant is zero for all values") from cause
        made = self.made(inverted, f"{self.within(ATOM)}^{{-1}}", POWER)
        return made.needing(divided_by(det_of(self.value), rf"\det {self.within(ATOM)}"))

    @translate_sympy_errors
    def __getitem__(self, place: int | Term) -> Term:
        """Return an entry of a column, or a column of a matrix; numbers count from 0, an index as it prints, from 1."""
        i = place if isinstance(place, Term) else term(place + 1)
        at = int(i.value) - 1
        value = self.value[at] if self.value.cols == 1 else sp.Matrix(self.value[:, at])
        whole = self.within(POWER)
        indexed = f"{whole[:-1]},{i.latex}}}" if _INDEXED.search(whole) else f"{whole}_{{{i.latex}}}"
        return self.made(value, indexed, ATOM, i)

    def __iter__(self) -> Iterator[Term]:
        """Return the entries of a column, or the columns of a matrix."""
        return (self[place] for place in range(self.value.rows if self.value.cols == 1 else self.value.cols))

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex}$"

    def __repr__(self) -> str:
        """Return the print."""
        return self.latex


@dataclass(frozen=True)
class Variable:
    """A free letter of a statement.

    Attributes:
        latex: How it prints.
        domain: Where it may lie, LaTeX: a set to belong to, or a bound such as "> 0".
        symbols: The SymPy symbols that it stands for.
        value: The matrix that it is, where it is no number.
    """

    latex: str
    domain: str
    symbols: frozenset[sp.Symbol]
    value: Any = None


@translate_sympy_errors
def term(x: Any) -> Term:
    """Return x as a term: a term as it is, a number, a SymPy expression or a matrix printed by SymPy."""
    if isinstance(x, Term):
        return x
    value = x if isinstance(x, sp.MatrixBase) else sp.sympify(x)
    if isinstance(value, sp.MatrixBase):
        return Term(value, matrix_latex(value), ATOM, formulas=tags_of(value), needs=of_value(value))
    printed = sp.latex(value, inv_trig_style="full").replace(r"\operatorname{atan}_{2}", r"\operatorname{atan2}")
    return Term(value, printed, _level(value), needs=of_value(value))


def let(letters: str, meaning: Any) -> Term:
    """Return a name for something longer: it prints as `letters`, and stands for what the meaning stands for.

    Args:
        letters: As a SymPy symbol would be named: "J_b", "T_sb", "omega"; LaTeX where it holds a backslash.
        meaning: A term, or a SymPy expression or matrix.
    """
    known = term(meaning)
    latex = _letters(letters)
    if not isinstance(meaning, Term):
        known = replace(known, needs=hidden(known.value))
    level = POWER if "^" in latex else ATOM  # J⁺ᵀ without parentheses would be two superscripts
    return replace(known, latex=latex, level=level, names=(*known.names, (latex, known.latex)))


@translate_sympy_errors
def derived(formula: Callable[..., Any], *parts: Any) -> Term:
    """Return what a function of `symbolic` makes of terms; what is too long to print goes by that function's name."""
    known = [term(part) for part in parts]
    value = formula(*(part.value for part in known))
    printed = None if _longer(value, WIDEST // 2) else term(value)
    if printed is None or len(printed.latex) > WIDEST / 2:
        called = ", ".join(part.latex for part in known)
        name = formula.__name__.replace("_", r"\_")
        printed = Term(value, rf"\mathrm{{{name}}}({called})")
    return known[0].made(value, printed.latex, printed.level, *known[1:]).by(formula).needing(of_value(value))


def _longer(value: Any, most: int) -> bool:
    """Return whether an expression has more letters and numbers than `most`; its print has no fewer characters."""
    leaves = (part for entry in entries(value) for part in sp.preorder_traversal(entry) if not part.args)
    return next(islice(leaves, most, None), None) is not None


def variable(letters: str, symbol: sp.Symbol | None = None) -> Term:
    """Return a letter for any real number, or for what the assumptions on a given symbol allow."""
    symbol = sp.Symbol(letters, real=True) if symbol is None else symbol
    latex = _letters(letters)
    return Term(symbol, latex, ATOM, (Variable(latex, domain_of(symbol), frozenset([symbol])),))


def ranging(letters: str, meaning: Any, domain: str) -> Term:
    r"""Return a letter for all that an expression can be, and for nothing else: o/(1 + o) with o > 0 is all of (0, 1).

    Args:
        letters: As in `let`.
        meaning: The expression in free symbols.
        domain: What it runs over when they do, LaTeX: r"\in (0, 1)".
    """
    known, latex = term(meaning), _letters(letters)
    whole = sp.ImmutableMatrix(known.value) if isinstance(known.value, sp.MatrixBase) else None
    variable = Variable(latex, domain, frozenset(known.value.free_symbols), whole)
    return Term(known.value, latex, ATOM, (variable,), excused=_divisors(known.value))


def vector(letters: str, size: int = 3) -> Term:
    """Return a letter for any column of real numbers; its entries are called letters_1, letters_2, …."""
    column = sp.Matrix([sp.Symbol(f"{letters}_{i + 1}", real=True) for i in range(size)])
    return _any(letters, column, rf"\in \mathbb R^{{{size}}}")


def matrix(letters: str, rows: int, columns: int) -> Term:
    """Return a letter for any matrix of real numbers."""
    entries = [[sp.Symbol(f"{letters}_{i + 1}{j + 1}", real=True) for j in range(columns)] for i in range(rows)]
    return _any(letters, sp.Matrix(entries), rf"\in \mathbb R^{{{rows}\times {columns}}}")


def symmetric(letters: str, size: int) -> Term:
    """Return a letter for any symmetric matrix of real numbers."""
    entry = [[sp.Symbol(f"{letters}_{max(i, j)}{min(i, j)}", real=True) for j in range(size)] for i in range(size)]
    kept = rf"= {_letters(letters)}^{{\mathsf T}}"
    return _any(letters, sp.Matrix(entry), rf"{kept} \in \mathbb R^{{{size}\times {size}}}")


def diagonal(letters: str, size: int) -> Term:
    """Return a letter for any diagonal matrix of positive numbers: weights."""
    entries = [sp.Symbol(f"{letters}_{i + 1}{i + 1}", positive=True) for i in range(size)]
    return _any(letters, sp.diag(*entries), r"\text{ diagonal, positive}")


def any_rotation(letters: str) -> Term:
    """Return a letter for any rotation: each is made of four numbers, not all zero."""
    R = quaternion.rotation(_numbers(letters, "ijkl"))
    return _any(letters, R.copy(), r"\in \mathrm{SO}(3)")  # unsigned: what is said of R is said of any rotation


def any_pose(letters: str) -> Term:
    """Return a letter for any pose: any rotation, and any position."""
    R = quaternion.rotation(_numbers(letters, "ijkl"))
    return _any(letters, se3.pose(R, _numbers(letters, "xyz")), r"\in \mathrm{SE}(3)")


def any_unit(letters: str) -> Term:
    """Return a letter for any 3-column of length one: a point that three numbers, not all zero, put on the sphere."""
    return _any(letters, _on_sphere(letters), rf"\in \mathbb R^3,\ \|{_letters(letters)}\| = 1")


def any_screw(letters: str) -> Term:
    """Return a letter for the screw of any joint that turns: an axis of length one anywhere, and any pitch."""
    return _any(letters, _on_sphere(letters).col_join(_numbers(letters, "xyz")), r"= (\omega, v),\ \|\omega\| = 1")


def any_prismatic(letters: str) -> Term:
    """Return a letter for the screw of any joint that slides."""
    return _any(letters, sp.zeros(3, 1).col_join(_numbers(letters, "xyz")), "= (0, v)")


def _numbers(letters: str, heads: str) -> sp.Matrix:
    return sp.Matrix([sp.Symbol(f"{head}_{letters}", real=True) for head in heads])


def _on_sphere(letters: str) -> sp.Matrix:
    a, b, c = _numbers(letters, "abc")
    return sp.Matrix([2 * a * c, 2 * b * c, a**2 + b**2 - c**2]) / (a**2 + b**2 + c**2)


def _any(letters: str, value: sp.Matrix, domain: str) -> Term:
    latex = _letters(letters)
    variable = Variable(latex, domain, frozenset(value.free_symbols), sp.ImmutableMatrix(value))
    return Term(value, latex, ATOM, (variable,), excused=_divisors(value))


def _divisors(value: Any) -> frozenset[sp.Expr]:
    """Return what is no zero by the meaning of a letter: the numbers that make a rotation are not all zero."""
    return frozenset(need.of for need in of_value(value))


def domain_of(symbol: sp.Symbol) -> str:
    """Return where the assumptions on a symbol let it lie, as LaTeX.

    Raises:
        ClaimError: An assumption has no print: that a number is even, for instance.
    """
    numbers = r"\mathbb Z" if symbol.is_integer else r"\mathbb R"
    for sign, holds in _SIGNS.items():
        if getattr(symbol, f"is_{sign}"):
            _check_printed(symbol, sign)
            return holds if not symbol.is_integer else rf"\in \mathbb Z_{{{holds}}}"
    if symbol.is_nonzero:
        _check_printed(symbol, "nonzero")
        return rf"\in {numbers} \setminus \{{0\}}"
    _check_printed(symbol, "real")
    return rf"\in {numbers}" if symbol.is_extended_real or symbol.is_integer else r"\in \mathbb C"


_SIGNS = {"positive": "> 0", "nonnegative": r"\ge 0", "negative": "< 0", "nonpositive": r"\le 0"}


def _check_printed(symbol: sp.Symbol, kind: str) -> None:
    """Check that a symbol has no assumptions beside those of a kind, or of a number."""
    whole = {"integer": True} if symbol.is_integer else {}
    allowed = [sp.Symbol("s", **(whole | {kind: True})), sp.Symbol("s", **whole), sp.Symbol("s", complex=True)]
    if all(symbol.assumptions0 != one.assumptions0 for one in allowed):
        known = ", ".join(sorted(symbol._assumptions_orig))
        raise ClaimError(f"letter {symbol} is assumed {known}; valid are real, integer and the signs, which print")


def matrix_latex(value: sp.Matrix) -> str:
    """Return the print of a matrix; one too wide for the page has c₁ for cos q₁ and s₁₂ for sin(q₁ + q₂)."""
    plain, short = (str(sp.latex(entries, mat_str="matrix", mat_delim="[")) for entries in (value, abbreviated(value)))
    return plain if len(plain) <= WIDEST else short


def abbreviated(value: Any) -> Any:
    """Return an expression or matrix with a short symbol for each sine and cosine of joint angles q₁, q₂, …."""
    short: dict[sp.Expr, sp.Symbol] = {}
    for wave in value.atoms(sp.sin, sp.cos):
        letters = _places(wave.args[0])
        if letters:
            short[wave] = sp.Symbol(f"{'s' if isinstance(wave, sp.sin) else 'c'}_{{{letters}}}")
    return value.xreplace(short)


def _places(angle: sp.Expr) -> str:
    """Return "12" for q_1 + q_2, the letter itself for a single one, and nothing for what is no sum of such symbols."""
    parts = sp.Add.make_args(angle)
    found = [_PLACED.fullmatch(str(part)) for part in parts if part.is_Symbol]
    if len(parts) == 1 and found == [None]:
        return str(sp.latex(angle))
    known = [one for one in found if one]
    if len(known) != len(parts) or len({one[1] for one in known}) != 1:
        return ""
    return "".join(sorted(one[2] or one[3] for one in known))


def _letters(letters: str) -> str:
    return letters if "\\" in letters else str(sp.latex(sp.Symbol(letters)))


def _signed(b: Term) -> str:
    return b.latex if b.latex.startswith("-") else f"+ {b.latex}"


def _factors(left: Any, right: Any) -> tuple[Any, Any]:
    """Return two values that can be multiplied: a 1×1 matrix beside another shape counts as a number."""
    shapes = [getattr(side, "shape", ()) for side in (left, right)]
    if shapes[0] and shapes[1] and shapes[0][1] != shapes[1][0]:
        return (entry(left), right) if shapes[0] == (1, 1) else (left, entry(right))
    return left, right


def comparable(left: Any, right: Any) -> tuple[Any, Any]:
    """Return two values that can be compared: a 1×1 matrix beside a number counts as its entry."""
    numbers = [not isinstance(side, sp.MatrixBase) for side in (left, right)]
    return (entry(left), entry(right)) if any(numbers) else (left, right)


def entry(value: Any) -> Any:
    """Return the entry of a 1×1 matrix; other values as they are."""
    return value[0, 0] if isinstance(value, sp.MatrixBase) and value.shape == (1, 1) else value


def _power(base: Any, exponent: Any) -> Any:
    """Return a power; that of a matrix as products of its entries, which SymPy would first simplify, for seconds."""
    if isinstance(base, sp.MatrixBase) and exponent.is_Integer and exponent > 0:
        return reduce(mul, [base] * int(exponent))
    return base**exponent


def det_of(value: Any) -> sp.Expr:
    """Return the determinant of a matrix; a number as it is."""
    return value.det(method="berkowitz") if isinstance(value, sp.MatrixBase) else value


def _level(value: sp.Expr) -> int:
    if value.is_Add:
        return SUM
    if value.could_extract_minus_sign():
        return NEGATIVE
    if value.is_Mul or (value.is_Rational and not value.is_Integer):
        return PRODUCT
    return POWER if value.is_Pow and not value.args[1].is_negative else PRODUCT if value.is_Pow else ATOM


def without(f: Term, letter: Term) -> Term:
    """Return f after its letter was given a value, or its values: it no longer holds for all values of it."""
    bound = set(letter.variables)
    return replace(f, variables=tuple(v for v in f.variables if v not in bound))
