r"""The lines of a proof: what stands between the sides of a statement, each line proven from the one before it.

    claim("6.6", text, Ad(T) * J_b, "=", J_s, proof=[(Ad(T) * Ad(inverse(T)) * J_s, "J_b put in"), "claim 4.4"])

A line is a term, or a term with the reason of the step that leads to it; it stands before the last side. A text alone,
at the end, is the reason of the step to that side. A tuple (left, "=", right, …) is a statement of its own, on which
the proof rests: that a difference is a square, for instance. Of several statements, each has a list of lines.

The lines are no comment on a proof: they are the proof. What they show by steps is not shown in one leap as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lessons_lib.claims.layout import FACTOR, LINE, broken
from lessons_lib.claims.terms import Term, term
from lessons_lib.errors import ClaimError

SIGNS = {"=": "=", "<=": r"\le", "<": "<"}
Chain = list[Any]
"""Side, relation, side, …; the sides are terms."""


@dataclass(frozen=True)
class Lines:
    """A chain in which each step is small enough to be seen.

    Attributes:
        chain: Sides and relations in turn, those of the statement and the lines between them.
        reasons: Why, for each relation; empty where it can be seen.
        numbers: Which line of the proof each step leads to, counted from 1; 0 for a step of the statement alone.
    """

    chain: Chain
    reasons: tuple[str, ...]
    numbers: tuple[int, ...]

    @property
    def steps(self) -> list[tuple[Term, str, Term, int]]:
        """Left, relation, right and number of each step."""
        sides, signs = self.chain[::2], self.chain[1::2]
        return list(zip(sides, signs, sides[1:], self.numbers, strict=False))

    def markdown(self) -> str:
        """Return a paragraph for each side: its formula, and behind it the reason."""
        first, *rest = self.chain[::2]
        lines = [_formula("", first.latex)]
        for sign, side, reason in zip(self.chain[1::2], rest, self.reasons, strict=True):
            lines.append(_formula(SIGNS[sign], side.latex) + (f"\N{EM SPACE}*{reason}*" if reason else ""))
        return "\n\n".join(lines)


def lines_of(label: str, chains: Sequence[Chain], proof: Sequence[Any], several: bool) -> list[Lines]:
    """Return the statements of a claim with their lines, and in front of them what the proof rests on.

    Args:
        label: Number of the claim.
        chains: Its statements.
        proof: Lines of its one statement; of several, a list of lines for each.
        several: Whether it was given as several statements.

    Raises:
        ClaimError: A line says what its neighbour says, or something is no line.
    """
    parts = list(proof) if several and proof else [list(proof)] + [[]] * (len(chains) - 1)
    if len(parts) != len(chains) or not all(isinstance(part, list) for part in parts):
        raise ClaimError(f"claim {label}: it has {len(chains)} statements; valid is a list of lines for each")
    found, count = list[Lines](), 0
    for chain, part in zip(chains, parts, strict=True):
        lemmas = [line for line in part if _is_statement(line)]
        for lemma in lemmas:
            found.append(_lemma(lemma, count + 1))
            count += len(found[-1].numbers)
        found.append(_inserted(label, chain, [line for line in part if not _is_statement(line)], count))
        count = max(count, *found[-1].numbers)
    for one in found:
        for left, _, right, number in one.steps:
            if number and _bare(left) == _bare(right):
                raise ClaimError(f"claim {label}, line {number} of its proof: {right.latex} stands before it already")
    return found


def _is_statement(line: Any) -> bool:
    signed = isinstance(line, tuple) and len(line) > 2 and not isinstance(line[0], str)
    return signed and isinstance(line[1], str) and line[1] in SIGNS


def _lemma(line: tuple[Any, ...], number: int) -> Lines:
    reason = str(line[-1]) if len(line) % 2 == 0 else ""
    chain = [part if i % 2 else term(part) for i, part in enumerate(line[: len(line) - (len(line) % 2 == 0)])]
    steps = len(chain) // 2
    return Lines(chain, ("",) * (steps - 1) + (reason,), tuple(range(number, number + steps)))


def _inserted(label: str, chain: Chain, part: Sequence[Any], count: int) -> Lines:
    """Return a statement with its lines before the last side."""
    *before, relation, right = chain
    last = str(part[-1]) if part and isinstance(part[-1], str) else ""
    reasons, numbers = [""] * (len(before) // 2), [0] * (len(before) // 2)
    lines = part[: len(part) - bool(last)]
    for line in lines:
        sign, side, reason = _read(label, line)
        if sign != "=" and relation == "=":
            raise ClaimError(f"claim {label}: a line with {sign!r} proves no equality")
        before += [sign, side]
        reasons, numbers = [*reasons, reason], [*numbers, count := count + 1]
    end = count + 1 if part else 0
    return Lines([*before, relation, right], (*reasons, last), (*numbers, end))


def _read(label: str, line: Any) -> tuple[str, Term, str]:
    """Return relation, term and reason of a line."""
    parts = list(line) if isinstance(line, tuple) else [line]
    sign = parts.pop(0) if isinstance(parts[0], str) else "="
    reason = parts.pop() if len(parts) == 2 and isinstance(parts[1], str) else ""
    if sign not in SIGNS or len(parts) != 1:
        raise ClaimError(f"claim {label}: {line!r} is no line; valid are a term, and a tuple of a term and its reason")
    return str(sign), term(parts[0]), str(reason)


def _bare(side: Term) -> str:
    """Return a print without what changes nothing: spaces and parentheses around all."""
    latex = side.latex.replace(" ", "")
    inside = latex.removeprefix(r"\left(").removesuffix(r"\right)")
    return inside if r"\left(" not in inside and r"\right)" not in inside else latex


def _formula(sign: str, latex: str) -> str:
    """Return a line's formula, broken where a narrow page has no room for it."""
    room = LINE - 2.0
    parts = [factor for part in broken(latex, room) for factor in broken(part, room, FACTOR)]
    if len(parts) > 1:
        latex = r"\begin{aligned}[t] &" + r" \\ &".join(parts) + r" \end{aligned}"
    return rf"$\displaystyle \quad {sign} {latex}$" if sign else rf"$\displaystyle {latex}$"
