"""The quantifiers of a claim as printed: its symbols with their domains, and its conditions."""

from collections.abc import Sequence

import sympy as sp
from sympy.core.function import AppliedUndef

from lessons_lib.claims.conditions import Condition
from lessons_lib.claims.terms import Term, Variable, domain_of


def describe_scope(
    sides: Sequence[Term], only: str = "", conditions: Sequence[Condition] = (), where: Sequence[Term] = ()
) -> str:
    """Return the scope of a statement as Markdown: special case, domains of the symbols, conditions.

    A symbol that the sides bind, by a limit for instance, has no domain here even if a definition has it free.
    """
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
    domains: dict[str, dict[str, None]] = {}  # of each letter; a letter may stand for two kinds of things
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
    """Return the symbols of the variables that terms print."""
    return {symbol for part in parts for v in part.variables for symbol in v.symbols}


def _unwritten_symbols(parts: Sequence[Term]) -> set[sp.Basic]:
    """Return the symbols of values without a variable, as in a plain SymPy matrix."""
    return {symbol for part in parts for symbol in part.value.free_symbols} - _written_symbols(parts)
