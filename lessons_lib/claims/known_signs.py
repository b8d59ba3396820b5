"""Signs that follow from known ones: f = r·g + h with g known to be nonnegative, r > 0, and h ≥ 0 again.

    1 − x = ½ (1 − x²) + ½ (1 − x)²         x ≤ 1 where x² ≤ 1
    y − x = (y − z) + (z − x)               x ≤ y where x ≤ z and z ≤ y

r is a number or expression at which f − r g, as a quadratic form in some symbols and 1, loses rank, so that it may be a
square. Then h is a sum of squares or follows from the remaining known signs.

Source: Boyd & Vandenberghe, Convex Optimization (2004), App. B.2, the S-procedure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy as sp

from lessons_lib.claims import signs
from lessons_lib.claims.real_values import all_real, is_real

MOST = 4  # of what is known; all orders of it are tried
Known = Sequence[tuple[sp.Expr, bool]]
"""Expressions that are not negative, each with whether it is positive."""


def read_signs(relations: Sequence[sp.Basic]) -> Known:
    """Return the signs that relations state."""
    found = []
    for one in (part for whole in relations for part in (whole.args if isinstance(whole, sp.And) else (whole,))):
        if isinstance(one, sp.Gt | sp.Ge | sp.Lt | sp.Le):
            more = one.lhs - one.rhs if isinstance(one, sp.Gt | sp.Ge) else one.rhs - one.lhs
            found.append((more, isinstance(one, sp.Gt | sp.Lt)))
    return found


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
    seen = set[sp.Expr]()
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
                if share not in seen and share != 0:
                    seen.add(share)
                    yield share
