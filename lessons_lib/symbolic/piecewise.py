"""Choices between two, which every target prints; Max and Min as such choices."""

from collections.abc import Callable
from functools import reduce

import sympy as sp

Definitions = list[tuple[sp.Symbol, sp.Expr]]
"""Named steps in order, each a symbol and its expression in what is known by then."""

PRINTED = (sp.exp, sp.log, sp.sin, sp.cos, sp.Abs, sp.Piecewise)
"""The functions that every target prints, besides powers."""


def choice(condition: sp.Basic, first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """Return `first` where a condition holds, and else `second`, just so: SymPy looks for nothing simpler."""
    return sp.Piecewise((first, condition), (second, True), evaluate=False)


def select_extreme(
    terms: list[sp.Expr], is_beyond: Callable[..., sp.Basic], steps: Definitions, name: str
) -> sp.Symbol:
    """Return a name for the largest of some terms, with `sp.Gt`, or for the smallest, with `sp.Lt`, pair by pair.

    `steps` grows, by names that begin with `name`.
    """

    def named(value: sp.Expr) -> sp.Symbol:
        steps.append((sp.Symbol(f"{name}{len(steps)}", real=True), value))
        return steps[-1][0]

    left = [named(term) for term in terms]
    while len(left) > 1:
        pairs = zip(left[::2], left[1::2], strict=False)
        left = [named(choice(is_beyond(a, b, evaluate=False), a, b)) for a, b in pairs] + left[len(left) & ~1 :]
    return left[0]


def replace_extremes(expression: sp.Expr, steps: Definitions, name: str = "choice") -> sp.Expr:
    """Return an expression with Max and Min as choices between two, which every target prints.

    `steps` grows, by names that begin with `name`.
    """

    def named(value: sp.Expr) -> sp.Expr:
        steps.append((sp.Symbol(f"{name}{len(steps)}", real=True), value))
        return steps[-1][0]

    def larger(*terms: sp.Expr) -> sp.Expr:
        return reduce(lambda a, b: named(sp.Piecewise((a, a > b), (b, True))), map(named, terms))

    def smaller(*terms: sp.Expr) -> sp.Expr:
        return reduce(lambda a, b: named(sp.Piecewise((a, a < b), (b, True))), map(named, terms))

    return expression.replace(
        lambda part: isinstance(part, sp.Max | sp.Min),
        lambda part: (larger if isinstance(part, sp.Max) else smaller)(*part.args),
    )
