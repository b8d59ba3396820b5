"""Words by which a sentence says more than an equality does: best, only, undoes, tends.

Each needs a statement that means it. What compares needs an inequality. What excludes needs a strict one, or one whose
sides differ by a product or by squares, so that it shows where they are equal; or both ways: f of g and g of f leave
all as it was. What undoes needs both ways. What goes to a limit needs the limit, or something strictly less.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lessons_lib.errors import ClaimError
from lessons_lib.symbolic import signs
from lessons_lib.symbolic.needs import entries
from lessons_lib.symbolic.terms import Term, comparable

_TERMS = re.compile(r"least[- ]squares", re.IGNORECASE)  # a name, and no comparison
Chains = Sequence[Sequence[Any]]
"""Statements, each of sides and relations in turn; the sides are terms."""


@dataclass(frozen=True)
class Kind:
    """Words of one kind: what a statement needs for them, in words, and how it is known to have it."""

    words: str
    needs: str
    met: Callable[[Chains], bool]


def _compares(chains: Chains) -> bool:
    """Return whether an inequality is stated, about what the rest is about."""
    return next(_inequalities(chains), None) is not None


def _falls(chains: Chains) -> bool:
    return any(r"\lim" in side.latex for chain in chains for side in chain[::2]) or _strictly(chains)


def _strictly(chains: Chains) -> bool:
    return any(sign == "<" for sign, _, _ in _inequalities(chains))


def _excludes(chains: Chains) -> bool:
    gaps = [right - left for _, left, right in _inequalities(chains)]
    return _strictly(chains) or _both_ways(chains) or any(map(_shows_its_zeros, gaps))


def _both_ways(chains: Chains) -> bool:
    """Return whether two equalities end in what they began with, the left sides made in different ways."""
    ends = [(chain[0], chain[-1]) for chain in chains if set(chain[1::2]) == {"="}]
    back = {left.latex for left, right in ends if _untouched(right) and left.latex != right.latex}
    return len(back) > 1


def _untouched(side: Term) -> bool:
    """Return whether a side is an identity, or a letter as it was introduced."""
    identity = isinstance(side.value, sp.MatrixBase) and side.value.is_Identity
    return bool(identity) or any(letter.latex == side.latex for letter in side.variables)


def _inequalities(chains: Chains) -> Iterator[tuple[str, sp.Expr, sp.Expr]]:
    """Yield sign, left and right of each inequality; beside other statements it has letters, and shares some."""
    for chain in chains:
        rest = frozenset[sp.Symbol]().union(
            *(_letters(side) for one in chains if one is not chain for side in one[::2])
        )
        own = frozenset[sp.Symbol]().union(*(_letters(side) for side in chain[::2]))
        for left, sign, right in zip(chain[::2], chain[1::2], chain[2::2], strict=False):
            if sign != "=" and (not rest or own & rest and _letters(left) | _letters(right)):
                a, b = comparable(left.value, right.value)
                yield from ((sign, *both) for both in zip(entries(a), entries(b), strict=True))


def _letters(side: Term) -> frozenset[sp.Symbol]:
    return frozenset(side.value.free_symbols)


def _shows_its_zeros(gap: sp.Expr) -> bool:
    """Return whether an expression is a product or made of squares: one reads off it where it is zero."""
    if signs.too_long(gap):
        return False
    top = sp.factor(sp.numer(sp.together(gap)))
    return bool(top.is_Mul or top.is_Pow or all(map(_square, sp.Add.make_args(top))))


def _square(part: sp.Expr) -> bool:
    number, rest = part.as_coeff_Mul()
    return bool(number > 0) and rest.is_Pow and rest.exp.is_Integer and rest.exp % 2 == 0


_ER = "larg|small|great|fast|slow|quick|short|long|near|cheap|high|low|steep"
KINDS = (
    Kind(
        rf"best|worst|least|most|(?:{_ER})est|never|always|optimal|minim(?:um|al)|maxim(?:um|al)"
        rf"|more|less|better|worse|(?:{_ER})er|exceeds?",
        "an inequality about its letters",
        _compares,
    ),
    Kind(
        r"only|nowhere|no other|nothing else|none but|exactly|unique(?:ly)?|must|necessary|sufficient",
        "a '<', a '<=' whose sides differ by a product or by squares, or the converse as a second statement",
        _excludes,
    ),
    Kind(r"undo(?:es)?|undone", "both ways as two statements, each of which ends in what it began with", _both_ways),
    Kind(r"tends?|approach(?:es)?|converges?|eventually|dies away", "a limit, or a '<'", _falls),
)


def check_words(label: str, sentence: str, chains: Chains) -> None:
    """See that a claim's sentence says no more than its statement.

    Args:
        label: Number of the claim.
        sentence: The claim in words.
        chains: Its statements: terms and relations in turn.

    Raises:
        ClaimError: A word of the sentence needs more than what is stated.
    """
    for kind in KINDS:
        found = re.search(rf"\b(?:{kind.words})\b", _TERMS.sub("", sentence), re.IGNORECASE)
        if found and not kind.met(chains):
            raise ClaimError(
                f"claim {label}: {found[0]!r} in {sentence!r} says more than its statement; valid is {kind.needs}, "
                "or a sentence without that word"
            )
