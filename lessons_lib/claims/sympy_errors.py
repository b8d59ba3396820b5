"""Refusals: what SymPy cannot work out is refused by a `ClaimError`, whatever SymPy raises."""

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
"""What SymPy and mpmath raise on expressions that they cannot work with."""


def translate_sympy_errors(operation: Callable[P, R]) -> Callable[P, R]:
    """Return a function that raises `ClaimError` where SymPy cannot work with what it is given."""

    @wraps(operation)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return operation(*args, **kwargs)
        except ClaimError:
            raise
        except _RAISED as cause:
            name = operation.__name__.strip("_")
            said = ", ".join(map(_shown, args))
            raise ClaimError(f"{name}({said}) cannot be worked out: {type(cause).__name__}: {cause}") from cause

    return checked


def _shown(argument: Any) -> str:
    text = str(argument)
    return text if len(text) <= 60 else f"{text[:57]}..."
