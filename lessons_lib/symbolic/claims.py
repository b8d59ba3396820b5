"""Claims: statements that the build proves before a reader sees them.

    claim("6.6", "The adjoint of the pose carries one Jacobian into the other.", Ad(T) * J_b, "=", J_s)

prints what is written, proves what it means (`proof`), and says for which values it was shown. The print and the
meaning are one object (`terms`), so the page cannot say something else than what was proven.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lessons_lib.errors import ClaimError
from lessons_lib.symbolic.conditions import Condition, conditions_of, follows
from lessons_lib.symbolic.given import Pair, check_needed, stated
from lessons_lib.symbolic.layout import printed
from lessons_lib.symbolic.needs import Need, entries, seen
from lessons_lib.symbolic.proof import prove
from lessons_lib.symbolic.readable import Names
from lessons_lib.symbolic.strong_words import check_words
from lessons_lib.symbolic.terms import Term, Variable, comparable, domain_of, term

FORMULAS = "text/x-formulas"
"""The MIME type under which a stored claim names its formulas."""

SIGNS = {"=": "=", "<=": r"\le", "<": "<"}


@dataclass(frozen=True)
class Claim:
    r"""A statement that was proven when this object was made.

    Attributes:
        label: Number by which the text refers to it, "3.2" for instance.
        sentence: What it says, in words.
        formula: What it says, in LaTeX, printed from what was proven.
        scope: For what it was shown, Markdown: "for all $t \in \mathbb R$ with $t \ne 0$"; empty without letters.
        formulas: The formulas of `symbolic` that its sides are made of, "so3.exp" for instance.
        conditions: What has to hold beside the domains of the letters, as SymPy relations; the scope prints them.
    """

    label: str
    sentence: str
    formula: str
    scope: str = ""
    formulas: tuple[str, ...] = ()
    conditions: tuple[sp.Basic, ...] = ()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """Return, beside what is shown, which formulas the claim is about: the provenance page reads it."""
        return {FORMULAS: " ".join(self.formulas)} if self.formulas else {}

    def _repr_markdown_(self) -> str:
        below = f"\n\n{self.scope}" if self.scope else ""
        return f"**Claim {self.label}.** {self.sentence}\n\n$$\n{self.formula}\n$$\n\n✓ *proven*{below}"

    def __repr__(self) -> str:
        """Return the claim as one line of text."""
        return f"Claim {self.label}: {self.sentence} (proven)"


def claim(
    label: str, sentence: str, *statement: Any, where: Sequence[Term] = (), only: str = "", given: Sequence[Any] = ()
) -> Claim:
    """State something, prove it, and return it for display.

    Args:
        label: Number of the claim, unique in the course.
        sentence: The claim in words.
        *statement: Sides and relations in turn: left, "=", right, or a longer chain, a, "=", b, "<=", c. Several
            statements are tuples of such sides and relations. A side is a term, a SymPy expression or a matrix.
        where: Names in the statement whose definitions are printed behind it.
        only: What special case was shown, "the 2R" for instance, where the proof is of less than the words say.
        given: Conditions beside those that are found, as SymPy relations, or as pairs of a relation and its LaTeX.

    Raises:
        ClaimError: The claim is false (the message holds a counterexample), or could not be proven; or it is no
            statement; or it holds without a condition that is given; or its sentence says more than its statement.
    """
    several = bool(statement) and isinstance(statement[0], tuple)
    chains = [_chain(label, part) for part in (statement if several else [statement])]
    author, found = stated(label, given), _conditions(label, [side for chain in chains for side in chain[::2]], where)
    rest = [one for one in found if not follows(one.holds, [other.holds for other in author])]
    known = [one.holds for one in (*author, *rest)]
    pairs: list[Pair] = []
    for chain in chains:
        for i in range(0, len(chain) - 2, 2):
            left, right = comparable(chain[i].value, chain[i + 2].value)
            prove(label, sentence, left, chain[i + 1], right, known)
            pairs += [(chain[i + 1], a, b) for a, b in zip(entries(left), entries(right), strict=True)]
    check_needed(label, author, found, pairs)
    check_words(label, sentence, chains)
    conditions = (*author, *rest)
    sides = [side for chain in chains for side in chain[::2]]
    formulas = sorted(set().union(*(side.formulas for side in sides)))
    scope = scope_of(sides, only, conditions)
    return Claim(label, sentence, _formula(chains, where), scope, tuple(formulas), tuple(known))


def _conditions(label: str, sides: Sequence[Term], where: Sequence[Term]) -> Sequence[Condition]:
    """Return what has to hold where all sides and definitions of a claim are defined."""
    parts = [*sides, *where]
    needs = frozenset[Need]().union(*(side.needs for side in sides), *(seen(one.needs, one.value) for one in where))
    letters = dict.fromkeys((v.latex, v.value) for part in parts for v in part.variables if v.value is not None)
    excused = frozenset[sp.Expr]().union(*(part.excused for part in parts))
    found = conditions_of(needs, excused, Names(letters))
    never = [condition.latex for condition in found if condition.holds == sp.false]
    if never:
        raise ClaimError(f"claim {label} is defined nowhere: it needs {never[0]}")
    return found


def _chain(label: str, parts: Sequence[Any]) -> list[Any]:
    """Return sides as terms, with the relations between them."""
    signs = parts[1::2]
    if len(parts) < 3 or len(parts) % 2 == 0 or not all(isinstance(sign, str) for sign in signs):
        raise ClaimError(f"claim {label}: a statement is left, '=', right, or a longer chain; got {len(parts)} parts")
    unknown = [sign for sign in signs if sign not in SIGNS]
    if unknown:
        raise ClaimError(f"claim {label}: unknown relation {unknown[0]!r}; valid are '=', '<=' and '<'")
    return [part if i % 2 else term(part) for i, part in enumerate(parts)]


def scope_of(sides: Sequence[Term], only: str = "", conditions: Sequence[Condition] = ()) -> str:
    """Return for what a statement was shown, as Markdown: its special case, the ranges of its letters, conditions."""
    letters = list(dict.fromkeys(v for side in sides for v in side.variables))
    named = {symbol for v in letters for symbol in v.symbols}
    free = {symbol for side in sides for symbol in side.value.free_symbols}
    rest = sorted(free - named, key=sp.default_sort_key)
    used = letters + [Variable(sp.latex(symbol), domain_of(symbol), frozenset([symbol])) for symbol in rest]
    domains: dict[str, dict[str, None]] = {}  # of each letter; a letter may stand for two kinds of things
    for v in used:
        domains.setdefault(v.latex, {})[v.domain] = None
    groups: dict[str, list[str]] = {}
    for letter, kinds in domains.items():
        groups.setdefault(r"\text{ or }".join(kinds), []).append(letter)
    ranges = [f"${', '.join(group)} {domain}$" for domain, group in groups.items()]
    parts = [f"for {only}"] if only else []
    parts += [f"for all {', '.join(ranges)}"] if ranges else []
    known = ", ".join(f"${condition.latex}$" for condition in conditions)
    return ", ".join(parts) + (f" with {known}" if known else "")


def _formula(chains: Sequence[Sequence[Any]], where: Sequence[Term]) -> str:
    """Return the LaTeX of a claim; statements that look alike are printed once."""
    looks = [tuple(SIGNS[part] if isinstance(part, str) else part.latex for part in chain) for chain in chains]
    return printed(list(dict.fromkeys(looks)), [(one.names[-1][0], "=", one.names[-1][1]) for one in where])
