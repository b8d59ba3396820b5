"""Prove a claim that a student states as formulas in an exercise, or refuse it with a counterexample."""
# A formula counts in every form: two formulas are equal if their difference is zero for all values of the symbols. A
# common mistake is named only if it produces the submitted formula, and no other mistake does.

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp

from lessons_lib.claims.proof import is_zero, prove
from lessons_lib.course.check_failed import CheckFailed, call_function, hint, shorten
from lessons_lib.errors import ClaimError

Statement = tuple[sp.Expr, str, sp.Expr]
"""The left side; "=", "<=" or "<"; and the right side."""
Formulas = Sequence[sp.Expr]
Slips = Mapping[str, Formulas]


NUMERIC = "Functions from np and math accept only numbers; in a formula, use sp.sqrt, sp.cos and so on."


class Proven(str):
    """The proven claims, displayed without quotation marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Return the text without quotation marks."""
        return str(self)


def formulas(where: str, function: Callable[..., Any], arguments: Sequence[Any]) -> list[sp.Expr]:
    """Return the formula, in a list, that a student's function states in the given symbols, or raise CheckFailed."""
    letters = [one for some in arguments for one in (some if isinstance(some, list) else [some])]
    own = [list(one) if isinstance(one, list) else one for one in arguments]
    answer = call_function(where, function, own, {TypeError: NUMERIC})
    stated = list(answer) if isinstance(answer, (list, tuple)) else [answer]
    if len(stated) != 1:
        raise CheckFailed(f"{where}: expected one formula; your function returned {len(stated)}.")
    for one in stated:
        if not isinstance(one, (sp.Expr, int, float)) or isinstance(one, bool):
            got = f"a {type(one).__name__}, {shorten(repr(one))}"
            raise CheckFailed(f"{where}: expected SymPy formulas; your function returned {got}.")
    formulas = [_exact(sp.sympify(one)) for one in stated]
    strange = sorted({str(letter) for one in formulas for letter in one.free_symbols - set(letters)})
    if strange:
        allowed = ", ".join(map(str, letters))
        raise CheckFailed(
            f"{where}: your formula contains a symbol {strange[0]} that is not one of the arguments {allowed}."
        )
    return formulas


def prove_claim(
    where: str,
    formulas: Formulas,
    claims: Mapping[str, Statement],
    slips: Slips | None = None,
) -> Proven:
    """Prove the claims about a student's formulas, and return a confirmation, or raise CheckFailed."""
    # `claims`: each claim in words, to its statement about these formulas; a mistake: its description, to the formulas
    # that it produces
    for words, (left, relation, right) in claims.items():
        try:
            prove("of yours", words, left, relation, right)
        except ClaimError as refused:
            mine = shorten(", ".join(map(str, formulas)))
            why, *value = str(refused).replace("claim of yours", "Your claim", 1).partition(", left − right")
            message = f"{where}: you stated {mine}.\n{shorten(why)}{''.join(value)}."
            fits = [name for name, guess in (slips or {}).items() if are_equal(formulas, guess)]
            raise CheckFailed(message, [hint(fits[0])] if len(fits) == 1 else []) from None
    return Proven(f"Proven: {' '.join(claims)}")


def are_equal(some: Formulas, others: Formulas) -> bool:
    """Return whether two lists of formulas are equal for all values of their symbols."""
    if len(some) != len(others):
        return False
    apart = [sp.sympify(a - b) for a, b in zip(some, others, strict=True)]
    return not any(map(_differs, apart)) and all(map(is_zero, apart))


def _exact(formula: sp.Expr) -> sp.Expr:
    """Replace decimals by exact numbers: in (2*x)**0.5, SymPy has already made a decimal of the root of 2."""
    return formula.xreplace({decimal: sp.nsimplify(decimal) for decimal in formula.atoms(sp.Float)})


def _differs(expression: sp.Expr) -> bool:
    """Return whether sample values show that an expression is not zero; a thousand times faster than a proof."""
    point = {}
    for k, letter in enumerate(sorted(expression.free_symbols, key=str)):
        size = sp.Integer(k + 2) if letter.is_integer else sp.Rational(2 * k + 3, 7)
        point[letter] = -size if letter.is_nonpositive else size
    value = expression.subs(point).evalf()
    return bool(value.is_comparable and abs(value) > 1e-6)  # an undefined value decides nothing
