"""Terms: expressions that print as written, factors in that order, and have the SymPy value that a proof uses."""
# R = let("R", exp(vector("omega"))); R.T * R prints R^T R, and its value is the product of the derived matrices

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

from lessons_lib.claims.domain_constraints import (
    Constraints,
    add_implicit,
    constraints_of,
    divisor_constraint,
    entries,
    power_constraints,
)
from lessons_lib.claims.sympy_errors import translate_sympy_errors
from lessons_lib.errors import ClaimError
from lessons_lib.symbolic import quaternion, se3
from lessons_lib.symbolic.formulas import name_of, tags_of

SUM, NEGATIVE, CROSS, PRODUCT, POWER, ATOM = range(6)
"""Precedence of a term: an operand of lower precedence gets parentheses."""

WIDEST = 160  # characters of LaTeX; a longer matrix abbreviates sines and cosines
_INDEXED = re.compile(r"_\{[^{}]*\}$")
_PLACED = re.compile(r"(.+?)(?:_(\w+)|(\d+))")  # q_1 and q1
_WAVE = re.compile(r"(\\(?:sin|cos|tan)) (\S+)")


@dataclass(frozen=True, eq=False)
class Term:
    """A printed expression and its SymPy value; every operation makes both together."""

    value: Any
    latex: str
    level: int = ATOM  # SUM, NEGATIVE (a leading minus), CROSS, PRODUCT, POWER or ATOM
    variables: tuple[Variable, ...] = ()  # the free variables as written
    names: tuple[tuple[str, str], ...] = ()  # prints of the names in it and of their definitions
    formulas: frozenset[str] = frozenset()  # the formulas of `symbolic` from which it was derived, "so3.exp"
    constraints: Constraints = frozenset()  # domain constraints of all operations in it
    removable_zeros: frozenset[sp.Expr] = frozenset()  # divisors that may be 0: θ in a Stumpff function; excluded zeros

    _op_priority = 1000.0  # SymPy objects defer operations with a term to the term

    def within(self, level: int) -> str:
        """Return the print as an operand of an operator of some level."""
        return self.latex if self.level >= level else rf"\left({self.latex}\right)"

    def combine(self, value: Any, latex: str, level: int, *others: Term) -> Term:
        """Return a term with the variables, names, formulas and constraints of this one and others."""
        parts = (self, *others)
        variables = dict.fromkeys(v for part in parts for v in part.variables)
        names = dict.fromkeys(n for part in parts for n in part.names)
        formulas = tags_of(value).union(*(part.formulas for part in parts))
        constraints = self.constraints.union(*(part.constraints for part in others))
        removable_zeros = self.removable_zeros.union(*(part.removable_zeros for part in others))
        return Term(value, latex, level, tuple(variables), tuple(names), formulas, constraints, removable_zeros)

    def with_constraints(self, constraints: Constraints) -> Term:
        return replace(self, constraints=self.constraints | constraints)

    def with_implicit_constraints(self) -> Term:
        """Return this term with the constraints of its value, those beyond its parts marked as not printed."""
        return replace(self, constraints=add_implicit(self.value, self.constraints))

    def with_formulas(self, *formulas: Callable[..., Any]) -> Term:
        """Return this term with formulas that could not tag their result because it is not a matrix."""
        return replace(self, formulas=self.formulas | {*filter(None, map(name_of, formulas))})

    @translate_sympy_errors
    def __add__(self, other: Any) -> Term:
        b = term(other)
        left, right = comparable(self.value, b.value)
        return self.combine(left + right, f"{self.latex} {_signed_latex(b)}", SUM, b)

    def __radd__(self, other: Any) -> Term:
        return term(other) + self

    @translate_sympy_errors
    def __sub__(self, other: Any) -> Term:
        b = term(other)
        left, right = comparable(self.value, b.value)
        return self.combine(left - right, f"{self.latex} - {b.within(CROSS)}", SUM, b)

    def __rsub__(self, other: Any) -> Term:
        return term(other) - self

    def __neg__(self) -> Term:
        return self.combine(-self.value, f"-{self.within(CROSS)}", NEGATIVE)

    @translate_sympy_errors
    def __mul__(self, other: Any) -> Term:
        """Return the product, this term first; a 1×1 matrix on either side counts as its entry."""
        b = term(other)
        left, right = _factors(self.value, b.value)
        level = NEGATIVE if self.level == NEGATIVE else PRODUCT  # a minus in front needs no parentheses
        return self.combine(left * right, rf"{self.within(level)}\,{b.within(PRODUCT)}", level, b)

    def __rmul__(self, other: Any) -> Term:
        return term(other) * self

    __matmul__ = __mul__

    @translate_sympy_errors
    def __truediv__(self, other: Any) -> Term:
        b = term(other)
        combined = self.combine(entry(self.value) / entry(b.value), rf"\frac{{{self.latex}}}{{{b.latex}}}", PRODUCT, b)
        return combined.with_constraints(divisor_constraint(entry(b.value), b.within(CROSS)))

    def __rtruediv__(self, other: Any) -> Term:
        return term(other) / self

    @translate_sympy_errors
    def __pow__(self, power: Any) -> Term:
        b = term(power)
        wave = _WAVE.fullmatch(self.latex)
        printed = f"{wave[1]}^{{{b.latex}}} {wave[2]}" if wave else f"{self.within(ATOM)}^{{{b.latex}}}"
        base = entry(self.value)
        is_whole = b.value.is_Integer and b.value >= 0
        constraints = [] if is_whole or base == sp.E else power_constraints(det_of(base), b.value)
        return self.combine(_power(base, b.value), printed, PRODUCT if wave else POWER, b).with_constraints(
            frozenset(constraints)
        )

    @property
    @translate_sympy_errors
    def T(self) -> Term:  # noqa: N802, the mathematicians' letter
        return self.combine(self.value.T, rf"{self.within(ATOM)}^{{\mathsf T}}", POWER)

    @property
    @translate_sympy_errors
    def inv(self) -> Term:
        """The inverse of a square matrix; ClaimError if the determinant is zero for all values."""
        try:
            inverted = self.value.inv()
        except NonInvertibleMatrixError as cause:
            raise ClaimError(f"{self.latex} has no inverse: its determinant is zero for all values") from cause
        combined = self.combine(inverted, f"{self.within(ATOM)}^{{-1}}", POWER)
        return combined.with_constraints(divisor_constraint(det_of(self.value), rf"\det {self.within(ATOM)}"))

    @translate_sympy_errors
    def __getitem__(self, place: int | Term) -> Term:
        """Return an entry of a column or a column of a matrix; integers count from 0, index terms from 1."""
        i = place if isinstance(place, Term) else term(place + 1)
        at = int(i.value) - 1
        value = self.value[at] if self.value.cols == 1 else sp.Matrix(self.value[:, at])
        whole = self.within(POWER)
        indexed = f"{whole[:-1]},{i.latex}}}" if _INDEXED.search(whole) else f"{whole}_{{{i.latex}}}"
        return self.combine(value, indexed, ATOM, i)

    def __iter__(self) -> Iterator[Term]:
        """Iterate over the entries of a column or the columns of a matrix."""
        return (self[place] for place in range(self.value.rows if self.value.cols == 1 else self.value.cols))

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex}$"

    def __repr__(self) -> str:
        return self.latex


