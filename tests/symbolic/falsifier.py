"""Tries to break a claim with numbers, in 50 digits, and shares no code with the prover.

Both sides of a claim, and its definitions, are evaluated with mpmath where proofs of equalities go wrong: 0, ±1, ±π,
2π, singular and indefinite matrices, zero and parallel vectors, equal letters, several of these at once, and at random.
A division by zero, an even root of a negative number, a logarithm or an arc cosine out of range is a failure, unless
both sides tend to one value there, in 200 digits.
"""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import mpmath
import sympy as sp

from lessons_lib.symbolic.terms import Term

TINY = mpmath.mpf(10) ** -38  # sin π in 50 digits is 1e-51: a divisor below this is a zero
OFF = mpmath.mpf(10) ** -28  # of sides that agree in 50 digits, after what cancels
BESIDE = mpmath.mpf(10) ** -6  # a step off a removable point; in 200 digits a sixth power of it may cancel
Point = dict[sp.Symbol, Any]
Groups = list[tuple[list[sp.Symbol], list[list[Any]]]]


class Undefined(ArithmeticError):
    """A side has no value at a point."""


def reciprocal(x: Any) -> Any:
    """Return 1/x, where x is no zero."""
    if abs(x) < TINY:
        raise Undefined("1/0")
    return 1 / x


def root(x: Any, k: int) -> Any:
    """Return the k-th root of a number that is not negative."""
    x = mpmath.re(x) if abs(mpmath.im(x)) < TINY else x
    if mpmath.im(x) != 0 or x < -TINY:
        raise Undefined("root of a negative number")
    return mpmath.root(x, k) if x > 0 else mpmath.mpf(0)


