"""The generated module of the numeric SE(3) kit: the derived kernels, then the logarithm's choice of branch.

The Jacobians of exp have a module of their own, `jacobian_kernels`:
to derive them takes longer than all the others together, and few solves need them.
"""

from functools import lru_cache
from types import ModuleType

from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Plain, Recipe
from lessons_lib.lie import derivations

RECIPE = Recipe("lie", (Derived(derivations.kit), Plain("lessons_lib.lie.logarithm")), derives="the SE(3) kit")


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the generated module with all kernels, made at the first call."""
    return modules.load(RECIPE)
