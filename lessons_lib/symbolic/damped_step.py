"""The damped step in symbols: (JᵀJ + D I) d = JᵀV solved by LDLᵀ, entry by entry.

Both forms of the answer are the same, (JᵀJ + D I)⁻¹Jᵀ = Jᵀ(JJᵀ + D I)⁻¹; the smaller system is solved. Gauss's
elimination of a symmetric matrix needs no square root: A = L diag(p) Lᵀ with ones on the diagonal of L. With D > 0 the
matrix is positive definite, so every pivot p is positive and none needs to be searched for.

Source: Golub & Van Loan, Matrix Computations (2013), §4.1.
"""

from dataclasses import dataclass

import sympy as sp


@dataclass(frozen=True)
class DampedStep:
    """The derived step.

    Attributes:
        J: Symbols of the Jacobian, 6×n.
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
    """Gives names to expressions as they are made."""

    def __init__(self) -> None:
        self.named: list[tuple[sp.Symbol, sp.Expr]] = []

    def name(self, name: str, expression: sp.Expr) -> sp.Symbol:
        symbol = sp.Symbol(name, real=True)
        self.named.append((symbol, expression))
        return symbol


def derive(n: int) -> DampedStep:
    """Return the step of a chain with n joints."""
    J = sp.Matrix(6, n, lambda i, j: sp.Symbol(f"J{i}_{j}", real=True))
    V = sp.Matrix(6, 1, lambda i, _: sp.Symbol(f"V{i}", real=True))
    D, names = sp.Symbol("D0", real=True), _Names()
    A = J if n > 6 else J.T  # the smaller normal matrix is A Aᵀ
    normal = _normal_matrix(names, A, D)
    right = list(V) if n > 6 else [names.name(f"b{i}", _dot(A[i, :], V)) for i in range(A.rows)]
    answer, pivots = _eliminate(names, normal, right)
    d = sp.Matrix([_dot(J[:, i], answer) for i in range(n)]) if n > 6 else sp.Matrix(answer)
    trace = sum((normal[i, i] for i in range(A.rows)), sp.Integer(0))
    return DampedStep(J, V, D, tuple(names.named), d, sp.Matrix(pivots), trace)


def _dot(a: sp.Matrix, b: sp.Matrix) -> sp.Expr:
    return sum((x * y for x, y in zip(a, b, strict=True)), sp.Integer(0))


def _normal_matrix(names: _Names, A: sp.Matrix, D: sp.Symbol) -> sp.Matrix:
    """Return A Aᵀ + D I, the entries of its lower half named."""
    normal = sp.zeros(A.rows, A.rows)
    for i in range(A.rows):
        for j in range(i + 1):
            entry = _dot(A[i, :], A[j, :]) + (D if i == j else 0)
            normal[i, j] = names.name(f"m{i}_{j}", entry)
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
