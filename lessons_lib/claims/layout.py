r"""How a claim stands on the page: on one line where there is room, and broken at its relations where there is none.

The width of LaTeX is estimated in em, from how TeX sets letters, relations, fractions, indices and matrices.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

LINE = 16.5  # em: what a telephone's page has room for beside its margins
SHORT = 3.0  # em: breaking behind a side as narrow as this would win nothing
Tokens = list[str]
Chain = Sequence[str]  # side, relation, side, ...

_TOKEN = re.compile(r"\\begin\{[a-z]+\}|\\end\{[a-z]+\}|\\[a-zA-Z]+|\\.|[^\s]")
_SIGN = re.compile(r" (?=[+-] )")
FACTOR = re.compile(r"(?=\\,\\left\()")
_PAIRS = (("{", "}"), (r"\left", r"\right"), (r"\begin", r"\end"), ("[", "]"))
_SPACES = {r"\,": 0.17, r"\!": -0.17, r"\;": 0.28, r"\quad": 1.0, r"\ ": 0.25}
_SILENT = {r"\mathrm", r"\mathsf", r"\mathbb", r"\mathcal", r"\operatorname", r"\left", r"\right", r"\displaystyle"}
_ACCENTS = {r"\dot", r"\hat", r"\tilde", r"\text", r"\bar"}
_SIGNS = {"=", "+", "-", r"\le", r"\times", r"\cdot", r"\to"}
_WORDS = {
    r"\sin": 1.3,
    r"\cos": 1.4,
    r"\tan": 1.5,
    r"\exp": 1.7,
    r"\det": 1.4,
    r"\lim": 1.6,
    r"\sum": 1.6,
    r"\prod": 1.4,
}


def printed(chains: Sequence[Chain], definitions: Sequence[Chain] = ()) -> str:
    """Return the LaTeX of some statements and, behind them, of what their names mean.

    Args:
        chains: Each side, relation, side, …, as LaTeX.
        definitions: Each a name, "=" and what it means.
    """
    named = [(rf"\text{{with }} {head}", *rest) for head, *rest in definitions[:1]] + list(definitions[1:])
    parts = [*chains, *named]
    whole = r", \quad ".join(" ".join(part) for part in parts)
    if width(whole) <= LINE:
        return whole
    aligned = max(width(part[0]) for part in parts) + max(width("= " + s) for part in parts for s in part[2::2]) <= LINE
    lines = [line for chain in chains for line in _lines(chain, aligned)]
    lines += _packed([_lines(definition, aligned) for definition in named])
    guard = "{}" if lines[0].startswith("[") else ""  # a bracket there would be an option of the environment
    return rf"\begin{{aligned}} {guard}" + r" \\ ".join(lines) + r" \end{aligned}"


def _lines(chain: Chain, aligned: bool) -> list[str]:
    """Return the lines of a chain: aligned at its relations, or, where that is too wide, broken in front of them."""
    relations = [f"{sign} {side}" for sign, side in zip(chain[1::2], chain[2::2], strict=True)]
    first, *rest = relations
    if aligned:
        return [f"{chain[0]} &{first}", *(f"&{line}" for line in rest)]
    if width(f"{chain[0]} {first}") <= LINE or width(chain[0]) < SHORT:
        lines = [line for one in rest for line in broken(one, LINE - 1.0)]
        return [*(f"&{line}" for line in broken(f"{chain[0]} {first}", LINE)), *(rf"&\quad {line}" for line in lines)]
    rest = [line for one in relations for line in broken(one, LINE - 1.0)]
    return [*(f"&{line}" for line in broken(chain[0], LINE)), *(rf"&\quad {line}" for line in rest)]


def broken(latex: str, room: float, at: re.Pattern[str] = _SIGN) -> list[str]:
    """Return a line in parts that fit, broken in front of its outermost signs, as few times as will do."""
    lines = [""]
    for part in at.split(latex) if width(latex) > room else [latex]:
        joined = f"{lines[-1]} {part}".strip()
        if _open(lines[-1]) or not lines[-1] or width(joined) <= room:
            lines[-1] = joined
        else:
            lines.append(part)
    return lines


def _open(latex: str) -> bool:
    """Return whether something is opened in a piece of LaTeX that it does not close."""
    return any(latex.count(begin) > latex.count(end) for begin, end in _PAIRS)


def _packed(definitions: Sequence[list[str]]) -> list[str]:
    """Return the lines of definitions, short ones beside each other."""
    lines: list[str] = []
    room = False
    for one in definitions:
        beside = rf"{lines[-1]}, \quad {one[0].replace('&', '', 1)}" if lines and room and len(one) == 1 else ""
        if beside and width(beside.replace("&", "")) <= LINE:
            lines[-1] = beside
        else:
            lines += one
        room = len(one) == 1
    return lines


def width(latex: str) -> float:
    """Return about how wide LaTeX prints, in em."""
    return _sequence(_TOKEN.findall(latex))


def _sequence(tokens: Tokens) -> float:
    """Return the width of tokens beside each other; takes them all."""
    wide = 0.0
    while tokens:
        wide += _next(tokens)
    return wide


def _next(tokens: Tokens) -> float:
    """Take one token, and what belongs to it, and return their width."""
    token = tokens.pop(0)
    if token == "{":
        return _sequence(_group(tokens))
    if token in "^_":
        return 0.7 * _next(tokens)
    if token == r"\frac":
        return max(_next(tokens), _next(tokens)) + 0.3
    if token == r"\sqrt":
        return _next(tokens) + 0.9
    if token.startswith(r"\begin"):
        return _table(tokens)
    return _letter(token)


def _letter(token: str) -> float:
    if token in _SILENT or token in _ACCENTS:
        return 0.0
    if token in _SIGNS:
        return 1.3
    if token in "()[]|,.'":
        return 0.4
    return _SPACES.get(token, _WORDS.get(token, 0.73 if token.isupper() else 0.55))


def _group(tokens: Tokens) -> Tokens:
    """Take tokens up to the brace that closes, and return them."""
    inside, depth = Tokens(), 1
    while tokens:
        token = tokens.pop(0)
        depth += (token == "{") - (token == "}")
        if depth == 0:
            break
        inside.append(token)
    return inside


def _table(tokens: Tokens) -> float:
    """Take the tokens of a matrix, and return the width of its columns."""
    rows: list[list[Tokens]] = [[[]]]
    depth = 1
    while tokens:
        token = tokens.pop(0)
        depth += token.startswith(r"\begin") - token.startswith(r"\end")
        if depth == 0:
            break
        if depth == 1 and token == r"\\":
            rows.append([[]])
        elif depth == 1 and token == "&":
            rows[-1].append([])
        else:
            rows[-1][-1].append(token)
    columns = max(len(row) for row in rows)
    widest = [max(_sequence(list(row[i])) for row in rows if i < len(row)) for i in range(columns)]
    return sum(widest) + columns + 0.3
