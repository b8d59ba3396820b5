"""The damped step (JᵀJ + D I) d = JᵀV, solved by block elimination entry by entry."""
# Because (JᵀJ + D I)⁻¹Jᵀ = Jᵀ(JJᵀ + D I)⁻¹, the smaller system is solved; the larger one is singular except for D. Zero
# rows and columns of J do not count. Two unknowns are eliminated at once by the adjugate and determinant of their 2×2
# block, so that a step of six joints waits for three divisions. For D > 0 all blocks are positive definite, so no
# pivoting is needed. Zeros, numbers, equal entries and constant products of joint axes (constant_angles.py) are used;
# the joints at the tip have most of them, so they are eliminated first. Source: Golub & Van Loan, Matrix Computations
# (2013), §4.1 and §4.5.

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement

import sympy as sp

from lessons_lib.symbolic.formulas import formula, tag, tags_of
from lessons_lib.symbolic.steps import Names

BLOCK = 2
"""Number of unknowns eliminated at once."""


@dataclass(frozen=True)
class DampedStep:
    """The derived step, with named intermediate results."""

    J: sp.Matrix  # 6×n
    V: sp.Matrix  # error, 6×1
    D: sp.Symbol  # damping
    steps: tuple[tuple[sp.Symbol, sp.Expr], ...]  # each a symbol and its expression in earlier ones
    d: sp.Matrix  # the step, n×1
    minors: sp.Matrix  # leading minors of each block, m×1
    before: sp.Matrix  # preceding minor of each in its block, or 1; minors/before, a pivot, must exceed rounding
    trace: sp.Expr  # of the eliminated matrix
    normal: sp.Matrix  # that matrix by joints, or by rows for more than six joints; named
    right: sp.Matrix  # its right side; named

    def expand(self, derived: sp.Matrix) -> sp.Matrix:
        """Substitute the named steps, so that the result depends only on J, V and D."""
        return tag(_substitute_steps(dict(self.steps), derived), tags_of(derived))


def jacobian(n: int) -> sp.Matrix:
    """Return a 6×n Jacobian of symbols."""
    return sp.Matrix(6, n, lambda i, j: sp.Symbol(f"J{i}_{j}", real=True))


@formula
def derive(
    J: sp.Matrix,
    axis_products: Mapping[tuple[int, int], float] | None = None,
    V: sp.Matrix | None = None,
    by_rows: bool | None = None,
) -> DampedStep:
    """Derive the damped step of J, 6×n, rows (ω, v), of symbols or numbers, or of another derivative by q."""
    # axis_products: known ω_iᵀω_j, i ≥ j; by_rows: solve the system JJᵀ of the rows, by default if it is the smaller
    # one
    n, known = J.cols, axis_products or {}
    V = sp.Matrix(6, 1, lambda i, _: sp.Symbol(f"V{i}", real=True)) if V is None else V
    D, names = sp.Symbol("D0", real=True), Names()
    rows_first = n > 6 if by_rows is None else by_rows
    order = list(range(6)) if rows_first else list(reversed(range(n)))
    if rows_first:
        normal = _normal_matrix(names, [(i, j, _dot(J[i, :], J[j, :])) for i in range(6) for j in range(i + 1)], D)
        right = list(V)
    else:
        products = [(k, m, _product(J, i, order[m], known)) for k, i in enumerate(order) for m in range(k + 1)]
        normal = _normal_matrix(names, products, D)
        right = [names.name(f"b{k}", _dot(J[:, i], V)) for k, i in enumerate(order)]
    answer, minors, before = _eliminate(names, normal, right)
    d = J.T * sp.Matrix(answer) if rows_first else sp.Matrix(answer[::-1])
    place = {i: k for k, i in enumerate(order)}
    whole = sp.Matrix(len(order), len(order), lambda i, j: normal[max(place[i], place[j]), min(place[i], place[j])])
    column = sp.Matrix([right[place[i]] for i in range(len(order))])
    bounds = sp.Matrix(minors), sp.Matrix(before), normal.trace()
    return DampedStep(J, V, D, tuple(names.named), d, *bounds, whole, column)


