"""The crossings on symbols: what lesson 20 proves is the text that runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from lessons_lib.pose_ik.branches import crossings
from lessons_lib.pose_ik.branches.enclosed import on_numbers


def on_symbols(function: Callable[..., Any]) -> Callable[..., tuple[sp.Expr, ...]]:
    """Return a function of crossings.py for terms and SymPy expressions; a vector is a column, or a tuple of entries.

    Its decimal numbers, which are binary fractions, come out as fractions.
    """
    made = on_numbers(sp, function, crossings)

    def applied(*given: Any) -> tuple[sp.Expr, ...]:
        return tuple(sp.nsimplify(one, rational=True) for one in made(*map(_plain, given)))

    return applied


def _plain(given: Any) -> Any:
    value = getattr(given, "value", given)
    return tuple(map(_plain, value)) if isinstance(value, (sp.MatrixBase, tuple)) else value
