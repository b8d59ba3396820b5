"""A method's formula in numbers, for the search in Python: NumPy solves its linear problems in order."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons_lib.codegen.dependencies import PACKAGE, digest
from lessons_lib.errors import ParameterError

if TYPE_CHECKING:
    from lessons_lib.arrays import Array

Solve = Callable[["Array", "Array"], "Array"]


def step_of(formula: Callable[..., Any], jacobian: Array, error: Array, solve: Solve) -> Array:
    """Return the step d of a formula, shape (n,); `solve` returns the solution, shape (n,), of A d ≈ e."""
    problems, step = _functions(formula, jacobian.shape[1])
    solved = np.empty(0)
    with np.errstate(all="ignore"):  # a step that is not finite ends the start
        for problem in problems:
            A, e = problem(jacobian, error, np.append(solved, 0.0))
            finite = np.isfinite(A).all() and np.isfinite(e).all()
            solved = np.append(solved, solve(A, e) if finite else np.full(A.shape[1], np.nan))
        d: Array = step(jacobian, error, np.append(solved, 0.0))
    return d


@lru_cache(maxsize=64)
def key_of(formula: Callable[..., Any], n: int) -> str:
    """Return a text that identifies a formula for n joints: place and file digest in this library, else its terms."""
    # raises ParameterError if the formula gives no step
    home = formula.__module__ or ""  # None if it was made by exec in a namespace without __name__
    if home.startswith(f"{PACKAGE}."):
        return f"{home}.{formula.__qualname__} {digest([home])}"
    derived, parts = _linear_problems(formula, n), list[Any]()
    for problem in derived.problems:
        parts += [*problem.definitions, problem.A, problem.e]
    return hashlib.sha256("\n".join(map(str, [*parts, *derived.definitions, derived.d])).encode()).hexdigest()


def key_of_any(formula: Callable[..., Any]) -> str:
    """Return the key of a formula for the first number of joints with a step; ParameterError if there is none."""
    faults = []
    for n in (6, 7, *range(1, 6), *range(8, 15)):
        try:
            return key_of(formula, n)
        except ParameterError as error:
            faults.append(error)
    raise faults[0]


def _linear_problems(formula: Callable[..., Any], n: int) -> Any:
    from lessons_lib.symbolic.step_formula import derive_step

    return derive_step(formula, *_symbols(n))


def _symbols(n: int) -> tuple[Any, Any]:
    import sympy as sp

    from lessons_lib.symbolic.damped_step import jacobian

    return jacobian(n), sp.Matrix(sp.symbols("V0:6", real=True))


@lru_cache(maxsize=64)
def _functions(formula: Callable[..., Any], n: int) -> tuple[list[Callable[..., Any]], Callable[..., Any]]:
    """Return NumPy functions of (J, V, solutions so far): A and e of each linear problem, and the step."""
    import sympy as sp

    from lessons_lib.codegen import Kernel, source, syntax
    from lessons_lib.symbolic.piecewise import Definitions

    (J, V), derived = _symbols(n), _linear_problems(formula, n)
    before, named, kernels = list[sp.Symbol](), Definitions(), list[Kernel]()
    unused = sp.Symbol("unused", real=True)

    def add(name: str, outputs: dict[str, sp.Matrix]) -> None:
        inputs = {"jacobian": J, "error": V, "solved": sp.Matrix([*before, unused])}
        kernels.append(Kernel(name, inputs, outputs, tuple(named), "A part of a formula.", ["jacobian", *outputs]))

    for k, problem in enumerate(derived.problems):
        named += problem.definitions
        add(f"problem_{k}", {"A": problem.A, "e": problem.e})
        before += list(problem.d)
    named += derived.definitions
    add("step", {"d": derived.d})
    run = syntax.functions_of(source(kernels, "numpy"))

    def flat(name: str) -> Callable[..., Any]:
        def problem(*arguments: Array) -> tuple[Array, Array]:
            A, e = run[name](*arguments)
            return A, e[:, 0]

        return problem

    def step(*arguments: Array) -> Array:
        d: Array = run["step"](*arguments)
        return d[:, 0]

    return [flat(f"problem_{k}") for k in range(len(derived.problems))], step
