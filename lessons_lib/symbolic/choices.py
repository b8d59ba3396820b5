"""Max and Min as choices between two, which every target prints."""

from functools import reduce

import sympy as sp

Definitions = list[tuple[sp.Symbol, sp.Expr]]
"""Named steps in order, each a symbol and its expression in what is known by then."""

PRINTED = (sp.exp, sp.log, sp.sin, sp.cos, sp.Abs, sp.Piecewise)
"""The functions that every target prints, besides powers."""


def as_choices(expression: sp.Expr, steps: Definitions, name: str = "choice") -> sp.Expr:
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
