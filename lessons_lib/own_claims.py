"""A claim that a reader states in an exercise, as formulas: proven again here, or refused with a counterexample.

A formula counts in every form: two of them are the same where their difference is zero for all values of the letters.
A slip is named where the formula is the one that this slip gives, and no other one gives it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp

from lessons_lib import feedback
from lessons_lib.errors import ClaimError
from lessons_lib.symbolic.proof import is_zero, prove

Statement = tuple[sp.Expr, str, sp.Expr]
"""Left side, "=", "<=" or "<", right side."""
Formulas = Sequence[sp.Expr]
Slips = Mapping[str, Formulas]


def stated(where: str, function: Callable[..., Any], given: Sequence[Any], many: int = 1) -> list[sp.Expr]:
    """Return the formulas that a reader's function states of some letters.

    Args:
        where: Begins each sentence: what the formula is of.
        function: The reader's; it is called with the letters.
        given: What it is called with: letters, or lists of letters; a formula may be made of these alone.
        many: How many formulas it returns; of several a list.

    Raises:
        Wrong: It returns something else, or a formula with another letter.
        NotImplementedError: It is still the stub.
    """
    letters = [one for some in given for one in (some if isinstance(some, list) else [some])]
    answer = feedback.call(where, function, *given)
    found = list(answer) if isinstance(answer, (list, tuple)) else [answer]
    if len(found) != many:
        wanted = "one formula" if many == 1 else f"a list of {many} formulas"
        raise feedback.Wrong(f"{where}: wanted is {wanted}, you return {len(found)}.")
    for one in found:
        if not isinstance(one, (sp.Expr, int, float)) or isinstance(one, bool):
            got = f"a {type(one).__name__}, {feedback.short(repr(one))}"
            raise feedback.Wrong(f"{where}: wanted are formulas of SymPy; you return {got}.")
    formulas = [sp.nsimplify(one, rational=True) if isinstance(one, float) else sp.sympify(one) for one in found]
    strange = sorted({str(letter) for one in formulas for letter in one.free_symbols - set(letters)})
    if strange:
        allowed = ", ".join(map(str, letters))
        raise feedback.Wrong(f"{where}: your formula has the letter {strange[0]}; it may have {allowed}.")
    return formulas


def held(
    where: str,
    formulas: Formulas,
    claims: Mapping[str, Statement],
    slips: Slips | None = None,
    known: Sequence[sp.Basic] = (),
) -> None:
    """Prove what the formulas of a reader claim.

    Args:
        where: Begins each sentence.
        formulas: What was stated, for the message.
        claims: From what is claimed, in words, to the statement that is made with these formulas.
        slips: From the words for a slip to the formulas that it gives.
        known: SymPy relations that hold.

    Raises:
        Wrong: A claim is false, with a counterexample, or is not proven.
    """
    for words, (left, relation, right) in claims.items():
        try:
            prove("of yours", words, left, relation, right, known)
        except ClaimError as refused:
            mine = feedback.short(", ".join(map(str, formulas)))
            said = f"{where}: you state {mine}.\n{feedback.short(str(refused))}."
            fits = [name for name, guess in (slips or {}).items() if same(formulas, guess)]
            raise feedback.Wrong(said, [f"Look here {fits[0]}."] if len(fits) == 1 else []) from None


def same(some: Formulas, others: Formulas) -> bool:
    """Return whether two lists of formulas are the same for all values of their letters."""
    return len(some) == len(others) and all(is_zero(a - b) for a, b in zip(some, others, strict=True))


def both_ways(
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
        Wrong: One of the rows is off, or both are.
        NotImplementedError: It is still the stub.
    """

    def at(numbers: Sequence[float]) -> list[float]:
        there = dict(zip(letters, map(sp.Float, numbers), strict=True))
        return [float(one.subs(there)) for one in formulas]

    answer = feedback.call(where, function, list(formulas), list(letters), list(values))
    rows = feedback.numbers(where, answer, (2, len(formulas)))
    right, turned, nothing = at(values), at(values[::-1]), [0.0] * len(formulas)
    slips = {
        "[unfilled] a kernel returns nothing and fills its last argument; your second row is still empty": [
            right,
            nothing,
        ],
        "[order] by lambdify, the values go to the letters in the wrong order": [turned, right],
        "[kernel-order] in the kernel, the values go to the letters in the wrong order": [right, turned],
        "[both-orders] in both, the values go to the letters in the wrong order": [turned, turned],
    }
    apart = abs(rows[0] - rows[1]).max()
    what = f"your two rows differ by {apart:.1e}, and from the formula's numbers by"
    room = 1e-12 * (1 + max(map(abs, right)))  # a dozen roundings
    feedback.compare(where, rows, [right, right], room, slips, what=what)
