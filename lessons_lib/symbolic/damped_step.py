"""The damped step in symbols: (JᵀJ + D I) d = JᵀV solved by LDLᵀ, entry by entry.

Both forms of the answer are the same, (JᵀJ + D I)⁻¹Jᵀ = Jᵀ(JJᵀ + D I)⁻¹; the smaller system is solved. Gauss's
elimination of a symmetric matrix needs no square root: A = L diag(p) Lᵀ with ones on the diagonal of L. With D > 0 the
matrix is positive definite, so every pivot p is positive and none needs to be searched for.

What is known of J beforehand is left out: zeros and numbers among its entries, entries that are equal, and products of
joint axes that no motion changes (constant_angles.py). The joints at the tip know most, so they are eliminated first;
two pivots of a UR10 need no more than the damping.

Source: Golub & Van Loan, Matrix Computations (2013), §4.1.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp


@dataclass(frozen=True)
class DampedStep:
    """The derived step.

    Attributes:
        J: The Jacobian that was given, 6×n.
        V: Symbols of the error twist, 6×1.
        D: Symbol of the damping.
        steps: Named intermediate results in order, each a symbol and its expression in earlier ones.
        d: The step, n×1.
        pivots: The pivots p, of which each must exceed what rounding hides.
        trace: Trace of the matrix that was eliminated.
    """

    J: sp.Matrix
    V: sp.Matrix
    D: sp.Symbol
    steps: tuple[tuple[sp.Symbol, sp.Expr], ...]
    d: sp.Matrix
    pivots: sp.Matrix
    trace: sp.Expr


class _Names:
    """Gives names to expressions as they are made; a number or a name needs none."""

    def __init__(self) -> None:
        self.named: list[tuple[sp.Symbol, sp.Expr]] = []

    def name(self, name: str, expression: sp.Expr) -> sp.Expr:
        if expression.is_number or expression.is_Symbol:
            return expression
        symbol = sp.Symbol(name, real=True)
        self.named.append((symbol, expression))
        return symbol


def jacobian(n: int) -> sp.Matrix:
    """Return a Jacobian of which nothing is known, 6×n: a symbol an entry."""
    return sp.Matrix(6, n, lambda i, j: sp.Symbol(f"J{i}_{j}", real=True))


def derive(J: sp.Matrix, axis_products: Mapping[tuple[int, int], float] | None = None) -> DampedStep:
    """Return the step for a Jacobian.

    Args:
        J: 6×n, rows (ω, v). Each entry is a symbol or a number; a symbol may stand in several places.
        axis_products: The products ω_iᵀω_j, i ≥ j, that are known.
    """
    n, known = J.cols, axis_products or {}
    V = sp.Matrix(6, 1, lambda i, _: sp.Symbol(f"V{i}", real=True))
    D, names = sp.Symbol("D0", real=True), _Names()
    if n > 6:
        normal = _normal_matrix(names, [(i, j, _dot(J[i, :], J[j, :])) for i in range(6) for j in range(i + 1)], D)
        answer, pivots = _eliminate(names, normal, list(V))
        d = J.T * sp.Matrix(answer)
    else:
        order = list(reversed(range(n)))
        products = [(k, m, _product(J, i, order[m], known)) for k, i in enumerate(order) for m in range(k + 1)]
        normal = _normal_matrix(names, products, D)
        right = [names.name(f"b{k}", _dot(J[:, i], V)) for k, i in enumerate(order)]
        answer, pivots = _eliminate(names, normal, right)
        d = sp.Matrix(answer[::-1])
    return DampedStep(J, V, D, tuple(names.named), d, sp.Matrix(pivots), normal.trace())


def _product(J: sp.Matrix, i: int, j: int, known: Mapping[tuple[int, int], float]) -> sp.Expr:
    """Return the product of two columns."""
    angular = known.get((max(i, j), min(i, j)))
    turns = _dot(J[:3, i], J[:3, j]) if angular is None else sp.sympify(angular)
    return turns + _dot(J[3:, i], J[3:, j])


def _dot(a: sp.Matrix, b: sp.Matrix) -> sp.Expr:
    return sum((x * y for x, y in zip(a, b, strict=True)), sp.Integer(0))


def _normal_matrix(names: _Names, products: list[tuple[int, int, sp.Expr]], D: sp.Symbol) -> sp.Matrix:
    """Return the lower half of the symmetric matrix with these entries (row, column, value), plus D I, named."""
    m = 1 + max(row for row, _, _ in products)
    normal = sp.zeros(m, m)
    for i, j, product in products:
        normal[i, j] = names.name(f"m{i}_{j}", product + (D if i == j else 0))
    return normal


def _eliminate(names: _Names, normal: sp.Matrix, right: list[sp.Expr]) -> tuple[list[sp.Expr], list[sp.Expr]]:
    """Return the solution and the pivots; `normal` holds the lower half of a symmetric matrix.

    Each pivot is taken off all entries to its right at once, and each difference has a name: in this order a
    processor waits least, because only the last difference hangs on the last pivot.
    """
    m, right = normal.rows, list(right)
    L, entries, pivots, inverses = sp.eye(m), normal.copy(), [], []
    for k in range(m):
        pivots.append(names.name(f"p{k}", entries[k, k]))
        inverses.append(names.name(f"r{k}", 1 / pivots[k]))
        for i in range(k + 1, m):
            L[i, k] = names.name(f"l{i}_{k}", entries[i, k] * inverses[k])
        for j in range(k + 1, m):
            right[j] = names.name(f"f{j}_{k}", right[j] - L[j, k] * right[k])
            for i in range(j, m):
                entries[i, j] = names.name(f"u{i}_{j}_{k}", entries[i, j] - entries[i, k] * L[j, k])
    answer = [names.name(f"y{i}", right[i] * inverses[i]) for i in range(m)]
    for k in reversed(range(1, m)):
        for i in range(k):
            answer[i] = names.name(f"z{i}_{k}", answer[i] - L[k, i] * answer[k])
    return answer, pivots
