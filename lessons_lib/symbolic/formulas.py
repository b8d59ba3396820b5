"""Formulas sign what they derive, so that a claim, a kernel and a page can say which formula they are about.

A function of this package that is marked with `formula` leaves its name on every matrix that it returns. Whoever is
given such a matrix reads the name off it (`tags_of`); nobody has to type it a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import sympy as sp

P = ParamSpec("P")
R = TypeVar("R")

PACKAGE = "lessons_lib.symbolic."


def formula(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function sign the matrices that it returns: one, several in a tuple, or those of a dataclass."""
    name = f"{function.__module__.removeprefix(PACKAGE)}.{function.__name__}"

    @wraps(function)
    def signed(*args: P.args, **kwargs: P.kwargs) -> R:
        result = function(*args, **kwargs)
        for matrix in _matrices(result):
            if not any(matrix is given for given in (*args, *kwargs.values())):
                tag(matrix, [name])
        return result

    vars(signed)["formula_name"] = name
    return signed


def name_of(function: object) -> str:
    """Return the name that a formula signs with, "so3.exp" for instance; empty for any other function."""
    return str(getattr(function, "formula_name", ""))


def tag(matrix: sp.Matrix, names: Iterable[str]) -> sp.Matrix:
    """Return the matrix, signed by some formulas and by no others; for what is made of a signed one."""
    matrix.formula_tags = frozenset(names)
    return matrix


def tags_of(value: Any) -> frozenset[str]:
    """Return the formulas that have signed a matrix; none for what is no matrix, or was made otherwise."""
    return getattr(value, "formula_tags", frozenset())


def _matrices(result: Any) -> Iterator[sp.Matrix]:
    if isinstance(result, sp.MatrixBase):
        yield result
    elif isinstance(result, tuple):
        yield from (part for part in result if isinstance(part, sp.MatrixBase))
    elif is_dataclass(result):
        values = (getattr(result, field.name) for field in fields(result))
        yield from (value for value in values if isinstance(value, sp.MatrixBase))
