"""Letters that lie on one side of a number, or between two: each written with a letter of one sign."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import sympy as sp

_RISING = sp.Ge | sp.Gt


def bound(one: sp.Basic) -> tuple[sp.Symbol, sp.Expr, bool, bool] | None:
    """Return (s, b, above, strictly) of a relation that says that the letter s lies on one side of the number b."""
    if not isinstance(one, sp.Ge | sp.Gt | sp.Le | sp.Lt):
        return None
    over = sp.expand(one.lhs - one.rhs)
    letters = list(over.free_symbols)
    if len(letters) != 1 or not over.is_polynomial(s := letters[0]) or sp.degree(over, s) != 1:
        return None
    slope = over.coeff(s, 1)
    return s, -over.coeff(s, 0) / slope, (slope > 0) == isinstance(one, _RISING), isinstance(one, sp.Gt | sp.Lt)


def beside(known: Sequence[sp.Basic], letters: Iterable[sp.Symbol]) -> dict[sp.Symbol, sp.Expr]:
    """Return each of some letters that has a bound as b + t or b − t, with a letter t of one sign."""
    bounds = [b for b in map(bound, known) if b and b[0] in letters]
    found: dict[sp.Symbol, sp.Expr] = {}
    for s, b, above, strictly in sorted(bounds, key=lambda one: (one[2], one[1] if one[2] else -one[1])):
        kept = s.assumptions0 if s.is_real and b == 0 and above else {}
        t = sp.Dummy(s.name, **(kept | {"positive" if strictly else "nonnegative": True}))
        found[s] = b + t if above else b - t  # the last is the narrowest; one from below counts before one from above
    return found


def between(known: Sequence[sp.Basic], letters: Iterable[sp.Symbol], inside: bool = False) -> dict[sp.Symbol, sp.Expr]:
    """Return each of some letters that lies between two numbers as (low + high t)/(1 + t).

    With t ≥ 0 that is every number between but the high end, to which a sign that is not strict goes on by continuity.

    Args:
        known: Relations, of which some are bounds.
        letters: The letters.
        inside: Whether t > 0, for letters that reach neither end; others are left out.
    """
    lows = [(s, sp.S.Zero, True, bool(s.is_positive)) for s in letters if s.is_nonnegative]
    bounds = [b for b in [*lows, *map(bound, known)] if b and (b[3] or not inside)]
    ends = {(s, above): b for s, b, above, _ in bounds}
    found: dict[sp.Symbol, sp.Expr] = {}
    for s in letters:
        if (s, True) in ends and (s, False) in ends:
            t = sp.Dummy(s.name, **{"positive" if inside else "nonnegative": True})
            found[s] = (ends[s, True] + ends[s, False] * t) / (1 + t)
    return found
