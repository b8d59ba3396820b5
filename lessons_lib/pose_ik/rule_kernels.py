"""A damping rule as code for an arm of n joints, with determinants expanded, for NumPy or the engine."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import sympy as sp

from lessons_lib.codegen import Kernel, source, syntax
from lessons_lib.symbolic import damped_step
from lessons_lib.symbolic.piecewise import PRINTED, Definitions, replace_extremes
from lessons_lib.symbolic.steps import Names

if TYPE_CHECKING:
    from lessons_lib.arrays import Array


class SymbolicRule(Hashable, Protocol):
    """The interface of a `Rule`, which imports this module."""

    @property
    def expression(self) -> sp.Expr: ...  # noqa: D102
    @property
    def parameters(self) -> dict[str, float]: ...  # noqa: D102
    @property
    def letters(self) -> Mapping[str, str]: ...  # noqa: D102
    @property
    def affine(self) -> tuple[float, float] | None: ...  # noqa: D102


def is_printed(policy: SymbolicRule) -> bool:
    """Return whether the engine has every function of a policy's formula."""
    return policy.affine is not None or _is_printed(parametrize(policy))


@lru_cache(maxsize=256)
def _is_printed(formula: sp.Expr) -> bool:
    V, W = (sp.Matrix(sp.symbols(f"{name}0:6")) for name in "VW")
    _, D = expand(formula, sp.Symbol("E"), V, W, damped_step.jacobian(6))
    parts = list(sp.preorder_traversal(D))
    return all(isinstance(part, PRINTED) for part in parts if isinstance(part, sp.Function))


def expand(formula: sp.Expr, E: sp.Expr, V: sp.Matrix, W: sp.Matrix, J: sp.Matrix) -> tuple[Definitions, sp.Expr]:
    """Return definitions and D of a parametrized formula, in the entries of V and W, 6×1, and of J, 6×n."""
    values = {sp.Symbol("E", nonnegative=True): E}
    for name, matrix in (("V", V), ("W", W)):
        values |= dict(zip(sp.symbols(f"{name}0:6", real=True), matrix, strict=True))
    n = sp.Symbol("n", integer=True, positive=True)
    expression, definitions = formula.subs(n, J.cols), []
    symbol, entries = sp.MatrixSymbol("J", 6, J.cols), sp.ImmutableMatrix(J)
    for k, one in enumerate(sorted(expression.atoms(sp.Determinant), key=sp.srepr)):
        name = sp.Symbol(f"det_J{k}", real=True)
        steps, value = _determinant_of(one.arg.xreplace(values), symbol, entries, str(name))
        definitions += [*steps, (name, value)]
        expression = expression.xreplace({one: name})
    D = expression.xreplace({symbol: entries}).doit().xreplace(values)
    return definitions, replace_extremes(D, definitions)


@lru_cache(maxsize=256)
def parametrize(policy: SymbolicRule) -> sp.Expr:
    """Return the formula of a policy with its parameters named p0, p1, …, the same for all policies of its kind."""
    symbols = [sp.Symbol(policy.letters.get(name, name), real=True) for name in policy.parameters]
    return policy.expression.xreplace({symbol: sp.Symbol(f"p{k}", real=True) for k, symbol in enumerate(symbols)})


@lru_cache(maxsize=256)
def formula_of(policy: SymbolicRule) -> str:
    """Return the parametrized formula of a policy as text."""
    return str(sp.srepr(parametrize(policy)))


def value_of(policy: SymbolicRule, E: float, V: Array, W: Array, J: Array | None) -> Any:
    """Return the number D, by NumPy, or by SymPy if NumPy lacks a function of the formula."""
    jacobian = np.zeros((6, 1)) if J is None else J
    if not is_printed(policy):
        numbers = (sp.Matrix(matrix) for matrix in (V, W, jacobian))
        steps, D = expand(parametrize(policy), sp.Float(E), *numbers)
        for symbol, value in reversed(steps):
            D = D.xreplace({symbol: value})
        return D.subs(
            {sp.Symbol(f"p{k}", real=True): value for k, value in enumerate(policy.parameters.values())}
        ).evalf()
    run = _function(parametrize(policy), len(policy.parameters), jacobian.shape[1])
    with np.errstate(all="ignore"):  # a value that is not finite raises an error later
        return float(run(np.array([E]), V, W, jacobian, np.array([*policy.parameters.values(), 0.0]))[0])


@lru_cache(maxsize=64)
def _function(formula: sp.Expr, parameters: int, n: int) -> Callable[..., Any]:
    """Return the NumPy function of (E, V, W, J, parameters)."""
    E, V, W, J = sp.Symbol("E0"), *(sp.Matrix(sp.symbols(f"{name}0:6")) for name in "VW"), damped_step.jacobian(n)
    steps, D = expand(formula, E, V, W, J)
    p = sp.Matrix(sp.symbols(f"p0:{parameters + 1}", real=True))
    inputs = {"objective": sp.Matrix([E]), "error": V, "weights": W, "jacobian": J, "parameters": p}
    kernel = Kernel("damping", inputs, {"D": sp.Matrix([D])}, steps, "D.", matrices=("jacobian",))
    function: Callable[..., Any] = syntax.functions_of(source([kernel], "numpy"))["damping"]
    return function


def _determinant_of(
    matrix: sp.MatrixExpr, symbol: sp.MatrixSymbol, entries: sp.ImmutableMatrix, name: str
) -> tuple[Definitions, sp.Expr]:
    """Return definitions and the determinant of a matrix expression in J."""
    # det(JJᵀ) cannot round below zero: it is det(J)² if J is square, and 0 if J has fewer columns than rows
    if matrix == symbol * symbol.T:
        n = entries.cols
        steps, value = determinant(entries if n == 6 else entries * entries.T, name) if n >= 6 else ([], sp.Integer(0))
        return steps, value**2 if n == 6 else replace_extremes(sp.Max(value, 0), steps)
    explicit = matrix.xreplace({symbol: entries}).doit()
    return determinant(sp.Matrix(explicit), name)


def determinant(matrix: sp.Matrix, name: str) -> tuple[Definitions, sp.Expr]:
    """Return definitions and the determinant, expanded by rows without division; `name` is the prefix of each name."""
    names = Names()
    M = sp.Matrix(*matrix.shape, lambda i, j: names.name(f"{name}_e{i}_{j}", matrix[i, j]))
    minors: dict[Sequence[int], sp.Expr] = {(): sp.Integer(1)}
    for row in range(M.rows):
        minors = {
            columns: names.name(
                f"{name}_m{'_'.join(map(str, columns))}",
                sum(
                    (-1) ** (row + k) * M[row, column] * minors[columns[:k] + columns[k + 1 :]]
                    for k, column in enumerate(columns)
                ),
            )
            for columns in combinations(range(M.rows), row + 1)
        }
    return names.named, minors[tuple(range(M.rows))]