@formula
def eliminate(M: sp.Matrix, b: sp.Matrix) -> sp.Matrix:
    """Return the solution x of M x = b for a symmetric M of few unknowns, by the same elimination, written out."""
    names = Names()
    answer, _, _ = _eliminate(names, M, list(b))
    return _substitute_steps(dict(names.named), sp.Matrix(answer))


def _substitute_steps(steps: Mapping[sp.Symbol, sp.Expr], derived: sp.Matrix) -> sp.Matrix:
    needed = derived.free_symbols & steps.keys()
    if not needed:
        return derived
    return _substitute_steps(steps, derived.xreplace({symbol: steps[symbol] for symbol in needed}))


def _product(J: sp.Matrix, i: int, j: int, known: Mapping[tuple[int, int], float]) -> sp.Expr:
    angular = known.get((max(i, j), min(i, j)))
    turns = _dot(J[:3, i], J[:3, j]) if angular is None else sp.sympify(angular)
    return turns + _dot(J[3:, i], J[3:, j])


def _dot(a: sp.Matrix, b: sp.Matrix) -> sp.Expr:
    return sum((x * y for x, y in zip(a, b, strict=True)), sp.Integer(0))


def _normal_matrix(names: Names, products: list[tuple[int, int, sp.Expr]], D: sp.Symbol) -> sp.Matrix:
    """Return the lower half of the symmetric matrix with these entries (row, column, value) plus D I, named."""
    m = 1 + max(row for row, _, _ in products)
    normal = sp.zeros(m, m)
    for i, j, product in products:
        normal[i, j] = names.name(f"m{i}_{j}", product + (D if i == j else 0))
    return normal


def _eliminate(
    names: Names, normal: sp.Matrix, right: list[sp.Expr]
) -> tuple[list[sp.Expr], list[sp.Expr], list[sp.Expr]]:
    """Return the solution, the minors and their predecessors; `normal` holds the lower half of a symmetric matrix."""
    # A block B with rows C below it and right side f becomes adj B, r = 1/det B and N = C adj B. The rows below lose
    # r N Cᵀ and r N f; with the later unknowns y, those of the block are r (adj B f − Nᵀ y). Only the last product of
    # each waits for the division.
    m, entries, right = normal.rows, normal.copy(), list(right)
    minors, before, undone = [], [], []
    for first in range(0, m, BLOCK):
        inside, below = range(first, min(first + BLOCK, m)), range(min(first + BLOCK, m), m)
        B = sp.Matrix(len(inside), len(inside), lambda i, j, at=first: entries[at + max(i, j), at + min(i, j)])
        adjugate = B.adjugate()
        for i, j in combinations_with_replacement(range(len(inside)), 2):
            adjugate[i, j] = adjugate[j, i] = names.name(f"c{first + j}_{first + i}", adjugate[i, j])
        determinant = names.name(f"det{first}", _dot(B[0, :], adjugate[0, :]))
        inverse = names.name(f"r{first}", 1 / determinant)
        minors += [B[0, 0], determinant][: len(inside)]
        before += [sp.Integer(1), B[0, 0]][: len(inside)]
        f = sp.Matrix([right[k] for k in inside])
        N = entries[below.start :, first : below.start] * adjugate
        N = sp.Matrix(
            len(below), len(inside), lambda i, j, N=N, at=first: names.name(f"n{at + BLOCK + i}_{at + j}", N[i, j])
        )
        for i in below:
            row = N[i - below.start, :]
            right[i] = names.name(f"f{i}_{first}", right[i] - inverse * _dot(row, f.T))
            for j in range(below.start, i + 1):
                factor = inverse * _dot(row, entries[j, first : below.start])
                entries[i, j] = names.name(f"u{i}_{j}_{first}", entries[i, j] - factor)
        undone.append((inside, below, inverse, adjugate * f, N))
    answer: list[sp.Expr] = [sp.Integer(0)] * m
    for inside, below, inverse, alone, N in reversed(undone):
        for column, k in enumerate(inside):
            later = _dot(N[:, column], [answer[i] for i in below])
            answer[k] = names.name(f"y{k}", inverse * (names.name(f"g{k}", alone[column]) - later))
    return answer, minors, before
