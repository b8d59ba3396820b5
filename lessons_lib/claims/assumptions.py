"""Check the conditions that an author states: refuse those that restate the claim and those that it does not need."""

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
from lessons_lib.claims.removable_singularities import compile_mpmath, find_zeros, sample_value, to_mpmath
from lessons_lib.errors import ClaimError

_POINTS = 60
_NEAR, _FAR = (5, 240, 101), (240, 5000, 101)  # least and largest numerator, and denominator, of random numbers
_TOLERANCE = mpmath.mpf(10) ** -15  # for sides evaluated with 30 digits
Pair = tuple[str, sp.Expr, sp.Expr]


def parse_assumptions(label: str, stated: Sequence[Any]) -> list[Condition]:
    """Convert an author's relations, each alone or paired with its LaTeX, into conditions."""
    if not isinstance(stated, Sequence):
        raise ClaimError(
            f"claim {label}: given must be a list of SymPy relations, got {stated!r}; write given=[{stated}]"
        )
    pairs = [one if isinstance(one, tuple) else (one, latex_of(one)) for one in stated]
    for relation, _ in pairs:
        if not isinstance(relation, sp.Rel | sp.And | sp.Or) or not relation.free_symbols:
            raise ClaimError(f"claim {label}: given must list SymPy relations of its symbols, got {relation!r}")
        for one in relation.atoms(*_ORDERS):
            check_order(label, one.lhs, one.rhs)
    return [Condition(relation, latex) for relation, latex in pairs]


def check_not_claimed(label: str, stated: Sequence[Condition], pairs: Sequence[Pair]) -> None:
    """Raise ClaimError if one or two of the author's conditions restate the claim."""
    parts = [part for one in stated for part in (one.holds.args if isinstance(one.holds, sp.And) else (one.holds,))]
    for sign, left, right in pairs:
        if _implies_claim(sign, right - left, parts):
            raise ClaimError(
                f"claim {label}: given {', '.join(map(str, parts))} restates the claim {left} {sign} {right}; "
                "give conditions from which it follows"
            )


def _implies_claim(sign: str, over: sp.Expr, parts: Sequence[sp.Basic]) -> bool:
    """Return whether one or two relations state over ≥ 0, over > 0 or over = 0 directly."""

    def states(kind: str, f: sp.Expr) -> bool:
        return any(_states_sign(kind, part, f) for part in parts)

    if sign == "=":
        return states("=", over) or states("<=", over) and states("<=", -over)
    return states("<", over) or states("<=", over) and (sign == "<=" or states("≠", over))


def _states_sign(kind: str, stated: sp.Basic, over: sp.Expr) -> bool:
    """Return whether a relation says that over ≥ 0 ("<="), > 0 ("<"), = 0, or ≠ 0, up to a positive factor."""
    if isinstance(stated, sp.Or):
        return all(_states_sign(kind, part, over) for part in stated.args)
    kinds = {"<=": (*_ORDERS, sp.Eq), "<": (sp.Lt, sp.Gt), "=": (sp.Eq,), "≠": (sp.Ne,)}[kind]
    if not isinstance(stated, kinds) or signs.too_long(over):
        return False
    more = stated.rhs - stated.lhs if isinstance(stated, sp.Lt | sp.Le) else stated.lhs - stated.rhs
    return _same_sign(over, more) or isinstance(stated, sp.Eq | sp.Ne) and _same_sign(over, -more)


_ORDERS = (sp.Lt, sp.Le, sp.Gt, sp.Ge)


def _same_sign(claimed: sp.Expr, stated: sp.Expr) -> bool:
    """Return whether the given expression is the claimed one times a positive factor, or an odd power of it."""
    if claimed == 0 or stated == 0 or not claimed.free_symbols <= stated.free_symbols:
        return False
    number, *powers = sp.Mul.make_args(sp.factor(sp.cancel(stated / claimed)))
    if not number.is_number:
        number, powers = sp.S.One, [number, *powers]
    return bool(number.is_positive) and all(_keeps_sign(power, claimed) for power in powers)


