"""The step of a method's own formula as named steps for a kernel: each of its linear problems by block elimination."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lessons_lib.codegen.lanes import in_half_a_turn
from lessons_lib.pose_ik.layout import ROUNDING
from lessons_lib.symbolic import damped_step, objective, so3
from lessons_lib.symbolic.choices import Definitions
from lessons_lib.symbolic.formulas import name_of
from lessons_lib.symbolic.stated_step import LinearProblem, stated


@dataclass(frozen=True)
class SolvedStep:
    """A step, and what is worked out for it.

    Attributes:
        steps: Named steps in order, each a symbol and its expression in J, V, the roots of the weights, D0 and earlier
            ones.
        d: The step, n×1.
        margins: By how much each pivot exceeds what rounding hides, the least over all linear problems, m×1.
        by: The formulas of `symbolic` in it.
    """

    steps: Definitions
    d: sp.Matrix
    margins: sp.Matrix
    by: tuple[object, ...]


def solved_step(
    formula: Callable[..., Any], J: sp.Matrix, V: sp.Matrix, roots: sp.Matrix | None, by_rows: bool | None
) -> SolvedStep:
    """Return the step of a formula.

    Args:
        formula: Of (J, V, solve); see `Method`.
        J: 6×n, a symbol or a number each.
        V: Symbols, 6×1.
        roots: Of the weights, 6×1; None for ones.
        by_rows: Which of the two systems each linear problem solves, as in `damped_step.derive`.
    """
    found, steps, margins = stated(formula, J, V), Definitions(), sp.zeros(0, 1)
    for k, problem in enumerate(found.problems):
        own, margin = _solved(problem, f"problem{k}", roots, by_rows)
        steps += [*problem.definitions, *own]
        if k == 0:
            margins = margin
        else:
            margins = sp.Matrix([sp.Piecewise((a, a < b), (b, True)) for a, b in zip(margins, margin, strict=True)])
    steps = in_half_a_turn([*steps, *found.definitions], so3.squared_angle(V[:3, :]), "stated")
    by = (damped_step.derive, damped_step.eliminate, *([formula] if name_of(formula) else []))
    return SolvedStep(steps, found.d, margins, by)


def _solved(
    problem: LinearProblem, prefix: str, roots: sp.Matrix | None, by_rows: bool | None
) -> tuple[Definitions, sp.Matrix]:
    """Return named steps to the solution of a linear problem, and the margins of its pivots, named."""
    steps = Definitions()

    def named(word: str, matrix: sp.Matrix) -> sp.Matrix:
        symbols = sp.Matrix(
            *matrix.shape,
            lambda i, j: matrix[i, j] if matrix[i, j].is_number else sp.Symbol(f"{prefix}_{word}{i}_{j}", real=True),
        )
        steps.extend((one, entry) for one, entry in zip(symbols, matrix, strict=True) if one.is_Symbol)
        return symbols

    A, e = problem.A, problem.e
    if roots is not None:
        A, e = objective.weighted(roots, A), objective.weighted(roots, e)
    step = damped_step.derive(named("A", A), None, named("e", e), by_rows)
    own = {symbol: sp.Symbol(f"{prefix}_{symbol}", real=True) for symbol, _ in step.steps}
    steps += [(own[symbol], expression.xreplace(own)) for symbol, expression in step.steps]
    steps += [(symbol, entry.xreplace(own)) for symbol, entry in zip(problem.d, step.d, strict=True)]
    hidden = sp.Symbol(f"{prefix}_hidden", real=True)
    steps.append((hidden, len(step.minors) * ROUNDING * step.trace.xreplace(own)))
    return steps, named("margin", (step.minors - hidden * step.before).xreplace(own))
