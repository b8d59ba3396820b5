"""Generated modules of `lie`, each created at its first use; the Jacobians of exp take longest to derive."""

from functools import lru_cache
from typing import Any

from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import Derived, Plain, Recipe
from lessons_lib.lie import derivations

RECIPE = Recipe(
    "lie", (Derived(derivations.se3_kernels), Plain("lessons_lib.lie.logarithm")), derives="the SE(3) kernels"
)
JACOBIANS = Recipe("lie_jacobians", (Derived(derivations.jacobians),), derives="the Jacobians of exp on SE(3)")
QUATERNIONS = Recipe("lie_quaternions", (Derived(derivations.quaternions),), derives="quaternions")
EULER = Recipe("lie_euler", (Derived(derivations.euler),), derives="Euler angles")


@lru_cache(maxsize=1)
def module() -> Any:
    """Return the kernels of SE(3), the logarithm's choice of branch among them."""
    return linker.load(RECIPE)


@lru_cache(maxsize=1)
def jacobians() -> Any:
    return linker.load(JACOBIANS)


@lru_cache(maxsize=1)
def quaternions() -> Any:
    return linker.load(QUATERNIONS)


@lru_cache(maxsize=1)
def euler() -> Any:
    return linker.load(EULER)