@dataclass(frozen=True)
class Variable:
    """A free variable: its print, domain in LaTeX such as "> 0", symbols, and its matrix (None for a number)."""

    latex: str
    domain: str
    symbols: frozenset[sp.Symbol]
    value: Any = None


@translate_sympy_errors
def term(x: Any) -> Term:
    """Convert a number, a SymPy expression or a matrix to a term; a term is returned unchanged."""
    if isinstance(x, Term):
        return x
    value = x if isinstance(x, sp.MatrixBase) else sp.sympify(x)
    if not isinstance(value, sp.MatrixBase | sp.Basic):
        raise ClaimError(f"a term must be a number, a SymPy expression or a matrix, got {x!r}")
    if isinstance(value, sp.MatrixBase):
        return Term(value, matrix_latex(value), ATOM, formulas=tags_of(value), constraints=constraints_of(value))
    printed = sp.latex(value, inv_trig_style="full").replace(r"\operatorname{atan}_{2}", r"\operatorname{atan2}")
    return Term(value, printed, _level(value), constraints=constraints_of(value))


def let(letters: str, meaning: Any) -> Term:
    """Name an expression: the term prints as its name, "J_b" or LaTeX with a backslash, and keeps its value."""
    known = term(meaning)
    latex = _letters_latex(letters)
    if not isinstance(meaning, Term):
        known = replace(known, constraints=add_implicit(known.value))
    level = POWER if "^" in latex else ATOM  # J⁺ᵀ without parentheses would be two superscripts
    return replace(known, latex=latex, level=level, names=(*known.names, (latex, known.latex)))


