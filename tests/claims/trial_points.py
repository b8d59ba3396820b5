"""Points at which a claim is evaluated: critical ones for proofs of equalities, and random ones."""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import mpmath
import sympy as sp

from lessons_lib.claims.terms import Term

Point = dict[sp.Symbol, Any]
Groups = list[tuple[list[sp.Symbol], list[list[Any]]]]


def special(s: sp.Symbol) -> list[Any]:
    """Return the critical values of a symbol."""
    if s.is_integer:
        low, high = (1 if s.is_positive else 0 if s.is_nonnegative else -5), (0 if s.is_nonpositive else 5)
        return [k for k in (0, 1, 2, 5, -1, -2, -5) if low <= k <= high]
    if not s.is_extended_real:
        return [0, 1, -1, sp.I, -sp.I, 1 + sp.I, -2 + sp.I / 3, sp.pi * sp.I / 2, 4 * sp.I, -4]
    values = [1, 2, sp.Rational(1, 2), sp.pi, 2 * sp.pi, sp.pi / 2, 3, sp.Rational(1, 10)]
    if s.is_positive:
        return values
    if s.is_nonpositive:
        return [-v for v in values] + ([] if s.is_negative else [0])
    return [0, *values] if s.is_nonnegative else [0, *values, -1, -sp.pi, -2, sp.Rational(3, 2)]


@cache
def number(value: Any) -> Any:
    """Return a value with 50 digits."""
    real, imaginary = (mpmath.mpmathify(part) for part in sp.N(value, 50).as_real_imag())
    return mpmath.mpc(real, imaginary) if imaginary else real


def sample(s: sp.Symbol, draw: random.Random) -> Any:
    """Return a random number that a symbol's assumptions allow."""
    if s.is_integer:
        return draw.randint(1 if s.is_positive else 0 if s.is_nonnegative else -5, 5)
    value = sp.Rational(draw.randint(5, 240), 101)
    if not s.is_extended_real:
        return draw.choice((1, -1)) * value + sp.I * sp.Rational(draw.randint(-240, 240), 101)
    if s.is_nonpositive:
        return -value
    return value if s.is_nonnegative or draw.random() < 0.5 else -value


def columns(n: int) -> list[list[Any]]:
    """Return vectors: zero, along the axes, half and full revolutions, and others."""
    unit = [[int(i == j) for j in range(n)] for i in range(n)]
    turns = [[k * x for x in unit[min(2, n - 1)]] for k in (sp.pi, 2 * sp.pi, 4)] + [[2 * sp.pi * x for x in unit[0]]]
    return [[0] * n, *unit, *turns, [1] * n, [k + 1 for k in range(n)]]


def grids(m: int, n: int) -> list[list[Any]]:
    """Return matrices: zero, the identity, of rank one, indefinite, with a zero pivot."""
    makers: list[Callable[[int, int], int]] = [
        lambda i, j: 0,
        lambda i, j: int(i == j),
        lambda i, j: (i + 1) * int(j == 0),
        lambda i, j: int(i == j == 0),
        lambda i, j: 1,
        lambda i, j: int(i + j == n - 1),
        lambda i, j: 1 if i == j else 2,
        lambda i, j: int(i == j) * (-1) ** i,
        lambda i, j: (i + 1) * (j + 1),
    ]
    return [[f(i, j) for i in range(m) for j in range(n)] for f in makers]


def groups_of(parts: Sequence[Term], conditions: Sequence[sp.Basic]) -> Groups:
    """Return the symbols of the variables of some terms in order, and their critical values."""
    values = [part.value for part in parts]
    free = frozenset[sp.Symbol]().union(*(v.free_symbols for v in (*values, *conditions)))
    letters = {v.symbols: v.value for part in parts for v in part.variables if v.value is not None}
    groups: Groups = []
    seen: set[sp.Symbol] = set()
    for symbols, value in sorted(letters.items(), key=lambda item: -len(item[0])):
        if not symbols & free or symbols & seen:
            continue
        seen |= symbols
        order = list(dict.fromkeys(e for e in value if e.is_Symbol))
        if set(order) != symbols:  # a rotation, pose or unit vector, parametrized by numbers that are not all zero
            order = sorted(symbols, key=str)
            turning = [s for s in order if str(s)[0] in "ijklabc"]
            places = [[int(s == t) for s in order] for t in turning] + [[1] * len(order)]
        elif any(s.is_positive for s in order):  # weights
            places = [[1] * len(order), [k + 1 for k in range(len(order))]]
        elif min(value.shape) == 1:
            places = columns(len(order))
        else:
            entries = [list(value).index(s) for s in order]
            places = [[whole[k] for k in entries] for whole in grids(*value.shape)]
        groups.append((order, places))
    return groups + [([s], [[v] for v in special(s)]) for s in sorted(free - seen, key=str)]


def alike(one: list[sp.Symbol], other: list[sp.Symbol]) -> bool:
    """Return whether symbols are of one kind: integer, real or any."""
    kinds = [{(bool(s.is_integer), bool(s.is_extended_real)) for s in some} for some in (one, other)]
    return kinds[0] == kinds[1]


def points(groups: Groups, seed: str, many: int) -> Iterator[Point]:
    """Yield points: random, with one critical symbol, two equal or opposite, a grid, and several critical at once."""
    draw = random.Random(seed)

    def at_random() -> Point:
        return {s: sample(s, draw) for order, _ in groups for s in order}

    yield from (at_random() for _ in range(3))
    for order, places in groups:
        yield from (at_random() | dict(zip(order, values, strict=True)) for values in places)
    for (one, _), (other, _) in itertools.combinations(groups, 2):
        for sign in (1, -1) if len(one) == len(other) and alike(one, other) else ():
            point = at_random()
            point |= {b: sign * point[a] for a, b in zip(one, other, strict=True)}
            if not any(b.is_nonnegative and point[b] < 0 for b in other):
                yield point
    single = [(order[0], [v for (v,) in places]) for order, places in groups if len(order) == 1]
    if 1 < len(single) <= 4:
        grid = list(itertools.islice(itertools.product(*(values for _, values in single)), 40000))
        for values in draw.sample(grid, min(many, len(grid))):
            yield at_random() | dict(zip((s for s, _ in single), values, strict=True))
    for _ in range(80 if len(groups) > 1 else 0):
        point = at_random()
        for order, places in groups:
            if draw.random() < 0.8:
                point |= dict(zip(order, draw.choice(places), strict=True))
        yield point
