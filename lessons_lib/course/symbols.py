"""Run compilable functions on symbols, so that a lesson proves the code that runs."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import sympy as sp

from lessons_lib.all_solutions.interval import rebind_math


def on_symbols(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a compilable function for terms and SymPy expressions, vectors as columns or tuples."""
    rebound = rebind_math(sp, function, import_module(function.__module__))

    def run(*value: Any) -> Any:
        result = rebound(*map(_plain, value))
        if not isinstance(result, tuple):
            return sp.nsimplify(result, rational=True)
        return tuple(sp.nsimplify(one, rational=True) for one in result)

    return run


def _plain(value: Any) -> Any:
    value = getattr(value, "value", value)
    return tuple(map(_plain, value)) if isinstance(value, (sp.MatrixBase, tuple)) else value
