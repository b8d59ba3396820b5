"""Claims, which are proven before they are printed; print and value are one term, so the page shows what is proven."""
# claim("6.6", "The adjoint carries one Jacobian into the other.", Ad(T) * J_b, "=", J_s) prints and proves a statement

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lessons_lib.claims.assumptions import Pair, check_needed, check_not_claimed, parse_assumptions
from lessons_lib.claims.claim_text import describe_scope, summarize
from lessons_lib.claims.condition_latex import Names
from lessons_lib.claims.conditions import Condition, derive_conditions, follows
from lessons_lib.claims.domain_constraints import DomainConstraint, entries, make_explicit
from lessons_lib.claims.layout import typeset
from lessons_lib.claims.proof import prove
from lessons_lib.claims.proof_steps import SIGNS, Derivation, build_derivations
from lessons_lib.claims.sympy_errors import translate_sympy_errors
from lessons_lib.claims.terms import Term, comparable, term
from lessons_lib.claims.wording import check_words
from lessons_lib.errors import ClaimError

FORMULAS = "text/x-formulas"
"""The MIME type under which a stored claim names its formulas."""

OPENED, CLOSED = "\n\n<details><summary>Proof</summary>", "</details>"
"""HTML around a proof; the book moves it into the fold of the cell's code."""


