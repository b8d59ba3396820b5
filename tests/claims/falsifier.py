"""Try to refute a claim at points with 50 digits, without any code of the prover.

Both sides and the definitions are evaluated with mpmath where proofs of equalities go wrong: 0, ±1, ±π, 2π, singular
and indefinite matrices, zero and parallel vectors, equal symbols, several of these at once, and at random. A division
by zero, an even root of a negative number, or a logarithm or arc cosine out of range counts as a failure, unless both
sides have a limit there, computed with 200 digits.
"""

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

import mpmath
import sympy as sp
from trial_points import groups_of, number, points

from lessons_lib.claims.terms import Term

TINY = mpmath.mpf(10) ** -38  # sin π with 50 digits is 1e-51; a smaller divisor is zero
OFF = mpmath.mpf(10) ** -28  # difference of equal sides with 50 digits, after cancellation
BESIDE = mpmath.mpf(10) ** -6  # step from a removable point; its sixth power may cancel with 200 digits


class Undefined(ArithmeticError):
    """A side is undefined at a point."""


def reciprocal(x: Any) -> Any:
    """Return 1/x for nonzero x."""
    if abs(x) < TINY:
        raise Undefined("1/0")
    return mpmath.mpf(1) / x


def any_root(x: Any, k: int) -> Any:
    """Return the principal k-th root of a complex number."""
    return mpmath.root(mpmath.mpmathify(x), k)


def root(x: Any, k: int) -> Any:
    """Return the k-th root of a nonnegative number."""
    x = mpmath.re(x) if abs(mpmath.im(x)) < TINY else x
    if mpmath.im(x) != 0 or x < -TINY:
        raise Undefined("root of a negative number")
    return mpmath.root(x, k) if x > 0 else mpmath.mpf(0)


