"""The scope of a claim, its symbols with their domains and its conditions, and a summary of its proof, in words."""

from collections import Counter
from collections.abc import Sequence

import sympy as sp
from sympy.core.function import AppliedUndef

from lessons_lib.claims.conditions import Condition
from lessons_lib.claims.proof import FRACTION, MULTIPLIED, REWRITTEN, RULES, SAME, SIGN, SIGNED, SIMPLIFIED, WAVES
from lessons_lib.claims.terms import Term, Variable, domain_of


def describe_scope(
    sides: Sequence[Term], only: str = "", conditions: Sequence[Condition] = (), where: Sequence[Term] = ()
) -> str:
    """Return the scope of a statement as Markdown: special case, domains of its free symbols, conditions."""
    # a symbol that the sides bind, by a limit for instance, has no domain even if a definition has it free
    letters = list(dict.fromkeys(v for side in sides for v in side.variables))
    stated = {symbol for one in conditions for symbol in one.holds.free_symbols}
    rest = (
        _unwritten_symbols(sides)
        | (_unwritten_symbols(where) - _written_symbols(sides))
        | (stated - _written_symbols(sides) - _written_symbols(where))
    )
    used = letters + [
        Variable(sp.latex(symbol), domain_of(symbol), frozenset([symbol]))
        for symbol in sorted(rest, key=sp.default_sort_key)
    ]
    domains: dict[str, dict[str, None]] = {}  # of each letter, which may denote two kinds of objects
    for v in used:
        domains.setdefault(v.latex, {})[v.domain] = None
    groups: dict[str, list[str]] = {}
    for letter, kinds in domains.items():
        groups.setdefault(rf"\text{{ or }}{letter} ".join(kinds), []).append(letter)
    ranges = [f"${', '.join(group)} {domain}$" for domain, group in groups.items()]
    functions = {one.func for side in sides for one in side.value.atoms(AppliedUndef) if one.is_extended_real}
    if functions:
        ranges.append(f"real functions ${', '.join(sorted(sp.latex(sp.Symbol(f.__name__)) for f in functions))}$")
    parts = [f"for {only}"] if only else []
    parts += [f"for all {', '.join(ranges)}"] if ranges else []
    known = ", ".join(f"${condition.latex}$" for condition in conditions)
    return ", ".join(parts) + (f" with {known}" if known else "")


def _written_symbols(parts: Sequence[Term]) -> set[sp.Basic]:
    return {symbol for part in parts for v in part.variables for symbol in v.symbols}


def _unwritten_symbols(parts: Sequence[Term]) -> set[sp.Basic]:
    """Return the symbols of values without a variable, as in a plain SymPy matrix."""
    return {symbol for part in parts for symbol in part.value.free_symbols} - _written_symbols(parts)


NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def summarize(counts: Counter[str]) -> str:
    """Return one or two sentences on how many entries each method decided."""
    sentences = []
    zero, rest = counts[SAME], [(kind, counts[kind]) for kind in HOW if counts[kind]]
    if zero and not rest and not counts[SIGN]:
        return f"the two sides are equal as written{_entries(zero)}."
    if rest == [(RULES, counts[RULES])] and not zero:
        return f"the two sides are equal {HOW[RULES]}."
    if zero or rest:
        whole = zero + sum(number for _, number in rest)
        sentences.append(f"the two sides are equal{_entries(whole)}{_ways(zero, rest)}")
    if counts[SIGN]:
        many = f", {_number(counts[SIGN])} times" if counts[SIGN] > 1 else ""
        sentences.append(f"right minus left consists of squares and of terms with a known sign{many}")
    return "; ".join(sentences) + "." if sentences else ""


HOW = {
    MULTIPLIED: "by expanding products",
    FRACTION: "over a common denominator",
    WAVES: "by expanding in sines and cosines, with sin² + cos² = 1",
    SIGNED: "with the known signs of the letters",
    REWRITTEN: "with arc cosines, angles and roots in one form",
    RULES: "for every size, by the rules of sums, products and transposes",
    SIMPLIFIED: "by SymPy's `simplify`",
}


def _ways(zero: int, rest: list[tuple[str, int]]) -> str:
    """Return how many entries each method reduced to zero; a single method is named without a number."""
    ways = [(zero, "as written")] if zero else []
    ways += [(number, HOW[kind]) for kind, number in rest]
    if len(ways) == 1:
        return f", {ways[0][1]}"
    return ": " + ", ".join(f"{_number(number)} {how}" for number, how in ways)


def _entries(number: int) -> str:
    return "" if number == 1 else " in both entries" if number == 2 else f" in all {_number(number)} entries"


def _number(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)
