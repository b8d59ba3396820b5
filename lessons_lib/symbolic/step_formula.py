"""Step formulas: a function of Jacobian, error and a linear solver, evaluated once on symbols."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from lessons_lib.errors import ParameterError
from lessons_lib.symbolic import se3
from lessons_lib.symbolic.formulas import formula
from lessons_lib.symbolic.manipulability import body_jacobian_derivative
from lessons_lib.symbolic.piecewise import PRINTED, Definitions, replace_extremes
from lessons_lib.symbolic.stumpff_functions import stumpff


@dataclass(frozen=True)
class LinearProblem:
    """A linear problem A d ≈ e of a step formula: A is 6×n, e 6×1, d n symbols; `definitions` were named before it."""

    definitions: Definitions
    A: sp.Matrix
    e: sp.Matrix
    d: sp.Matrix


@dataclass(frozen=True)
class DerivedStep:
    """The step of a formula: its linear problems, the steps named after the last of them, and d, n×1."""

    problems: tuple[LinearProblem, ...]
    definitions: Definitions
    d: sp.Matrix


class Solver:
    """The argument `solve` of a step formula; it records linear problems and named steps."""

    def __init__(self, name: str, n: int, joints: tuple[sp.Matrix, sp.Matrix] | None = None) -> None:
        """Store the formula's name, the number of joints, and `joints` as in `derive_step`."""
        self.formula, self.n, self._joints = name, n, joints
        self.problems, self.definitions = list[LinearProblem](), Definitions()
        self._names = 0

    def __call__(self, A: Any, e: Any) -> sp.Matrix:
        """Return the solution d of A d ≈ e, n×1, as symbols."""
        arguments = sp.Matrix(A), sp.Matrix(e)
        shapes = arguments[0].shape, arguments[1].shape
        if shapes != ((6, self.n), (6, 1)):
            raise ParameterError(
                f"{self.formula} must solve A d = e with A (6, {self.n}) and e (6, 1), got {shapes[0]}, {shapes[1]}"
            )
        d = sp.Matrix(self.n, 1, lambda i, _: sp.Symbol(f"solved{len(self.problems)}_{i}", real=True))
        A, e = (self.replace_extremes(matrix) for matrix in arguments)
        self.problems.append(LinearProblem(self.definitions, A, e, d))
        self.definitions = []
        return d

    def derivative_along(self, J: sp.Matrix, d: sp.Matrix) -> sp.Matrix:
        """Return the derivative of the body Jacobian J, 6×n, along d, n×1; of coupled joints by the chain rule."""
        if self._joints is None:
            return body_jacobian_derivative(J, d)
        columns, A = self._joints
        return self.name_all(body_jacobian_derivative(columns, self.name_all(A * d))) * A

    def name_all(self, matrix: sp.Matrix) -> sp.Matrix:
        """Return symbols for the entries of a matrix, so that repeated entries are computed once."""

        def one(i: int, j: int) -> sp.Expr:
            if matrix[i, j].is_number or matrix[i, j].is_Symbol:
                return matrix[i, j]
            symbol = sp.Symbol(f"named{self._names}", real=True)
            self._names += 1
            self.definitions.append((symbol, self.replace_extremes(matrix[i : i + 1, j : j + 1])[0]))
            return symbol

        return sp.Matrix(*matrix.shape, one)

    def replace_extremes(self, matrix: sp.Matrix) -> sp.Matrix:
        """Replace Max and Min in a matrix by two-way choices with named parts."""
        name = f"choice{len(self.problems)}_"
        return matrix.applyfunc(lambda entry: replace_extremes(entry, self.definitions, name))


def derive_step(
    formula: Callable[..., Any], J: sp.Matrix, V: sp.Matrix, joints: tuple[sp.Matrix, sp.Matrix] | None = None
) -> DerivedStep:
    """Evaluate a step formula (J, V, solve) on symbols; of coupled joints (columns, A) with J = columns A."""
    both = None if joints is None else (sp.ImmutableMatrix(joints[0]), sp.ImmutableMatrix(joints[1]))
    return _derive_step(formula, sp.ImmutableMatrix(J), sp.ImmutableMatrix(V), both)


@lru_cache(maxsize=16)
def _derive_step(
    formula: Callable[..., Any], J: sp.Matrix, V: sp.Matrix, joints: tuple[sp.Matrix, sp.Matrix] | None
) -> DerivedStep:
    J, V = sp.Matrix(J), sp.Matrix(V)  # noqa: N806
    name = getattr(formula, "__name__", repr(formula))
    solve = Solver(name, J.cols, joints)
    try:
        d = sp.Matrix(formula(J, V, solve))
    except ParameterError:
        raise
    except Exception as error:  # a user's function may raise anything
        raise ParameterError(f"{name}(J, V, solve) failed: {error}") from error
    if d.shape != (J.cols, 1):
        raise ParameterError(f"{name} must return one entry per joint, shape ({J.cols}, 1), got {d.shape}")
    if not solve.problems:
        raise ParameterError(f"{name} must compute its step by solve(A, e), but never calls it")
    whole = DerivedStep(tuple(solve.problems), solve.definitions, solve.replace_extremes(d))
    _check(name, whole, set().union(*(arguments.free_symbols for arguments in (J, V, *(joints or ())))))
    return whole


def _check(name: str, step: DerivedStep, known: set[sp.Basic]) -> None:
    """Raise ParameterError if a formula contains unsupported functions, unknown symbols or complex numbers."""

    def check(part: sp.Basic) -> None:
        if strange := sorted(str(symbol) for symbol in part.free_symbols - known):
            raise ParameterError(
                f"unknown symbols {', '.join(strange)} in {name}; allowed: entries of J, V and of solutions of solve"
            )
        functions = {one for one in part.atoms(sp.Function) if not isinstance(one, (*PRINTED, stumpff))}
        if functions:
            words = ", ".join(sorted({type(one).__name__ for one in functions}))
            raise ParameterError(
                f"unknown functions {words} in {name}; allowed: sp.sqrt, exp, log, sin, cos, Abs, Max, Min, Piecewise"
            )
        if part.has(sp.I):
            raise ParameterError(f"the step of {name} must be real, got {part}")

    parts = [(problem.definitions, [*problem.A, *problem.e], list(problem.d)) for problem in step.problems]
    for definitions, entries, solution in [*parts, (step.definitions, list(step.d), [])]:
        for symbol, expression in definitions:
            check(expression)
            known.add(symbol)
        for entry in entries:
            check(entry)
        known.update(solution)


@formula
def halley(J: sp.Matrix, V: sp.Matrix, solve: Solver) -> sp.Matrix:
    """Return d with (A + ½ A′) d = V, third-order, where A = J_l(V)⁻¹ J_b and A′ is its derivative along A⁻¹V."""
    # Source: Ortega & Rheinboldt, Iterative Solution of Nonlinear Equations in Several Variables (1970), §7.4.
    L = solve.name_all(se3.left_jacobian_inverse(V))
    A = solve.name_all(L * J)
    newton = solve(A, V)
    turned = se3.left_jacobian_inverse_along(V, solve.name_all(-A * newton), solve.name_all)
    return solve(A + (solve.name_all(turned) * J + L * solve.name_all(solve.derivative_along(J, newton))) / 2, V)
