"""Normal forms: ratios of SymPy's sparse polynomials, much faster than trees, and functions rewritten by identities."""
# a denominator is stored as powers of the factors as written, which the terms of a sum often share

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from lessons_lib.claims import signs

Polynomial = Any  # an element of SymPy's ring of sparse polynomials


@dataclass(frozen=True)
class Ratio:
    """A numerator over powers of factors."""

    numerator: Polynomial
    factors: dict[Polynomial, int]


@dataclass
class Ratios:
    """A converter from expressions to ratios of polynomials in generators, the leading ones first, with a cache."""

    generators: list[sp.Expr]
    ring: Any = field(init=False)
    known: dict[sp.Expr, Ratio] = field(init=False)

    def __post_init__(self) -> None:
        self.ring = sp.polys.rings.PolyRing([sp.Dummy() for _ in self.generators], sp.ZZ, sp.polys.orderings.lex)
        self.known = {g: Ratio(p, {}) for g, p in zip(self.generators, self.ring.gens, strict=True)}

    def of(self, expression: sp.Expr) -> Ratio:
        """Convert an expression to a ratio; raise PolynomialError if it divides by zero."""
        if expression not in self.known:
            self.known[expression] = self._convert(expression)
        return self.known[expression]

    def _convert(self, expression: sp.Expr) -> Ratio:
        if expression.is_Rational:
            below = self.ring.ground_new(expression.q)
            return Ratio(self.ring.ground_new(expression.p), {below: 1} if below != 1 else {})
        if expression.is_Add:
            return self._sum([self.of(part) for part in expression.args])
        if expression.is_Mul:
            return self._product([self.of(part) for part in expression.args])
        return self._power(self.of(expression.args[0]), int(expression.args[1]))

    def _sum(self, parts: list[Ratio]) -> Ratio:
        factors: dict[Polynomial, int] = {}
        for part in parts:
            for factor, power in part.factors.items():
                factors[factor] = max(power, factors.get(factor, 0))
        numerator = self.ring.zero
        for part in parts:
            lacking = self.ring.one
            for factor, power in factors.items():
                lacking *= factor ** (power - part.factors.get(factor, 0))
            numerator += part.numerator * lacking
        return Ratio(numerator, factors)

    def _product(self, parts: list[Ratio]) -> Ratio:
        numerator, factors = self.ring.one, dict[Polynomial, int]()
        for part in parts:
            numerator *= part.numerator
            for factor, power in part.factors.items():
                factors[factor] = factors.get(factor, 0) + power
        return Ratio(numerator, factors)

    def _power(self, base: Ratio, power: int) -> Ratio:
        if power >= 0:
            return Ratio(base.numerator**power, {f: power * p for f, p in base.factors.items()})
        if base.numerator == 0:
            raise sp.PolynomialError("a division by zero")
        top = self.ring.one
        for factor, times in base.factors.items():
            top *= factor ** (-power * times)
        return Ratio(top, {base.numerator: -power})


def over_rationals(polynomial: Polynomial) -> Polynomial:
    return polynomial.set_ring(polynomial.ring.clone(domain=sp.QQ))


def subexpressions(expression: sp.Basic) -> set[sp.Basic]:
    """Return all subexpressions of an expression, itself included."""
    parts, left = set[sp.Basic](), [expression]
    while left:
        part = left.pop()
        if part not in parts:
            parts.add(part)
            left += part.args
    return parts


def find_generators(expressions: Iterable[sp.Expr]) -> list[sp.Expr]:
    """Return the parts that are not polynomials in others: symbols, roots, functions, irrational numbers."""
    generators: dict[sp.Expr, None] = {}
    left, visited = list(expressions), set[sp.Expr]()
    while left:
        expression = left.pop()
        if expression in visited or expression.is_Rational:
            continue
        visited.add(expression)
        if expression.is_Add or expression.is_Mul:
            left += expression.args
        elif expression.is_Pow and expression.args[1].is_Integer:
            left.append(expression.args[0])
        else:
            generators[expression] = None
    return sorted(generators, key=sp.default_sort_key)


def rewrite_functions(e: sp.Expr) -> sp.Expr:
    """Return an expression with arc cosines, angles and roots in normal form."""
    e = e.replace(sp.acos, lambda x: sp.pi / 2 - sp.asin(x)).replace(sp.atan2, _cancel_positive_factor)
    return e.replace(lambda p: p.is_Pow and p.exp.is_Rational and not p.exp.is_Integer, _factor_root)


def _factor_root(root: sp.Expr) -> sp.Expr:
    return sp.expand_power_base(root if signs.too_long(root.base) else sp.factor(root.base) ** root.exp)


def _cancel_positive_factor(y: sp.Expr, x: sp.Expr) -> sp.Expr:
    """Cancel a nonnegative common factor in atan2(y, x), which is undefined where that factor vanishes."""
    if signs.too_long(y) or signs.too_long(x):
        return sp.atan2(y, x)
    try:
        number, parts = sp.factor_list(sp.gcd(y, x))
    except sp.PolynomialError:
        return sp.atan2(y, x)
    factor = abs(number) * sp.Mul(*(base**power for base, power in parts if signs.never_negative(base**power)))
    return sp.atan2(sp.cancel(y / factor), sp.cancel(x / factor)) if factor != 0 else sp.atan2(y, x)
