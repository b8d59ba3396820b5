"""Claims: statements that the build proves before a reader sees them.

    claim("6.6", "The adjoint of the pose carries one Jacobian into the other.", Ad(T) * J_b, "=", J_s)

prints what is written, proves what it means (`proof`), and says for which values it was shown. The print and the
meaning are one object (`terms`), so the page cannot say something else than what was proven.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lessons_lib.claims import proof_summary
from lessons_lib.claims.assumptions import Pair, check_needed, check_not_claimed, stated
from lessons_lib.claims.condition_latex import Names
from lessons_lib.claims.conditions import Condition, conditions_of, follows
from lessons_lib.claims.domain_constraints import Need, entries, seen
from lessons_lib.claims.layout import printed
from lessons_lib.claims.proof import prove
from lessons_lib.claims.proof_steps import SIGNS, Lines, lines_of
from lessons_lib.claims.quantifiers import scope_of
from lessons_lib.claims.sympy_errors import translate_sympy_errors
from lessons_lib.claims.terms import Term, comparable, term
from lessons_lib.claims.wording import check_words
from lessons_lib.errors import ClaimError

FORMULAS = "text/x-formulas"
"""The MIME type under which a stored claim names its formulas."""

OPENED, CLOSED = "\n\n<details><summary>Proof</summary>", "</details>"
"""What is around a proof below its claim; the book moves it into the fold of the cell's code."""


@dataclass(frozen=True)
class Claim:
    """A statement that was proven when this object was made.

    Attributes:
        label: Number by which the text refers to it, "3.2" for instance.
        sentence: What it says, in words.
        formula: What it says, in LaTeX, printed from what was proven.
        scope: For what it was shown, Markdown: for all t that are real and not zero, say; empty without letters.
        formulas: The formulas of `symbolic` that its sides are made of, "so3.exp" for instance.
        conditions: What has to hold beside the domains of the letters, as SymPy relations; the scope prints them.
        proof: The lines of its proof, Markdown, printed from what was proven; empty where it has none.
        checked: What the prover did, in words.
    """

    label: str
    sentence: str
    formula: str
    scope: str = ""
    formulas: tuple[str, ...] = ()
    conditions: tuple[sp.Basic, ...] = ()
    proof: str = ""
    checked: str = ""

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """Return, beside what is shown, which formulas the claim is about: the provenance page reads it."""
        return {FORMULAS: " ".join(self.formulas)} if self.formulas else {}

    def _repr_markdown_(self) -> str:
        below = f"\n\n{self.scope}" if self.scope else ""
        fold = f"{OPENED}\n\n{inside}\n\n{CLOSED}" if (inside := self._proof_markdown()) else ""
        return f"**Claim {self.label}.** {self.sentence}\n\n$$\n{self.formula}\n$$\n\n✓ *proven*{below}{fold}"

    def _proof_markdown(self) -> str:
        """Return what the fold of the proof holds."""
        how = f"Checked by machine: {self.checked}" if self.checked else ""
        return "\n\n".join(part for part in (self.proof, how) if part)

    def __repr__(self) -> str:
        """Return the claim as one line of text."""
        return f"Claim {self.label}: {self.sentence} (proven)"


