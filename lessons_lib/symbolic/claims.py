"""Claims: statements that the build proves before a reader sees them.

    claim("6.6", "The adjoint of the pose carries one Jacobian into the other.", Ad(T) * J_b, "=", J_s)

prints what is written, proves what it means (`proof`), and says for which values it was shown. The print and the
meaning are one object (`terms`), so the page cannot say something else than what was proven.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import sympy as sp

from lessons_lib.errors import ClaimError
from lessons_lib.symbolic.proof import prove
from lessons_lib.symbolic.terms import Term, Variable, comparable, domain_of, term

SIGNS = {"=": "=", "<=": r"\le"}
LINE = 42  # letters that a line of mathematics has room for on a telephone's page
_SILENT = re.compile(
    r"\\(?:mathrm|mathsf|mathbb|mathcal|operatorname|left|right|begin|end|frac|displaystyle)\b|[{}^_ &]|bmatrix"
)
_MATRIX = re.compile(r"\\begin\{b?matrix\}(.*?)\\end\{b?matrix\}")
_COMMAND = re.compile(r"\\[a-zA-Z]+|\\.")


@dataclass(frozen=True)
class Claim:
    r"""A statement that was proven when this object was made.

    Attributes:
        label: Number by which the text refers to it, "3.2" for instance.
        sentence: What it says, in words.
        formula: What it says, in LaTeX, printed from what was proven.
        scope: For what it was shown, Markdown: "for all $t \in \mathbb R$"; empty where it holds no letter.
    """

    label: str
    sentence: str
    formula: str
    scope: str = ""

    def _repr_markdown_(self) -> str:
        below = f"\n\n{self.scope}" if self.scope else ""
        return f"**Claim {self.label}.** {self.sentence}\n\n$$\n{self.formula}\n$$\n\n✓ *proven*{below}"

    def __repr__(self) -> str:
        """Return the claim as one line of text."""
        return f"Claim {self.label}: {self.sentence} (proven)"


def claim(
    label: str,
    sentence: str,
    *statement: Any,
    where: Sequence[Term] = (),
    only: str = "",
    relation: str = "=",
    formula: str | None = None,
) -> Claim:
    """State something, prove it, and return it for display.

    Args:
        label: Number of the claim, unique in the course.
        sentence: The claim in words.
        *statement: Sides and relations in turn: left, "=", right, or a longer chain, a, "=", b, "<=", c. Several
            statements are tuples of such sides and relations. A side is a term, a SymPy expression or a matrix.
        where: Names in the statement whose definitions are printed behind it.
        relation: Between two sides that stand without one; for lessons that still print by `formula`.
        formula: LaTeX typed beside the two sides; for lessons that still do so.
        only: What special case was shown, "the 2R" for instance, where the proof is of less than the words say.

    Raises:
        ClaimError: The claim is false (the message holds a counterexample), or could not be proven; or it is no
            statement.
    """
    if len(statement) == 2 and not any(isinstance(part, tuple | str) for part in statement):
        statement = (statement[0], relation, statement[1])
    chains = [_chain(label, part) for part in (statement if isinstance(statement[0], tuple) else [statement])]
    for chain in chains:
        for i in range(0, len(chain) - 2, 2):
            left, right = comparable(chain[i].value, chain[i + 2].value)
            prove(label, sentence, left, chain[i + 1], right)
    sides = [side for chain in chains for side in chain[::2]]
    return Claim(label, sentence, formula or _printed(chains, where), scope_of(sides, only))


def _chain(label: str, parts: Sequence[Any]) -> list[Any]:
    """Return sides as terms, with the relations between them."""
    signs = parts[1::2]
    if len(parts) < 3 or len(parts) % 2 == 0 or not all(isinstance(sign, str) for sign in signs):
        raise ClaimError(f"claim {label}: a statement is left, '=', right, or a longer chain; got {len(parts)} parts")
    unknown = [sign for sign in signs if sign not in SIGNS]
    if unknown:
        raise ClaimError(f"claim {label}: unknown relation {unknown[0]!r}; valid are '=' and '<='")
    return [part if i % 2 else term(part) for i, part in enumerate(parts)]


def scope_of(sides: Sequence[Term], only: str = "") -> str:
    """Return for what a statement was shown, as Markdown: its special case, and the ranges of its free letters."""
    letters = list(dict.fromkeys(v for side in sides for v in side.variables))
    named = {symbol for v in letters for symbol in v.symbols}
    free = {symbol for side in sides for symbol in side.value.free_symbols}
    used = [v for v in letters if v.symbols & free]
    rest = sorted(free - named, key=sp.default_sort_key)
    used += [Variable(sp.latex(symbol), domain_of(symbol), frozenset([symbol])) for symbol in rest]
    used.sort(key=lambda v: v.domain)
    ranges = [
        f"${', '.join(v.latex for v in group)} {domain}$" for domain, group in groupby(used, key=lambda v: v.domain)
    ]
    parts = [f"for {only}"] if only else []
    parts += [f"for all {'; '.join(ranges)}"] if ranges else []
    return ", ".join(parts)


def _printed(chains: Sequence[Sequence[Any]], where: Sequence[Term]) -> str:
    """Return the LaTeX of a claim: on one line where there is room, else a line for each relation."""
    definitions = [" = ".join(one.names[-1]) for one in where]
    behind = [rf"\text{{with }} {', '.join(definitions)}"] if definitions else []
    plain = [" ".join(SIGNS.get(part, "") if isinstance(part, str) else part.latex for part in c) for c in chains]
    whole = r", \quad ".join([*plain, *behind])
    if _width(whole) <= LINE:
        return whole
    lines = [line for chain in chains for line in _lines(chain)]
    first, *others = definitions or [""]
    behind = [rf"& \text{{with }} {first}", *(rf"& \phantom{{\text{{with }}}} {one}" for one in others)]
    return r"\begin{aligned} " + r" \\ ".join([*lines, *(behind if definitions else [])]) + r" \end{aligned}"


def _lines(chain: Sequence[Any]) -> list[str]:
    """Return the lines of a chain of relations, aligned at their signs; a long sum goes on below itself."""
    left, lines = chain[0].latex, []
    for sign, side in zip(chain[1::2], chain[2::2], strict=True):
        first, *rest = _broken(side, LINE - min(_width(left), LINE // 2))
        lines += [f"{left} &{SIGNS[sign]} {first}", *(rf"&\quad {part}" for part in rest)]
        left = ""
    if _width(chain[0].latex) > LINE // 2:  # the left side takes a line of its own
        lines[0] = lines[0].removeprefix(chain[0].latex)
        lines.insert(0, rf"{chain[0].latex} \hspace{{-4em}} &")
    return lines


def _broken(side: Term, room: int) -> list[str]:
    """Return the print of a side in lines that fit, broken between summands."""
    lines = [side.latex] if _width(side.latex) <= room or not side.summands else [""]
    for summand in side.summands if not lines[0] else ():
        if lines[-1] and _width(f"{lines[-1]} {summand}") > room:
            lines.append(summand)
        else:
            lines[-1] = f"{lines[-1]} {summand}".strip()
    return lines


def _width(latex: str) -> int:
    """Return about how many letters wide LaTeX prints; a matrix is as wide as its widest row."""
    flat = _MATRIX.sub(lambda found: max(found[1].split(r"\\"), key=len), latex)
    return len(_COMMAND.sub("x", _SILENT.sub("", flat)))