@dataclass(frozen=True)
class Claim:
    """A proven statement; `claim` creates it.

    >>> from lessons_lib.claims import claim
    >>> from lessons_lib.claims.notation import cos, sin
    >>> from lessons_lib.claims.terms import variable
    >>> t = variable("t")
    >>> claim("1.1", "The sum is one.", sin(t) ** 2 + cos(t) ** 2, "=", 1).sentence
    'The sum is one.'

    Attributes:
        label: Number by which the text refers to it, for instance "3.2".
        sentence: The claim in words.
        formula: The claim in LaTeX.
        scope: Quantifiers and conditions as Markdown, for instance "for all real nonzero t"; empty without symbols.
        formulas: The formulas of `symbolic` in its sides, for instance "so3.exp".
        conditions: Conditions beyond the domains of the symbols, as SymPy relations; the scope prints them.
        proof: Lines of the proof as Markdown, or "".
        checked: Summary of the prover's methods in words.
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
        """Return the formulas of the claim for the provenance page, in addition to the shown output."""
        return {FORMULAS: " ".join(self.formulas)} if self.formulas else {}

    def _repr_markdown_(self) -> str:
        below = f"\n\n{self.scope}" if self.scope else ""
        fold = f"{OPENED}\n\n{inside}\n\n{CLOSED}" if (inside := self._proof_markdown()) else ""
        return f"**Claim {self.label}.** {self.sentence}\n\n$$\n{self.formula}\n$$\n\n✓ *proven*{below}{fold}"

    def _proof_markdown(self) -> str:
        how = f"Checked with SymPy: {self.checked}" if self.checked else ""
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
    """State and prove a claim.

    >>> from lessons_lib.claims import claim
    >>> from lessons_lib.claims.notation import cos, sin
    >>> from lessons_lib.claims.terms import variable
    >>> t = variable("t")
    >>> claim("1.1", "Sine and cosine lie on the unit circle.", sin(t) ** 2 + cos(t) ** 2, "=", 1).label
    '1.1'

    Args:
        label: Number of the claim, unique in the course.
        sentence: The claim in words.
        *statement: Sides and relations in turn: left, "=", right, or a longer chain a, "=", b, "<=", c. Several
            statements are tuples of this form. A side is a term, a SymPy expression or a matrix.
        where: Named terms whose definitions are printed after the statement.
        only: The special case that was proven, for instance "the 2R", if the sentence is more general.
        given: Conditions in addition to the derived ones: SymPy relations, or pairs of a relation and its LaTeX.
        proof: Lines before the last side, each proven from the one before it (see `proof_steps`).

    Returns:
        The claim, which displays itself with its proof.

    Raises:
        ClaimError: The claim or a line of its proof is false (the message has a counterexample) or not proven; it is
            not a statement; a given condition is not needed or restates the claim; the sentence says more than the
            statement; or SymPy fails.
    """
    several = bool(statement) and isinstance(statement[0], tuple)
    chains = [_read_chain(label, part) for part in (statement if several else [statement])]
    author, derived = (
        parse_assumptions(label, given),
        _derive_conditions(label, [side for chain in chains for side in chain[::2]], where),
    )
    rest = [one for one in derived if not follows(one.holds, [other.holds for other in author])]
    known = [one.holds for one in (*author, *rest)]
    sides = [side for chain in chains for side in chain[::2]]
    lines = build_derivations(label, chains, proof, several)
    _check_letters(label, lines, sides, where, known)
    pairs = [pair for chain in chains for pair in _pairs(chain)] if author else []
    check_not_claimed(label, author, pairs)
    counts = sum((_prove_steps(label, sentence, one, known) for one in lines), Counter[str]())
    check_needed(label, author, derived, pairs)
    check_words(label, sentence, chains)
    formulas = sorted(set().union(*(side.formulas for side in sides)))
    scope = describe_scope(sides, only, (*author, *rest), where)
    markdown_text = "\n\n".join(dict.fromkeys(one.markdown() for one in lines if any(one.numbers)))
    printed_formula = _formula(chains, where)
    return Claim(
        label, sentence, printed_formula, scope, tuple(formulas), tuple(known), markdown_text, summarize(counts)
    )


def _prove_steps(label: str, sentence: str, lines: Derivation, known: Sequence[sp.Basic]) -> Counter[str]:
    """Prove a derivation step by step; return how many entries each method decided."""
    counts = Counter[str]()
    for left, relation, right, number in lines.steps:
        text = f"{left.latex} {SIGNS[relation]} {right.latex}" if number else sentence
        place = f"{label}, line {number} of its proof," if number else label
        counts += prove(place, text, *_sides(left, relation, right), known)
    return counts


def _sides(left: Term, relation: str, right: Term) -> tuple[Any, str, Any]:
    a, b = comparable(left.value, right.value)
    return a, relation, b


def _pairs(chain: Sequence[Any]) -> list[Pair]:
    """Return relation, left and right side of each entry of a statement."""
    steps = [_sides(*chain[i : i + 3]) for i in range(0, len(chain) - 2, 2)]
    return [(sign, *both) for a, sign, b in steps for both in zip(entries(a), entries(b), strict=True)]


def _check_letters(
    label: str, lines: Sequence[Derivation], sides: Sequence[Term], where: Sequence[Term], known: Sequence[sp.Basic]
) -> None:
    """Raise ClaimError if a line has a symbol or needs a condition that the claim does not have."""
    letters = frozenset[sp.Basic]().union(*(side.value.free_symbols for side in [*sides, *where]))
    for side, number in [(side, number) for one in lines for side, _, _, number in one.steps if number]:
        strange = sorted(map(str, side.value.free_symbols - letters))
        if strange:
            raise ClaimError(f"claim {label}: the proof uses {strange[0]} before line {number}, but the claim does not")
    more = [line for one in lines for line in one.chain[::2] if line not in sides]
    needed = frozenset[DomainConstraint]().union(*(line.constraints for line in more))
    if needed <= frozenset[DomainConstraint]().union(*(side.constraints for side in [*sides, *where])):
        return
    for one in _derive_conditions(label, more, ()):
        if not follows(one.holds, known):
            raise ClaimError(f"claim {label}: its proof needs the condition {one.latex}, but the claim does not")


def _derive_conditions(label: str, sides: Sequence[Term], where: Sequence[Term]) -> Sequence[Condition]:
    """Derive the conditions under which all sides and definitions of a claim are defined."""
    parts = [*sides, *where]
    removable_zeros = frozenset[sp.Expr]().union(*(part.removable_zeros for part in parts))
    constraints = [
        (n, side.removable_zeros if n.latex else removable_zeros) for side in sides for n in side.constraints
    ]
    constraints += [(n, removable_zeros) for one in where for n in make_explicit(one.constraints, one.value)]
    letters = dict.fromkeys((v.latex, v.value) for part in parts for v in part.variables if v.value is not None)
    conditions = derive_conditions(constraints, Names(letters))
    never = [condition.latex for condition in conditions if condition.holds == sp.false]
    if never:
        raise ClaimError(f"claim {label} is defined nowhere: it needs {never[0]}")
    return conditions


def _read_chain(label: str, parts: Sequence[Any]) -> list[Any]:
    """Return a statement with its sides as terms."""
    signs = parts[1::2]
    if len(parts) < 3 or len(parts) % 2 == 0 or not all(isinstance(sign, str) for sign in signs):
        raise ClaimError(f"claim {label}: expected left, '=', right, or a longer chain, got {len(parts)} parts")
    unknown = [sign for sign in signs if sign not in SIGNS]
    if unknown:
        raise ClaimError(f"claim {label}: unknown relation {unknown[0]!r}; valid are '=', '<=' and '<'")
    return [part if i % 2 else term(part) for i, part in enumerate(parts)]


def _formula(chains: Sequence[Sequence[Any]], where: Sequence[Term]) -> str:
    """Return the LaTeX of a claim; statements that print alike appear once."""
    looks = [tuple(SIGNS[part] if isinstance(part, str) else part.latex for part in chain) for chain in chains]
    return typeset(list(dict.fromkeys(looks)), [(one.names[-1][0], "=", one.names[-1][1]) for one in where])
