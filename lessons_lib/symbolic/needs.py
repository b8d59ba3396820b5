"""The domain of definition: divisors that are not zero, and what stands under roots, in logarithms and arcs.

A term carries the needs of all that it was made of, so that one which SymPy cancels is not lost: x/x is 1 where x ≠ 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import sympy as sp

NONZERO, NOT_NEGATIVE, POSITIVE, OFF_CUT = "≠ 0", "≥ 0", "> 0", "off the cut"


@dataclass(frozen=True)
class Need:
    """What has to hold where a value is defined.

    Attributes:
        kind: NONZERO, NOT_NEGATIVE, POSITIVE, or OFF_CUT: an angle that is differentiated jumps where this is negative.
        of: The expression that it is said of; of OFF_CUT, the tuple (y, x) of atan2.
        latex: How it prints where it was written; empty where it was read off a value.
        inside: Entries of the value in which it arose, where no reader sees the operation; empty where one does.
    """

    kind: str
    of: sp.Basic
    latex: str = ""
    inside: tuple[sp.Expr, ...] = ()


Needs = frozenset[Need]


@lru_cache(maxsize=1024)
def of_entries(entries: tuple[sp.Expr, ...]) -> Needs:
    """Return what some expressions need, as they stand."""
    found, known, waiting = set(), set(), list(entries)
    while waiting:
        e = waiting.pop()
        if e.args and e not in known:
            known.add(e)
            waiting += e.args
            if not (e.is_Add or e.is_Mul):
                found |= {own for own in _own(e) if own.of.free_symbols or own.of.is_zero}
    return frozenset(found)


def _own(e: sp.Expr) -> list[Need]:
    """Return what the outermost operation of an expression needs."""
    x = e.args[0]
    if e.is_Pow and e.base != sp.E:
        return of_power(e.base, e.exp)
    if isinstance(e, sp.log):
        return [Need(POSITIVE, x)]
    if isinstance(e, sp.acos | sp.asin):
        return [Need(NOT_NEGATIVE, 1 - x**2, _within_one(x))]
    if isinstance(e, sp.acosh):
        return [Need(NOT_NEGATIVE, x - 1)]
    if isinstance(e, sp.atanh):
        return [Need(POSITIVE, 1 - x**2)]
    if isinstance(e, sp.atan2):
        return [Need(NONZERO, x**2 + e.args[1] ** 2)]
    if isinstance(e, sp.tan | sp.sec):
        return [Need(NONZERO, sp.cos(x))]
    if isinstance(e, sp.cot | sp.csc):
        return [Need(NONZERO, sp.sin(x))]
    if isinstance(e, sp.coth | sp.csch):
        return [Need(NONZERO, x)]
    return []


def of_power(base: sp.Expr, power: sp.Expr) -> list[Need]:
    """Return what base^power needs; a power that is no number may be any that its assumptions allow."""
    if power.is_Rational:
        needs = [Need(NOT_NEGATIVE, base)] if power.q % 2 == 0 else []
        return [*needs, Need(NONZERO, base)] if power.is_negative else needs
    if power.is_integer:
        return [] if power.is_nonnegative else [Need(NONZERO, base)]
    return [Need(NOT_NEGATIVE if power.is_positive else POSITIVE, base)]


def _within_one(x: sp.Expr) -> str:
    return rf"\left|{sp.latex(x)}\right| \le 1"


def entries(value: Any) -> tuple[sp.Expr, ...]:
    """Return the entries of a matrix, or the expression alone."""
    return tuple(value) if isinstance(value, sp.MatrixBase) else (sp.sympify(value),)


def of_value(value: Any) -> Needs:
    """Return what a value needs where a reader sees it."""
    return of_entries(entries(value))


def hidden(value: Any, known: Needs = frozenset()) -> Needs:
    """Return what has arisen in a value out of a reader's sight, beside what its parts needed."""
    held, inside = {(need.kind, need.of) for need in known}, entries(value)
    return known | {replace(n, inside=inside) for n in of_value(value) if (n.kind, n.of) not in held}


def seen(needs: Needs, value: Any) -> Needs:
    """Return needs after a value is shown to the reader: what has arisen in it is out of sight no more."""
    inside = entries(value)
    return frozenset(replace(need, inside=()) if need.inside == inside else need for need in needs)


def divided_by(x: sp.Expr, latex: str) -> Needs:
    """Return what a division by x needs; `latex` is how the divisor prints."""
    return frozenset([Need(NONZERO, x, rf"{latex} \ne 0")])


def of_derivative(value: Any, by: Any) -> Needs:
    """Return what a derivative needs beside its value: an angle does not jump, an absolute value has no kink."""
    letters = frozenset[sp.Symbol]().union(*(e.free_symbols for e in entries(by)))
    found = [a for e in entries(value) for a in e.atoms(sp.atan2, sp.Abs) if a.free_symbols & letters]
    return frozenset(
        Need(OFF_CUT, sp.Tuple(*a.args)) if isinstance(a, sp.atan2) else Need(NONZERO, a.args[0]) for a in found
    )


def substituted(needs: Needs, letter: sp.Expr, value: sp.Expr) -> Needs:
    """Return needs after a letter was given a value."""
    now = (replace(n, of=n.of.subs(letter, value).doit(), latex="", inside=()) for n in needs if n.of.has(letter))
    return frozenset(n for n in needs if not n.of.has(letter)) | frozenset(n for n in now if not _always(n))


def _always(need: Need) -> bool:
    """Return whether a need without letters holds; one that does not is kept, and the claim refused."""
    if need.of.free_symbols or need.kind == OFF_CUT:
        return False
    return bool({NONZERO: need.of != 0, NOT_NEGATIVE: need.of >= 0, POSITIVE: need.of > 0}[need.kind])


def in_the_limit(needs: Needs, letter: sp.Symbol, value: sp.Expr) -> Needs:
    """Return what is needed so that a limit exists from above: no divisor that vanishes on the way, or at its end.

    Of a divisor that is zero at the end, the first coefficient that is not identically zero counts.
    """
    kept = {n for n in needs if not n.of.has(letter)}
    small = sp.Dummy("small", positive=True)
    for n in needs - kept:
        end = n.of.subs(letter, value).doit()
        if n.kind == NONZERO and (end == 0 or end.has(sp.nan, sp.zoo)):
            end = _leading(n.of.subs(letter, value + small), small)
        if end.free_symbols or end == 0:
            kept.add(replace(n, of=end, latex="", inside=()))
    return frozenset(kept)


def _leading(e: sp.Expr, small: sp.Symbol) -> sp.Expr:
    """Return the first coefficient in powers of a small letter."""
    return sp.sympify(e).as_leading_term(small).as_coeff_exponent(small)[0]
