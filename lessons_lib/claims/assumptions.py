"""Conditions that an author states: refused where a claim holds without them, or where that was not tried."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import mpmath
import sympy as sp

from lessons_lib.claims import signs
from lessons_lib.claims.condition_latex import latex_of
from lessons_lib.claims.conditions import Condition, follows
from lessons_lib.claims.real_values import check_order, is_real
from lessons_lib.claims.removable_singularities import drawn, number, numeric, zeros
from lessons_lib.errors import ClaimError

_POINTS = 60
_NEAR, _FAR = (5, 240, 101), (240, 5000, 101)  # least and largest numerator, and the denominator, of what is drawn
_FAILURES = mpmath.mpf(10) ** -15  # of sides that are evaluated in 30 digits
Pair = tuple[str, sp.Expr, sp.Expr]


def stated(label: str, given: Sequence[Any]) -> list[Condition]:
    """Return an author's relations, each alone or with the LaTeX that it prints as, as conditions.

    Raises:
        ClaimError: One is no relation of SymPy.
    """
    pairs = [one if isinstance(one, tuple) else (one, latex_of(one)) for one in given]
    for relation, _ in pairs:
        if not isinstance(relation, sp.Rel | sp.And | sp.Or) or not relation.free_symbols:
            raise ClaimError(f"claim {label}: given holds {relation!r}; valid are SymPy relations of its letters")
        for one in relation.atoms(*_ORDERS):
            check_order(label, one.lhs, one.rhs)
    return [Condition(relation, latex) for relation, latex in pairs]


def check_not_claimed(label: str, given: Sequence[Condition], pairs: Sequence[Pair]) -> None:
    """Check that no condition of an author says what is claimed, in another form.

    Raises:
        ClaimError: One does, or two together do.
    """
    parts = [part for one in given for part in (one.holds.args if isinstance(one.holds, sp.And) else (one.holds,))]
    for sign, left, right in pairs:
        if _restated(sign, right - left, parts):
            raise ClaimError(
                f"claim {label}: given {', '.join(map(str, parts))} says what is claimed, {left} {sign} {right}; "
                "give conditions from which it follows"
            )


def _restated(sign: str, over: sp.Expr, parts: Sequence[sp.Basic]) -> bool:
    """Return whether relations say that over ≥ 0, over > 0 or over = 0, each alone or two of them together."""

    def said(kind: str, f: sp.Expr) -> bool:
        return any(_says(kind, part, f) for part in parts)

    if sign == "=":
        return said("=", over) or said("<=", over) and said("<=", -over)
    return said("<", over) or said("<=", over) and (sign == "<=" or said("≠", over))


def _says(kind: str, given: sp.Basic, over: sp.Expr) -> bool:
    """Return whether a relation says that over ≥ 0 ("<="), > 0 ("<"), = 0, or ≠ 0, up to a factor that is positive."""
    if isinstance(given, sp.Or):
        return all(_says(kind, part, over) for part in given.args)
    kinds = {"<=": (*_ORDERS, sp.Eq), "<": (sp.Lt, sp.Gt), "=": (sp.Eq,), "≠": (sp.Ne,)}[kind]
    if not isinstance(given, kinds) or signs.too_long(over):
        return False
    more = given.rhs - given.lhs if isinstance(given, sp.Lt | sp.Le) else given.lhs - given.rhs
    return _same_sign(over, more) or isinstance(given, sp.Eq | sp.Ne) and _same_sign(over, -more)


_ORDERS = (sp.Lt, sp.Le, sp.Gt, sp.Ge)


def _same_sign(claimed: sp.Expr, given: sp.Expr) -> bool:
    """Return whether what is given is what is claimed times something positive, or an odd power of it.

    A condition that is a factor of what is claimed is another thing: the claim is then derived from it.
    """
    if claimed == 0 or given == 0 or not claimed.free_symbols <= given.free_symbols:
        return False
    number, *powers = sp.Mul.make_args(sp.factor(sp.cancel(given / claimed)))
    if not number.is_number:
        number, powers = sp.S.One, [number, *powers]
    return bool(number.is_positive) and all(_harmless(power, claimed) for power in powers)


def _harmless(factor: sp.Expr, claimed: sp.Expr) -> bool:
    base, power = factor.as_base_exp()
    if not power.is_positive:
        return False
    own = sp.fraction(sp.cancel(claimed / base))[1].is_number
    return signs.positive(base) or bool(power.is_even and is_real(base) and own)


def check_needed(label: str, given: Sequence[Condition], found: Sequence[Condition], pairs: Sequence[Pair]) -> None:
    """See that a claim fails somewhere outside of each condition that its author states.

    Args:
        label: Number of the claim.
        given: The author's conditions.
        found: Those that the machine has found.
        pairs: Relation, left and right of what is claimed, entry by entry.

    Raises:
        ClaimError: A condition is not needed, or no point was found that breaks it alone.
    """
    rest = [one for one in found if not follows(one.holds, [other.holds for other in given])]
    for one in given:
        parts = one.holds.args if isinstance(one.holds, sp.And) else (one.holds,)
        needed = frozenset().union(*(o.holds.args if isinstance(o.holds, sp.And) else (o.holds,) for o in found))
        if all(isinstance(part, sp.Ne) and any(follows(o, [part]) for o in needed) for part in parts):
            continue  # divisors by another name
        others = [other.holds for other in (*given, *rest) if other is not one]
        tried, fails = 0, False
        for point in _outside(one.holds, others, pairs):
            tried, fails = tried + 1, not all(map(_holder(point), found)) or _fails(pairs, point)
            if fails:
                break
        if not tried:
            raise ClaimError(f"claim {label}: given {one.holds} was not tried; no point breaks it and nothing else")
        if not fails:
            raise ClaimError(
                f"claim {label}: given {one.holds} is not needed: it holds without it; what in the sentence needs it?"
            )


def _outside(relation: sp.Basic, others: Sequence[sp.Basic], pairs: Sequence[Pair]) -> Iterator[dict[sp.Symbol, Any]]:
    """Yield points that break a relation alone: of ≠ the zeros, of others points at random, none on the boundary.

    Each is tried with the other letters at random, and with them zero: 0 < x² + y² needs x ≠ 0 where y is.
    """
    letters = sorted(relation.free_symbols.union(*(e.free_symbols for _, *both in pairs for e in both)), key=str)
    draw, equal = random.Random(11), isinstance(relation, sp.Ne)
    places: list[dict[sp.Symbol, Any]] = zeros(relation.lhs - relation.rhs, 8) if equal else [{}] * _POINTS
    places += [dict.fromkeys((s for s in letters if not s.is_positive), sp.S.Zero) | place for place in places]
    breaks, holds = numeric(letters, [sp.Not(relation)]), numeric(letters, others)
    for place, ratios in [*((place, _NEAR) for place in places), *((place, _FAR) for place in places)]:
        point = {s: drawn(s, draw, ratios) for s in letters} | place
        numbers = [number(point[s]) for s in letters]
        if (equal or all(breaks(numbers))) and all(holds(numbers)):
            yield point


def _holder(point: Mapping[sp.Symbol, Any]) -> Callable[[Condition], bool]:
    """Return a function that tells whether a condition holds at a point."""
    return lambda one: bool(numeric(list(point), [one.holds])([number(v) for v in point.values()])[0])


def _fails(pairs: Sequence[Pair], point: Mapping[sp.Symbol, Any]) -> bool:
    """Return whether a claim fails at a point: undefined, complex, or not as it says."""
    letters = sorted(frozenset[sp.Symbol]().union(*(e.free_symbols for _, *both in pairs for e in both)), key=str)
    with mpmath.workdps(30):
        numbers = [number(sp.N(point[s], 30)) for s in letters]
        for sign, *both in pairs:
            try:
                left, right = map(mpmath.mpmathify, numeric(letters, both)(numbers))
            except (ZeroDivisionError, ValueError):
                return True
            if any(mpmath.im(v) != 0 or not mpmath.isfinite(v) for v in (left, right)):
                return True
            over = left - right
            if {"=": abs(over) > _FAILURES, "<=": over > _FAILURES, "<": over > -_FAILURES}[sign]:
                return True
    return False
