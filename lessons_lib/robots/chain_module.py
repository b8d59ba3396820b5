"""The generated module of a chain: its derived kernels, and those that check q before they use it."""

from functools import partial
from types import ModuleType

from lessons_lib.arrays import Array
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Constants, Derived, Plain, Recipe
from lessons_lib.robots import kinematics


def load(name: str, screws: Array, home: Array, owner: object = None) -> ModuleType:
    """Return the module, made at the first call for these numbers.

    Raises:
        KinematicsError: When it is made: the kernels are not the product of exponentials.
    """
    return modules.load(recipe(name, screws, home), owner)


def recipe(name: str, screws: Array, home: Array) -> Recipe:
    """Return what the module is made of; the name is for people."""
    derived = Derived(partial(kinematics.kernels, screws, home), check=partial(_check_text, screws, home))
    parts = (derived, Constants({"DOF": screws.shape[1]}), Plain("lessons_lib.robots.checked_kernels"))
    return Recipe("chain", parts, kinematics.recipe(screws, home), f"the kinematics of {name}")


def _check_text(screws: Array, home: Array, text: str) -> None:
    from lessons_lib.robots.kernel_check import check_text

    check_text(text, screws, home)
