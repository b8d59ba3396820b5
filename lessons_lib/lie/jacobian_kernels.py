"""The generated module of the Jacobians of exp: derivatives of `symbolic`'s formulas."""

from functools import lru_cache
from types import ModuleType

from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Recipe
from lessons_lib.lie import derivations

RECIPE = Recipe("lie_jacobians", (Derived(derivations.jacobians),), derives="the Jacobians of exp on SE(3)")


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module with the three kernels, made at the first call."""
    return modules.load(RECIPE)