def _keeps_sign(factor: sp.Expr, claimed: sp.Expr) -> bool:
    base, power = factor.as_base_exp()
    if not power.is_positive:
        return False
    own = sp.fraction(sp.cancel(claimed / base))[1].is_number
    return signs.positive(base) or bool(power.is_even and is_real(base) and own)


def check_needed(label: str, stated: Sequence[Condition], derived: Sequence[Condition], pairs: Sequence[Pair]) -> None:
    """Raise ClaimError unless the claim, or a found condition, fails at some point outside each given condition."""
    rest = [one for one in derived if not follows(one.holds, [other.holds for other in stated])]
    for one in stated:
        parts = one.holds.args if isinstance(one.holds, sp.And) else (one.holds,)
        needed = frozenset().union(*(o.holds.args if isinstance(o.holds, sp.And) else (o.holds,) for o in derived))
        if all(isinstance(part, sp.Ne) and any(follows(o, [part]) for o in needed) for part in parts):
            continue  # a factor of a divisor
        others = [other.holds for other in (*stated, *rest) if other is not one]
        tried, fails = 0, False
        for point in _points_that_break(one.holds, others, pairs):
            tried, fails = tried + 1, not all(map(_holds_at(point), derived)) or _fails_at(pairs, point)
            if fails:
                break
        if not tried:
            raise ClaimError(f"claim {label}: given {one.holds} was not tested: no point found violates it alone")
        if not fails:
            raise ClaimError(f"claim {label}: given {one.holds} is not needed; remove it, or state what needs it")


def _points_that_break(
    relation: sp.Basic, others: Sequence[sp.Basic], pairs: Sequence[Pair]
) -> Iterator[dict[sp.Symbol, Any]]:
    """Yield points that violate this relation alone: zeros for ≠, random points otherwise, none on the boundary."""
    letters = sorted(relation.free_symbols.union(*(e.free_symbols for _, *both in pairs for e in both)), key=str)
    draw, equal = random.Random(11), isinstance(relation, sp.Ne)
    places: list[dict[sp.Symbol, Any]] = find_zeros(relation.lhs - relation.rhs, 8) if equal else [{}] * _POINTS
    places += [dict.fromkeys((s for s in letters if not s.is_positive), sp.S.Zero) | place for place in places]
    breaks, holds = compile_mpmath(letters, [sp.Not(relation)]), compile_mpmath(letters, others)
    for place, ratios in [*((place, _NEAR) for place in places), *((place, _FAR) for place in places)]:
        point = {s: sample_value(s, draw, ratios) for s in letters} | place
        numbers = [to_mpmath(point[s]) for s in letters]
        if (equal or all(breaks(numbers))) and all(holds(numbers)):
            yield point


def _holds_at(point: Mapping[sp.Symbol, Any]) -> Callable[[Condition], bool]:
    """Return a function that decides whether a condition holds at a point."""
    return lambda one: bool(compile_mpmath(list(point), [one.holds])([to_mpmath(v) for v in point.values()])[0])


def _fails_at(pairs: Sequence[Pair], point: Mapping[sp.Symbol, Any]) -> bool:
    """Return whether a claim is undefined, complex or false at a point."""
    letters = sorted(frozenset[sp.Symbol]().union(*(e.free_symbols for _, *both in pairs for e in both)), key=str)
    with mpmath.workdps(30):
        numbers = [to_mpmath(sp.N(point[s], 30)) for s in letters]
        for sign, *both in pairs:
            try:
                left, right = map(mpmath.mpmathify, compile_mpmath(letters, both)(numbers))
            except (ZeroDivisionError, ValueError):
                return True
            if any(mpmath.im(v) != 0 or not mpmath.isfinite(v) for v in (left, right)):
                return True
            over = left - right
            if {"=": abs(over) > _TOLERANCE, "<=": over > _TOLERANCE, "<": over > -_TOLERANCE}[sign]:
                return True
    return False
