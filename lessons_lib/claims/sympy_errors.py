"""Exceptions of SymPy and mpmath, reported as `ClaimError`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import mpmath
from sympy.matrices.exceptions import MatrixError
from sympy.polys.polyerrors import BasePolynomialError

from lessons_lib.errors import ClaimError, LessonsError

P = ParamSpec("P")
R = TypeVar("R")

_RAISED = (
    *(TypeError, ValueError, ArithmeticError, AttributeError, LookupError, AssertionError, NotImplementedError),
    *(RecursionError, LessonsError, BasePolynomialError, MatrixError, mpmath.libmp.NoConvergence),
)
"""Exceptions of SymPy and mpmath on expressions that they cannot handle."""


def translate_sympy_errors(operation: Callable[P, R]) -> Callable[P, R]:
    """Return a function that raises `ClaimError` if SymPy fails on its arguments."""

    @wraps(operation)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return operation(*args, **kwargs)
        except ClaimError:
            raise
        except _RAISED as cause:
            name = operation.__name__.strip("_")
            arguments = ", ".join(map(_abbreviate, args))
            raise ClaimError(f"SymPy cannot evaluate {name}({arguments}): {type(cause).__name__}: {cause}") from cause

    return wrapper


def _abbreviate(argument: Any) -> str:
    text = str(argument)
    return text if len(text) <= 60 else f"{text[:57]}..."
