"""The generated modules of `retime`: the derived rows of the limits, and the loops through them, compiled."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType

from lessons_lib.arrays import Array
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Plain, Recipe
from lessons_lib.trajectories import timing_derivations

ROWS = Recipe("path_limits", (Derived(timing_derivations.limits, "numpy"),), derives="the limits on a piece of a path")
LOOPS = Recipe("fastest", (Plain("lessons_lib.trajectories.fastest"),))


def limit_rows(slopes: Array, numbers: Array) -> Array:
    """Return rows A of each piece and joint with |A (x, y)| ≤ 1 where the limits are kept, shape (m, n, 9, 2).

    Args:
        slopes: Bernstein coefficients of q′, shape (m, n, 3).
        numbers: h, 1/v and 1/a of each piece and joint, shape (m, n, 3).
    """
    rows: Array = rows_module().limit_rows_kernel(slopes, numbers)
    return rows


@lru_cache(maxsize=1)
def rows_module() -> ModuleType:
    """Return the generated module with limit_rows_kernel, vectorised."""
    return modules.load(ROWS)


@lru_cache(maxsize=1)
def loops_module() -> ModuleType:
    """Return the generated module with the functions of fastest.py."""
    return modules.load(LOOPS)
