"""Layout of claims: on one line if it fits, otherwise broken at the relations. Widths of LaTeX are estimates in em."""

from __future__ import annotations

import re
from collections.abc import Sequence

LINE = 16.5  # em: width of a phone's page without margins
SHORT = 3.0  # em: a break after a narrower side gains nothing
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


def typeset(chains: Sequence[Chain], definitions: Sequence[Chain] = ()) -> str:
    """Return the LaTeX of statements (side, relation, side, …), followed by definitions (name, "=", meaning)."""
    named = [(rf"\text{{with }} {head}", *rest) for head, *rest in definitions[:1]] + list(definitions[1:])
    parts = [*chains, *named]
    whole = r", \quad ".join(" ".join(part) for part in parts)
    if width(whole) <= LINE:
        return whole
    aligned = max(width(part[0]) for part in parts) + max(width("= " + s) for part in parts for s in part[2::2]) <= LINE
    lines = [line for chain in chains for line in _lines(chain, aligned)]
    lines += _pack([_lines(definition, aligned) for definition in named])
    guard = "{}" if lines[0].startswith("[") else ""  # a leading bracket would be read as an option of the environment
    return rf"\begin{{aligned}} {guard}" + r" \\ ".join(lines) + r" \end{aligned}"


def _lines(chain: Chain, aligned: bool) -> list[str]:
    """Return the lines of a chain, aligned at its relations, or broken before them if that is too wide."""
    relations = [f"{sign} {side}" for sign, side in zip(chain[1::2], chain[2::2], strict=True)]
    first, *rest = relations
    if aligned:
        return [f"{chain[0]} &{first}", *(f"&{line}" for line in rest)]
    if width(f"{chain[0]} {first}") <= LINE or width(chain[0]) < SHORT:
        lines = [line for one in rest for line in break_line(one, LINE - 1.0)]
        return [
            *(f"&{line}" for line in break_line(f"{chain[0]} {first}", LINE)),
            *(rf"&\quad {line}" for line in lines),
        ]
    rest = [line for one in relations for line in break_line(one, LINE - 1.0)]
    return [*(f"&{line}" for line in break_line(chain[0], LINE)), *(rf"&\quad {line}" for line in rest)]


def break_line(latex: str, room: float, at: re.Pattern[str] = _SIGN) -> list[str]:
    """Break a line before its outermost signs into parts that fit, as few as possible."""
    lines = [""]
    for part in at.split(latex) if width(latex) > room else [latex]:
        joined = f"{lines[-1]} {part}".strip()
        if _is_open(lines[-1]) or not lines[-1] or width(joined) <= room:
            lines[-1] = joined
        else:
            lines.append(part)
    return lines


def _is_open(latex: str) -> bool:
    """Return whether a piece of LaTeX opens a group that it does not close."""
    return any(latex.count(begin) > latex.count(end) for begin, end in _PAIRS)


def _pack(definitions: Sequence[list[str]]) -> list[str]:
    """Return the lines of definitions; short ones share a line."""
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
    return _take_all(_TOKEN.findall(latex))


def _take_all(tokens: Tokens) -> float:
    """Consume all tokens and return their width."""
    wide = 0.0
    while tokens:
        wide += _take_one(tokens)
    return wide


def _take_one(tokens: Tokens) -> float:
    """Consume one token with its arguments and return their width."""
    token = tokens.pop(0)
    if token == "{":
        return _take_all(_take_group(tokens))
    if token in "^_":
        return 0.7 * _take_one(tokens)
    if token == r"\frac":
        return max(_take_one(tokens), _take_one(tokens)) + 0.3
    if token == r"\sqrt":
        return _take_one(tokens) + 0.9
    if token.startswith(r"\begin"):
        return _take_table(tokens)
    return _letter_width(token)


def _letter_width(token: str) -> float:
    if token in _SILENT or token in _ACCENTS:
        return 0.0
    if token in _SIGNS:
        return 1.3
    if token in "()[]|,.'":
        return 0.4
    return _SPACES.get(token, _WORDS.get(token, 0.73 if token.isupper() else 0.55))


def _take_group(tokens: Tokens) -> Tokens:
    """Consume tokens up to the closing brace and return them."""
    inside, depth = Tokens(), 1
    while tokens:
        token = tokens.pop(0)
        depth += (token == "{") - (token == "}")
        if depth == 0:
            break
        inside.append(token)
    return inside


def _take_table(tokens: Tokens) -> float:
    """Consume the tokens of a matrix and return its width."""
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
    widest = [max(_take_all(list(row[i])) for row in rows if i < len(row)) for i in range(columns)]
    return sum(widest) + columns + 0.3
