"""The generated module of all trees: kernels of one joint, and the loops over joints."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import ModuleType

from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import Derived, Imported, Plain, Recipe
from lessons_lib.lie import kernels
from lessons_lib.robots import tree_derivation
from lessons_lib.robots import tree_layout as layout


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the module with the loops of tree_loops.py; it serves every robot."""
    return linker.load(recipe())


@lru_cache(maxsize=1)
def checker() -> Callable[[Integers, Array], bool]:
    """Return `is_configuration`, compiled."""
    function: Callable[[Integers, Array], bool] = module().is_configuration.specialize("i1", "f1")
    return function


def recipe() -> Recipe:
    places, loops = Plain("lessons_lib.robots.tree_layout"), Plain("lessons_lib.robots.tree_loops")
    se3 = Imported(kernels.module(), "between_kernel", "log_se3_kernel")
    return Recipe("tree", (se3, Derived(tree_derivation.derive), places, loops))


def rows(joints: Integers) -> int:
    """Return the number of rows of the twists of a tree."""
    return int(sum(6 if kind == layout.FREE else 1 for kind in joints[:, layout.KIND]))