def arc(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return an arc function that refuses what is outside of [−1, 1]."""

    def checked(x: Any) -> Any:
        if abs(x) > 1 + TINY:
            raise Undefined("arc of more than 1")
        return function(min(max(x, mpmath.mpf(-1)), mpmath.mpf(1)))

    return checked


def log(x: Any) -> Any:
    """Return the logarithm of a positive number."""
    if x < TINY:
        raise Undefined("log of what is not positive")
    return mpmath.log(x)


def atan2(y: Any, x: Any) -> Any:
    """Return the angle of a point that is not the origin."""
    if abs(x) < TINY and abs(y) < TINY:
        raise Undefined("atan2(0, 0)")
    return mpmath.atan2(y, x)


def series(n: int, x: Any) -> Any:
    """Return cₙ(x), by its hypergeometric series."""
    half = mpmath.mpf(int(n)) / 2
    return mpmath.hyper([1], [half + 0.5, half + 1], -mpmath.mpf(x) / 4) / mpmath.factorial(int(n))


OWN = {"recip": reciprocal, "root": root, "log": log, "atan2": atan2, "stumpff": series}
OWN |= {"acos": arc(mpmath.acos), "asin": arc(mpmath.asin)}
RECIP, ROOT = sp.Function("recip"), sp.Function("root")


def spelled(e: sp.Expr, memo: dict[sp.Expr, sp.Expr]) -> sp.Expr:
    """Return an expression with each division and root as a call that can refuse."""
    if e in memo or not e.args:
        return memo.get(e, e)
    args = [spelled(a, memo) for a in e.args]
    made = e.func(*args)
    if e.is_Pow and e.exp.is_Rational:
        base = args[0] if e.exp.q == 1 else ROOT(args[0], e.exp.q)
        made = RECIP(base) ** -e.exp.p if e.exp.p < 0 else base**e.exp.p
    elif e.is_Pow and e.exp.could_extract_minus_sign() and e.base != sp.E:
        made = RECIP(args[0]) ** -args[1]
    memo[e] = made
    return made


def compiled(symbols: Sequence[sp.Symbol], value: Any) -> Callable[[list[Any]], list[Any]]:
    """Return a function of a list of numbers that gives the entries of a value."""
    entries = list(value) if isinstance(value, sp.MatrixBase) else [sp.sympify(value)]
    memo: dict[sp.Expr, sp.Expr] = {}
    return sp.lambdify([list(symbols)], [spelled(sp.sympify(e), memo) for e in entries], [OWN, "mpmath"], cse=True)


def special(s: sp.Symbol) -> list[Any]:
    """Return the numbers at which a letter is looked at."""
    if s.is_integer:
        return [0, 1, 2, 5]
    values = [1, 2, sp.Rational(1, 2), sp.pi, 2 * sp.pi, sp.pi / 2, 3, sp.Rational(1, 10)]
    if s.is_positive:
        return values
    return [0, *values] if s.is_nonnegative else [0, *values, -1, -sp.pi, -2, sp.Rational(3, 2)]


def drawn(s: sp.Symbol, draw: random.Random) -> Any:
    """Return any number that a letter may be."""
    if s.is_integer:
        return draw.randint(1, 5)
    value = sp.Rational(draw.randint(5, 240), 101)
    return value if s.is_nonnegative or draw.random() < 0.5 else -value


def columns(n: int) -> list[list[Any]]:
    """Return vectors: zero, along the axes, whole and half turns, and others."""
    unit = [[int(i == j) for j in range(n)] for i in range(n)]
    turns = [[k * x for x in unit[min(2, n - 1)]] for k in (sp.pi, 2 * sp.pi, 4)] + [[2 * sp.pi * x for x in unit[0]]]
    return [[0] * n, *unit, *turns, [1] * n, [k + 1 for k in range(n)]]


def grids(m: int, n: int) -> list[list[Any]]:
    """Return matrices: zero, the identity, of rank one, indefinite, with a zero for a pivot."""
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
    """Return the letters of some terms: the symbols of each in order, and the values at which it is looked at."""
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
        if set(order) != symbols:  # a rotation, a pose or a unit vector, made of numbers that are not all zero
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


def points(groups: Groups, seed: str, many: int) -> Iterator[Point]:
    """Yield points: at random, one letter special, two equal or opposite, a grid, and several special at once."""
    draw = random.Random(seed)

    def at_random() -> Point:
        return {s: drawn(s, draw) for order, _ in groups for s in order}

    yield from (at_random() for _ in range(3))
    for order, places in groups:
        yield from (at_random() | dict(zip(order, values, strict=True)) for values in places)
    for (one, _), (other, _) in itertools.combinations(groups, 2):
        for sign in (1, -1) if len(one) == len(other) else ():
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


def holds(relation: sp.Basic, symbols: Sequence[sp.Symbol]) -> Callable[[list[Any]], bool]:
    """Return a function that tells whether a relation holds, to 38 digits, at a list of numbers."""
    if isinstance(relation, sp.And | sp.Or):
        parts, both = [holds(part, symbols) for part in relation.args], isinstance(relation, sp.And)
        return lambda x: (all if both else any)(part(x) for part in parts)
    over, least = compiled(symbols, relation.lhs - relation.rhs), type(relation)

    def tells(x: list[Any]) -> bool:
        try:
            (value,) = over(x)
        except (Undefined, ZeroDivisionError):
            return False
        value = mpmath.re(value)
        if least is sp.Ne:
            return bool(abs(value) > TINY)
        return bool({sp.Gt: value > TINY, sp.Ge: value > -TINY, sp.Lt: value < -TINY, sp.Le: value < TINY}[least])

    return tells


class Falsifier:
    """Evaluates one claim at points."""

    def __init__(self, chains: Sequence[Sequence[Any]], where: Sequence[Term], conditions: Sequence[sp.Basic]) -> None:
        """Compile the sides, the definitions and the conditions of a claim."""
        parts = [*(side for chain in chains for side in chain[::2]), *where]
        self.groups = groups_of(parts, conditions)
        self.symbols = [s for order, _ in self.groups for s in order]
        self.sides = []
        for chain in chains:
            known = [compiled(self.symbols, side.value) for side in chain[::2]]
            self.sides += list(zip(chain[1::2], known, known[1:], strict=False))
        self.behind = [compiled(self.symbols, one.value) for one in where]
        self.conditions = [holds(one, self.symbols) for one in conditions]

    def fails(self, x: list[Any]) -> str:
        """Return why the claim fails at a list of numbers, or nothing."""
        try:
            for sign, left, right in self.sides:
                for a, b in zip(left(x), right(x), strict=True):
                    over, size = mpmath.mpmathify(a) - mpmath.mpmathify(b), 1 + abs(a) + abs(b)
                    if sign == "=" and abs(over) > OFF * size or sign == "<=" and mpmath.re(over) > OFF * size:
                        return f"the sides differ by {mpmath.nstr(over, 5)}"
                    if sign == "<" and mpmath.re(over) >= 0:
                        return "not less"
            for f in self.behind:
                f(x)
        except (Undefined, ZeroDivisionError) as error:
            return f"undefined: {error}"
        return ""

    def counterexample(self, seed: str, many: int = 300, as_written: bool = False) -> str:
        """Return where and why the claim fails though its conditions hold, or nothing.

        Args:
            seed: Of what is drawn at random.
            many: How many points of the grid are tried.
            as_written: Whether it fails, too, where a side has no value as written, though it tends to one.
        """
        for point in points(self.groups, seed, many):
            x = [mpmath.mpmathify(sp.N(point[s], 50)) for s in self.symbols]
            if all(one(x) for one in self.conditions):
                why = self.fails(x)
                if why.startswith("undefined") and not as_written and self.removable(x, seed):
                    continue
                if why:
                    return f"{why} at " + ", ".join(f"{s} = {sp.N(v, 5)}" for s, v in point.items())
        return ""

    def removable(self, x: list[Any], seed: str) -> bool:
        """Return whether all sides tend to one value at a point, from several directions."""
        draw, seen = random.Random(seed), []
        with mpmath.workdps(200):
            for step in (BESIDE, BESIDE / 10, BESIDE):
                way = [draw.uniform(0.2, 1) * (1 if s.is_nonnegative else draw.choice((1, -1))) for s in self.symbols]
                y = [a + step * w for a, w in zip(x, way, strict=True)]
                if self.fails(y):
                    return False
                seen.append([mpmath.mpmathify(v) for _, left, _ in self.sides for v in left(y)])
        scale = 1 + max(abs(v) for v in seen[0])
        return all(abs(a - b) < 1e-4 * scale for other in seen[1:] for a, b in zip(seen[0], other, strict=True))
