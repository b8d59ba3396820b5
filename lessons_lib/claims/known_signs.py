"""Signs that follow from known relations, and substitutions for symbols with bounds."""
# f > 0 follows from f = r·g + h with g known to be nonnegative, r > 0, and h ≥ 0 again: 1 − x = ½ (1 − x²) + ½ (1 − x)²
# gives x ≤ 1 where x² ≤ 1. r is a number or expression at which f − r g, as a quadratic form in some symbols and 1,
# loses rank, so that it may be a square. Then h is a sum of squares or follows from the remaining known signs. Source:
# Boyd & Vandenberghe, Convex Optimization (2004), App. B.2, the S-procedure.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import sympy as sp

from lessons_lib.claims import signs
from lessons_lib.claims.real_values import all_real, is_real

MOST = 4  # known signs, of which all orders are tried
Known = Sequence[tuple[sp.Expr, bool]]
"""Nonnegative expressions, each with whether it is positive."""


def read_signs(relations: Sequence[sp.Basic]) -> Known:
    known = []
    for one in (part for whole in relations for part in (whole.args if isinstance(whole, sp.And) else (whole,))):
        if isinstance(one, sp.Gt | sp.Ge | sp.Lt | sp.Le):
            more = one.lhs - one.rhs if isinstance(one, sp.Gt | sp.Ge) else one.rhs - one.lhs
            known.append((more, isinstance(one, sp.Gt | sp.Lt)))
    return known


def follows_by_factors(form: sp.Expr, known: Known, strictly: bool) -> bool:
    """Return whether a product or quotient is positive, or nonnegative, by the signs of its factors."""
    if not known or len(known) > MOST or signs.too_long(form) or not all_real(form):
        return False
    below = 0
    for base, power in (part.as_base_exp() for part in sp.Mul.make_args(form)):
        if not power.is_Integer:
            base, power = base**power, sp.S.One
        if power.is_even and (
            is_real(base) if not strictly else follows(base, known, True) or follows(-base, known, True)
        ):
            continue
        if not follows(base, known, strictly):
            below += 1
            if not follows(-base, known, strictly):
                return False
    return below % 2 == 0


def follows(f: sp.Expr, known: Known, strictly: bool) -> bool:
    """Return whether f > 0 or f ≥ 0 follows from the known signs."""
    if signs.positive(f) or not strictly and signs.never_negative(f):
        return True
    if signs.too_long(f) or not all_real(f):
        return False
    for place, (more, positive) in enumerate(known):
        rest = [*known[:place], *known[place + 1 :]]
        if not more.free_symbols & f.free_symbols or not all_real(more):
            continue
        for share in _multipliers(f, more):
            left = sp.factor(sp.together(f - share * more))
            strict = strictly and not positive
            if follows(share, rest, True) and (follows(left, rest, strict) or follows_by_factors(left, rest, strict)):
                return True
    return False


def _multipliers(f: sp.Expr, more: sp.Expr) -> Iterator[sp.Expr]:
    """Yield each r at which f − r g, a quadratic form in some symbols and 1, loses rank."""
    r, one = sp.Dummy("r"), sp.Dummy("one")
    over, shared = sp.expand(f - r * more), sorted(f.free_symbols & more.free_symbols, key=str)
    visited = set[sp.Expr]()
    for letters in dict.fromkeys([*((s,) for s in shared), tuple(sorted(over.free_symbols - {r}, key=str))]):
        if not over.is_polynomial(*letters) or (whole := sp.Poly(over, *letters)).total_degree() > 2:
            continue
        terms = (
            sp.Mul(c, one ** (2 - sum(m)), *(s**k for s, k in zip(letters, m, strict=True))) for m, c in whole.terms()
        )
        form = sp.hessian(sp.Add(*terms), [*letters, one])
        form = form[:-1, :-1] if form[-1, :].is_zero_matrix else form
        for base, _ in sp.factor_list(sp.expand(form.det()), r)[1] if form.rows <= 4 else ():
            if sp.degree(base, r) == 1:
                share = sp.cancel(-base.subs(r, 0) / base.coeff(r, 1))
                if share not in visited and share != 0:
                    visited.add(share)
                    yield share


def read_bound(one: sp.Basic) -> tuple[sp.Symbol, sp.Expr, bool, bool] | None:
    """Return (s, b, above, strict) of a relation s ≥ b, s > b, s ≤ b or s < b; None for any other."""
    if not isinstance(one, sp.Ge | sp.Gt | sp.Le | sp.Lt):
        return None
    over = sp.expand(one.lhs - one.rhs)
    letters = list(over.free_symbols)
    if len(letters) != 1 or not over.is_polynomial(s := letters[0]) or sp.degree(over, s) != 1:
        return None
    slope = over.coeff(s, 1)
    return s, -over.coeff(s, 0) / slope, (slope > 0) == isinstance(one, sp.Ge | sp.Gt), isinstance(one, sp.Gt | sp.Lt)


def shift_by_bounds(known: Sequence[sp.Basic], letters: Iterable[sp.Symbol]) -> dict[sp.Symbol, sp.Expr]:
    """Return a substitution s → b + t or b − t with t ≥ 0 for each bounded symbol."""
    bounds = [b for b in map(read_bound, known) if b and b[0] in letters]
    substitution: dict[sp.Symbol, sp.Expr] = {}
    for s, b, above, strictly in sorted(bounds, key=lambda one: (one[2], one[1] if one[2] else -one[1])):
        kept = s.assumptions0 if s.is_real and b == 0 and above else {}
        t = sp.Dummy(s.name, **(kept | {"positive" if strictly else "nonnegative": True}))
        substitution[s] = b + t if above else b - t  # the tightest bound is last; lower bounds take precedence
    return substitution


def map_to_half_line(
    known: Sequence[sp.Basic], letters: Iterable[sp.Symbol], inside: bool = False
) -> dict[sp.Symbol, sp.Expr]:
    """Return s → (low + high t)/(1 + t) for each symbol bounded on both sides: t > 0 if `inside`, otherwise t ≥ 0."""
    # t ≥ 0 omits the end `high`, to which a nonstrict sign extends by continuity
    lows = [(s, sp.S.Zero, True, bool(s.is_positive)) for s in letters if s.is_nonnegative]
    bounds = [b for b in [*lows, *map(read_bound, known)] if b and (b[3] or not inside)]
    ends = {(s, above): b for s, b, above, _ in bounds}
    substitution: dict[sp.Symbol, sp.Expr] = {}
    for s in letters:
        if (s, True) in ends and (s, False) in ends:
            t = sp.Dummy(s.name, **{"positive" if inside else "nonnegative": True})
            substitution[s] = (ends[s, True] + ends[s, False] * t) / (1 + t)
    return substitution
