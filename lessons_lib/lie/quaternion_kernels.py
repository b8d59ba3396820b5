"""The generated module of unit quaternions: `symbolic.quaternion`, printed and compiled."""

from functools import lru_cache
from typing import Any

from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Recipe
from lessons_lib.lie import derivations

RECIPE = Recipe("lie_quaternions", (Derived(derivations.quaternions),), derives="quaternions")


@lru_cache(maxsize=1)
def module() -> Any:
    """Return the generated module with both kernels, made at the first call."""
    return modules.load(RECIPE)