def arc(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return an arc function that raises outside [−1, 1]."""

    def wrapper(x: Any) -> Any:
        if mpmath.im(x) != 0:
            return function(x)
        if abs(x) > 1 + TINY:
            raise Undefined("arc of more than 1")
        return function(min(max(x, mpmath.mpf(-1)), mpmath.mpf(1)))

    return wrapper


def log(x: Any) -> Any:
    """Return the logarithm of a positive or complex number."""
    if mpmath.im(x) != 0:
        return mpmath.log(x)
    if mpmath.re(x) < TINY:
        raise Undefined("log of a number that is not positive")
    return mpmath.log(x)


def atan2(y: Any, x: Any) -> Any:
    """Return the angle of a point other than the origin."""
    if abs(x) < TINY and abs(y) < TINY:
        raise Undefined("atan2(0, 0)")
    return mpmath.atan2(y, x)


def series(n: int, x: Any) -> Any:
    """Return cₙ(x) by its hypergeometric series."""
    half = mpmath.mpf(int(n)) / 2
    return mpmath.hyper([1], [half + 0.5, half + 1], -mpmath.mpf(x) / 4) / mpmath.factorial(int(n))


def without_poles(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return an mpmath function that raises at its poles."""

    def wrapper(*x: Any) -> Any:
        try:
            value = function(*x)
        except ValueError as error:
            raise Undefined(str(error)) from error
        if not mpmath.isfinite(value):
            raise Undefined(f"a pole at {x}")
        return value

    return wrapper


def choose(n: Any, k: Any) -> Any:
    """Return the binomial coefficient n over k for n ≥ 0."""
    if n < 0:
        raise Undefined("binomial coefficient of a negative number")
    return mpmath.binomial(n, k) if k >= 0 else mpmath.mpf(0)


OWN = {
    "gamma": without_poles(mpmath.gamma),
    "factorial": without_poles(mpmath.factorial),
    "binomial": choose,
    "conjugate": mpmath.conj,
    "Max": max,
    "Min": min,
    "ceiling": mpmath.ceil,
    "sign": mpmath.sign,
}
OWN |= {"log": log, "atan2": atan2, "stumpff": series, "Abs": abs, "acos": arc(mpmath.acos), "asin": arc(mpmath.asin)}


class Program:
    """Straight-line code for expressions with shared subexpressions, whose divisions and roots check their domains."""

    def __init__(self, symbols: Sequence[sp.Symbol]) -> None:
        """Start with the symbols only."""
        self.names = {s: f"x[{k}]" for k, s in enumerate(symbols)}
        self.lines: list[str] = []
        self.known: dict[str, Any] = {"reciprocal": reciprocal, "root": root, "mpf": mpmath.mpf}
        self.known |= {"any_root": any_root, "e": mpmath.mp.e}
        self.known |= {"pi": mpmath.mp.pi, "i": mpmath.mpc(0, 1)}

    def name(self, e: sp.Expr) -> str:
        """Return the variable of an expression, after adding its code."""
        if e not in self.names:
            code = self.code(e)
            self.names[e] = f"v{len(self.names)}"
            self.lines.append(f"{self.names[e]} = {code}")
        return self.names[e]

    def code(self, e: sp.Expr) -> str:
        """Return the code of an expression whose parts have variables."""
        if e.is_Rational:
            return f"mpf({e.p}) / {e.q}" if e.q > 1 else str(e.p)
        if e in (sp.pi, sp.I, sp.E):
            return {sp.pi: "+pi", sp.I: "+i", sp.E: "+e"}[e]
        if e.is_Add or e.is_Mul:
            return (" + " if e.is_Add else " * ").join(map(self.name, e.args))
        if e.is_Pow:
            return self.power(*e.as_base_exp()) if e.exp.is_Rational else self.any_power(e.base, e.exp)
        called = type(e).__name__
        self.known[called] = OWN.get(called) or getattr(mpmath, called, None)
        if self.known[called] is None:
            raise NotImplementedError(
                f"mpmath has no function {called!r}; add it to OWN in falsifier.py, as a function that raises "
                "Undefined outside its domain"
            )
        return f"{called}({', '.join(map(self.name, e.args))})"

    def power(self, base: sp.Expr, power: sp.Rational) -> str:
        """Return the code of a power with a rational exponent."""
        called = "root" if all(s.is_extended_real for s in base.free_symbols) else "any_root"
        inside = self.name(base) if power.q == 1 else f"{called}({self.name(base)}, {power.q})"
        return f"reciprocal({inside}) ** {-power.p}" if power.p < 0 else f"({inside}) ** {power.p}"

    def any_power(self, base: sp.Expr, power: sp.Expr) -> str:
        """Return the code of a power with another exponent."""
        if power.could_extract_minus_sign():
            return f"reciprocal({self.name(base)}) ** {self.name(-power)}"
        return f"{self.name(base)} ** {self.name(power)}"

    def function(self, values: Sequence[Any]) -> Callable[[list[Any]], list[list[Any]]]:
        """Return a function from a list of numbers to the entries of each value."""
        rows = [list(v) if isinstance(v, sp.MatrixBase) else [sp.sympify(v)] for v in values]
        shown = ", ".join(f"[{', '.join(map(self.name, row))}]" for row in rows)
        code = "\n    ".join([*self.lines, f"return [{shown}]"])
        exec(compile(f"def f(x):\n    {code}", "claim", "exec"), self.known)
        return self.known["f"]


def compile_value(symbols: Sequence[sp.Symbol], value: Any) -> Callable[[list[Any]], list[Any]]:
    """Return a function from a list of numbers to the entries of a value."""
    whole = Program(symbols).function([value])
    return lambda x: whole(x)[0]


def holds(relation: sp.Basic, symbols: Sequence[sp.Symbol]) -> Callable[[list[Any]], bool]:
    """Return a function that decides to 38 digits whether a relation holds at a list of numbers."""
    if isinstance(relation, sp.And | sp.Or):
        parts, both = [holds(part, symbols) for part in relation.args], isinstance(relation, sp.And)
        return lambda x: (all if both else any)(part(x) for part in parts)
    over, least = compile_value(symbols, relation.lhs - relation.rhs), type(relation)

    def decide(x: list[Any]) -> bool:
        try:
            (value,) = over(x)
        except (Undefined, ZeroDivisionError):
            return False
        value = mpmath.re(value)
        if least is sp.Ne:
            return bool(abs(value) > TINY)
        return bool({sp.Gt: value > TINY, sp.Ge: value > -TINY, sp.Lt: value < -TINY, sp.Le: value < TINY}[least])

    return decide


class Falsifier:
    """Evaluates one claim at points."""

    def __init__(self, chains: Sequence[Sequence[Any]], where: Sequence[Term], conditions: Sequence[sp.Basic]) -> None:
        """Compile the sides, definitions and conditions of a claim."""
        parts = [*(side for chain in chains for side in chain[::2]), *where]
        self.groups = groups_of(parts, conditions)
        self.symbols = [s for order, _ in self.groups for s in order]
        self.signs: list[tuple[str, int]] = []  # relations, each with the index of its left side
        for chain, place in zip(chains, itertools.accumulate([0, *((len(c) + 1) // 2 for c in chains)]), strict=False):
            self.signs += [(sign, place + i) for i, sign in enumerate(chain[1::2])]
        self.values = Program(self.symbols).function([part.value for part in parts])
        self.conditions = [holds(one, self.symbols) for one in conditions]

    def fails(self, x: list[Any]) -> str:
        """Evaluate the claim at a list of numbers; return the reason if it fails, or ""."""
        try:
            values = self.values(x)
            for sign, left in self.signs:
                for a, b in zip(values[left], values[left + 1], strict=True):
                    over, size = mpmath.mpmathify(a) - mpmath.mpmathify(b), 1 + abs(a) + abs(b)
                    if sign != "=" and abs(mpmath.im(over)) > OFF * size:
                        return "not real"
                    if sign == "=" and abs(over) > OFF * size or sign == "<=" and mpmath.re(over) > OFF * size:
                        return f"the sides differ by {mpmath.nstr(over, 5)}"
                    if sign == "<" and mpmath.re(over) >= 0:
                        return "not less"
        except (Undefined, ZeroDivisionError) as error:
            return f"undefined: {error}"
        return ""

    def counterexample(self, seed: str, many: int = 300, as_written: bool = False) -> str:
        """Search a point at which the claim fails though its conditions hold; return point and reason, or "".

        The grid has `many` points; if `as_written`, removable points count as failures too.
        """
        for point in points(self.groups, seed, many):
            x = [number(point[s]) for s in self.symbols]
            if all(one(x) for one in self.conditions):
                why = self.fails(x)
                if why.startswith("undefined") and not as_written and self.removable(x, seed):
                    continue
                if why:
                    return f"{why} at " + ", ".join(f"{s} = {sp.N(v, 5)}" for s, v in point.items())
        return ""

    def removable(self, x: list[Any], seed: str) -> bool:
        """Return whether all sides have one limit at a point, from several directions."""
        draw, seen = random.Random(seed), []
        with mpmath.workdps(200):
            for step in (BESIDE, BESIDE / 10, BESIDE):
                way = [draw.uniform(0.2, 1) * (1 if s.is_nonnegative else draw.choice((1, -1))) for s in self.symbols]
                y = [a + step * w for a, w in zip(x, way, strict=True)]
                if self.fails(y):
                    return False
                values = self.values(y)
                seen.append([mpmath.mpmathify(v) for _, left in self.signs for v in values[left]])
        scale = 1 + max(abs(v) for v in seen[0])
        return all(abs(a - b) < 1e-4 * scale for other in seen[1:] for a, b in zip(seen[0], other, strict=True))
