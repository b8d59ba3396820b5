"""The generated module of Euler angles: `symbolic.euler`, printed and compiled."""

from functools import lru_cache
from typing import Any

from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Recipe
from lessons_lib.lie import derivations

RECIPE = Recipe("lie_euler", (Derived(derivations.euler),), derives="Euler angles")


@lru_cache(maxsize=1)
def module() -> Any:
    """Return the generated module with `euler_kernel`, made at the first call."""
    return modules.load(RECIPE)
