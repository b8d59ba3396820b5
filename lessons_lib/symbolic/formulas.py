"""Tags on derived matrices: names of the formulas that derived them, for claims, kernels and the provenance page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import sympy as sp

P = ParamSpec("P")
R = TypeVar("R")


def formula(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function tag the matrices that it returns, alone, in a tuple or in a dataclass, with its name."""
    name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"

    @wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        result = function(*args, **kwargs)
        for matrix in _matrices(result):
            if not any(matrix is given for given in (*args, *kwargs.values())):
                tag(matrix, [name])
        return result

    vars(wrapper)["formula_name"] = name
    return wrapper


def name_of(function: object) -> str:
    """Return the tag of a formula, "so3.exp" for instance; "" for any other function."""
    return str(getattr(function, "formula_name", ""))


def tag(matrix: sp.Matrix, names: Iterable[str]) -> sp.Matrix:
    """Tag a matrix with the names of some formulas, replacing earlier tags."""
    matrix.formula_tags = frozenset(names)
    return matrix


def tags_of(value: Any) -> frozenset[str]:
    """Return the tags of a matrix; none for untagged or other values."""
    return getattr(value, "formula_tags", frozenset())


def _matrices(result: Any) -> Iterator[sp.Matrix]:
    if isinstance(result, sp.MatrixBase):
        yield result
    elif isinstance(result, tuple):
        yield from (part for part in result if isinstance(part, sp.MatrixBase))
    elif is_dataclass(result):
        values = (getattr(result, field.name) for field in fields(result))
        yield from (value for value in values if isinstance(value, sp.MatrixBase))
