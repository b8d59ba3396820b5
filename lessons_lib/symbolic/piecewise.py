"""Maxima and minima as two-way choices, which every target language prints."""

from collections.abc import Callable
from functools import reduce

import sympy as sp

Definitions = list[tuple[sp.Symbol, sp.Expr]]
"""Named steps in order, each a symbol and its expression in earlier ones and the inputs."""

PRINTED = (sp.exp, sp.log, sp.sin, sp.cos, sp.Abs, sp.Piecewise)
"""Functions that every target language prints, in addition to powers."""


def choice(condition: sp.Basic, first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """Return `first` if a condition holds, else `second`, without SymPy's simplification."""
    return sp.Piecewise((first, condition), (second, True), evaluate=False)


def select_extreme(
    terms: list[sp.Expr], is_beyond: Callable[..., sp.Basic], steps: Definitions, name: str
) -> sp.Symbol:
    """Return a symbol for the largest (`sp.Gt`) or smallest (`sp.Lt`) term, compared pair by pair; extend `steps`."""
    left = [_add_step(term, steps, name) for term in terms]
    while len(left) > 1:
        pairs = zip(left[::2], left[1::2], strict=False)
        chosen = [_add_step(choice(is_beyond(a, b, evaluate=False), a, b), steps, name) for a, b in pairs]
        left = chosen + left[len(left) & ~1 :]
    return left[0]


def replace_extremes(expression: sp.Expr, steps: Definitions, name: str = "choice") -> sp.Expr:
    """Replace Max and Min in an expression by two-way choices; extend `steps` by their names."""

    def select(extreme: sp.Expr) -> sp.Expr:
        is_beyond = sp.Gt if isinstance(extreme, sp.Max) else sp.Lt
        terms = (_add_step(term, steps, name) for term in extreme.args)
        return reduce(lambda a, b: _add_step(sp.Piecewise((a, is_beyond(a, b)), (b, True)), steps, name), terms)

    return expression.replace(lambda part: isinstance(part, sp.Max | sp.Min), select)


def _add_step(value: sp.Expr, steps: Definitions, name: str) -> sp.Symbol:
    steps.append((sp.Symbol(f"{name}{len(steps)}", real=True), value))
    return steps[-1][0]
