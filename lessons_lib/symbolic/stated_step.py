"""A step stated as a formula of the Jacobian and the error, with linear problems in it: run once, on symbols."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from lessons_lib.errors import ParameterError
from lessons_lib.symbolic.choices import PRINTED, Definitions, as_choices
from lessons_lib.symbolic.manipulability import body_jacobian_derivative
from lessons_lib.symbolic.stumpff_functions import stumpff


@dataclass(frozen=True)
class LinearProblem:
    """One that a step solves on its way: A d ≈ e.

    Attributes:
        definitions: Steps that were named before it, in order: a symbol, and its expression in what is known by then.
        A: 6×n.
        e: 6×1.
        d: Symbols of its solution, n×1, which later problems and the step may hold.
    """

    definitions: Definitions
    A: sp.Matrix
    e: sp.Matrix
    d: sp.Matrix


@dataclass(frozen=True)
class StatedStep:
    """What a formula states.

    Attributes:
        problems: The linear problems, in order.
        definitions: Steps that were named after the last of them.
        d: The step, n×1, in the entries of J and V, in what was named, and in the problems' solutions.
    """

    problems: tuple[LinearProblem, ...]
    definitions: Definitions
    d: sp.Matrix


class Solver:
    """What a formula is handed as `solve`.

    Attributes:
        problems: The linear problems so far.
        definitions: Steps that were named after the last of them.
    """

    def __init__(self, name: str, n: int, joints: tuple[sp.Matrix, sp.Matrix] | None = None) -> None:
        """Begin, for the formula of this name and n joints; `joints` as in `stated`."""
        self.formula, self.n, self._joints = name, n, joints
        self.problems, self.definitions = list[LinearProblem](), Definitions()
        self._names = 0

    def __call__(self, A: Any, e: Any) -> sp.Matrix:
        """Return the solution d of A d ≈ e, n×1, as symbols."""
        given = sp.Matrix(A), sp.Matrix(e)
        shapes = given[0].shape, given[1].shape
        if shapes != ((6, self.n), (6, 1)):
            raise ParameterError(
                f"{self.formula} solves A d = e with A {shapes[0]} and e {shapes[1]}; they are (6, {self.n}) and (6, 1)"
            )
        d = sp.Matrix(self.n, 1, lambda i, _: sp.Symbol(f"solved{len(self.problems)}_{i}", real=True))
        A, e = (self.without_extremes(matrix) for matrix in given)
        self.problems.append(LinearProblem(self.definitions, A, e, d))
        self.definitions = []
        return d

    def derivative_along(self, J: sp.Matrix, d: sp.Matrix) -> sp.Matrix:
        """Return the derivative of the body Jacobian J, 6×n, along d, n×1.

        If the joints are coupled, it is that of the joints' own columns by the chain rule.
        """
        if self._joints is None:
            return body_jacobian_derivative(J, d)
        columns, A = self._joints
        return self.named(body_jacobian_derivative(columns, self.named(A * d))) * A

    def named(self, matrix: sp.Matrix) -> sp.Matrix:
        """Return names for the entries of a matrix: what stands in a formula several times is written once."""

        def one(i: int, j: int) -> sp.Expr:
            if matrix[i, j].is_number or matrix[i, j].is_Symbol:
                return matrix[i, j]
            symbol = sp.Symbol(f"named{self._names}", real=True)
            self._names += 1
            self.definitions.append((symbol, self.without_extremes(matrix[i : i + 1, j : j + 1])[0]))
            return symbol

        return sp.Matrix(*matrix.shape, one)

    def without_extremes(self, matrix: sp.Matrix) -> sp.Matrix:
        """Return a matrix with Max and Min as choices, whose parts are named."""
        name = f"choice{len(self.problems)}_"
        return matrix.applyfunc(lambda entry: as_choices(entry, self.definitions, name))


def stated(
    formula: Callable[..., Any], J: sp.Matrix, V: sp.Matrix, joints: tuple[sp.Matrix, sp.Matrix] | None = None
) -> StatedStep:
    """Return what a formula of (J, V, solve) states.

    Args:
        formula: It returns the step, n×1; see `Solver`.
        J: 6×n, a symbol or a number each.
        V: Symbols, 6×1.
        joints: If n coordinates move m joints, the columns of these, 6×m, and A, m×n, with J = columns A.

    Raises:
        ParameterError: It raises, it solves nothing, what it gives to `solve` or returns has another shape, or it holds
            a symbol from elsewhere, a function that the solver has not, or what is not real.
    """
    both = None if joints is None else (sp.ImmutableMatrix(joints[0]), sp.ImmutableMatrix(joints[1]))
    return _stated(formula, sp.ImmutableMatrix(J), sp.ImmutableMatrix(V), both)


@lru_cache(maxsize=16)
def _stated(
    formula: Callable[..., Any], J: sp.Matrix, V: sp.Matrix, joints: tuple[sp.Matrix, sp.Matrix] | None
) -> StatedStep:
    J, V = sp.Matrix(J), sp.Matrix(V)  # noqa: N806
    name = getattr(formula, "__name__", repr(formula))
    solve = Solver(name, J.cols, joints)
    try:
        found = sp.Matrix(formula(J, V, solve))
    except ParameterError:
        raise
    except Exception as error:  # whatever a reader's function raises
        raise ParameterError(f"no step comes of {name}(J, V, solve): {error}") from error
    if found.shape != (J.cols, 1):
        raise ParameterError(f"{name} returns shape {found.shape}; a step has one entry a joint, shape ({J.cols}, 1)")
    if not solve.problems:
        raise ParameterError(f"{name} solves no linear problem; a step comes of solve(A, e)")
    whole = StatedStep(tuple(solve.problems), solve.definitions, solve.without_extremes(found))
    _check(name, whole, set().union(*(given.free_symbols for given in (J, V, *(joints or ())))))
    return whole


def _check(name: str, step: StatedStep, known: set[sp.Basic]) -> None:
    """Raise ParameterError where a formula holds what the solver has not, or a symbol from elsewhere."""

    def look(part: sp.Basic) -> None:
        if strange := sorted(str(symbol) for symbol in part.free_symbols - known):
            raise ParameterError(f"{name} holds {', '.join(strange)}; it is made of J, V and what solve returns")
        functions = {one for one in part.atoms(sp.Function) if not isinstance(one, (*PRINTED, stumpff))}
        if functions:
            words = ", ".join(sorted({type(one).__name__ for one in functions}))
            raise ParameterError(
                f"{name} holds {words}, which the solver has not; it has sp.sqrt, exp, log, sin, cos, Abs, Max, Min, "
                "Piecewise"
            )
        if part.has(sp.I):
            raise ParameterError(f"{name} holds {part}, which is not real; a step has real entries")

    for problem in step.problems:
        for symbol, expression in problem.definitions:
            look(expression)
            known.add(symbol)
        for entry in (*problem.A, *problem.e):
            look(entry)
        known.update(problem.d)
    for symbol, expression in step.definitions:
        look(expression)
        known.add(symbol)
    for entry in step.d:
        look(entry)
