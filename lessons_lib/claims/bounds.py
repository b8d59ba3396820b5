"""Substitutions for symbols that are bounded by numbers on one side or on both: each becomes a symbol of one sign."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import sympy as sp

_RISING = sp.Ge | sp.Gt


def read_bound(one: sp.Basic) -> tuple[sp.Symbol, sp.Expr, bool, bool] | None:
    """Return (s, b, above, strict) of a relation s ≥ b, s > b, s ≤ b or s < b; None for any other."""
    if not isinstance(one, sp.Ge | sp.Gt | sp.Le | sp.Lt):
        return None
    over = sp.expand(one.lhs - one.rhs)
    letters = list(over.free_symbols)
    if len(letters) != 1 or not over.is_polynomial(s := letters[0]) or sp.degree(over, s) != 1:
        return None
    slope = over.coeff(s, 1)
    return s, -over.coeff(s, 0) / slope, (slope > 0) == isinstance(one, _RISING), isinstance(one, sp.Gt | sp.Lt)


def shift_by_bounds(known: Sequence[sp.Basic], letters: Iterable[sp.Symbol]) -> dict[sp.Symbol, sp.Expr]:
    """Return a substitution s → b + t or b − t with t ≥ 0 for each bounded symbol."""
    bounds = [b for b in map(read_bound, known) if b and b[0] in letters]
    found: dict[sp.Symbol, sp.Expr] = {}
    for s, b, above, strictly in sorted(bounds, key=lambda one: (one[2], one[1] if one[2] else -one[1])):
        kept = s.assumptions0 if s.is_real and b == 0 and above else {}
        t = sp.Dummy(s.name, **(kept | {"positive" if strictly else "nonnegative": True}))
        found[s] = b + t if above else b - t  # the tightest bound is last; lower bounds take precedence
    return found


def map_to_half_line(
    known: Sequence[sp.Basic], letters: Iterable[sp.Symbol], inside: bool = False
) -> dict[sp.Symbol, sp.Expr]:
    """Return a substitution s → (low + high t)/(1 + t), t ≥ 0, for each symbol bounded on both sides.

    This omits the end `high`. A nonstrict sign extends to it by continuity.

    Args:
        known: Relations, some of them bounds.
        letters: The symbols.
        inside: If True, t > 0; symbols that may reach an end are then left out.
    """
    lows = [(s, sp.S.Zero, True, bool(s.is_positive)) for s in letters if s.is_nonnegative]
    bounds = [b for b in [*lows, *map(read_bound, known)] if b and (b[3] or not inside)]
    ends = {(s, above): b for s, b, above, _ in bounds}
    found: dict[sp.Symbol, sp.Expr] = {}
    for s in letters:
        if (s, True) in ends and (s, False) in ends:
            t = sp.Dummy(s.name, **{"positive" if inside else "nonnegative": True})
            found[s] = (ends[s, True] + ends[s, False] * t) / (1 + t)
    return found
