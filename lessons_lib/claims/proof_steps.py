"""Proofs in steps: the lines between the sides of a statement, each proven from the one before it."""
# claim("6.5", text, Ad(T) * J_b, "=", J_s, proof=[(Ad(T) * Ad(inverse(T)) * J_s, "J_b put in"), "claim 4.4"]): a line
# is a term, or a tuple of a term and the reason of the step to it; the lines come before the last side. A final text is
# the reason of the step to that side. A tuple (left, "=", right, …) is a lemma. With several statements each has its
# own list. Steps replace the direct proof from left to right.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lessons_lib.claims.layout import FACTOR, LINE, break_line
from lessons_lib.claims.terms import Term, term
from lessons_lib.errors import ClaimError

SIGNS = {"=": "=", "<=": r"\le", "<": "<"}
Chain = list[Any]
"""Side, relation, side, …; the sides are terms."""


@dataclass(frozen=True)
class Derivation:
    """A chain of small steps."""

    chain: Chain  # sides and relations in turn: those of the statement with the lines between them
    reasons: tuple[str, ...]  # reason of each relation, or ""
    numbers: tuple[int, ...]  # number of the proof line to which each step leads, from 1; 0 for a step of the statement

    @property
    def steps(self) -> list[tuple[Term, str, Term, int]]:
        """Left, relation, right and line number of each step."""
        sides, signs = self.chain[::2], self.chain[1::2]
        return list(zip(sides, signs, sides[1:], self.numbers, strict=False))

    def markdown(self) -> str:
        """Return a paragraph for each side: its formula, then the reason."""
        first, *rest = self.chain[::2]
        lines = [_line_markdown("", first.latex)]
        for sign, side, reason in zip(self.chain[1::2], rest, self.reasons, strict=True):
            lines.append(_line_markdown(SIGNS[sign], side.latex) + (f"\N{EM SPACE}*{reason}*" if reason else ""))
        return "\n\n".join(lines)


def build_derivations(label: str, chains: Sequence[Chain], proof: Sequence[Any], several: bool) -> list[Derivation]:
    """Build the derivation of each statement from the lines of its proof, with its lemmas before it."""
    parts = list(proof) if several and proof else [list(proof)] + [[]] * (len(chains) - 1)
    if len(parts) != len(chains) or not all(isinstance(part, list) for part in parts):
        raise ClaimError(f"claim {label}: proof must have one list of lines for each of the {len(chains)} statements")
    derivations, count = list[Derivation](), 0
    for chain, part in zip(chains, parts, strict=True):
        lemmas = [line for line in part if _is_statement(line)]
        for lemma in lemmas:
            derivations.append(_read_lemma(lemma, count + 1))
            count += len(derivations[-1].numbers)
        derivations.append(_insert_lines(label, chain, [line for line in part if not _is_statement(line)], count))
        count = max(count, *derivations[-1].numbers)
    for one in derivations:
        for left, _, right, number in one.steps:
            if number and _strip_parentheses(left) == _strip_parentheses(right):
                raise ClaimError(f"claim {label}, line {number} of its proof: {right.latex} repeats the line before it")
    return derivations


def _is_statement(line: Any) -> bool:
    signed = isinstance(line, tuple) and len(line) > 2 and not isinstance(line[0], str)
    return signed and isinstance(line[1], str) and line[1] in SIGNS


def _read_lemma(line: tuple[Any, ...], number: int) -> Derivation:
    reason = str(line[-1]) if len(line) % 2 == 0 else ""
    chain = [part if i % 2 else term(part) for i, part in enumerate(line[: len(line) - (len(line) % 2 == 0)])]
    steps = len(chain) // 2
    return Derivation(chain, ("",) * (steps - 1) + (reason,), tuple(range(number, number + steps)))


def _insert_lines(label: str, chain: Chain, part: Sequence[Any], count: int) -> Derivation:
    """Insert the lines of a proof before the last side of a statement."""
    *before, relation, right = chain
    last = str(part[-1]) if part and isinstance(part[-1], str) else ""
    reasons, numbers = [""] * (len(before) // 2), [0] * (len(before) // 2)
    lines = part[: len(part) - bool(last)]
    for line in lines:
        sign, side, reason = _read_line(label, line)
        if sign != "=" and relation == "=":
            raise ClaimError(f"claim {label}: a line with {sign!r} does not prove an equality")
        before += [sign, side]
        reasons, numbers = [*reasons, reason], [*numbers, count := count + 1]
    end = count + 1 if part else 0
    return Derivation([*before, relation, right], (*reasons, last), (*numbers, end))


def _read_line(label: str, line: Any) -> tuple[str, Term, str]:
    parts = list(line) if isinstance(line, tuple) else [line]
    sign = parts.pop(0) if isinstance(parts[0], str) else "="
    reason = parts.pop() if len(parts) == 2 and isinstance(parts[1], str) else ""
    if sign not in SIGNS or len(parts) != 1:
        raise ClaimError(f"claim {label}: a line must be a term, or a tuple of a term and its reason, got {line!r}")
    return str(sign), term(parts[0]), str(reason)


def _strip_parentheses(side: Term) -> str:
    """Return the LaTeX without spaces and outer parentheses."""
    latex = side.latex.replace(" ", "")
    inside = latex.removeprefix(r"\left(").removesuffix(r"\right)")
    return inside if r"\left(" not in inside and r"\right)" not in inside else latex


def _line_markdown(sign: str, latex: str) -> str:
    """Return the formula of a line, broken to the width of a narrow page."""
    room = LINE - 2.0
    parts = [factor for part in break_line(latex, room) for factor in break_line(part, room, FACTOR)]
    if len(parts) > 1:
        latex = r"\begin{aligned}[t] &" + r" \\ &".join(parts) + r" \end{aligned}"
    return rf"$\displaystyle \quad {sign} {latex}$" if sign else rf"$\displaystyle {latex}$"
