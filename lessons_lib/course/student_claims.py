"""Claims that a student states in an exercise as formulas: proven here, or refused with a counterexample.

A formula counts in every form: two of them are equal if their difference is zero for all values of the symbols. A
slip is named only if it gives the submitted formula, and no other slip does.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp

from lessons_lib.claims.proof import is_zero, prove
from lessons_lib.course.check_failed import CheckFailed, called, hint, short
from lessons_lib.errors import ClaimError

Statement = tuple[sp.Expr, str, sp.Expr]
"""Left side, "=", "<=" or "<", right side."""
Formulas = Sequence[sp.Expr]
Slips = Mapping[str, Formulas]


class Proven(str):
    """What was proven, in words, as a notebook shows them."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Return the words without quotation marks."""
        return str(self)


def formulas(where: str, function: Callable[..., Any], given: Sequence[Any], many: int = 1) -> list[sp.Expr]:
    """Return the formulas that a reader's function states of some letters.

    Args:
        where: Begins each sentence: what the formula is of.
        function: The reader's; it is called with the letters.
        given: What it is called with: letters, or lists of letters; a formula may be made of these alone.
        many: How many formulas it returns; of several a list.

    Raises:
        CheckFailed: It returns something else, or a formula with another letter.
        NotImplementedError: It is still the stub.
    """
    letters = [one for some in given for one in (some if isinstance(some, list) else [some])]
    answer = called(where, function, [list(one) if isinstance(one, list) else one for one in given])
    found = list(answer) if isinstance(answer, (list, tuple)) else [answer]
    if len(found) != many:
        wanted = "one formula" if many == 1 else f"a list of {many} formulas"
        raise CheckFailed(f"{where}: expected {wanted}; your function returned {len(found)}.")
    for one in found:
        if not isinstance(one, (sp.Expr, int, float)) or isinstance(one, bool):
            got = f"a {type(one).__name__}, {short(repr(one))}"
            raise CheckFailed(f"{where}: expected SymPy formulas; your function returned {got}.")
    formulas = [sp.nsimplify(one, rational=True) if isinstance(one, float) else sp.sympify(one) for one in found]
    strange = sorted({str(letter) for one in formulas for letter in one.free_symbols - set(letters)})
    if strange:
        allowed = ", ".join(map(str, letters))
        raise CheckFailed(f"{where}: your formula contains the symbol {strange[0]}; allowed: {allowed}.")
    return formulas


def prove_claim(
    where: str,
    formulas: Formulas,
    claims: Mapping[str, Statement],
    slips: Slips | None = None,
) -> Proven:
    """Prove what the formulas of a reader claim, and return that in words.

    Args:
        where: Begins each sentence.
        formulas: What was stated, for the message.
        claims: From what is claimed, in words, to the statement that is made with these formulas.
        slips: From the words for a slip to the formulas that it gives.

    Raises:
        CheckFailed: A claim is false, with a counterexample, or is not proven.
    """
    for words, (left, relation, right) in claims.items():
        try:
            prove("of yours", words, left, relation, right)
        except ClaimError as refused:
            mine = short(", ".join(map(str, formulas)))
            why = str(refused).replace("claim of yours", "Your claim", 1)
            said = f"{where}: you stated {mine}.\n{short(why)}."
            fits = [name for name, guess in (slips or {}).items() if same(formulas, guess)]
            raise CheckFailed(said, [hint(fits[0])] if len(fits) == 1 else []) from None
    return Proven(f"Proven: {' '.join(claims)}")


def same(some: Formulas, others: Formulas) -> bool:
    """Return whether two lists of formulas are the same for all values of their letters."""
    if len(some) != len(others):
        return False
    apart = [sp.sympify(a - b) for a, b in zip(some, others, strict=True)]
    return not any(map(_differs, apart)) and all(map(is_zero, apart))


def _differs(expression: sp.Expr) -> bool:
    """Return whether numbers for its letters show that an expression is no zero, in a thousandth of a proof's time."""
    point = {}
    for k, letter in enumerate(sorted(expression.free_symbols, key=str)):
        size = sp.Integer(k + 2) if letter.is_integer else sp.Rational(2 * k + 3, 7)
        point[letter] = -size if letter.is_nonpositive else size
    value = expression.subs(point).evalf()
    return bool(value.is_comparable and abs(value) > 1e-6)  # of what is undefined there nothing is said


def compare_lambdify_and_kernel(
    where: str, function: Callable[..., Any], formulas: Formulas, letters: Sequence[sp.Symbol], values: Sequence[float]
) -> None:
    """Hold to each other what a reader's function makes of formulas by `lambdify`, and by a kernel of the library.

    Args:
        where: Begins each sentence.
        function: The reader's: from formulas, letters and their values to two rows of numbers.
        formulas: Of which the two are made, the reader's own.
        letters: Of the formulas, SymPy symbols.
        values: Of the letters, in their order.

    Raises:
        CheckFailed: One of the rows is off, or both are.
        NotImplementedError: It is still the stub.
    """
    from lessons_lib.course import feedback  # numbers need NumPy, and a page of the book proves claims without

    def at(numbers: Sequence[float]) -> list[float]:
        there = dict(zip(letters, map(sp.Float, numbers), strict=True))
        return [float(one.subs(there)) for one in formulas]

    answer = feedback.call(where, function, list(formulas), list(letters), list(values))
    rows = feedback.numbers(where, answer, (2, len(formulas)))
    right, turned, nothing = at(values), at(values[::-1]), [0.0] * len(formulas)
    slips = {
        "[unfilled] a kernel returns nothing and fills its last argument; your second row was never filled": [
            right,
            nothing,
        ],
    }
    if len(letters) > 1:
        slips |= {
            "[order] by lambdify, the values go to the letters in the wrong order": [turned, right],
            "[kernel-order] in the kernel, the values go to the letters in the wrong order": [right, turned],
            "[both-orders] in both, the values go to the letters in the wrong order": [turned, turned],
        }
    apart = abs(rows[0] - rows[1]).max()
    what = f"your two rows differ by {apart:.1e}, and from the formula's numbers by"
    room = 1e-12 * (1 + max(map(abs, right)))  # a dozen roundings
    feedback.compare(where, rows, [right, right], room, slips, what=what)