@translate_sympy_errors
def derived(formula: Callable[..., Any], *parts: Any) -> Term:
    """Apply a function of `symbolic` to terms; a long result prints as a call of that function."""
    known = [term(part) for part in parts]
    value = formula(*(part.value for part in known))
    printed = None if _is_longer(value, WIDEST // 2) else term(value)
    if printed is None or len(printed.latex) > WIDEST / 2:
        called = ", ".join(part.latex for part in known)
        name = formula.__name__.replace("_", r"\_")
        printed = Term(value, rf"\mathrm{{{name}}}({called})")
    return (
        known[0]
        .combine(value, printed.latex, printed.level, *known[1:])
        .with_formulas(formula)
        .with_constraints(constraints_of(value))
    )


def _is_longer(value: Any, most: int) -> bool:
    """Return whether an expression has more leaves than `most`; its print has at least as many characters."""
    leaves = (part for entry in entries(value) for part in sp.preorder_traversal(entry) if not part.args)
    return next(islice(leaves, most, None), None) is not None


def variable(letters: str, symbol: sp.Symbol | None = None) -> Term:
    """Return a real variable, or one with the assumptions of a given symbol."""
    symbol = sp.Symbol(letters, real=True) if symbol is None else symbol
    latex = _letters_latex(letters)
    return Term(symbol, latex, ATOM, (Variable(latex, domain_of(symbol), frozenset([symbol])),))


def ranging(letters: str, meaning: Any, domain: str) -> Term:
    r"""Return a variable for all values of an expression, for instance o/(1 + o) with o > 0 for r"\in (0, 1)"."""
    known, latex = term(meaning), _letters_latex(letters)
    whole = sp.ImmutableMatrix(known.value) if isinstance(known.value, sp.MatrixBase) else None
    variable = Variable(latex, domain, frozenset(known.value.free_symbols), whole)
    return Term(known.value, latex, ATOM, (variable,), removable_zeros=_divisors(known.value))


def vector(letters: str, size: int = 3) -> Term:
    """Return a variable for any real column, with entries letters_1, letters_2, …."""
    column = sp.Matrix([sp.Symbol(f"{letters}_{i + 1}", real=True) for i in range(size)])
    return _any_value(letters, column, rf"\in \mathbb R^{{{size}}}")


def matrix(letters: str, rows: int, columns: int) -> Term:
    entries = [[sp.Symbol(f"{letters}_{i + 1}{j + 1}", real=True) for j in range(columns)] for i in range(rows)]
    return _any_value(letters, sp.Matrix(entries), rf"\in \mathbb R^{{{rows}\times {columns}}}")


def symmetric(letters: str, size: int) -> Term:
    """Return a variable for any real symmetric matrix."""
    entry = [[sp.Symbol(f"{letters}_{max(i, j)}{min(i, j)}", real=True) for j in range(size)] for i in range(size)]
    kept = rf"= {_letters_latex(letters)}^{{\mathsf T}}"
    return _any_value(letters, sp.Matrix(entry), rf"{kept} \in \mathbb R^{{{size}\times {size}}}")


def diagonal(letters: str, size: int) -> Term:
    """Return a variable for any diagonal matrix of positive numbers."""
    entries = [sp.Symbol(f"{letters}_{i + 1}{i + 1}", positive=True) for i in range(size)]
    return _any_value(letters, sp.diag(*entries), r"\text{ diagonal, positive}")


def any_rotation(letters: str) -> Term:
    """Return a variable for any rotation, parametrized by four numbers that are not all zero."""
    # the copy has no tags: a claim about R is not about `quaternion.rotation`
    R = quaternion.rotation(_numbers(letters, "ijkl")).copy()
    return _any_value(letters, R, r"\in \mathrm{SO}(3)")


def any_pose(letters: str) -> Term:
    R = quaternion.rotation(_numbers(letters, "ijkl"))
    return _any_value(letters, se3.pose(R, _numbers(letters, "xyz")), r"\in \mathrm{SE}(3)")


def any_unit(letters: str) -> Term:
    """Return a variable for any unit 3-column, parametrized by three numbers that are not all zero."""
    return _any_value(letters, _on_sphere(letters), rf"\in \mathbb R^3,\ \|{_letters_latex(letters)}\| = 1")


def any_screw(letters: str) -> Term:
    """Return a variable for the screw of any revolute or helical joint: any unit axis and any pitch."""
    return _any_value(
        letters, _on_sphere(letters).col_join(_numbers(letters, "xyz")), r"= (\omega, v),\ \|\omega\| = 1"
    )


def any_prismatic(letters: str) -> Term:
    return _any_value(letters, sp.zeros(3, 1).col_join(_numbers(letters, "xyz")), "= (0, v)")


def _numbers(letters: str, heads: str) -> sp.Matrix:
    return sp.Matrix([sp.Symbol(f"{head}_{letters}", real=True) for head in heads])


def _on_sphere(letters: str) -> sp.Matrix:
    a, b, c = _numbers(letters, "abc")
    return sp.Matrix([2 * a * c, 2 * b * c, a**2 + b**2 - c**2]) / (a**2 + b**2 + c**2)


def _any_value(letters: str, value: sp.Matrix, domain: str) -> Term:
    latex = _letters_latex(letters)
    variable = Variable(latex, domain, frozenset(value.free_symbols), sp.ImmutableMatrix(value))
    return Term(value, latex, ATOM, (variable,), removable_zeros=_divisors(value))


def _divisors(value: Any) -> frozenset[sp.Expr]:
    """Return the expressions that the domain of a variable keeps from being zero."""
    return frozenset(constraint.expr for constraint in constraints_of(value))


def domain_of(symbol: sp.Symbol) -> str:
    """Return the domain of a symbol in LaTeX; ClaimError for an assumption that cannot be printed, as "even"."""
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
    """Raise ClaimError if a symbol has assumptions other than those of a kind or of a number."""
    whole = {"integer": True} if symbol.is_integer else {}
    allowed = [sp.Symbol("s", **(whole | {kind: True})), sp.Symbol("s", **whole), sp.Symbol("s", complex=True)]
    if all(symbol.assumptions0 != one.assumptions0 for one in allowed):
        known = ", ".join(sorted(symbol._assumptions_orig))
        raise ClaimError(
            f"the assumptions of {symbol} must be real, integer or a sign, which can be printed, got {known}"
        )


def matrix_latex(value: sp.Matrix) -> str:
    """Return the LaTeX of a matrix; a wide one abbreviates cos q₁ to c₁ and sin(q₁ + q₂) to s₁₂."""
    plain, short = (str(sp.latex(entries, mat_str="matrix", mat_delim="[")) for entries in (value, abbreviate(value)))
    return plain if len(plain) <= WIDEST else short


def abbreviate(value: Any) -> Any:
    """Replace sines and cosines of joint angles q₁, q₂, … by short symbols."""
    short: dict[sp.Expr, sp.Symbol] = {}
    for wave in value.atoms(sp.sin, sp.cos):
        letters = _joint_indices(wave.args[0])
        if letters:
            short[wave] = sp.Symbol(f"{'s' if isinstance(wave, sp.sin) else 'c'}_{{{letters}}}")
    return value.xreplace(short)


def _joint_indices(angle: sp.Expr) -> str:
    """Return "12" for q_1 + q_2, the name of a single other symbol, and "" for other angles."""
    parts = sp.Add.make_args(angle)
    matches = [_PLACED.fullmatch(str(part)) for part in parts if part.is_Symbol]
    if len(parts) == 1 and matches == [None]:
        return str(sp.latex(angle))
    known = [one for one in matches if one]
    if len(known) != len(parts) or len({one[1] for one in known}) != 1:
        return ""
    return "".join(sorted(one[2] or one[3] for one in known))


def _letters_latex(letters: str) -> str:
    return letters if "\\" in letters else str(sp.latex(sp.Symbol(letters)))


def _signed_latex(b: Term) -> str:
    return b.latex if b.latex.startswith("-") else f"+ {b.latex}"


def _factors(left: Any, right: Any) -> tuple[Any, Any]:
    """Return two values that can be multiplied; a 1×1 matrix of incompatible shape becomes a number."""
    shapes = [getattr(side, "shape", ()) for side in (left, right)]
    if shapes[0] and shapes[1] and shapes[0][1] != shapes[1][0]:
        return (entry(left), right) if shapes[0] == (1, 1) else (left, entry(right))
    return left, right


def comparable(left: Any, right: Any) -> tuple[Any, Any]:
    """Return two values that can be compared; a 1×1 matrix next to a number becomes a number."""
    numbers = [not isinstance(side, sp.MatrixBase) for side in (left, right)]
    return (entry(left), entry(right)) if any(numbers) else (left, right)


def entry(value: Any) -> Any:
    return value[0, 0] if isinstance(value, sp.MatrixBase) and value.shape == (1, 1) else value


def _power(base: Any, exponent: Any) -> Any:
    """Return a power; of a matrix by multiplication, because SymPy would simplify the entries first, for seconds."""
    if isinstance(base, sp.MatrixBase) and exponent.is_Integer and exponent > 0:
        return reduce(mul, [base] * int(exponent))
    return base**exponent


def det_of(value: Any) -> sp.Expr:
    """Return the determinant of a matrix; a number unchanged."""
    return value.det(method="berkowitz") if isinstance(value, sp.MatrixBase) else value


def _level(value: sp.Expr) -> int:
    if value.is_Add:
        return SUM
    if value.could_extract_minus_sign():
        return NEGATIVE
    if value.is_Mul or (value.is_Rational and not value.is_Integer):
        return PRODUCT
    return POWER if value.is_Pow and not value.args[1].is_negative else PRODUCT if value.is_Pow else ATOM


def bind_letter(f: Term, letter: Term) -> Term:
    """Return f with a symbol bound, so that it no longer quantifies over that symbol."""
    bound = set(letter.variables)
    return replace(f, variables=tuple(v for v in f.variables if v not in bound))