@translate_sympy_errors
def claim(
    label: str,
    sentence: str,
    *statement: Any,
    where: Sequence[Term] = (),
    only: str = "",
    given: Sequence[Any] = (),
    proof: Sequence[Any] = (),
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
        proof: Lines that stand before the last side, each proven from the one before it (`proof_lines`).

    Raises:
        ClaimError: The claim or a line of its proof is false (the message holds a counterexample), or could not be
            proven; or it is no statement; or it holds without a condition that is given, or such a condition says
            what is claimed; or its sentence says more than its statement; or SymPy cannot work with it.
    """
    several = bool(statement) and isinstance(statement[0], tuple)
    chains = [_chain(label, part) for part in (statement if several else [statement])]
    author, found = stated(label, given), _conditions(label, [side for chain in chains for side in chain[::2]], where)
    rest = [one for one in found if not follows(one.holds, [other.holds for other in author])]
    known = [one.holds for one in (*author, *rest)]
    sides = [side for chain in chains for side in chain[::2]]
    lines = lines_of(label, chains, proof, several)
    _check_letters(label, lines, sides, where, known)
    pairs = [pair for chain in chains for pair in _pairs(chain)] if author else []
    check_not_claimed(label, author, pairs)
    counts = sum((_proven(label, sentence, one, known) for one in lines), Counter[str]())
    check_needed(label, author, found, pairs)
    check_words(label, sentence, chains)
    formulas = sorted(set().union(*(side.formulas for side in sides)))
    scope = scope_of(sides, only, (*author, *rest), where)
    shown = "\n\n".join(dict.fromkeys(one.markdown() for one in lines if any(one.numbers)))
    printed_formula = _formula(chains, where)
    return Claim(
        label, sentence, printed_formula, scope, tuple(formulas), tuple(known), shown, proof_summary.in_words(counts)
    )


def _proven(label: str, sentence: str, lines: Lines, known: Sequence[sp.Basic]) -> Counter[str]:
    """Prove a statement step by step; returns how often which way was taken."""
    counts = Counter[str]()
    for left, relation, right, number in lines.steps:
        said = f"{left.latex} {SIGNS[relation]} {right.latex}" if number else sentence
        place = f"{label}, line {number} of its proof," if number else label
        counts += prove(place, said, *_sides(left, relation, right), known)
    return counts


def _sides(left: Term, relation: str, right: Term) -> tuple[Any, str, Any]:
    a, b = comparable(left.value, right.value)
    return a, relation, b


def _pairs(chain: Sequence[Any]) -> list[Pair]:
    """Return relation, left and right of all entries of a statement."""
    steps = [_sides(*chain[i : i + 3]) for i in range(0, len(chain) - 2, 2)]
    return [(sign, *both) for a, sign, b in steps for both in zip(entries(a), entries(b), strict=True)]


def _check_letters(
    label: str, lines: Sequence[Lines], sides: Sequence[Term], where: Sequence[Term], known: Sequence[sp.Basic]
) -> None:
    """See that no line needs more than the claim says, and none has a letter that the claim has not."""
    letters = frozenset[sp.Basic]().union(*(side.value.free_symbols for side in [*sides, *where]))
    for side, number in [(side, number) for one in lines for side, _, _, number in one.steps if number]:
        strange = sorted(map(str, side.value.free_symbols - letters))
        if strange:
            raise ClaimError(
                f"claim {label}: the proof has a letter {strange[0]} before line {number}, the claim has not"
            )
    more = [line for one in lines for line in one.chain[::2] if line not in sides]
    needed = frozenset[Need]().union(*(line.needs for line in more))
    if needed <= frozenset[Need]().union(*(side.needs for side in [*sides, *where])):
        return
    for one in _conditions(label, more, ()):
        if not follows(one.holds, known):
            raise ClaimError(f"claim {label}: a line of its proof needs {one.latex}, which the claim does not")


def _conditions(label: str, sides: Sequence[Term], where: Sequence[Term]) -> Sequence[Condition]:
    """Return what has to hold where all sides and definitions of a claim are defined."""
    parts = [*sides, *where]
    excused = frozenset[sp.Expr]().union(*(part.excused for part in parts))
    needs = [(need, side.excused if need.latex else excused) for side in sides for need in side.needs]
    needs += [(need, excused) for one in where for need in seen(one.needs, one.value)]
    letters = dict.fromkeys((v.latex, v.value) for part in parts for v in part.variables if v.value is not None)
    found = conditions_of(needs, Names(letters))
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


def _formula(chains: Sequence[Sequence[Any]], where: Sequence[Term]) -> str:
    """Return the LaTeX of a claim; statements that look alike are printed once."""
    looks = [tuple(SIGNS[part] if isinstance(part, str) else part.latex for part in chain) for chain in chains]
    return printed(list(dict.fromkeys(looks)), [(one.names[-1][0], "=", one.names[-1][1]) for one in where])
