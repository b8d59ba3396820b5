"""The generated modules of a chain: derived kernels, kernels that check q, and the space Jacobian on first use."""

from functools import partial
from types import ModuleType
from typing import Any
from weakref import ref

from lessons_lib.arrays import Array
from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import Constants, Derived, Plain, Recipe
from lessons_lib.robots import kinematics

_CHECKED = "lessons_lib.robots.checked_kernels"
_OF_SPACE = ("checked_space_kernel", "space_rows")


def load(
    name: str,
    screws: Array,
    home: Array,
    owner: object = None,
    prepared: dict[Any, Any] | None = None,
    matrix: Array | None = None,
) -> ModuleType:
    """Return the generated module of a chain; the functions of `space_recipe` are loaded on first access."""
    module = linker.load(recipe(name, screws, home, prepared, matrix), owner)
    vars(module).setdefault("__getattr__", partial(_load_space_kernel, name, (screws, home, matrix), ref(module)))
    return module


def recipe(
    name: str, screws: Array, home: Array, prepared: dict[Any, Any] | None = None, matrix: Array | None = None
) -> Recipe:
    """Return the recipe of the module with pose and body Jacobian."""
    dof = (screws if matrix is None else matrix).shape[1]
    tips = partial(kinematics.tip_kernels, screws, home, prepared, matrix)
    derived = Derived(tips, check=partial(_check_text, screws, home, matrix))
    parts = (derived, Constants({"DOF": dof}), Plain(_CHECKED, without=_OF_SPACE))
    return Recipe("chain", parts, kinematics.recipe(screws, home, matrix), f"the kinematics of {name}")


def space_recipe(name: str, screws: Array, home: Array, matrix: Array | None = None) -> Recipe:
    """Return the recipe of the module with the space Jacobian."""
    numbers, dof = (screws, home, matrix), (screws if matrix is None else matrix).shape[1]
    derived = Derived(partial(kinematics.space_kernels, *numbers), check=partial(_check_text, *numbers))
    checked = Plain(_CHECKED, only=("is_configuration", *_OF_SPACE))
    parts = (derived, Constants({"DOF": dof}), checked)
    return Recipe("chain_space", parts, kinematics.recipe(*numbers), f"the space Jacobian of {name}")


def _load_space_kernel(
    name: str, numbers: tuple[Array, Array, Array | None], module: ref[ModuleType], name_of_kernel: str
) -> Any:
    """Return a function of the space Jacobian's module, which the chain's module keeps alive."""
    if name_of_kernel not in ("space_kernel", *_OF_SPACE):
        raise AttributeError(f"the generated module of {name} has no attribute {name_of_kernel!r}")
    return getattr(linker.load(space_recipe(name, *numbers), module()), name_of_kernel)


def _check_text(screws: Array, home: Array, matrix: Array | None, text: str) -> None:
    from lessons_lib.robots.kernel_check import check_text

    check_text(text, screws, home, matrix)
